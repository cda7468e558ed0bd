// Wrong: the words are cleared but not the ticket before them, which holds anything when the call starts.
// Kind: cleared
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
extern "C" const int predicted_least_loaded_2_20 = 131072;

// scan_fast, 2^20 ints: how many sectors must it load and store at the least, both together?
extern "C" const int predicted_least_moved_2_20 = 262144;

// END TODO(0)

// TODO(1): the kernels of the sum (about 45 lines)
/* n ints as a few at the front, quads at multiples of 16 bytes, and a few at the back. */
struct View {
    const int *front, *back;
    const int4 *quads;
    unsigned n_front, n_back;
    size_t n_quads;
};

static View view_of(const int *in, size_t n)
{
    View view;
    size_t past = (size_t)in % 16 / 4, front = past == 0 ? 0 : 4 - past;

    if (front > n)
        front = n;
    view.front = in;
    view.n_front = (unsigned)front;
    view.quads = (const int4 *)(in + front);
    view.n_quads = (n - front) / 4;
    view.n_back = (unsigned)((n - front) % 4);
    view.back = in + (n - view.n_back);
    return view;
}

static __global__ void set_to_zero(int *sum)
{
    *sum = 0;
}

/* Each block has a stretch of quads of its own. */
static __global__ void sum_stretches(View view, size_t stretch, int *sum)
{
    __shared__ unsigned warp_sums[8];
    const size_t begin = blockIdx.x * stretch;
    const size_t end = begin + stretch < view.n_quads ? begin + stretch : view.n_quads;
    unsigned mine = 0;

#pragma unroll 4
    for (size_t i = begin + threadIdx.x; i < end; i += 256) {
        const int4 q = view.quads[i];
        mine += (unsigned)q.x;
        mine += (unsigned)q.y;
        mine += (unsigned)q.z;
        mine += (unsigned)q.w;
    }
    if (blockIdx.x == 0 && threadIdx.x < view.n_front)
        mine += view.front[threadIdx.x];
    if (blockIdx.x == 0 && threadIdx.x < view.n_back)
        mine += view.back[threadIdx.x];

    for (int d = 16; d > 0; d >>= 1)
        mine += __shfl_down_sync(ALL_LANES, mine, d);
    if (threadIdx.x % 32 == 0)
        warp_sums[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 8) {
        mine = warp_sums[threadIdx.x];
        for (int d = 4; d > 0; d >>= 1)
            mine += __shfl_down_sync(0xffu, mine, d, 8);
        if (threadIdx.x == 0)
            atomicAdd(sum, (int)mine);
    }
}
// END TODO(1)

extern "C" cudaError_t sum_fast(const int *in, size_t n, unsigned long long *scratch, int *sum) {
    // TODO(1): *sum holds anything when the call starts; n may be 0 (about 15 lines)
    set_to_zero<<<1, 1>>>(sum);
    cudaError_t result = cudaGetLastError();
    if (result != cudaSuccess || n == 0)
        return result;

    const View view = view_of(in, n);
    size_t stretch = 256 * 8, blocks = (view.n_quads + stretch - 1) / stretch;
    if (blocks > 1056) {
        blocks = 1056;
        stretch = (view.n_quads + blocks - 1) / blocks;
        stretch = (stretch + 7) / 8 * 8;
    }
    if (blocks == 0)
        blocks = 1;
    sum_stretches<<<(unsigned)blocks, 256>>>(view, stretch, sum);
    return cudaGetLastError();
    // END TODO(1)
}

// TODO(2): the kernel of the scan, and what it is made of (about 150 lines)
namespace prefix {

typedef unsigned long long Word;
constexpr unsigned kThreads = 256, kEach = 16, kTile = kThreads * kEach, kWarps = kThreads / 32;

// A hole behind each 32 ints, so that runs of 16 begin in different banks.
__device__ unsigned padded(unsigned i) { return i + i / 32; }

class Ledger {
  public:
    __device__ explicit Ledger(Word *scratch) : ticket(scratch), words(scratch + 1) {}

    __device__ unsigned takeTicket() { return static_cast<unsigned>(atomicAdd(ticket, 1ull)); }
    __device__ void tellOwn(unsigned tile, unsigned sum) { atomicExch(&words[tile], own | sum); }
    __device__ void tellAll(unsigned tile, unsigned sum) { atomicExch(&words[tile], all | sum); }

