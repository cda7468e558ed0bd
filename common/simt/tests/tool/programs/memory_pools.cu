// Memory in the order of a stream: the default pool, a pool of the program's own, limits.
#include "program.cuh"

__global__ void iota(int *x, int n, int first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = first + i;
}

int main()
{
    const int n = 1000;
    int supported = 0, got[n];
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
    EXPECT(supported);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaMemPool_t standard, own;
    CHECK(cudaDeviceGetDefaultMemPool(&standard, 0));
    uint64_t threshold = 1 << 20, used = 0;
    CHECK(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &threshold));
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    CHECK(cudaMemPoolCreate(&own, &props));
    for (int round = 0; round < 4; round++) {
        int *a, *b;
        CHECK(cudaMallocAsync(&a, n * sizeof(int), stream));
        CHECK(cudaMallocFromPoolAsync(&b, n * sizeof(int), own, stream));
        iota<<<(n + 127) / 128, 128, 0, stream>>>(a, n, round);
        CHECK(cudaMemcpyAsync(b, a, n * sizeof(int), cudaMemcpyDeviceToDevice, stream));
        CHECK(cudaMemcpyAsync(got, b, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
        CHECK(cudaFreeAsync(a, stream));
        CHECK(cudaFreeAsync(b, stream));
        CHECK(cudaStreamSynchronize(stream));
        EXPECT(got[0] == round && got[n - 1] == round + n - 1);
    }
    CHECK(cudaMemPoolGetAttribute(standard, cudaMemPoolAttrUsedMemCurrent, &used));
    EXPECT(used == 0);
    CHECK(cudaMemPoolTrimTo(standard, 0));
    CHECK(cudaMemPoolDestroy(own));
    CHECK(cudaStreamDestroy(stream));
    puts("four rounds through two pools");
    return 0;
}
