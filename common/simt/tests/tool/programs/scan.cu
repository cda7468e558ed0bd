// Prefix sums of any length: Blelloch's tree within a block, the sums of blocks scanned in turn.
#include "program.cuh"
#include <vector>

constexpr int BLOCK = 128;

__global__ void scan_blocks(const int *in, int *out, int *sums, int n)
{
    __shared__ int tree[2 * BLOCK];
    int t = threadIdx.x, base = blockIdx.x * 2 * BLOCK;
    tree[2 * t] = base + 2 * t < n ? in[base + 2 * t] : 0;
    tree[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0;
    int offset = 1;
    for (int d = BLOCK; d > 0; d /= 2, offset *= 2) {
        __syncthreads();
        if (t < d)
            tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
    }
    if (t == 0) {
        sums[blockIdx.x] = tree[2 * BLOCK - 1];
        tree[2 * BLOCK - 1] = 0;
    }
    for (int d = 1; d < 2 * BLOCK; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            int before = tree[left];
            tree[left] = tree[right];
            tree[right] += before;
        }
    }
    __syncthreads();
    for (int i = t; i < 2 * BLOCK && base + i < n; i += BLOCK)
        out[base + i] = tree[i];
}

__global__ void add_offsets(int *out, const int *offsets, int n)
{
    int i = blockIdx.x * 2 * BLOCK + threadIdx.x;
    for (int k = 0; k < 2 && i < n; k++, i += BLOCK)
        out[i] += offsets[blockIdx.x];
}

static void scan(const int *in, int *out, int n)
{
    int blocks = (n + 2 * BLOCK - 1) / (2 * BLOCK), *sums, *offsets;
    CHECK(cudaMalloc(&sums, blocks * sizeof(int)));
    scan_blocks<<<blocks, BLOCK>>>(in, out, sums, n);
    if (blocks > 1) {
        CHECK(cudaMalloc(&offsets, blocks * sizeof(int)));
        scan(sums, offsets, blocks);
        add_offsets<<<blocks, BLOCK>>>(out, offsets, n);
        CHECK(cudaFree(offsets));
    }
    CHECK(cudaFree(sums));
}

int main()
{
    for (int n : {1, 255, 256, 1000, 70001}) {
        std::vector<int> in(n), got(n);
        for (int i = 0; i < n; i++)
            in[i] = i % 9 - 3;
        int *d_in, *d_out, sum = 0;
        CHECK(cudaMalloc(&d_in, n * sizeof(int)));
        CHECK(cudaMalloc(&d_out, n * sizeof(int)));
        CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
        scan(d_in, d_out, n);
        CHECK(cudaMemcpy(got.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
        for (int i = 0; i < n; sum += in[i++])
            EXPECT(got[i] == sum);
        CHECK(cudaFree(d_in));
        CHECK(cudaFree(d_out));
    }
    puts("all prefix sums are right");
    return 0;
}