    // All lanes of a warp call it. Each returns what lies before `tile`.
    __device__ unsigned lookBack(unsigned tile, unsigned lane) {
        unsigned result = 0;
        size_t end = tile; // tiles [0, end) are still to be asked
        for (;;) {
            const bool exists = lane < end;
            Word word;
            unsigned open, closed, relevant;
            do {
                word = exists ? atomicAdd(&words[end - 1 - lane], 0ull) : all;
                open = __ballot_sync(ALL_LANES, word < own);
                closed = __ballot_sync(ALL_LANES, word >= all);
                relevant = closed ^ (closed - 1);
            } while ((open & relevant) != 0);
            unsigned value = (relevant >> lane) % 2 == 1 ? static_cast<unsigned>(word) : 0;
#pragma unroll
            for (int distance = 16; distance > 0; distance /= 2)
                value += __shfl_xor_sync(ALL_LANES, value, distance);
            result += value;
            if (closed != 0)
                return result;
            end -= 32;
        }
    }

  private:
    static constexpr Word own = 1ull << 32, all = 1ull << 33;
    Word *ticket, *words;
};

__device__ unsigned inclusive(unsigned value, unsigned lane) {
#pragma unroll
    for (unsigned d = 1; d < 32; d *= 2) {
        const unsigned got = __shfl_up_sync(ALL_LANES, value, d);
        value += lane < d ? 0 : got;
    }
    return value;
}

__global__ void __launch_bounds__(kThreads) kernel(const int *in, size_t n, size_t shift, Word *scratch, int *out) {
    __shared__ unsigned cells[kTile + kTile / 32];
    __shared__ unsigned warpSums[kWarps], tileShared, beforeShared;
    const unsigned thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    Ledger ledger(scratch);

    if (thread == 0)
        tileShared = ledger.takeTicket();
    __syncthreads();
    const unsigned tile = tileShared;
    const size_t origin = static_cast<size_t>(tile) * kTile - shift;
    const bool whole = origin < n && n - origin >= kTile;

    unsigned mine[kEach];
#pragma unroll
    for (unsigned k = 0; k < kEach; k++) {
        const size_t i = origin + k * kThreads + thread;
        mine[k] = whole || i < n ? in[i] : 0;
    }
#pragma unroll
    for (unsigned k = 0; k < kEach; k++)
        cells[padded(k * kThreads + thread)] = mine[k];
    __syncthreads();

    unsigned run = 0;
    unsigned *myCells = &cells[padded(thread * kEach)];
#pragma unroll
    for (unsigned k = 0; k < kEach; k++) {
        run += myCells[k];
        mine[k] = run;
    }
    const unsigned upto = inclusive(run, lane);
    if (lane == 31)
        warpSums[warp] = upto;
    __syncthreads();

    if (warp == kWarps - 1) {
        const unsigned sum = lane < kWarps ? warpSums[lane] : 0;
        const unsigned sums = inclusive(sum, lane);
        const unsigned total = __shfl_sync(ALL_LANES, sums, 31);
        unsigned before = 0;
        if (tile > 0) {
            if (lane == 0)
                ledger.tellOwn(tile, total);
            before = ledger.lookBack(tile, lane);
        }
        if (lane == 0) {
            ledger.tellAll(tile, before + total);
            beforeShared = before;
        }
        if (lane < kWarps)
            warpSums[lane] = sums - sum;
    }
    __syncthreads();

    const unsigned offset = beforeShared + warpSums[warp] + upto - run;
#pragma unroll
    for (unsigned k = 0; k < kEach; k++)
        myCells[k] = mine[k] + offset;
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < kEach; k++) {
        const size_t i = origin + k * kThreads + thread;
        if (whole || i < n)
            out[i] = cells[padded(k * kThreads + thread)];
    }
}

} // namespace prefix
// END TODO(2)

extern "C" cudaError_t scan_fast(const int *in, size_t n, unsigned long long *scratch, int *out) {
    // TODO(2): scratch holds anything when the call starts; n may be 0 (about 8 lines)
    if (n == 0)
        return cudaSuccess;
    const size_t shift = reinterpret_cast<size_t>(out) / sizeof(int) % 8;
    const size_t tiles = (n + shift - 1) / prefix::kTile + 1;
    const cudaError_t error = cudaMemsetAsync(scratch + 1, 0, sizeof(prefix::Word) * tiles);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return error;
    }
    prefix::kernel<<<static_cast<unsigned>(tiles), prefix::kThreads>>>(in, n, shift, scratch, out);
    return cudaGetLastError();
    // END TODO(2)
}
