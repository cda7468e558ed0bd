// Wrong: the second launch always adds up 1,056 partial sums, also where fewer blocks were launched, so it reads words of scratch that nobody has written.
// Kind: unwritten
/*
 * Lab 14: capstone. Handout: handouts/14-capstone.md
 *
 * Fill in the TODO regions and leave the rest; functions of your own may be added. The order of
 * work: answer the predictions (TODO 0), then the sum (TODO 1), then the scan (TODO 2). Each can be
 * tested when it is done. Block, grid and means are yours to choose.
 */
#include "capstone.h"

#define ALL_LANES 0xffffffffu

/*
 * Predictions, before you run anything; -1 means "not answered". They cost no points: the grader
 * sets them beside what it counted.
 */
// TODO(0): answer the questions (2 numbers)

// sum_fast, 2^20 ints: how many sectors of 32 bytes must it load at the least?
extern "C" const int predicted_least_loaded_2_20 = -1;

// scan_fast, 2^20 ints: how many sectors must it load and store at the least, both together?
extern "C" const int predicted_least_moved_2_20 = -1;

// END TODO(0)

// TODO(1): the kernels of the sum (about 45 lines)
namespace {

constexpr unsigned threads_of_sum = 256;

__device__ int block_sum(int value) {
    __shared__ int of_warps[threads_of_sum / 32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;

    for (int d = 16; d >= 1; d >>= 1)
        value += __shfl_down_sync(ALL_LANES, value, d);
    if (lane == 0)
        of_warps[warp] = value;
    __syncthreads();
    value = 0;
    if (threadIdx.x == 0)
        for (unsigned w = 0; w < threads_of_sum / 32; ++w)
            value += of_warps[w];
    return value; /* thread 0 has it */
}

/* Each block leaves its part of the sum in partials. */
__global__ void partial_sums(const int *in, size_t n, int *partials) {
    const size_t address = reinterpret_cast<size_t>(in);
    const size_t first_quad = min(n, (16 - address % 16) % 16 / 4);
    const size_t quads = (n - first_quad) / 4;
    const size_t rest = first_quad + quads * 4;
    const int4 *const quad = reinterpret_cast<const int4 *>(in + first_quad);
    const size_t me = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const size_t all = static_cast<size_t>(gridDim.x) * blockDim.x;
    int value = 0;

#pragma unroll 4
    for (size_t k = me; k < quads; k += all) {
        const int4 q = quad[k];
        value += (q.x + q.y) + (q.z + q.w);
    }
    if (me < first_quad)
        value += in[me];
    if (rest + me < n)
        value += in[rest + me];
    value = block_sum(value);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = value;
}

/* One block adds them up. */
__global__ void sum_of_partials(const int *partials, unsigned count, int *sum) {
    int value = 0;

    for (unsigned k = threadIdx.x; k < count; k += blockDim.x)
        value += partials[k];
    value = block_sum(value);
    if (threadIdx.x == 0)
        *sum = value;
}

} // namespace
// END TODO(1)

extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *scratch, int *sum) {
    // TODO(1): *sum holds anything when the call starts; n may be 0 (about 15 lines)
    if (n == 0)
        return cudaMemsetAsync(sum, 0, sizeof *sum);

    size_t count = (n + 16383) / 16384;
    if (count > scratch_words(n))
        count = scratch_words(n);
    if (count > 1056)
        count = 1056;

    int *partials = reinterpret_cast<int *>(scratch);
    partial_sums<<<static_cast<unsigned>(count), threads_of_sum>>>(in, n, partials);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    sum_of_partials<<<1, threads_of_sum>>>(partials, 1056, sum);
    return cudaGetLastError();
    // END TODO(1)
}

// TODO(2): the kernel of the scan, and what it is made of (about 150 lines)
#include <cuda/atomic>

/*
 * The tile's sum is made first, and told as soon as it is known; the tile is scanned when the sum of
 * all before it is there.
 */
struct tile_state {
    unsigned long long *words;
    unsigned tile;

    __device__ void store(unsigned status, unsigned sum) const {
        cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> word(words[tile]);
        word.store((unsigned long long)status << 32 | sum, cuda::memory_order_relaxed);
    }

    __device__ unsigned long long load(unsigned k) const {
        cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> word(words[k]);
        return word.load(cuda::memory_order_relaxed);
    }

    /* For a whole warp. */
    __device__ unsigned before(unsigned lane) const {
        unsigned sum = 0;
        unsigned from = tile;

        while (from > 0) {
            const bool mine = lane < from;
            const unsigned long long word = mine ? load(from - 1 - lane) : 0;
            const unsigned status = (unsigned)(word >> 32);
            const unsigned waits = __ballot_sync(ALL_LANES, mine && status == 0);
            const unsigned ends = __ballot_sync(ALL_LANES, status == 2);
            /* the lanes up to the nearest word that ends the way */
            const unsigned useful = ends ? ends ^ (ends - 1) : ALL_LANES;

            if (waits & useful)
                continue;
            unsigned part = useful >> lane & 1 ? (unsigned)word : 0;
            for (int d = 1; d < 32; d *= 2)
                part += __shfl_xor_sync(ALL_LANES, part, d);
            sum += part;
            if (ends)
                break;
            from -= 32;
        }
        return sum;
    }
};

