/*
 * What host code asks and sets about one kernel: attributes, parameters, occupancy.
 */
#include "common/simt/cudart/cudart.h"

size_t cudart_max_dynamic_bytes(const struct cudart_kernel *kernel) {
    size_t static_bytes = simt_kernel_static_shared_bytes(kernel->simt);
    if (kernel->max_dynamic_bytes != 0)
        return kernel->max_dynamic_bytes;
    return static_bytes < CUDART_SHARED_PER_BLOCK ? CUDART_SHARED_PER_BLOCK - static_bytes : 0;
}

/* The most threads that a block of the kernel may have. */
static int max_threads(const struct cudart *rt, const struct cudart_kernel *kernel) {
    int limit = (int)simt_options(rt->simt)->max_cta_threads;
    const int own = (int)simt_kernel_max_threads(kernel->simt);
    limit = own > 0 && own < limit ? own : limit;
    return kernel->thread_limit > 0 && kernel->thread_limit < limit ? kernel->thread_limit : limit;
}

static cudaError_t enter_kernel(struct cudart **rt, const void *host,
                                struct cudart_kernel **kernel) {
    cudaError_t error = cudart_enter(rt);
    return error == cudaSuccess ? cudart_use_kernel(*rt, host, kernel) : error;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *host) {
    struct cudart *rt;
    struct cudart_kernel *kernel;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess)
        error = !attributes ? cudaErrorInvalidValue : cudart_use_kernel(rt, host, &kernel);
    if (error == cudaSuccess)
        error = cudart_may_refuse(rt, SIMT_QUESTION, cudaErrorUnknown);
    if (error == cudaSuccess) {
        *attributes = (struct cudaFuncAttributes){
            .sharedSizeBytes = simt_kernel_static_shared_bytes(kernel->simt),
            .maxThreadsPerBlock = max_threads(rt, kernel),
            .numRegs = 32, /* PTX has no limit of registers; a figure that limits nothing */
            .ptxVersion = (int)simt_kernel_target(kernel->simt),
            .binaryVersion = rt->device->arch, /* as of PTX that the driver compiles */
            .maxDynamicSharedSizeBytes = (int)cudart_max_dynamic_bytes(kernel),
            .preferredShmemCarveout = -1,
        };
    }
    return cudart_leave(rt, error);
}

cudaError_t cudaFuncSetAttribute(const void *host, enum cudaFuncAttribute attribute, int value) {
    struct cudart *rt;
    struct cudart_kernel *kernel;
    cudaError_t error = enter_kernel(&rt, host, &kernel);
    if (error == cudaSuccess && attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        size_t static_bytes = simt_kernel_static_shared_bytes(kernel->simt);
        if (value < 0 || static_bytes + (size_t)value > (size_t)rt->device->shared_optin)
            error = cudaErrorInvalidValue;
        else
            kernel->max_dynamic_bytes = (size_t)value;
    } else if (error == cudaSuccess &&
               attribute != cudaFuncAttributePreferredSharedMemoryCarveout &&
               attribute != cudaFuncAttributeNonPortableClusterSizeAllowed) {
        cudart_say(rt, "Kernel attribute %d is not supported by the simulator.", (int)attribute);
        error = (unsigned)attribute < cudaFuncAttributeMax ? cudaErrorNotSupported
                                                           : cudaErrorInvalidValue;
    } else if (error == cudaSuccess &&
               attribute == cudaFuncAttributePreferredSharedMemoryCarveout &&
               (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared)) {
        error = cudaErrorInvalidValue;
    }
    return cudart_leave(rt, error);
}

/* The split of shared memory and L1 cache is a hint, and the simulator has no cache. */
static cudaError_t accept_hint(const void *host, bool is_known) {
    struct cudart *rt;
    struct cudart_kernel *kernel;
    cudaError_t error = enter_kernel(&rt, host, &kernel);
    if (error == cudaSuccess && !is_known)
        error = cudaErrorInvalidValue;
    return cudart_leave(rt, error);
}

