/*
 * The virtual device: there is one, number 0. README.md says what it looks like.
 */
#include "common/simt/cudart/cudart.h"

#include <cuda_profiler_api.h>

/* Version 13.0, of the runtime that this stands in for and of the driver that it would need. */
enum { VERSION = 13000 };

/* Figures of hardware that the simulator does not model; round ones, so that nobody takes them for
 * measured. */
enum { CLOCK_KHZ = 1000000, BUS_BITS = 256, L2_BYTES = 4 << 20, MAX_PITCH = 2147483647 };

/* Enters and checks the device's number. */
static cudaError_t enter_device(struct cudart **rt, int device) {
    cudaError_t error = cudart_enter(rt);
    return error == cudaSuccess && device != 0 ? cudaErrorInvalidDevice : error;
}

cudaError_t cudaRuntimeGetVersion(int *version) {
    if (version == NULL)
        return cudart_note(cudaErrorInvalidValue);
    *version = VERSION;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version) {
    return cudaRuntimeGetVersion(version);
}

cudaError_t cudaGetDeviceCount(int *count) {
    if (count == NULL)
        return cudart_note(cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device) {
    if (device == NULL)
        return cudart_note(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
    struct cudart *rt;
    cudaError_t error = enter_device(&rt, device);
    return cudart_leave(rt, error);
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
    (void)device_flags, (void)flags;
    return cudaSetDevice(device);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted) {
    (void)wanted;
    return cudaGetDevice(device);
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
    return cudart_note((flags & ~(unsigned)cudaDeviceMask) == 0 ? cudaSuccess
                                                                : cudaErrorInvalidValue);
}

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
    if (flags == NULL)
        return cudart_note(cudaErrorInvalidValue);
    *flags = cudaDeviceScheduleAuto;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    return cudart_leave(rt, error);
}

/* Memory goes, variables get their initial values back at their next use. The report stays. An
 * error of a kernel stays as well: only a new process gets rid of one. */
cudaError_t cudaDeviceReset(void) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess) {
        cudart_free_all(rt);
        cudart_unload_all(rt);
    }
    return cudart_leave(rt, error);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && (unsigned)limit >= CUDART_N_LIMITS)
        error = cudaErrorUnsupportedLimit;
    if (error == cudaSuccess)
        rt->limits[limit] = value;
    return cudart_leave(rt, error);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && (unsigned)limit >= CUDART_N_LIMITS)
        error = cudaErrorUnsupportedLimit;
    if (error == cudaSuccess)
        *value = rt->limits[limit];
    return cudart_leave(rt, error);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    if (can == NULL || device != 0 || peer != 0)
        return cudart_note(can == NULL ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
    *can = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    if (least != NULL)
        *least = 0;
    if (greatest != NULL)
        *greatest = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
    (void)config;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}

