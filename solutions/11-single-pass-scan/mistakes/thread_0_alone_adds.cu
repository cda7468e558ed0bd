/* Only one thread knows what comes before the tile. */
#define OWN_SCAN_KERNEL
#include "rest.cuh"

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
    store_tile(out, n, tile, threadIdx.x == 0 ? shared_before : 0, items);
}