cudaError_t cudaFuncSetCacheConfig(const void *host, enum cudaFuncCache config) {
    return accept_hint(host, (unsigned)config <= cudaFuncCachePreferEqual);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *host, enum cudaSharedMemConfig config) {
    return accept_hint(host, (unsigned)config <= cudaSharedMemBankSizeEightByte);
}

cudaError_t cudaFuncGetName(const char **name, const void *host) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    struct cudart_kernel *kernel = !host ? NULL : cudart_find_kernel(rt, host);
    if (error == cudaSuccess && !kernel)
        error = cudaErrorInvalidDeviceFunction;
    if (error == cudaSuccess)
        *name = kernel->name;
    return cudart_leave(rt, error);
}

cudaError_t cudaFuncGetParamInfo(const void *host, size_t index, size_t *offset, size_t *bytes) {
    struct cudart *rt;
    struct cudart_kernel *kernel;
    cudaError_t error = enter_kernel(&rt, host, &kernel);
    if (error == cudaSuccess && index >= simt_kernel_n_params(kernel->simt))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        size_t unused;
        simt_kernel_param(kernel->simt, index, offset, !bytes ? &unused : bytes);
    }
    return cudart_leave(rt, error);
}

/* Bytes of shared memory are handed out in multiples of this. */
static size_t shared_grain(const struct cudart_device *device) {
    return device->arch < 80 ? 256 : 128;
}

int cudart_resident_blocks(const struct cudart *rt, const struct cudart_kernel *kernel, int block,
                           size_t dynamic_bytes) {
    enum { WARP = SIMT_LANES };
    const size_t grain = shared_grain(rt->device);
    if (block > max_threads(rt, kernel) || dynamic_bytes > cudart_max_dynamic_bytes(kernel))
        return 0;
    int threads = (block + WARP - 1) / WARP * WARP;
    size_t shared = simt_kernel_static_shared_bytes(kernel->simt) + dynamic_bytes;
    shared += (size_t)rt->device->shared_reserved;
    shared = (shared + grain - 1) / grain * grain;
    int blocks = rt->device->threads_per_sm / threads;
    if (blocks > rt->device->blocks_per_sm)
        blocks = rt->device->blocks_per_sm;
    if (shared != 0 && (size_t)blocks > (size_t)rt->device->shared_per_sm / shared)
        blocks = (int)((size_t)rt->device->shared_per_sm / shared);
    return blocks;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n_blocks, const void *host,
                                                                   int block, size_t dynamic_bytes,
                                                                   unsigned flags) {
    (void)flags;
    struct cudart *rt;
    struct cudart_kernel *kernel;
    cudaError_t error = enter_kernel(&rt, host, &kernel);
    if (error == cudaSuccess && (!n_blocks || block < 1))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = cudart_may_refuse(rt, SIMT_QUESTION, cudaErrorUnknown);
    if (error == cudaSuccess)
        *n_blocks = cudart_resident_blocks(rt, kernel, block, dynamic_bytes);
    return cudart_leave(rt, error);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n_blocks, const void *host,
                                                          int block, size_t dynamic_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(n_blocks, host, block,
                                                                  dynamic_bytes, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *host, int n_blocks,
                                                      int block) {
    struct cudart *rt;
    struct cudart_kernel *kernel;
    cudaError_t error = enter_kernel(&rt, host, &kernel);
    if (error == cudaSuccess && (!bytes || n_blocks < 1 || block < 1 ||
                                 block > (int)simt_options(rt->simt)->max_cta_threads))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        const size_t grain = shared_grain(rt->device);
        size_t share = (size_t)(rt->device->shared_per_sm / n_blocks) / grain * grain;
        size_t taken =
            simt_kernel_static_shared_bytes(kernel->simt) + (size_t)rt->device->shared_reserved;
        size_t left = share > taken ? share - taken : 0, most = cudart_max_dynamic_bytes(kernel);
        *bytes = left < most ? left : most;
    }
    return cudart_leave(rt, error);
}
