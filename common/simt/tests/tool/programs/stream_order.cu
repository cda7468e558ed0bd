// Order between streams that do not block: events, a function of the host, priorities.
#include "program.cuh"

__global__ void fill_kernel(int *x, int value)
{
    x[threadIdx.x] = value;
}

__global__ void add_kernel(const int *a, const int *b, int *sum)
{
    sum[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

static void CUDART_CB count(void *data)
{
    ++*(int *)data;
}

int main()
{
    const int n = 64;
    int low, high, n_called = 0, *a, *b, *sum, *got;
    CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
    cudaStream_t left, right;
    cudaEvent_t left_done, sum_done;
    CHECK(cudaStreamCreateWithPriority(&left, cudaStreamNonBlocking, high));
    CHECK(cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&left_done, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&sum_done, cudaEventDisableTiming));
    CHECK(cudaMalloc(&a, n * sizeof(int)));
    CHECK(cudaMalloc(&b, n * sizeof(int)));
    CHECK(cudaMalloc(&sum, n * sizeof(int)));
    CHECK(cudaHostAlloc(&got, n * sizeof(int), cudaHostAllocDefault));
    for (int round = 1; round <= 3; round++) {
        fill_kernel<<<1, n, 0, left>>>(a, round);
        CHECK(cudaEventRecord(left_done, left));
        fill_kernel<<<1, n, 0, right>>>(b, 10 * round);
        CHECK(cudaStreamWaitEvent(right, left_done, 0));
        add_kernel<<<1, n, 0, right>>>(a, b, sum);
        CHECK(cudaMemcpyAsync(got, sum, n * sizeof(int), cudaMemcpyDeviceToHost, right));
        CHECK(cudaLaunchHostFunc(right, count, &n_called));
        CHECK(cudaEventRecord(sum_done, right));
        CHECK(cudaStreamWaitEvent(left, sum_done, 0));
        CHECK(cudaStreamSynchronize(right));
        EXPECT(got[0] == 11 * round && got[n - 1] == 11 * round && n_called == round);
    }
    CHECK(cudaStreamSynchronize(left));
    EXPECT(cudaStreamQuery(left) == cudaSuccess);
    CHECK(cudaStreamDestroy(left));
    CHECK(cudaStreamDestroy(right));
    CHECK(cudaEventDestroy(left_done));
    CHECK(cudaEventDestroy(sum_done));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(sum));
    CHECK(cudaFreeHost(got));
    printf("%d rounds\n", n_called);
    return 0;
}
