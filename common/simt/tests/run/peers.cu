// Kernels of peers_test.c: what other simulators get wrong, and the sums whose instructions are
// known by hand. Compiled for compute_90: reductions over a warp need 8.0 or later.

extern "C" {

// --- right on hardware, wrong in GPGPU-Sim ---------------------------------------------------------

// One lane of a warp holds the lock while the other 31 spin.
__global__ void lock_within_a_warp(int *lock, int *sum) {
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    *sum += threadIdx.x;
    __threadfence();
    atomicExch(lock, 0);
}

// Block 0 waits for the last block of the grid.
__global__ void wait_between_blocks(volatile int *flag, volatile int *data, int *out) {
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == gridDim.x - 1) {
        *data = 496;
        __threadfence();
        *flag = 1;
    } else if (blockIdx.x == 0) {
        while (*flag == 0)
            ;
        __threadfence();
        *out = *data;
    }
}

__global__ void sum_by_shuffles(int *out) {
    int v = threadIdx.x;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x == 0)
        *out = v;
}

__global__ void barrier_in_a_branch(int *out) {
    if (threadIdx.x < 16)
        __syncthreads(); // @barrier_in_a_branch
    out[threadIdx.x] = threadIdx.x;
}

__global__ void sum_by_redux(unsigned *out) {
    out[threadIdx.x] = __reduce_add_sync(0xffffffffu, threadIdx.x);
}

// --- counted by hand -------------------------------------------------------------------------------

__global__ void sum_divergent(const int *in, int *out, int n) {
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0)
            tile[t] += tile[t + stride];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = tile[0];
}

__global__ void sum_sequential(const int *in, int *out, int n) {
    extern __shared__ int tile[];
    const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            tile[t] += tile[t + stride];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = tile[0];
}

// Pairs in global memory: of neighbouring threads, and packed into the first threads.
__global__ void pairs_of_neighbours(int *data, int *out, unsigned n) {
    int *const mine = data + blockIdx.x * blockDim.x;
    const unsigned t = threadIdx.x;
    if (blockIdx.x * blockDim.x + t >= n)
        return;
    for (unsigned stride = 1, twice; stride < blockDim.x; stride = twice) {
        twice = 2 * stride;
        const unsigned rest = t % twice; // @remainder
        if (rest == 0)
            mine[t] += mine[t + stride];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = mine[0];
}

__global__ void pairs_packed(int *data, int *out, unsigned n) {
    int *const mine = data + blockIdx.x * blockDim.x;
    const unsigned t = threadIdx.x;
    if (blockIdx.x * blockDim.x + t >= n)
        return;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        const unsigned i = 2 * stride * t;
        if (i < blockDim.x)
            mine[i] += mine[i + stride];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = mine[0];
}
}
