// Wrong: without gaps in shared memory the lanes that go through their sixteen neighbours meet in two banks, far more than one conflict for 64 ints.
// Kind: shared
#include "capstone.h"

extern "C" const int predicted_least_loaded_2_20 = 131072;

extern "C" const int predicted_least_moved_2_20 = 262144;

/* Plain loads of one int a lane, eight under way at once; the grid's warps lie side by side. */
#define SUM_T 256
#define SUM_MASK 0xffffffffu

__global__ void sum_one_by_one(const int *in, size_t n, int *sum) {
    size_t lead = (size_t)in / sizeof(int) % 8; /* so each warp begins at a sector */
    size_t all = n + lead;
    size_t stride = (size_t)gridDim.x * SUM_T * 8;
    unsigned acc = 0;
    for (size_t base = (size_t)blockIdx.x * SUM_T * 8; base < all; base += stride) {
        size_t p = base + threadIdx.x;
        if (base >= lead && base + SUM_T * 8 <= all) {
            const int *from = in + (p - lead);
            unsigned part[8];
#pragma unroll
            for (int k = 0; k < 8; k++)
                part[k] = (unsigned)from[k * SUM_T];
#pragma unroll
            for (int k = 0; k < 8; k++)
                acc += part[k];
        } else {
            for (int k = 0; k < 8; k++, p += SUM_T)
                if (p >= lead && p < all)
                    acc += (unsigned)in[p - lead];
        }
    }
    for (int d = 16; d; d >>= 1)
        acc += __shfl_xor_sync(SUM_MASK, acc, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd((unsigned *)sum, acc);
}

extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *scratch, int *sum) {
    (void)scratch;
    cudaError_t e = cudaMemsetAsync(sum, 0, sizeof(int));
    if (e != cudaSuccess) {
        cudaGetLastError();
        return e;
    }
    if (n == 0)
        return e;
    size_t grid = n / (SUM_T * 32) + 1;
    if (grid > 2048)
        grid = 2048;
    sum_one_by_one<<<(unsigned)grid, SUM_T>>>(in, n, sum);
    return cudaGetLastError();
}

/* The tile goes through shared memory, so any address will do: lane by lane in, thread by thread out. */
#define SB 256u
#define EACH 16u
#define SPAN (SB * EACH)
#define PLACE(i) (i)

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
    unsigned striped = t, blocked = t * EACH, v[EACH], sum = 0;

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
        int *dst = out + (first - lead) + t;
#pragma unroll
        for (unsigned k = 0; k < EACH; k++)
            dst[k * SB] = (int)s[striped + PLACE(k * SB)];
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
