// Calls that must fail, each asked for its error; the device works on.
#include "program.cuh"

__global__ void one(int *x)
{
    *x = 1;
}

__global__ void __launch_bounds__(64) small(int *x)
{
    *x = blockDim.x;
}

static void expect_error(cudaError_t got, cudaError_t wanted)
{
    if (got != wanted) {
        fprintf(stderr, "%s, not %s\n", cudaGetErrorName(got), cudaGetErrorName(wanted));
        exit(1);
    }
    EXPECT(cudaGetLastError() == wanted || wanted == cudaSuccess);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(strlen(cudaGetErrorString(got)) > 0);
}

static cudaError_t launch(int threads, size_t shared)
{
    int *x, got;
    CHECK(cudaMalloc(&x, sizeof(int)));
    one<<<1, threads, shared>>>(x);
    cudaError_t error = cudaPeekAtLastError();
    if (error == cudaSuccess)
        CHECK(cudaMemcpy(&got, x, sizeof(int), cudaMemcpyDeviceToHost));
    cudaFree(x);
    return error;
}

int main()
{
    int *p, local;
    expect_error(launch(1025, 0), cudaErrorInvalidValue);
    expect_error(launch(32, 1 << 20), cudaErrorInvalidValue);
    expect_error(launch(32, 0), cudaSuccess);
    small<<<1, 128>>>(nullptr);
    expect_error(cudaPeekAtLastError(), cudaErrorInvalidValue);
    expect_error(cudaMalloc(&p, (size_t)1 << 50), cudaErrorMemoryAllocation);
    expect_error(cudaSetDevice(99), cudaErrorInvalidDevice);
    expect_error(cudaMemcpy(nullptr, &local, sizeof local, cudaMemcpyHostToDevice),
                 cudaErrorInvalidValue);
    CHECK(cudaMalloc(&p, 8));
    expect_error(cudaMemcpy(p, &local, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    expect_error(cudaFree(p + 1), cudaErrorInvalidValue);
    expect_error(cudaFree(p), cudaSuccess);
    expect_error(cudaFree(p), cudaErrorInvalidValue);
    expect_error(cudaFree(nullptr), cudaSuccess);
    expect_error(launch(1024, 0), cudaSuccess);
    puts("every error was the right one");
    return 0;
}
