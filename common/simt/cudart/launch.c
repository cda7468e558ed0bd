/*
 * Kernel launches, and what host code asks about kernels.
 *
 * A launch runs to its end before the call returns. What it then knows is told when hardware would
 * tell it: a launch that the device refuses is an error of the launch, a kernel that died is one of
 * the next call.
 */
#include "common/simt/cudart/abi.h"
#include "common/simt/cudart/cudart.h"

#include <stdlib.h>
#include <string.h>

/* Configurations between <<< >>> and the call of the stub; arguments of a launch may launch. */
enum { MAX_CONFIGURATIONS = 16 };

struct configuration {
    dim3 grid, block;
    size_t shared_bytes;
    struct CUstream_st *stream;
};

static __thread struct configuration configurations[MAX_CONFIGURATIONS];
static __thread unsigned n_configurations;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     struct CUstream_st *stream) {
    if (n_configurations == MAX_CONFIGURATIONS)
        return 1; /* the stub is not called then */
    configurations[n_configurations++] = (struct configuration){grid, block, shared_bytes, stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes,
                                       void *stream) {
    if (n_configurations == 0)
        return cudart_note(cudaErrorMissingConfiguration);
    const struct configuration *top = &configurations[--n_configurations];
    *grid = top->grid;
    *block = top->block;
    *shared_bytes = top->shared_bytes;
    *(struct CUstream_st **)stream = top->stream;
    return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t *handle, const void *host) {
    struct cudart *rt = cudart_lock();
    struct cudart_kernel *kernel = cudart_find_kernel(rt, host);
    *handle = (cudaKernel_t)kernel;
    return cudart_leave(rt, kernel != NULL ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaGetKernel(cudaKernel_t *handle, const void *host) {
    return __cudaGetKernel(handle, host);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *handle, const void *host) {
    return __cudaGetKernel((cudaKernel_t *)handle, host);
}

/* The arguments in one block, as the kernel's signature lays them out; NULL without memory. */
static void *pack(const struct cudart_kernel *kernel, void **arguments) {
    uint8_t *block = calloc(1, simt_kernel_param_bytes(kernel->simt) + 1);
    size_t n_params = simt_kernel_n_params(kernel->simt);
    for (size_t i = 0; block != NULL && i < n_params; i++) {
        size_t offset, bytes;
        simt_kernel_param(kernel->simt, i, &offset, &bytes);
        memcpy(block + offset, arguments[i], bytes);
    }
    return block;
}

/* What the launch returns, or what later calls return, for how the kernel ended. */
static cudaError_t settle(struct cudart *rt, enum simt_status status,
                          const struct simt_diag *diag) {
    if (status == SIMT_OK)
        return cudaSuccess;
    cudart_say_diag(rt, diag);
    switch (status) {
    case SIMT_ILLEGAL_ADDRESS:
        rt->sticky = cudaErrorIllegalAddress;
        return cudaSuccess;
    case SIMT_MISALIGNED:
        rt->sticky = cudaErrorMisalignedAddress;
        return cudaSuccess;
    case SIMT_TIMEOUT:
    case SIMT_DEADLOCK:
        rt->sticky = cudaErrorLaunchTimeout;
        return cudaSuccess;
    case SIMT_TRAP:
        rt->sticky = cudaErrorLaunchFailure;
        return cudaSuccess;
    case SIMT_UNSUPPORTED:
        return cudaErrorNotSupported;
    case SIMT_BAD_PTX:
        return cudaErrorInvalidPtx;
    case SIMT_NO_MEMORY:
        return cudaErrorMemoryAllocation;
    default: /* as CUDA 13.0 on an H200 does, where older texts say InvalidConfiguration */
        return cudaErrorInvalidValue;
    }
}

static cudaError_t launch(struct cudart *rt, const void *host, const struct configuration *config,
                          void **arguments) {
    struct cudart_kernel *kernel;
    cudaError_t error = cudart_use_kernel(rt, host, &kernel);
    if (error != cudaSuccess)
        return error;
    if (!cudart_stream_exists(rt, config->stream))
        return cudaErrorInvalidResourceHandle;
    size_t max_bytes = cudart_max_dynamic_bytes(kernel);
    if (config->shared_bytes > max_bytes) {
        cudart_say(rt, "The launch asks for %zu bytes of dynamic shared memory; %zu are left.",
                   config->shared_bytes, max_bytes);
        return cudaErrorInvalidValue;
    }
    size_t needed = simt_kernel_static_shared_bytes(kernel->simt) + max_bytes;
    struct simt_options *options = simt_options(rt->simt);
    options->shared_bytes =
        needed > CUDART_SHARED_PER_BLOCK ? (uint32_t)needed : CUDART_SHARED_PER_BLOCK;

    void *block = pack(kernel, arguments);
    if (block == NULL)
        return cudaErrorMemoryAllocation;
    struct simt_diag diag = {0};
    struct simt_dim3 grid = {config->grid.x, config->grid.y, config->grid.z};
    struct simt_dim3 cta = {config->block.x, config->block.y, config->block.z};
    enum simt_status status = simt_launch(rt->simt, kernel->simt, grid, cta,
                                          (uint32_t)config->shared_bytes, block, &diag);
    free(block);
    return settle(rt, status, &diag);
}

cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes, cudaStream_t stream) {
    struct configuration config = {grid, block, shared_bytes, stream};
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess)
        error = launch(rt, host, &config, arguments);
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaLaunchKernel, _ptsz);

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared_bytes, cudaStream_t stream) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}
CUDART_TWIN(__cudaLaunchKernel, _ptsz);

/* Whether an attribute asks for nothing that the simulator would have to do. */
static bool is_harmless(const cudaLaunchAttribute *attribute) {
    switch (attribute->id) {
    case cudaLaunchAttributeCooperative:
        return attribute->val.cooperative == 0;
    case cudaLaunchAttributeClusterDimension:
        return attribute->val.clusterDim.x * attribute->val.clusterDim.y *
                   attribute->val.clusterDim.z <=
               1;
    default:
        return attribute->id == cudaLaunchAttributeIgnore ||
               attribute->id == cudaLaunchAttributePriority ||
               attribute->id == cudaLaunchAttributeAccessPolicyWindow ||
               attribute->id == cudaLaunchAttributePreferredSharedMemoryCarveout;
    }
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *given, const void *host,
                                void **arguments) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && given == NULL)
        error = cudaErrorInvalidValue;
    for (unsigned i = 0; error == cudaSuccess && i < given->numAttrs; i++) {
        if (!is_harmless(&given->attrs[i])) {
            cudart_say(rt, "Launch attribute %d is not supported by the simulator.",
                       (int)given->attrs[i].id);
            error = cudaErrorNotSupported;
        }
    }
    if (error == cudaSuccess) {
        struct configuration config = {given->gridDim, given->blockDim, given->dynamicSmemBytes,
                                       given->stream};
        error = launch(rt, host, &config, arguments);
    }
    return cudart_leave(rt, error);
}
CUDART_TWIN(cudaLaunchKernelExC, _ptsz);