cudaError_t cudaProfilerStart(void) {
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void) {
    return cudaSuccess;
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind) {
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

static void describe(const struct simt_options *options, struct cudaDeviceProp *properties) {
    *properties = (struct cudaDeviceProp){
        .name = "Warpbook SIMT simulator",
        .totalGlobalMem = options->global_bytes,
        .sharedMemPerBlock = CUDART_SHARED_PER_BLOCK,
        .regsPerBlock = CUDART_REGISTERS,
        .warpSize = SIMT_LANES,
        .memPitch = MAX_PITCH,
        .maxThreadsPerBlock = (int)options->max_cta_threads,
        .maxThreadsDim = {1024, 1024, 64},
        .maxGridSize = {2147483647, 65535, 65535},
        .totalConstMem = CUDART_CONST_BYTES,
        .major = CUDART_ARCH / 10,
        .minor = CUDART_ARCH % 10,
        .textureAlignment = 512,
        .texturePitchAlignment = 32,
        .multiProcessorCount = (int)options->n_sm,
        .surfaceAlignment = 512,
        .asyncEngineCount = 1,
        .unifiedAddressing = 1,
        .memoryBusWidth = BUS_BITS,
        .l2CacheSize = L2_BYTES,
        .maxThreadsPerMultiProcessor = CUDART_MAX_THREADS_PER_SM,
        .sharedMemPerMultiprocessor = CUDART_SHARED_PER_SM,
        .regsPerMultiprocessor = CUDART_REGISTERS,
        .sharedMemPerBlockOptin = CUDART_SHARED_OPTIN,
        .maxBlocksPerMultiProcessor = CUDART_MAX_BLOCKS_PER_SM,
        .hostRegisterSupported = 1,
        .memoryPoolsSupported = 0,
        .deviceNumaId = -1,
        .hostNumaId = -1,
    };
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
    struct cudart *rt;
    cudaError_t error = enter_device(&rt, device);
    if (error == cudaSuccess && properties == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        describe(simt_options(rt->simt), properties);
    return cudart_leave(rt, error);
}

/* One attribute of the device; those that have no row here are 0: what the device can't do. */
static int attribute_value(const struct cudaDeviceProp *p, enum cudaDeviceAttr attribute) {
    const struct {
        enum cudaDeviceAttr attribute;
        int value;
    } rows[] = {
        {cudaDevAttrMaxThreadsPerBlock, p->maxThreadsPerBlock},
        {cudaDevAttrMaxBlockDimX, p->maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimY, p->maxThreadsDim[1]},
        {cudaDevAttrMaxBlockDimZ, p->maxThreadsDim[2]},
        {cudaDevAttrMaxGridDimX, p->maxGridSize[0]},
        {cudaDevAttrMaxGridDimY, p->maxGridSize[1]},
        {cudaDevAttrMaxGridDimZ, p->maxGridSize[2]},
        {cudaDevAttrMaxSharedMemoryPerBlock, (int)p->sharedMemPerBlock},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, (int)p->sharedMemPerBlockOptin},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, (int)p->sharedMemPerMultiprocessor},
        {cudaDevAttrTotalConstantMemory, (int)p->totalConstMem},
        {cudaDevAttrWarpSize, p->warpSize},
        {cudaDevAttrMaxPitch, MAX_PITCH},
        {cudaDevAttrMaxRegistersPerBlock, p->regsPerBlock},
        {cudaDevAttrMaxRegistersPerMultiprocessor, p->regsPerMultiprocessor},
        {cudaDevAttrClockRate, CLOCK_KHZ},
        {cudaDevAttrMemoryClockRate, CLOCK_KHZ},
        {cudaDevAttrGlobalMemoryBusWidth, p->memoryBusWidth},
        {cudaDevAttrTextureAlignment, (int)p->textureAlignment},
        {cudaDevAttrTexturePitchAlignment, (int)p->texturePitchAlignment},
        {cudaDevAttrSurfaceAlignment, (int)p->surfaceAlignment},
        {cudaDevAttrMultiProcessorCount, p->multiProcessorCount},
        {cudaDevAttrL2CacheSize, p->l2CacheSize},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p->maxThreadsPerMultiProcessor},
        {cudaDevAttrMaxBlocksPerMultiprocessor, p->maxBlocksPerMultiProcessor},
        {cudaDevAttrAsyncEngineCount, p->asyncEngineCount},
        {cudaDevAttrUnifiedAddressing, p->unifiedAddressing},
        {cudaDevAttrComputeCapabilityMajor, p->major},
        {cudaDevAttrComputeCapabilityMinor, p->minor},
        {cudaDevAttrHostRegisterSupported, p->hostRegisterSupported},
        {cudaDevAttrHostNumaId, p->hostNumaId},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].attribute == attribute)
            return rows[i].value;
    return 0;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    struct cudart *rt;
    cudaError_t error = enter_device(&rt, device);
    if (error == cudaSuccess &&
        (value == NULL || attribute < cudaDevAttrMaxThreadsPerBlock || attribute >= cudaDevAttrMax))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        struct cudaDeviceProp properties;
        describe(simt_options(rt->simt), &properties);
        *value = attribute_value(&properties, attribute);
    }
    return cudart_leave(rt, error);
}
