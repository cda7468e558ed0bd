/* The CUDA compiler: where it is, and the CUDA runtime beside it. */
#pragma once

#include <stdbool.h>

struct nvcc {
    char *path;        /* absolute, or NULL where there is none */
    char *identity;    /* real path, size and time of the file: changes when the compiler does */
    char *cudart_path; /* libcudart.so.13 beside it, or NULL */
};

/* Looks at WARPBOOK_NVCC, PATH, CUDA_HOME/bin and /usr/local/cuda/bin. False where there is no
 * nvcc; nvcc_finish either way. */
bool nvcc_find(struct nvcc *nvcc);
void nvcc_finish(struct nvcc *nvcc);

/* What to do where there is no nvcc: a few whole sentences. */
extern const char nvcc_missing_text[];