template <int WARPS, int ROUNDS>
__global__ void __launch_bounds__(WARPS * 32)
    scan_late(const int *in, size_t n, unsigned head, unsigned *next, unsigned long long *words,
              int *out) {
    __shared__ unsigned shared_tile, warp_total[WARPS], warp_before[WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    if (threadIdx.x == 0)
        shared_tile = atomicAdd(next, 1u);
    __syncthreads();
    const struct tile_state state = {words, shared_tile};
    const size_t begin = head + ((size_t)state.tile * WARPS + warp) * ROUNDS * 128 + lane * 4;

    uint4 v[ROUNDS];
    unsigned total = 0;
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
        const size_t i = begin + r * 128;
        v[r] = make_uint4(0, 0, 0, 0);
        if (i + 4 <= n) {
            v[r] = *reinterpret_cast<const uint4 *>(in + i);
        } else if (i < n) {
            v[r].x = in[i];
            v[r].y = i + 1 < n ? in[i + 1] : 0;
            v[r].z = i + 2 < n ? in[i + 2] : 0;
        }
    }
#pragma unroll
    for (int r = 0; r < ROUNDS; r++)
        total += v[r].x + v[r].y + v[r].z + v[r].w;
    for (int d = 16; d > 0; d /= 2)
        total += __shfl_down_sync(ALL_LANES, total, d);
    if (lane == 0)
        warp_total[warp] = total;
    __syncthreads();

    if (warp == 0) {
        unsigned own = lane < WARPS ? warp_total[lane] : 0;
        unsigned up_to = own;
        for (unsigned d = 1; d < 32; d *= 2) {
            unsigned left = __shfl_up_sync(ALL_LANES, up_to, d);
            if (lane >= d)
                up_to += left;
        }
        unsigned all = __shfl_sync(ALL_LANES, up_to, 31), before = 0;
        if (state.tile == 0) {
            for (unsigned i = 0; i < head; i++)
                before += in[i];
        } else {
            if (lane == 0)
                state.store(1, all);
            before = state.before(lane);
        }
        if (lane == 0)
            state.store(2, before + all);
        if (lane < WARPS)
            warp_before[lane] = before + up_to - own;
    }
    __syncthreads();

    unsigned before = warp_before[warp];
    const bool quads = (size_t)(out + head) % 16 == 0;
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
        uint4 q = v[r];
        q.y += q.x;
        q.z += q.y;
        q.w += q.z;
        unsigned up_to = q.w;
        for (unsigned d = 1; d < 32; d *= 2) {
            unsigned left = __shfl_up_sync(ALL_LANES, up_to, d);
            if (lane >= d)
                up_to += left;
        }
        const unsigned add = before + up_to - q.w;
        before += __shfl_sync(ALL_LANES, up_to, 31);

        const size_t i = begin + r * 128;
        if (quads && i + 4 <= n) {
            *reinterpret_cast<uint4 *>(out + i) =
                make_uint4(q.x + add, q.y + add, q.z + add, q.w + add);
        } else {
            if (i < n)
                out[i] = q.x + add;
            if (i + 1 < n)
                out[i + 1] = q.y + add;
            if (i + 2 < n)
                out[i + 2] = q.z + add;
            if (i + 3 < n)
                out[i + 3] = q.w + add;
        }
    }
    if (state.tile == 0 && threadIdx.x < head) {
        unsigned x = 0;
        for (unsigned i = 0; i <= threadIdx.x; i++)
            x += in[i];
        out[threadIdx.x] = x;
    }
}
// END TODO(2)

extern "C" cudaError_t scan_fast(const int *in, size_t n, unsigned long long *scratch, int *out) {
    // TODO(2): scratch holds anything when the call starts; n may be 0 (about 8 lines)
    const int warps = 16, rounds = 8;
    const size_t of_tile = warps * rounds * 128;
    size_t head = (size_t)in % 16 == 0 ? 0 : (16 - (size_t)in % 16) / 4;
    if (head > n)
        head = n;
    const size_t tiles = n == head ? (n > 0) : (n - head - 1) / of_tile + 1;
    cudaError_t error = cudaSuccess;

    if (tiles > 0) {
        error = cudaMemsetAsync(scratch, 0, (tiles + 1) * sizeof(unsigned long long), 0);
        if (error == cudaSuccess) {
            scan_late<warps, rounds><<<(unsigned)tiles, warps * 32>>>(
                in, n, (unsigned)head, (unsigned *)scratch, scratch + 1, out);
            error = cudaGetLastError();
        }
    }
    return error;
    // END TODO(2)
}
