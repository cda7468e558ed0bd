// Transposes an image through a padded tile; rows have a pitch, copies are two-dimensional.
#include "program.cuh"

constexpr int TILE = 32, ROWS = 8;

__global__ void transpose_kernel(const int *in, size_t in_pitch, int *out, size_t out_pitch,
                                 int width, int height)
{
    __shared__ int tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int r = 0; r < TILE; r += ROWS)
        if (x < width && y + r < height)
            tile[threadIdx.y + r][threadIdx.x] =
                *((const int *)((const char *)in + (y + r) * in_pitch) + x);
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int r = 0; r < TILE; r += ROWS)
        if (x < height && y + r < width)
            *((int *)((char *)out + (y + r) * out_pitch) + x) = tile[threadIdx.x][threadIdx.y + r];
}

int main()
{
    enum { WIDTH = 75, HEIGHT = 130 };
    static int image[HEIGHT][WIDTH], turned[WIDTH][HEIGHT];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            image[y][x] = y * 1000 + x;
    int *in, *out;
    size_t in_pitch, out_pitch;
    CHECK(cudaMallocPitch(&in, &in_pitch, WIDTH * sizeof(int), HEIGHT));
    CHECK(cudaMallocPitch(&out, &out_pitch, HEIGHT * sizeof(int), WIDTH));
    CHECK(cudaMemcpy2D(in, in_pitch, image, sizeof image[0], sizeof image[0], HEIGHT,
                       cudaMemcpyHostToDevice));
    dim3 block(TILE, ROWS), grid((WIDTH + TILE - 1) / TILE, (HEIGHT + TILE - 1) / TILE);
    transpose_kernel<<<grid, block>>>(in, in_pitch, out, out_pitch, WIDTH, HEIGHT);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy2D(turned, sizeof turned[0], out, out_pitch, sizeof turned[0], WIDTH,
                       cudaMemcpyDeviceToHost));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            EXPECT(turned[x][y] == image[y][x]);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    printf("pitch %zu and %zu\n", in_pitch, out_pitch);
    return 0;
}
