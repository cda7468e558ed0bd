// Double buffering: the next tile comes to shared memory while the block works on the last one.
#include "program.cuh"
#include <cuda_pipeline.h>

constexpr int TILE = 128, TILES = 9;

__global__ void smooth(const float *in, float *out)
{
    __shared__ float tiles[2][TILE];
    int t = threadIdx.x;
    const float *mine = in + blockIdx.x * TILE * TILES;
    __pipeline_memcpy_async(&tiles[0][t], &mine[t], sizeof(float));
    __pipeline_commit();
    for (int i = 0; i < TILES; i++) {
        if (i + 1 < TILES)
            __pipeline_memcpy_async(&tiles[(i + 1) % 2][t], &mine[(i + 1) * TILE + t],
                                    sizeof(float));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        const float *tile = tiles[i % 2];
        out[(blockIdx.x * TILES + i) * TILE + t] = tile[t] + tile[(t + 1) % TILE];
        __syncthreads();
    }
}

int main()
{
    const int blocks = 3, n = blocks * TILE * TILES;
    static float h[n], got[n];
    float *in, *out;
    for (int i = 0; i < n; i++)
        h[i] = (float)(i % 321);
    CHECK(cudaMalloc(&in, sizeof h));
    CHECK(cudaMalloc(&out, sizeof h));
    CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    smooth<<<blocks, TILE>>>(in, out);
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(got[i] == h[i] + h[i / TILE * TILE + (i + 1) % TILE]);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    puts("smoothed");
    return 0;
}
