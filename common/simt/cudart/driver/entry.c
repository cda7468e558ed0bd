/*
 * Functions of the driver API by name, out of the libcuda.so.1 that lies beside this library.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "common/simt/cudart/cudart.h"

/* One of the two calls is deprecated; programs still have it. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* cuGetProcAddress_v2 */
typedef int get_function(const char *name, void **function, int version, uint64_t flags,
                         int *status);

/* The driver library in the folder of this one, and in no other: a GPU's can't serve here. */
static void *open_driver(void) {
    Dl_info own;
    char path[4096];
    if (!dladdr((void *)cudaGetDriverEntryPointByVersion, &own))
        return NULL;
    const char *slash = strrchr(own.dli_fname, '/');
    const int folder = !slash ? 1 : (int)(slash - own.dli_fname);
    snprintf(path, sizeof path, "%.*s/libcuda.so.1", folder, !slash ? "." : own.dli_fname);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static cudaError_t find(struct cudart *rt, const char *name, void **function, unsigned version,
                        unsigned long long flags, int *status) {
    if (!name || !function)
        return cudaErrorInvalidValue;
    void *driver = open_driver();
    get_function *get = !driver ? NULL : (get_function *)dlsym(driver, "cuGetProcAddress_v2");
    if (!get) {
        cudart_say(rt, "The simulator's libcuda.so.1 does not lie beside its libcudart.so.13.");
        return cudaErrorNotSupported;
    }
    return (cudaError_t)get(name, function, (int)version, flags, status);
}

CUDART_TWIN(cudaGetDriverEntryPointByVersion, _ptsz,
            (const char *name, void **function, unsigned version, unsigned long long flags,
             enum cudaDriverEntryPointQueryResult *status),
            (name, function, version, flags, status)) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_query(&rt);
    int found = cudaDriverEntryPointSuccess;
    if (error == cudaSuccess)
        error = find(rt, name, function, version, flags, &found);
    if (error == cudaSuccess && status)
        *status = (enum cudaDriverEntryPointQueryResult)found;
    return cudart_leave(rt, error);
}

CUDART_TWIN(cudaGetDriverEntryPoint, _ptsz,
            (const char *name, void **function, unsigned long long flags,
             enum cudaDriverEntryPointQueryResult *status),
            (name, function, flags, status)) {
    return cudaGetDriverEntryPointByVersion(name, function, CUDART_RELEASE, flags, status);
}
