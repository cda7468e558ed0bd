/*
 * Times the five products of lab 13's model answer beside cuBLAS: in one process, on the same
 * matrices, with cold caches, in turns, so that all meet the same clock. The matrices hold small
 * whole numbers, so that sums of floats are exact: each result must be cuBLAS's, word for word.
 * Prints a table: m,n,k,product,edge,ms,tflops. Exit code 1 where a result is wrong.
 *
 *   products     compiled with the model answer, linked with cublas
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <cublas_v2.h>

#include "matrix_product.h"
#include "timing.cuh"

enum { ROUNDS = 15, FLUSH_BYTES = 256 << 20 };

static void must_blas(cublasStatus_t status) {
    must(status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown);
}

/* A matrix of rows * columns floats, -32 to 31, on the host and on the device. */
struct matrix {
    std::vector<float> host;
    float *device;

    matrix(size_t rows, size_t columns, unsigned seed) : host(rows * columns) {
        for (size_t i = 0; i < host.size(); i++)
            host[i] = (float)((unsigned)(i + seed) * 2654435761u >> 26) - 32;
        must(cudaMalloc(&device, sizeof(float) * host.size()));
        put();
    }
    void put() {
        must(cudaMemcpy(device, host.data(), sizeof(float) * host.size(),
                        cudaMemcpyHostToDevice));
    }
};

/* One product. `run` enqueues one call; `edge` is 0 where blocks have no edge. */
struct contender {
    const char *name;
    unsigned edge;
    std::function<cudaError_t()> run;
};

static std::vector<float> result(const contender &one, float *c, size_t size) {
    std::vector<float> got(size);

    must(cudaMemset(c, 0x55, sizeof(float) * size));
    must(one.run());
    must(cudaMemcpy(got.data(), c, sizeof(float) * size, cudaMemcpyDeviceToHost));
    return got;
}

static std::vector<contender> contenders(const float *a, const float *b, const float *bt, unsigned m,
                                         unsigned n, unsigned k, float *c, cublasHandle_t blas) {
    std::vector<contender> all;

    all.push_back({"cuBLAS", 0, [=] {
                       /* Column by column: c transposed = b transposed times a transposed. */
                       float one = 1, zero = 0;
                       return cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, (int)n, (int)m, (int)k,
                                          &one, b, (int)n, a, (int)k, &zero, c,
                                          (int)n) == CUBLAS_STATUS_SUCCESS
                                  ? cudaSuccess
                                  : cudaErrorUnknown;
                   }});
    for (unsigned e : {8u, 16u, 32u}) {
        all.push_back({"naive", e, [=] { return product_naive(a, b, m, n, k, e, c); }});
        all.push_back({"tiled", e, [=] { return product_tiled(a, b, m, n, k, e, c); }});
        all.push_back(
            {"transposed", e, [=] { return product_transposed(a, bt, m, n, k, e, c); }});
        all.push_back({"padded", e, [=] { return product_padded(a, bt, m, n, k, e, c); }});
    }
    all.push_back({"several", 0, [=] { return product_blocked(a, b, m, n, k, c); }});
    return all;
}

/* False where a product is not cuBLAS's. */
static bool measure(unsigned m, unsigned n, unsigned k, cublasHandle_t blas) {
    matrix a(m, k, 1), b(k, n, 2), bt(n, k, 0), c(m, n, 0);
    void *flush;
    bool is_good = true;

    for (size_t row = 0; row < k; row++)
        for (size_t column = 0; column < n; column++)
            bt.host[column * k + row] = b.host[row * n + column];
    bt.put();
    must(cudaMalloc(&flush, FLUSH_BYTES));
    std::vector<contender> all =
        contenders(a.device, b.device, bt.device, m, n, k, c.device, blas);
    std::vector<std::vector<float>> ms(all.size());
    std::vector<float> right = result(all[0], c.device, c.host.size());
    for (const contender &one : all)
        if (result(one, c.device, right.size()) != right) {
            fprintf(stderr, "products: %s in blocks of %u is wrong\n", one.name, one.edge);
            is_good = false;
        }
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < all.size(); i++)
            ms[i].push_back(cold_ms(flush, FLUSH_BYTES, [&] { must(all[i].run()); }));
    for (size_t i = 0; i < all.size(); i++) {
        std::sort(ms[i].begin(), ms[i].end());
        double median = ms[i][ROUNDS / 2];
        printf("%u,%u,%u,%s,%u,%.4f,%.2f\n", m, n, k, all[i].name, all[i].edge, median,
               2.0 * m * n * k / median * 1e-9);
    }
    for (float *device : {a.device, b.device, bt.device, c.device})
        cudaFree(device);
    cudaFree(flush);
    return is_good;
}

int main() {
    cublasHandle_t blas;
    bool is_good;

    must_blas(cublasCreate(&blas));
    must_blas(cublasSetMathMode(blas, CUBLAS_PEDANTIC_MATH)); /* no TF32 */
    printf("m,n,k,product,edge,ms,tflops\n");
    is_good = measure(2048, 2048, 2048, blas);
    is_good = measure(8192, 8192, 16, blas) && is_good;
    cublasDestroy(blas);
    return is_good ? 0 : 1;
}
