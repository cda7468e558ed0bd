/* A scan by doubled distances of one block, with what each thread holds after each step: row `step`
 * of `held`, blockDim.x words a row. */
__global__ void steps_kernel(const int *in, int *held) {
    extern __shared__ int temp[];
    unsigned t = threadIdx.x, step = 0;
    int value = in[t];

    temp[t] = value;
    __syncthreads();
    for (unsigned d = 1; d < blockDim.x; d *= 2, step++) {
        int left = t >= d ? temp[t - d] : 0;
        __syncthreads();
        value += left;
        temp[t] = value;
        __syncthreads();
        held[step * blockDim.x + t] = value;
    }
}
