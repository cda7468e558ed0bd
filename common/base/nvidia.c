/*
 * The names of NVIDIA's libraries: what their files and their functions begin with.
 */
#include "common/base/nvidia.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *word; /* of libWORD…, and of WORDFunction */
    const char *name;
} libraries[] = {
    {"cublas", "cuBLAS"},     {"cudnn", "cuDNN"},       {"cufft", "cuFFT"},
    {"curand", "cuRAND"},     {"cusolver", "cuSOLVER"}, {"cusparse", "cuSPARSE"},
    {"cutensor", "cuTENSOR"}, {"nccl", "NCCL"},         {"npp", "NPP"},
    {"nvjpeg", "nvJPEG"},
};

static bool begins_with(const char *text, const char *word) {
    return strncmp(text, word, strlen(word)) == 0;
}

static bool is_capital(char c) {
    return c >= 'A' && c <= 'Z';
}

const char *nvidia_library_of_file(const char *name) {
    for (size_t i = 0; begins_with(name, "lib") && i < sizeof libraries / sizeof *libraries; i++)
        if (begins_with(name + 3, libraries[i].word))
            return libraries[i].name;
    return NULL;
}

const char *nvidia_library_of_function(const char *name) {
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        const char *word = libraries[i].word;
        /* nppiAdd, nvjpegCreate, cublasLtMatmul */
        if (begins_with(name, word) && strpbrk(name + strlen(word), "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
            return libraries[i].name;
    }
    return begins_with(name, "cu") && is_capital(name[2]) ? "CUDA's driver API" : NULL;
}
