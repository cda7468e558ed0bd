// Pieces of an array go through four streams: copy there, work, copy back, from pinned memory.
#include "program.cuh"

__global__ void square_kernel(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= x[i];
}

int main()
{
    const int n_streams = 4, piece = 3000, n = n_streams * piece;
    int *h, *d;
    cudaStream_t streams[n_streams];
    cudaEvent_t start, stop;
    CHECK(cudaMallocHost(&h, n * sizeof(int)));
    CHECK(cudaMalloc(&d, n * sizeof(int)));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    for (cudaStream_t &stream : streams)
        CHECK(cudaStreamCreate(&stream));
    for (int i = 0; i < n; i++)
        h[i] = i % 1000;
    CHECK(cudaEventRecord(start));
    for (int s = 0; s < n_streams; s++) {
        int *from = h + s * piece, *to = d + s * piece;
        size_t bytes = piece * sizeof(int);
        CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, streams[s]));
        square_kernel<<<(piece + 255) / 256, 256, 0, streams[s]>>>(to, piece);
        CHECK(cudaMemcpyAsync(from, to, bytes, cudaMemcpyDeviceToHost, streams[s]));
    }
    CHECK(cudaEventRecord(stop));
    for (cudaStream_t stream : streams)
        CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaEventSynchronize(stop));
    for (int i = 0; i < n; i++)
        EXPECT(h[i] == (i % 1000) * (i % 1000));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    EXPECT(ms > 0);
    for (cudaStream_t stream : streams)
        CHECK(cudaStreamDestroy(stream));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFreeHost(h));
    CHECK(cudaFree(d));
    puts("all pieces are back");
    return 0;
}
