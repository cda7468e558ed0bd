// printf and assert in a kernel.
#include "program.cuh"
#include <cassert>

__global__ void tell(const int *x, int n)
{
    int i = threadIdx.x;
    assert(i < n);
    assert(x[i] == 3 * i && "a multiple of three");
    if (x[i] % 2 == 0)
        printf("thread %d has %d, %.2f of %s%c\n", i, x[i], x[i] / (double)(3 * n), "all", '.');
}

int main()
{
    const int n = 8;
    int h[n], *d;
    for (int i = 0; i < n; i++)
        h[i] = 3 * i;
    CHECK(cudaMalloc(&d, sizeof h));
    CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    tell<<<1, n>>>(d, n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
    return 0;
}
