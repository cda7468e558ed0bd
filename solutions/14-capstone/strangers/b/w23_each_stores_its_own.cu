// Wrong: each thread stores its sixteen neighbours itself, so the lanes of a store lie 64 bytes apart and many times more sectors are stored than the ints fill.
// Kind: coalescing
#include "capstone.h"

extern "C" const int predicted_least_loaded_2_20 = 131072;

extern "C" const int predicted_least_moved_2_20 = 262144;

// Each block goes through one run of quads of its own; the ints at both ends go to the last block.
struct Span {
    size_t begin, end;
};

__device__ inline Span share_of(size_t quads, unsigned block, unsigned blocks) {
    size_t each = quads / blocks, more = quads % blocks;
    size_t begin = block * each + (block < more ? block : more);
    return {begin, begin + each + (block < more ? 1 : 0)};
}

__device__ inline unsigned plus(uint4 v) {
    return v.x + v.y + v.z + v.w;
}

__global__ void sum_runs(const int *in, size_t n, size_t head, int *sum) {
    __shared__ unsigned block_sum;
    if (threadIdx.x == 0)
        block_sum = 0;
    __syncthreads();
    const size_t quads = (n - head) / 4;
    const uint4 *quad = (const uint4 *)(in + head);
    const Span span = share_of(quads, blockIdx.x, gridDim.x);
    unsigned mine = 0;
    size_t i = span.begin + threadIdx.x;
    for (; i + 3 * blockDim.x < span.end; i += 4 * blockDim.x)
        mine += plus(quad[i]) + plus(quad[i + blockDim.x]) + plus(quad[i + 2 * blockDim.x])
                + plus(quad[i + 3 * blockDim.x]);
    for (; i < span.end; i += blockDim.x)
        mine += plus(quad[i]);
    if (blockIdx.x == gridDim.x - 1) {
        const size_t tail = head + quads * 4;
        if (threadIdx.x < head)
            mine += (unsigned)in[threadIdx.x];
        if (tail + threadIdx.x < n)
            mine += (unsigned)in[tail + threadIdx.x];
    }
    for (int d = 1; d < 32; d <<= 1)
        mine += __shfl_xor_sync(~0u, mine, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&block_sum, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd((unsigned *)sum, block_sum);
}

extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *, int *sum) {
    auto failed = [](cudaError_t error) {
        cudaGetLastError();
        return error;
    };
    if (cudaError_t error = cudaMemsetAsync(sum, 0, sizeof(int)))
        return failed(error);
    if (n == 0)
        return cudaSuccess;
    size_t head = (4 - (size_t)in / 4 % 4) % 4;
    if (head > n)
        head = n;
    const unsigned threads = 256;
    size_t blocks = (n + threads * 32 - 1) / (threads * 32);
    if (blocks > 1056)
        blocks = 1056;
    sum_runs<<<(unsigned)blocks, threads>>>(in, n, head, sum);
    return cudaGetLastError();
}

/* The tile goes through shared memory, so any address will do: lane by lane in, thread by thread out. */
#define SB 256u
#define EACH 16u
#define SPAN (SB * EACH)
#define PLACE(i) ((i) + (i) / 32)

struct board {                  /* what blocks tell each other; three arrays in scratch */
    unsigned *next;             /* tickets */
    volatile unsigned *flag;    /* 0: nothing, 1: the tile's own sum is there, 2: the sum of all too */
    volatile unsigned *own;
    volatile unsigned *all;
};

__host__ __device__ static struct board board_in(unsigned long long *scratch, size_t tiles) {
    struct board b;
    b.next = (unsigned *)scratch;
    b.flag = b.next + 2;
    b.own = b.flag + tiles;
    b.all = b.own + tiles;
    return b;
}

__device__ static unsigned ask(struct board b, unsigned tile) {
    unsigned lane = threadIdx.x & 31, result = 0;
    long long from = (long long)tile - 1;
    while (from >= 0) {
        long long at = from - lane;
        unsigned flag, got = 0, ready, full;
        int upto;
        for (;;) {
            flag = at >= 0 ? b.flag[at] : 2;
            full = __ballot_sync(0xffffffffu, flag == 2);
            ready = __ballot_sync(0xffffffffu, flag != 0);
            upto = full ? __ffs(full) - 1 : 31;     /* the last lane that counts */
            unsigned need = 0xffffffffu >> (31 - upto);
            if ((ready & need) == need)
                break;
        }
        __threadfence();
        if (at >= 0 && (int)lane <= upto)
            got = flag == 2 ? b.all[at] : b.own[at];
        for (int d = 16; d; d >>= 1)
            got += __shfl_xor_sync(0xffffffffu, got, d);
        result += got;
        if (full)
            break;
        from -= 32;
    }
    return result;
}

