// SAXPY with managed memory, a grid-stride loop, and a managed variable.
#include "program.cuh"

__managed__ int n_done;

__global__ void saxpy_kernel(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        y[i] = a * x[i] + y[i];
        atomicAdd(&n_done, 1);
    }
}

int main()
{
    const int n = 1 << 15;
    float *x, *y;
    CHECK(cudaMallocManaged(&x, n * sizeof(float)));
    CHECK(cudaMallocManaged(&y, n * sizeof(float)));
    for (int i = 0; i < n; i++) {
        x[i] = 1.0f + i % 7;
        y[i] = 2.0f;
    }
    int device;
    CHECK(cudaGetDevice(&device));
    cudaMemLocation here = {cudaMemLocationTypeDevice, device};
    CHECK(cudaMemPrefetchAsync(x, n * sizeof(float), here, 0, 0));
    saxpy_kernel<<<32, 128>>>(n, 3.0f, x, y);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++)
        EXPECT(y[i] == 3.0f * (1.0f + i % 7) + 2.0f);
    EXPECT(n_done == n);
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    printf("saxpy: %d elements\n", n_done);
    return 0;
}
