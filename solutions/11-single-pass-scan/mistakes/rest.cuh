/* The rest of the answer: what a mistake of this folder leaves as it should be. A mistake that has a
 * function of its own says so before it includes this. */
#include "tile.cuh"

__device__ unsigned long long make_word(unsigned status, int sum) {
    return (unsigned long long)status << 32 | (unsigned)sum;
}

__device__ unsigned status_of(unsigned long long word) {
    return (unsigned)(word >> 32);
}

__device__ int sum_of(unsigned long long word) {
    return (int)(unsigned)word;
}

__device__ unsigned take_ticket(unsigned *ticket);
__device__ int chain(volatile unsigned long long *words, unsigned tile, int total);
__device__ int look_back(volatile unsigned long long *words, unsigned tile, int total);
__global__ void tickets_kernel(unsigned *ticket, unsigned *taken);
__global__ void pass_kernel(const int *in, unsigned long long *state, int *out);
template <bool looks_back>
__global__ void __launch_bounds__(1024)
    scan_kernel(const int *in, size_t n, unsigned long long *state, int *out);
template <bool looks_back>
static cudaError_t scan(const int *in, size_t n, unsigned block, unsigned long long *state,
                        int *out);

#ifndef OWN_TAKE_TICKET
__device__ unsigned take_ticket(unsigned *ticket) {
    __shared__ unsigned mine;
    if (threadIdx.x == 0)
        mine = atomicAdd(ticket, 1);
    __syncthreads();
    return mine;
}
#endif

#ifndef OWN_TICKETS_KERNEL
__global__ void tickets_kernel(unsigned *ticket, unsigned *taken) {
    taken[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = take_ticket(ticket);
}
#endif

#ifndef OWN_TAKE_TICKETS
extern "C" cudaError_t take_tickets(unsigned n_blocks, unsigned block, unsigned *ticket,
                                    unsigned *taken) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    if (n_blocks == 0)
        return cudaSuccess;
    cudaError_t error = cudaMemsetAsync(ticket, 0, sizeof *ticket);
    if (error != cudaSuccess)
        return error;
    tickets_kernel<<<n_blocks, block>>>(ticket, taken);
    return cudaGetLastError();
}
#endif

#ifndef OWN_CHAIN
__device__ int chain(volatile unsigned long long *words, unsigned tile, int total) {
    int before = 0;
    if (tile > 0) {
        unsigned long long word;
        do
            word = words[tile - 1];
        while (status_of(word) != OF_ALL);
        before = sum_of(word);
    }
    words[tile] = make_word(OF_ALL, before + total);
    return before;
}
#endif

#ifndef OWN_PASS_KERNEL
__global__ void pass_kernel(const int *in, unsigned long long *state, int *out) {
    unsigned tile = take_ticket((unsigned *)state);
    if (threadIdx.x == 0)
        out[tile] = chain(state + 1, tile, in[tile]) + in[tile];
}
#endif

#ifndef OWN_PASS_ALONG
extern "C" cudaError_t pass_along(const int *in, size_t n, unsigned block, unsigned long long *state,
                                  int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    if (n == 0)
        return cudaSuccess;
    cudaError_t error = cudaMemsetAsync(state, 0, state_words(n) * sizeof *state);
    if (error != cudaSuccess)
        return error;
    pass_kernel<<<(unsigned)n, block>>>(in, state, out);
    return cudaGetLastError();
}
#endif

#ifndef OWN_LOOK_BACK
__device__ int look_back(volatile unsigned long long *words, unsigned tile, int total) {
    unsigned lane = threadIdx.x % 32;
    int before = 0;
    if (lane == 0)
        words[tile] = make_word(tile == 0 ? OF_ALL : OF_TILE, total);
    if (tile == 0)
        return 0;
    __nanosleep(400);
    for (long long at = (long long)tile - 1 - lane;; at -= 32) {
        unsigned long long word;
        unsigned empty, whole;
        for (;;) {
            word = at >= 0 ? words[at] : make_word(OF_ALL, 0);
            empty = __ballot_sync(ALL_LANES, status_of(word) == NOTHING);
            whole = __ballot_sync(ALL_LANES, status_of(word) == OF_ALL);
            unsigned nearer = whole != 0 ? (whole & -whole) - 1 : ALL_LANES;
            if ((empty & nearer) == 0)
                break;
            __nanosleep(200);
        }
        unsigned last = whole != 0 ? __ffs(whole) - 1 : 31;
        int sum = lane <= last ? sum_of(word) : 0;
        for (unsigned d = 16; d > 0; d /= 2)
            sum += __shfl_xor_sync(ALL_LANES, sum, d);
        before += sum;
        if (whole != 0)
            break;
    }
    if (lane == 0)
        words[tile] = make_word(OF_ALL, before + total);
    return before;
}
#endif

__global__ void look_kernel(volatile unsigned long long *words, unsigned tile, int total,
                            int *before) {
    if (threadIdx.x < 32) {
        before[threadIdx.x] = look_back(words, tile, total);
    } else if (threadIdx.x == 32 && tile > 0) {
        while (status_of(words[tile]) == NOTHING)
            ;
        words[tile - 1] = words[tile + 1];
    }
}

extern "C" cudaError_t look_from(unsigned long long *words, unsigned tile, int total, int *before) {
    look_kernel<<<1, 64>>>(words, tile, total, before);
    return cudaGetLastError();
}

#ifndef OWN_SCAN_KERNEL
template <bool looks_back>
__global__ void __launch_bounds__(1024)
    scan_kernel(const int *in, size_t n, unsigned long long *state, int *out) {
    __shared__ int shared_before;
    unsigned tile = take_ticket((unsigned *)state);
    int4 items[VECS];
    load_tile(in, n, tile, items);
    int total = scan_tile(items);
    if (threadIdx.x < 32) {
        int before = 0;
        if (looks_back)
            before = look_back(state + 1, tile, total);
        else if (threadIdx.x == 0)
            before = chain(state + 1, tile, total);
        if (threadIdx.x == 0)
            shared_before = before;
    }
    __syncthreads();
    store_tile(out, n, tile, shared_before, items);
}
#endif

#ifndef OWN_SCAN
template <bool looks_back>
static cudaError_t scan(const int *in, size_t n, unsigned block, unsigned long long *state,
                        int *out) {
    if (!is_block(block))
        return cudaErrorInvalidValue;
    size_t tiles = n_tiles(n, block);
    if (tiles == 0)
        return cudaSuccess;
    cudaError_t error = cudaMemsetAsync(state, 0, state_words(tiles) * sizeof *state);
    if (error != cudaSuccess)
        return error;
    scan_kernel<looks_back><<<(unsigned)tiles, block>>>(in, n, state, out);
    return cudaGetLastError();
}
#endif

#ifndef OWN_ENTRIES
extern "C" cudaError_t scan_chained(const int *in, size_t n, unsigned block,
                                    unsigned long long *state, int *out) {
    return scan<false>(in, n, block, state, out);
}
#endif

#ifndef OWN_ENTRIES
extern "C" cudaError_t scan_look_back(const int *in, size_t n, unsigned block,
                                      unsigned long long *state, int *out) {
    return scan<true>(in, n, block, state, out);
}
#endif
