/*
 * cuGetProcAddress: a function by its name and by the version of CUDA whose variant is wanted.
 */
#include <cuda.h>
#include <stdbool.h>
#include <string.h>

#include "common/simt/cudart/driver/driver.h"

/* Some of what is here is deprecated; programs still have it. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#undef cuGetProcAddress
CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags);

/* Variants of one function stand in the order of their versions. */
static const struct {
    const char *name;
    int version; /* the first that has it */
    void *function;
} functions[] = {
    {"cuInit", 2000, (void *)cuInit},
    {"cuDriverGetVersion", 2020, (void *)cuDriverGetVersion},
    {"cuDeviceGet", 2000, (void *)cuDeviceGet},
    {"cuDeviceGetCount", 2000, (void *)cuDeviceGetCount},
    {"cuDeviceGetName", 2000, (void *)cuDeviceGetName},
    {"cuDeviceGetAttribute", 2000, (void *)cuDeviceGetAttribute},
    {"cuDeviceComputeCapability", 2000, (void *)cuDeviceComputeCapability},
    {"cuDeviceTotalMem", 3020, (void *)cuDeviceTotalMem_v2},
    {"cuDeviceGetUuid", 9020, (void *)cuDeviceGetUuid_v2},
    {"cuDeviceGetPCIBusId", 4010, (void *)cuDeviceGetPCIBusId},
    {"cuDeviceGetByPCIBusId", 4010, (void *)cuDeviceGetByPCIBusId},
    {"cuDevicePrimaryCtxRetain", 7000, (void *)cuDevicePrimaryCtxRetain},
    {"cuDevicePrimaryCtxRelease", 7000, (void *)cuDevicePrimaryCtxRelease_v2},
    {"cuDevicePrimaryCtxGetState", 7000, (void *)cuDevicePrimaryCtxGetState},
    {"cuCtxGetCurrent", 4000, (void *)cuCtxGetCurrent},
    {"cuCtxSetCurrent", 4000, (void *)cuCtxSetCurrent},
    {"cuCtxPushCurrent", 4000, (void *)cuCtxPushCurrent_v2},
    {"cuCtxPopCurrent", 4000, (void *)cuCtxPopCurrent_v2},
    {"cuCtxGetDevice", 2000, (void *)cuCtxGetDevice},
    {"cuCtxSynchronize", 2000, (void *)cuCtxSynchronize},
    {"cuMemGetInfo", 3020, (void *)cuMemGetInfo_v2},
    {"cuGetErrorName", 6000, (void *)cuGetErrorName},
    {"cuGetErrorString", 6000, (void *)cuGetErrorString},
    {"cuGetProcAddress", 11030, (void *)cuGetProcAddress},
    {"cuGetProcAddress", 12000, (void *)cuGetProcAddress_v2},
};

/* cuMemAlloc_v2 and cuStreamQuery_ptsz are found by the names before the ending alone. */
static bool has_ending(const char *name) {
    const char *last = strrchr(name, '_');
    return last && (strcmp(last, "_ptsz") == 0 || strcmp(last, "_ptds") == 0 ||
                    (last[1] == 'v' && last[2] >= '0' && last[2] <= '9'));
}

static void *find(const char *name, int version, CUdriverProcAddressQueryResult *status) {
    void *found = NULL;
    *status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, name) != 0)
            continue;
        *status = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
        if (functions[i].version <= version)
            found = functions[i].function;
    }
    if (*status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && !has_ending(name))
        found = driver_unsupported(name);
    if (found)
        *status = CU_GET_PROC_ADDRESS_SUCCESS;
    return found;
}

CUresult cuGetProcAddress_v2(const char *name, void **function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status) {
    CUdriverProcAddressQueryResult ignored;
    int newest = 0;
    cuDriverGetVersion(&newest);
    if (!name || !function || version > newest ||
        flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
        return CUDA_ERROR_INVALID_VALUE;
    *function = find(name, version, status ? status : &ignored);
    return CUDA_SUCCESS;
}

CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags) {
    CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
    CUresult error = cuGetProcAddress_v2(name, function, version, flags, &status);
    return !error && status != CU_GET_PROC_ADDRESS_SUCCESS ? CUDA_ERROR_NOT_FOUND : error;
}
