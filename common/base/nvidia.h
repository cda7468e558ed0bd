/*
 * NVIDIA's libraries for the host, told by the names of their files and functions. The simulator
 * has none of them, and labs are linked with none.
 */
#pragma once

/* The library that a file belongs to: "cuBLAS" for "libcublas.so.13"; NULL: none of them. */
const char *nvidia_library_of_file(const char *name);

/* The library that a function belongs to: "cuBLAS" for "cublasCreate_v2", "CUDA's driver API" for
 * "cuInit"; NULL: none of them. */
const char *nvidia_library_of_function(const char *name);
