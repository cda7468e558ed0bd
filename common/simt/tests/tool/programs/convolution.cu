// A 5 x 5 blur of an image: the mask in constant memory, a tile with its border in shared memory.
#include "program.cuh"

constexpr int RADIUS = 2, SIDE = 2 * RADIUS + 1, TILE = 16, WIDE = TILE + 2 * RADIUS;
__constant__ float mask[SIDE][SIDE];

__global__ void blur(const float *in, float *out, int width, int height)
{
    __shared__ float tile[WIDE][WIDE];
    int left = blockIdx.x * TILE - RADIUS, top = blockIdx.y * TILE - RADIUS;
    for (int i = threadIdx.y * TILE + threadIdx.x; i < WIDE * WIDE; i += TILE * TILE) {
        int x = min(max(left + i % WIDE, 0), width - 1), y = min(max(top + i / WIDE, 0), height - 1);
        tile[i / WIDE][i % WIDE] = in[y * width + x];
    }
    __syncthreads();
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int dy = 0; dy < SIDE; dy++)
        for (int dx = 0; dx < SIDE; dx++)
            sum += mask[dy][dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    out[y * width + x] = sum;
}

int main()
{
    const int width = 61, height = 37;
    float h_mask[SIDE][SIDE], back[SIDE][SIDE];
    static float image[height][width], got[height][width];
    for (int i = 0; i < SIDE * SIDE; i++)
        h_mask[i / SIDE][i % SIDE] = 1.0f + i;
    for (int i = 0; i < width * height; i++)
        image[i / width][i % width] = (float)(i * 7 % 32);
    CHECK(cudaMemcpyToSymbol(mask, h_mask, sizeof h_mask));
    CHECK(cudaMemcpyFromSymbol(back, mask, sizeof back));
    EXPECT(memcmp(h_mask, back, sizeof back) == 0);
    float *in, *out;
    CHECK(cudaMalloc(&in, sizeof image));
    CHECK(cudaMalloc(&out, sizeof image));
    CHECK(cudaMemcpy(in, image, sizeof image, cudaMemcpyHostToDevice));
    blur<<<dim3((width + TILE - 1) / TILE, (height + TILE - 1) / TILE), dim3(TILE, TILE)>>>(
        in, out, width, height);
    CHECK(cudaMemcpy(got, out, sizeof image, cudaMemcpyDeviceToHost));
    auto inside = [](int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; };
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float sum = 0;
            for (int dy = 0; dy < SIDE; dy++)
                for (int dx = 0; dx < SIDE; dx++)
                    sum += h_mask[dy][dx] *
                           image[inside(y + dy - RADIUS, height)][inside(x + dx - RADIUS, width)];
            EXPECT(got[y][x] == sum);
        }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    puts("blurred");
    return 0;
}
