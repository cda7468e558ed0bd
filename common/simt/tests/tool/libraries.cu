// A program that is linked with five libraries of NVIDIA's and asks each for its version, or a handle.
#include <cstdio>
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>

int main() {
    int blas, fft, rand, solver, sparse;
    cublasGetProperty(MAJOR_VERSION, &blas);
    cufftGetVersion(&fft);
    curandGetVersion(&rand);
    cusolverGetVersion(&solver);
    cusparseGetProperty(MAJOR_VERSION, &sparse);
    std::printf("%d %d %d %d %d\n", blas, fft, rand, solver, sparse);
}
