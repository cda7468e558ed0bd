/*
 * Libraries: fat binaries or PTX that a program loads itself, and their kernels and variables.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/cudart/cudart.h"

/* cudaLibrary_t points to a module like those that nvcc's code registers. */
static struct cudart_module *module_of(struct cudart *rt, cudaLibrary_t library) {
    for (struct cudart_module *m = rt->modules; m; m = m->next)
        if (m->is_library && (cudaLibrary_t)m == library)
            return m;
    return NULL;
}

static cudaError_t enter_library(struct cudart **rt, cudaLibrary_t library,
                                 struct cudart_module **module) {
    cudaError_t error = cudart_enter(rt);
    *module = module_of(*rt, library);
    return error == cudaSuccess && !*module ? cudaErrorInvalidResourceHandle : error;
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                enum cudaJitOption *jit_options, void **jit_values,
                                unsigned n_jit_options, enum cudaLibraryOption *options,
                                void **values, unsigned n_options) {
    (void)jit_options, (void)jit_values, (void)n_jit_options; /* of a compiler that is not there */
    (void)options, (void)values, (void)n_options;             /* hints */
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && (!library || !code))
        error = cudaErrorInvalidValue;
    struct cudart_module *module = error == cudaSuccess ? calloc(1, sizeof *module) : NULL;
    if (error == cudaSuccess && !module)
        error = cudaErrorMemoryAllocation;
    if (error == cudaSuccess) {
        module->fatbin = code;
        module->is_library = true;
        error = cudart_load(rt, module);
        if (error == cudaSuccess) {
            module->next = rt->modules;
            rt->modules = module;
            *library = (cudaLibrary_t)module;
        } else {
            free(module);
        }
    }
    return cudart_leave(rt, error);
}

/* Files are read whole; the text is needed only while it is parsed. */
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path,
                                    enum cudaJitOption *jit_options, void **jit_values,
                                    unsigned n_jit_options, enum cudaLibraryOption *options,
                                    void **values, unsigned n_options) {
    FILE *file = !path ? NULL : fopen(path, "rb");
    if (!file)
        return cudart_note(!path ? cudaErrorInvalidValue : cudaErrorFileNotFound);
    cudaError_t error = cudaErrorMemoryAllocation;
    fseek(file, 0, SEEK_END);
    long bytes = ftell(file);
    rewind(file);
    char *code = bytes < 0 ? NULL : calloc(1, (size_t)bytes + 1);
    if (code && fread(code, 1, (size_t)bytes, file) == (size_t)bytes)
        error = cudaLibraryLoadData(library, code, jit_options, jit_values, n_jit_options, options,
                                    values, n_options);
    free(code);
    fclose(file);
    return cudart_note(error);
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
    struct cudart *rt;
    struct cudart_module *module;
    cudaError_t error = enter_library(&rt, library, &module);
    if (error == cudaSuccess)
        error = cudart_forget(rt, module);
    return cudart_leave(rt, error);
}

/* A kernel gets its handle when it is first asked for. */
cudaError_t cudaLibraryGetKernel(cudaKernel_t *handle, cudaLibrary_t library, const char *name) {
    struct cudart *rt;
    struct cudart_module *module;
    cudaError_t error = enter_library(&rt, library, &module);
    if (error == cudaSuccess && (!handle || !name))
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return cudart_leave(rt, error);
    for (struct cudart_kernel *k = module->kernels; k; k = k->next) {
        if (strcmp(k->name, name) == 0) {
            *handle = (cudaKernel_t)k;
            return cudart_leave(rt, cudaSuccess);
        }
    }
    struct simt_kernel *found = NULL;
    for (size_t i = 0; !found && i < module->n_simt; i++)
        found = simt_kernel_find(module->simt[i], name);
    struct cudart_kernel *kernel = !found ? NULL : calloc(1, sizeof *kernel);
    char *copy = !kernel ? NULL : strdup(name);
    if (!copy) {
        free(kernel);
        error = !found ? cudaErrorSymbolNotFound : cudaErrorMemoryAllocation;
        return cudart_leave(rt, error);
    }
    *kernel = (struct cudart_kernel){
        .next = module->kernels, .module = module, .host = kernel, .name = copy, .simt = found};
    module->kernels = kernel;
    *handle = (cudaKernel_t)kernel;
    return cudart_leave(rt, cudaSuccess);
}

cudaError_t cudaLibraryGetGlobal(void **address, size_t *bytes, cudaLibrary_t library,
                                 const char *name) {
    struct cudart *rt;
    struct cudart_module *module;
    cudaError_t error = enter_library(&rt, library, &module);
    uint64_t at = 0;
    size_t size = 0;
    if (error == cudaSuccess && !name)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        enum simt_status status = SIMT_BAD_ADDRESS;
        for (size_t i = 0; status != SIMT_OK && i < module->n_simt; i++)
            status = simt_symbol(module->simt[i], name, &at, &size);
        if (status != SIMT_OK)
            error = cudaErrorSymbolNotFound;
    }
    if (error == cudaSuccess && address)
        *address = (void *)(uintptr_t)at;
    if (error == cudaSuccess && bytes)
        *bytes = size;
    return cudart_leave(rt, error);
}
