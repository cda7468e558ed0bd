// Times two versions of a copy with events and works out their bandwidth.
#include "program.cuh"

__global__ void copy_rows(const float *in, float *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i];
}

__global__ void copy_columns(const float *in, float *out, int n)
{
    int threads = gridDim.x * blockDim.x, each = n / threads;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    for (int i = first; i < first + each; i++)
        out[i] = in[i];
}

template <typename Launch> static float time_of(Launch launch)
{
    cudaEvent_t start, stop;
    float ms;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    launch(); // warms up
    CHECK(cudaEventRecord(start));
    for (int i = 0; i < 3; i++)
        launch();
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return ms / 3;
}

int main()
{
    const int n = 1 << 21;
    float *in, *out, last;
    CHECK(cudaMalloc(&in, n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemset(in, 0x3f, n * sizeof(float)));
    float rows = time_of([=] { copy_rows<<<256, 256>>>(in, out, n); });
    float columns = time_of([=] { copy_columns<<<256, 256>>>(in, out, n); });
    CHECK(cudaMemcpy(&last, out + n - 1, sizeof last, cudaMemcpyDeviceToHost));
    EXPECT(last > 0.74f && last < 0.75f);
    EXPECT(rows > 0 && columns > rows);
    fprintf(stderr, "coalesced %.1f, strided %.1f GB/s\n", 2e-6 * n * sizeof(float) / rows,
           2e-6 * n * sizeof(float) / columns);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
