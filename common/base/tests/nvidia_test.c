/*
 * Whose a file or a function is, by its name.
 */
#include <criterion/criterion.h>

#include "common/base/nvidia.h"

Test(nvidia, knows_its_libraries_by_their_files) {
    cr_expect_str_eq(nvidia_library_of_file("libcublas.so.13"), "cuBLAS");
    cr_expect_str_eq(nvidia_library_of_file("libcublasLt.so.13"), "cuBLAS");
    cr_expect_str_eq(nvidia_library_of_file("libcurand.so.10"), "cuRAND");
    cr_expect_str_eq(nvidia_library_of_file("libcusolver.so.12"), "cuSOLVER");
    cr_expect_null(nvidia_library_of_file("libcudart.so.13"));
    cr_expect_null(nvidia_library_of_file("libcuda.so.1"));
    cr_expect_null(nvidia_library_of_file("cublas"));
}

Test(nvidia, knows_its_libraries_by_their_functions) {
    cr_expect_str_eq(nvidia_library_of_function("cublasCreate_v2"), "cuBLAS");
    cr_expect_str_eq(nvidia_library_of_function("cusparseDestroy"), "cuSPARSE");
    cr_expect_str_eq(nvidia_library_of_function("cufftPlan1d"), "cuFFT");
    cr_expect_str_eq(nvidia_library_of_function("nppiAdd_8u_C1RSfs"), "NPP");
    cr_expect_str_eq(nvidia_library_of_function("cuMemAlloc_v2"), "CUDA's driver API");
    cr_expect_null(nvidia_library_of_function("cudaMalloc"));
    cr_expect_null(nvidia_library_of_function("cube"));
    cr_expect_null(nvidia_library_of_function("curandom"));
}