__global__ void scan_spans(const int *in, size_t n, unsigned lead, size_t tiles, unsigned long long *scratch,
                           int *out) {
    __shared__ unsigned s[SPAN + SPAN / 32], heads[32], mine;
    struct board b = board_in(scratch, tiles);
    unsigned t = threadIdx.x, lane = t & 31, w = t >> 5;
    if (t == 0)
        mine = atomicAdd(b.next, 1u);
    __syncthreads();
    unsigned tile = mine;
    size_t first = (size_t)tile * SPAN, end = n + lead;
    bool whole = first >= lead && first + SPAN <= end;
    unsigned striped = t + t / 32, blocked = t * EACH + t / 2, v[EACH], sum = 0;

    if (whole) {
        const int *src = in + (first - lead) + t;
#pragma unroll
        for (unsigned k = 0; k < EACH; k++)
            v[k] = (unsigned)src[k * SB];
    } else {
#pragma unroll
        for (unsigned k = 0; k < EACH; k++) {
            size_t p = first + k * SB + t;
            v[k] = p >= lead && p < end ? (unsigned)in[p - lead] : 0;
        }
    }
#pragma unroll
    for (unsigned k = 0; k < EACH; k++)
        s[striped + PLACE(k * SB)] = v[k];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < EACH; k++)
        v[k] = sum += s[blocked + k];
    unsigned up = sum;
    for (unsigned d = 1; d < 32; d <<= 1) {
        unsigned o = __shfl_up_sync(0xffffffffu, up, d);
        if (lane >= d)
            up += o;
    }
    if (lane == 31)
        heads[w] = up;
    __syncthreads();
    if (w == 0) {
        unsigned own = lane < SB / 32 ? heads[lane] : 0, run = own;
        for (unsigned d = 1; d < 32; d <<= 1) {
            unsigned o = __shfl_up_sync(0xffffffffu, run, d);
            if (lane >= d)
                run += o;
        }
        unsigned total = __shfl_sync(0xffffffffu, run, 31), before = 0;
        if (lane == 0 && tile > 0) {
            b.own[tile] = total;
            __threadfence();
            b.flag[tile] = 1;
        }
        if (tile > 0)
            before = ask(b, tile);
        if (lane == 0) {
            b.all[tile] = before + total;
            __threadfence();
            b.flag[tile] = 2;
        }
        heads[lane] = before + run - own;
    }
    __syncthreads();
    unsigned add = heads[w] + up - sum;
#pragma unroll
    for (unsigned k = 0; k < EACH; k++)
        s[blocked + k] = v[k] + add;
    __syncthreads();
    if (whole) {
        int *dst = out + (first - lead) + t * EACH;
#pragma unroll
        for (unsigned k = 0; k < EACH; k++)
            dst[k] = (int)s[blocked + k];
    } else {
        for (unsigned k = 0; k < EACH; k++) {
            size_t p = first + k * SB + t;
            if (p >= lead && p < end)
                out[p - lead] = (int)s[striped + PLACE(k * SB)];
        }
    }
}

extern "C" cudaError_t scan_fast(const int *in, size_t n, unsigned long long *scratch, int *out) {
    unsigned lead = (unsigned)((size_t)out % 32 / 4);   /* so that a warp stores whole sectors */
    size_t tiles = (n + lead + SPAN - 1) / SPAN;
    cudaError_t e;
    if (n == 0)
        return cudaSuccess;
    /* the ticket, a spare word, and the flags */
    e = cudaMemsetAsync(scratch, 0, (tiles + 2) * sizeof(unsigned), 0);
    if (e != cudaSuccess) {
        cudaGetLastError();
        return e;
    }
    scan_spans<<<(unsigned)tiles, SB>>>(in, n, lead, tiles, scratch, out);
    return cudaGetLastError();
}
