// A lock that threads of one warp, and of all blocks, take in turn; and a queue from block to block.
#include "program.cuh"

__device__ int lock, value, ready[8];

__global__ void count_locked()
{
    for (bool done = false; !done;) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence();
            value++;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}

// Each block waits for the one before it.
__global__ void pass_on(int *out)
{
    int b = blockIdx.x;
    if (threadIdx.x == 0) {
        while (b > 0 && *(volatile int *)&ready[b - 1] == 0)
            ;
        __threadfence();
        out[b] = b == 0 ? 1 : 2 * *(volatile int *)&out[b - 1];
        __threadfence();
        *(volatile int *)&ready[b] = 1;
    }
}

int main()
{
    int got = 0, *out, h[8];
    count_locked<<<5, 40>>>();
    CHECK(cudaMemcpyFromSymbol(&got, value, sizeof got));
    EXPECT(got == 200);
    CHECK(cudaMalloc(&out, sizeof h));
    pass_on<<<8, 32>>>(out);
    CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    EXPECT(h[7] == 128);
    CHECK(cudaFree(out));
    printf("%d and %d\n", got, h[7]);
    return 0;
}
