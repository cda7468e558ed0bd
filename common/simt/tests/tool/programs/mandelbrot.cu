// The Mandelbrot set: threads that leave their loop at different times.
#include "program.cuh"

constexpr int WIDTH = 120, HEIGHT = 80, MOST = 100;

// fma in both places, so that host and device round alike.
__host__ __device__ int escape(float cx, float cy)
{
    float x = 0, y = 0;
    int n = 0;
    for (; n < MOST && fmaf(x, x, y * y) <= 4; n++) {
        float t = fmaf(x, x, fmaf(-y, y, cx));
        y = fmaf(2 * x, y, cy);
        x = t;
    }
    return n;
}

__host__ __device__ int escape_at(int px, int py)
{
    return escape(px * (3.0f / 128) - 2, py * (2.0f / 64) - 1.25f);
}

__global__ void mandelbrot_kernel(unsigned char *image)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px < WIDTH && py < HEIGHT)
        image[py * WIDTH + px] = (unsigned char)escape_at(px, py);
}

int main()
{
    static unsigned char image[HEIGHT * WIDTH];
    unsigned char *d_image;
    CHECK(cudaMalloc(&d_image, sizeof image));
    dim3 block(16, 8), grid((WIDTH + 15) / 16, (HEIGHT + 7) / 8);
    mandelbrot_kernel<<<grid, block>>>(d_image);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(image, d_image, sizeof image, cudaMemcpyDeviceToHost));
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        EXPECT(image[i] == escape_at(i % WIDTH, i / WIDTH));
    for (int y = 0; y < HEIGHT; y += 8) {
        for (int x = 0; x < WIDTH; x += 2)
            putchar(" .:+#"[image[y * WIDTH + x] * 4 / MOST]);
        putchar('\n');
    }
    CHECK(cudaFree(d_image));
    return 0;
}
