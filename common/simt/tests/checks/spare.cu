// Kernels of spare_test.c: some of what they do to memory need not be recorded, until another access
// shows that it should have been. `count` says how often a thread ran.

enum { THREADS = 64 };

extern "C" __global__ void only_reads(const int *in, int *out, int *count)
{
    const int i = blockIdx.x * THREADS + threadIdx.x, n = gridDim.x * THREADS;
    atomicAdd(count, 1);
    out[i] = in[i] + in[n - 1 - i];
}

// The last block writes what the first one has read.
extern "C" __global__ void writes_at_last(int *in, int *out, int *count)
{
    const int i = blockIdx.x * THREADS + threadIdx.x, n = gridDim.x * THREADS;
    atomicAdd(count, 1);
    out[i] = in[n - 1 - i]; // @reads
    if (blockIdx.x == gridDim.x - 1)
        in[i] = 1; // @writes
}

// Between two barriers, all threads only read, or only add.
extern "C" __global__ void takes_turns(const int *in, int *out, int *count)
{
    __shared__ int tile[THREADS];
    const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    atomicAdd(count, 1);
    tile[t] = in[i];
    __syncthreads();
    int sum = tile[0] + tile[THREADS - 1 - t];
    __syncthreads();
    atomicAdd(&tile[t / 2], 1);
    __syncthreads();
    out[i] = sum + tile[t];
}

extern "C" __global__ void writes_what_others_read(const int *in, int *out, int *count)
{
    __shared__ int tile[THREADS];
    const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    atomicAdd(count, 1);
    tile[t] = in[i];
    __syncthreads();
    int sum = tile[THREADS - 1 - t]; // @reads_shared
    if (blockIdx.x == gridDim.x - 1)
        tile[t] = sum; // @writes_shared
    out[i] = sum;
}

extern "C" __global__ void reads_what_others_add(const int *in, int *out, int *count)
{
    __shared__ int tile[THREADS];
    const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    atomicAdd(count, 1);
    tile[t] = in[i];
    __syncthreads();
    atomicAdd(&tile[THREADS - 1 - t], 1); // @adds_shared
    out[i] = blockIdx.x == gridDim.x - 1 ? tile[t] : 0; // @sees_shared
}
