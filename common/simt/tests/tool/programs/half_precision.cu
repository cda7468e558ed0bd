// Arithmetic in 16 bits: a dot product of half2, conversions, bfloat16.
#include "program.cuh"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void dot_kernel(const __half2 *a, const __half2 *b, float *sum, int n)
{
    float mine = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        __half2 product = __hmul2(a[i], b[i]);
        mine += __low2float(product) + __high2float(product);
    }
    atomicAdd(sum, mine);
}

__global__ void convert_kernel(const float *in, __nv_bfloat16 *out, int n)
{
    int i = threadIdx.x;
    if (i < n)
        out[i] = __float2bfloat16(in[i]);
}

int main()
{
    const int n = 256;
    __half2 h_a[n], h_b[n], *a, *b;
    float expected = 0, sum = 0, *d_sum, in[n], *d_in;
    __nv_bfloat16 out[n], *d_out;
    for (int i = 0; i < n; i++) {
        h_a[i] = __floats2half2_rn(i % 8, 0.5f);
        h_b[i] = __floats2half2_rn(2, i % 4);
        expected += (i % 8) * 2 + 0.5f * (i % 4);
        in[i] = i * 256.0f;
    }
    CHECK(cudaMalloc(&a, sizeof h_a));
    CHECK(cudaMalloc(&b, sizeof h_b));
    CHECK(cudaMalloc(&d_sum, sizeof sum));
    CHECK(cudaMalloc(&d_in, sizeof in));
    CHECK(cudaMalloc(&d_out, sizeof out));
    CHECK(cudaMemcpy(a, h_a, sizeof h_a, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, h_b, sizeof h_b, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_sum, 0, sizeof sum));
    dot_kernel<<<1, 64>>>(a, b, d_sum, n);
    convert_kernel<<<1, n>>>(d_in, d_out, n);
    CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    EXPECT(sum == expected);
    for (int i = 0; i < n; i++)
        EXPECT(__bfloat162float(out[i]) == in[i]); // 8 bits are enough
    cudaFree(a);
    cudaFree(b);
    cudaFree(d_sum);
    cudaFree(d_in);
    cudaFree(d_out);
    printf("dot product %g\n", sum);
    return 0;
}
