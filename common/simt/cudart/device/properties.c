/*
 * The virtual device: there is one, number 0. README.md says what it looks like.
 */
#include "common/simt/cudart/stream/operation.h"
#include "common/simt/program/edit/edit.h"

#include <cuda_profiler_api.h>
#include <string.h>

enum { MAX_PITCH = 2147483647 };

/* What limits can be, in bytes: a thread's stack, and what printf writes to. */
enum { MAX_STACK = 512 << 10, MIN_FIFO = 512 << 10 };

static const char bus_id[] = "0000:00:00.0";

/* Enters and checks the device's number. */
static cudaError_t enter_device(struct cudart **rt, int device) {
    cudaError_t error = cudart_enter_query(rt);
    return error == cudaSuccess && device != 0 ? cudaErrorInvalidDevice : error;
}

cudaError_t cudaRuntimeGetVersion(int *version) {
    if (!version)
        return cudart_note(cudaErrorInvalidValue);
    *version = CUDART_RELEASE;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version) {
    return cudaRuntimeGetVersion(version);
}

cudaError_t cudaGetDeviceCount(int *count) {
    if (!count)
        return cudart_note(cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device) {
    if (!device)
        return cudart_note(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
    return cudart_note(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
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
    if (!flags)
        return cudart_note(cudaErrorInvalidValue);
    *flags = cudaDeviceScheduleAuto;
    return cudaSuccess;
}

/* Memory goes, variables get their initial values back at their next use. The report stays. A
 * context that is lost can't be had again: as on an H200, the reset succeeds, and no later call. */
cudaError_t cudaDeviceReset(void) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess)
        error = cudart_wait(rt, NULL);
    if (error == cudaSuccess && simt_find_edit(rt->simt, SIMT_EDIT_RESET_IGNORED, NULL))
        return cudart_leave(rt, error);
    if (error == cudaSuccess) {
        cudart_free_all(rt);
        cudart_unload_all(rt);
    } else if (rt->sticky != cudaSuccess) {
        rt->sticky = cudaErrorDevicesUnavailable;
        error = cudaSuccess;
    }
    return cudart_leave(rt, error);
}

/* What a limit becomes; 0 where it can't be that. */
static size_t limit_value(const struct cudart *rt, enum cudaLimit limit, size_t value) {
    if (limit == cudaLimitStackSize)
        return value <= MAX_STACK ? value : 0;
    if (limit == cudaLimitPrintfFifoSize)
        return value > MIN_FIFO ? value : MIN_FIFO;
    if (limit == cudaLimitMallocHeapSize)
        return simt_heap_is_in_use(rt->simt) ? 0 : value;
    return value;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && (unsigned)limit >= CUDART_N_LIMITS)
        error = cudaErrorInvalidValue;
    const size_t fresh = error == cudaSuccess ? limit_value(rt, limit, value) : 0;
    if (error == cudaSuccess && fresh == 0 && value != 0)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        rt->limits[limit] = fresh;
    if (error == cudaSuccess && limit == cudaLimitMallocHeapSize)
        simt_options(rt->simt)->heap_bytes = fresh;
    return cudart_leave(rt, error);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && (!value || (unsigned)limit >= CUDART_N_LIMITS))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *value = rt->limits[limit];
    return cudart_leave(rt, error);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    if (!can || device != 0 || peer != 0)
        return cudart_note(!can ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
    *can = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int device, unsigned flags) {
    (void)flags;
    return cudart_note(device == 0 ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int device) {
    return cudart_note(device == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int bytes, int device) {
    if (device != 0)
        return cudart_note(cudaErrorInvalidDevice);
    if (!text || bytes < (int)sizeof bus_id)
        return cudart_note(cudaErrorInvalidValue);
    memcpy(text, bus_id, sizeof bus_id);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text) {
    if (!device || !text || strcmp(text, bus_id) != 0)
        return cudart_note(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
    return cudart_note((unsigned)config <= cudaFuncCachePreferEqual ? cudaSuccess
                                                                    : cudaErrorInvalidValue);
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

static void describe(const struct cudart *rt, struct cudaDeviceProp *properties) {
    const struct cudart_device *device = rt->device;
    *properties = (struct cudaDeviceProp){
        .totalGlobalMem = device->memory_bytes,
        .sharedMemPerBlock = CUDART_SHARED_PER_BLOCK,
        .regsPerBlock = CUDART_REGISTERS,
        .warpSize = SIMT_LANES,
        .memPitch = MAX_PITCH,
        .maxThreadsPerBlock = (int)simt_options(rt->simt)->max_cta_threads,
        .maxThreadsDim = {1024, 1024, 64},
        .maxGridSize = {2147483647, 65535, 65535},
        .totalConstMem = CUDART_CONST_BYTES,
        .major = device->arch / 10,
        .minor = device->arch % 10,
        .textureAlignment = 512,
        .texturePitchAlignment = 32,
        .multiProcessorCount = device->n_sm,
        .canMapHostMemory = 1,
        .concurrentKernels = 1,
        .surfaceAlignment = 512,
        .asyncEngineCount = 2,
        .unifiedAddressing = 1,
        .memoryBusWidth = device->bus_bits,
        .l2CacheSize = device->l2_bytes,
        .maxThreadsPerMultiProcessor = device->threads_per_sm,
        .streamPrioritiesSupported = 1,
        .globalL1CacheSupported = 1,
        .localL1CacheSupported = 1,
        .sharedMemPerMultiprocessor = (size_t)device->shared_per_sm,
        .regsPerMultiprocessor = CUDART_REGISTERS,
        .managedMemory = 1,
        .concurrentManagedAccess = 1,
        .canUseHostPointerForRegisteredMem = 1,
        .cooperativeLaunch = 1,
        .sharedMemPerBlockOptin = (size_t)device->shared_optin,
        .reservedSharedMemPerBlock = (size_t)device->shared_reserved,
        .maxBlocksPerMultiProcessor = device->blocks_per_sm,
        .hostRegisterSupported = 1,
        .memoryPoolsSupported = 1,
        .deviceNumaId = -1,
        .hostNumaId = -1,
    };
    strncpy(properties->name, device->name, sizeof properties->name - 1);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
    struct cudart *rt;
    cudaError_t error = enter_device(&rt, device);
    if (error == cudaSuccess && !properties)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = cudart_may_refuse(rt, SIMT_QUESTION, cudaErrorUnknown);
    if (error == cudaSuccess)
        describe(rt, properties);
    return cudart_leave(rt, error);
}

/* One attribute of the device; those that have no row here are 0: what the device can't do. */
static int attribute_value(const struct cudart_device *device, const struct cudaDeviceProp *p,
                           enum cudaDeviceAttr attribute) {
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
        {cudaDevAttrClockRate, device->clock_khz},
        {cudaDevAttrMemoryClockRate, device->memory_khz},
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
        {cudaDevAttrCanMapHostMemory, p->canMapHostMemory},
        {cudaDevAttrConcurrentKernels, p->concurrentKernels},
        {cudaDevAttrStreamPrioritiesSupported, p->streamPrioritiesSupported},
        {cudaDevAttrGlobalL1CacheSupported, p->globalL1CacheSupported},
        {cudaDevAttrLocalL1CacheSupported, p->localL1CacheSupported},
        {cudaDevAttrManagedMemory, p->managedMemory},
        {cudaDevAttrConcurrentManagedAccess, p->concurrentManagedAccess},
        {cudaDevAttrCanUseHostPointerForRegisteredMem, p->canUseHostPointerForRegisteredMem},
        {cudaDevAttrCooperativeLaunch, p->cooperativeLaunch},
        {cudaDevAttrReservedSharedMemoryPerBlock, (int)p->reservedSharedMemPerBlock},
        {cudaDevAttrMemoryPoolsSupported, p->memoryPoolsSupported},
        {cudaDevAttrGpuOverlap, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].attribute == attribute)
            return rows[i].value;
    return 0;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    struct cudart *rt;
    cudaError_t error = enter_device(&rt, device);
    if (error == cudaSuccess &&
        (!value || attribute < cudaDevAttrMaxThreadsPerBlock || attribute >= cudaDevAttrMax))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = cudart_may_refuse(rt, SIMT_QUESTION, cudaErrorUnknown);
    if (error == cudaSuccess) {
        struct cudaDeviceProp properties;
        describe(rt, &properties);
        *value = attribute_value(rt->device, &properties, attribute);
    }
    return cudart_leave(rt, error);
}
