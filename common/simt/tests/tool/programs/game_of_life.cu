// Conway's game of life on a torus: 2D blocks, two boards that take turns; a glider comes home.
#include "program.cuh"

constexpr int SIZE = 48, GENERATIONS = 4 * SIZE;

__global__ void live(const bool *now, bool *next)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx != 0 || dy != 0)
                n += now[(y + dy + SIZE) % SIZE * SIZE + (x + dx + SIZE) % SIZE];
    next[y * SIZE + x] = n == 3 || (n == 2 && now[y * SIZE + x]);
}

int main()
{
    static bool board[SIZE * SIZE], after[SIZE * SIZE];
    const int glider[][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (const auto &cell : glider)
        board[cell[1] * SIZE + cell[0]] = true;
    bool *boards[2];
    for (bool *&b : boards)
        CHECK(cudaMalloc(&b, sizeof board));
    CHECK(cudaMemcpy(boards[0], board, sizeof board, cudaMemcpyHostToDevice));
    for (int g = 0; g < GENERATIONS; g++)
        live<<<dim3(SIZE / 16, SIZE / 8), dim3(16, 8)>>>(boards[g % 2], boards[1 - g % 2]);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(after, boards[GENERATIONS % 2], sizeof after, cudaMemcpyDeviceToHost));
    EXPECT(memcmp(board, after, sizeof board) == 0);
    for (bool *b : boards)
        CHECK(cudaFree(b));
    printf("the glider is back after %d generations\n", GENERATIONS);
    return 0;
}
