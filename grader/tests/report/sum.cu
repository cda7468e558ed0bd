// A submission for the golden reports. Its lines are quoted in them.
__global__ void sum_kernel(const int *in, size_t n, int *partials)
{
    extern __shared__ int tile[];
    size_t gid = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned t = threadIdx.x;

    if (gid < n)
        tile[t] = in[gid];
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2)
        if (t % (2 * stride) == 0 && t + stride < blockDim.x)
            tile[t] += tile[t + stride]; // a comment longer than a narrow terminal has columns
    if (t == 0)
        partials[blockIdx.x] = tile[0];
}
