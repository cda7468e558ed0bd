/*
 * libcuda.so.1: of CUDA's driver API, what CUDA's own headers ask for beside the runtime. These are
 * the device's properties, the current context, and cuGetProcAddress.
 *
 * It asks the drop-in runtime for everything, as a program could, and keeps no table of devices:
 * attributes and errors have the same numbers in both. There is one context, the device's primary
 * one. What the driver has and this has not is in ../unsupported/driver_unsupported.def.
 */
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/simt/cudart/simtcudart.h"

/* Contexts that a thread may push. */
enum { MAX_DEPTH = 64 };

static atomic_bool is_initialised;
static atomic_int n_retained; /* of the primary context */

/* The primary context; its address is the handle, nothing is in it. */
static char primary;

static __thread CUcontext stack[MAX_DEPTH]; /* of contexts; NULL: none is current */
static __thread int depth;

/* The first call of the runtime that needs the device initialises the driver. */
static CUresult check_initialised(void) {
    return is_initialised || simtIsActive() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

static CUresult check_device(CUdevice device, const void *result) {
    CUresult error = check_initialised();
    if (!error && !result)
        error = CUDA_ERROR_INVALID_VALUE;
    return !error && device != 0 ? CUDA_ERROR_INVALID_DEVICE : error;
}

/* The error of a call of the runtime, which keeps no memory of it: this is another library's. */
static CUresult forget(cudaError_t error) {
    if (error != cudaSuccess && error == cudaPeekAtLastError())
        cudaGetLastError();
    return (CUresult)error;
}

CUresult cuInit(unsigned flags) {
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    is_initialised = true;
    return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) {
    return version ? forget(cudaDriverGetVersion(version)) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    CUresult error = check_device(ordinal, device);
    if (!error)
        *device = ordinal;
    return error;
}

CUresult cuDeviceGetCount(int *count) {
    CUresult error = check_device(0, count);
    return error ? error : forget(cudaGetDeviceCount(count));
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device) {
    struct cudaDeviceProp properties;
    CUresult error = check_device(device, bytes > 0 ? name : NULL);
    if (!error)
        error = forget(cudaGetDeviceProperties(&properties, device));
    if (!error)
        snprintf(name, (size_t)bytes, "%s", properties.name);
    return error;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    CUresult error = check_device(device, value);
    return error ? error
                 : forget(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device));
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
    CUresult error =
        cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    return error
               ? error
               : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
    struct cudaDeviceProp properties;
    CUresult error = check_device(device, bytes);
    if (!error)
        error = forget(cudaGetDeviceProperties(&properties, device));
    if (!error)
        *bytes = properties.totalGlobalMem;
    return error;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
    struct cudaDeviceProp properties;
    CUresult error = check_device(device, uuid);
    if (!error)
        error = forget(cudaGetDeviceProperties(&properties, device));
    if (!error)
        memcpy(uuid, &properties.uuid, sizeof *uuid);
    return error;
}

#undef cuDeviceGetUuid
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device);
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
    return cuDeviceGetUuid_v2(uuid, device);
}

CUresult cuDeviceGetPCIBusId(char *text, int bytes, CUdevice device) {
    CUresult error = check_device(device, text);
    return error ? error : forget(cudaDeviceGetPCIBusId(text, bytes, device));
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *text) {
    CUresult error = check_device(0, device);
    return error ? error : forget(cudaDeviceGetByPCIBusId(device, text));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    CUresult error = check_device(device, context);
    if (error)
        return error;
    n_retained++;
    *context = (CUcontext)&primary;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
    CUresult error = check_device(device, &primary);
    if (error)
        return error;
    int n = n_retained;
    while (n > 0 && !atomic_compare_exchange_weak(&n_retained, &n, n - 1))
        ;
    return n > 0 || simtIsActive() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *is_active) {
    CUresult error = check_device(device, flags && is_active ? flags : NULL);
    if (error)
        return error;
    *flags = 0;
    *is_active = n_retained > 0 || simtIsActive();
    return CUDA_SUCCESS;
}

/* The context that the thread made current; else the runtime's, once the runtime has used it. */
static CUcontext current(void) {
    if (depth > 0 && stack[depth - 1])
        return stack[depth - 1];
    return simtIsActive() ? (CUcontext)&primary : NULL;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
    CUresult error = check_device(0, context);
    if (!error)
        *context = current();
    return error;
}

CUresult cuCtxSetCurrent(CUcontext context) {
    CUresult error = check_initialised();
    if (error)
        return error;
    if (context && context != (CUcontext)&primary)
        return CUDA_ERROR_INVALID_CONTEXT;
    depth += depth == 0;
    stack[depth - 1] = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
    CUresult error = check_initialised();
    if (error)
        return error;
    if (!context || depth == MAX_DEPTH)
        return CUDA_ERROR_INVALID_VALUE;
    if (context != (CUcontext)&primary)
        return CUDA_ERROR_INVALID_CONTEXT;
    stack[depth++] = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
    CUresult error = check_initialised();
    if (error)
        return error;
    if (!current())
        return CUDA_ERROR_INVALID_CONTEXT;
    if (context)
        *context = current();
    depth -= depth > 0;
    return CUDA_SUCCESS;
}

static CUresult check_current(const void *result) {
    CUresult error = check_device(0, result);
    return !error && !current() ? CUDA_ERROR_INVALID_CONTEXT : error;
}

CUresult cuCtxGetDevice(CUdevice *device) {
    CUresult error = check_current(device);
    if (!error)
        *device = 0;
    return error;
}

CUresult cuCtxSynchronize(void) {
    CUresult error = check_current(&primary);
    return error || !simtIsActive() ? error : forget(cudaDeviceSynchronize());
}

CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes) {
    CUresult error = check_current(free_bytes && total_bytes ? free_bytes : NULL);
    return error ? error : forget(cudaMemGetInfo(free_bytes, total_bytes));
}

static const struct {
    CUresult code;
    const char *name;
} errors[] = {
#define X(name) {name, #name},
#include "common/simt/cudart/driver/driver_errors.def"
#undef X
};

CUresult cuGetErrorName(CUresult code, const char **name) {
    *name = NULL;
    for (size_t i = 0; !*name && i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code)
            *name = errors[i].name;
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Two errors are the driver's alone. */
CUresult cuGetErrorString(CUresult code, const char **text) {
    const CUresult error = cuGetErrorName(code, text);
    if (code == CUDA_ERROR_CONTEXT_ALREADY_CURRENT)
        *text = "context already current";
    else if (code == CUDA_ERROR_KEY_ROTATION)
        *text = "an error happened during the key rotation sequence";
    else if (!error)
        *text = cudaGetErrorString((cudaError_t)code);
    return error;
}
