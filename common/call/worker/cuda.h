/*
 * The CUDA runtime as the worker reaches it: a table of functions found with dlsym in whichever
 * library was loaded, NVIDIA's or the simulator's drop-in. So the worker builds without CUDA
 * headers, and a submission that defines functions of the same names changes nothing here.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/simt/cudart/simtcudart.h"

/* The numbers of CUDA 13.0's headers that the worker needs. */
enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_MEMORY_ALLOCATION = 2,
    CUDA_ERROR_NOT_YET_IMPLEMENTED = 31,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_NOT_SUPPORTED = 801,

    CUDA_HOST_TO_DEVICE = 1,
    CUDA_DEVICE_TO_HOST = 2,
    CUDA_DEVICE_TO_DEVICE = 3,

    CUDA_ATTR_CLOCK_RATE = 13, /* kHz */
    CUDA_ATTR_SM_COUNT = 16,
    CUDA_ATTR_MEMORY_CLOCK_RATE = 36, /* kHz */
    CUDA_ATTR_MEMORY_BUS_WIDTH = 37,  /* bits */
    CUDA_ATTR_L2_BYTES = 38,
    CUDA_ATTR_MAJOR = 75,
    CUDA_ATTR_MINOR = 76,
};

/* Field, symbol, result and parameters. Those of the first list must be there. */
#define CUDA_NEEDED(X)                                                                             \
    X(malloc, "cudaMalloc", int, (void **, size_t))                                                \
    X(free, "cudaFree", int, (void *))                                                             \
    X(memcpy, "cudaMemcpy", int, (void *, const void *, size_t, int))                              \
    X(memset, "cudaMemset", int, (void *, int, size_t))                                            \
    X(synchronize, "cudaDeviceSynchronize", int, (void))                                           \
    X(get_last_error, "cudaGetLastError", int, (void))                                             \
    X(error_name, "cudaGetErrorName", const char *, (int))                                         \
    X(error_string, "cudaGetErrorString", const char *, (int))

#define CUDA_OPTIONAL(X)                                                                           \
    X(set_device, "cudaSetDevice", int, (int))                                                     \
    X(peek_at_last_error, "cudaPeekAtLastError", int, (void))                                      \
    X(get_attribute, "cudaDeviceGetAttribute", int, (int *, int, int))                             \
    X(get_properties, "cudaGetDeviceProperties", int, (void *, int))                               \
    X(get_properties_v2, "cudaGetDeviceProperties_v2", int, (void *, int))                         \
    X(memory_info, "cudaMemGetInfo", int, (size_t *, size_t *))                                    \
    X(driver_version, "cudaDriverGetVersion", int, (int *))                                        \
    X(runtime_version, "cudaRuntimeGetVersion", int, (int *))                                      \
    X(memset_async, "cudaMemsetAsync", int, (void *, int, size_t, void *))                         \
    X(memcpy_async, "cudaMemcpyAsync", int, (void *, const void *, size_t, int, void *))           \
    X(stream_create, "cudaStreamCreate", int, (void **))                                           \
    X(stream_destroy, "cudaStreamDestroy", int, (void *))                                          \
    X(event_create, "cudaEventCreate", int, (void **))                                             \
    X(event_record, "cudaEventRecord", int, (void *, void *))                                      \
    X(event_synchronize, "cudaEventSynchronize", int, (void *))                                    \
    X(event_elapsed, "cudaEventElapsedTime", int, (float *, void *, void *))                       \
    X(event_elapsed_v2, "cudaEventElapsedTime_v2", int, (float *, void *, void *))                 \
    X(host_register, "cudaHostRegister", int, (void *, size_t, unsigned))                          \
    X(host_unregister, "cudaHostUnregister", int, (void *))                                        \
    X(reset_persisting_l2, "cudaCtxResetPersistingL2Cache", int, (void))                           \
    /* The drop-in's own additions. */                                                             \
    X(simt_adopt, "simtAdopt", int, (const void *, size_t))                                        \
    X(simt_disown, "simtDisown", void, (const void *))                                             \
    X(simt_name, "simtName", int, (const void *, const char *, size_t))                            \
    X(simt_undefine, "simtUndefine", int, (const void *, size_t))                                  \
    X(simt_configure, "simtConfigure", void, (int, long, uint64_t))                                \
    X(simt_set_edits, "simtSetEdits", int, (const void *, size_t))                                 \
    X(simt_report_edits_json, "simtReportEditsJson", char *, (void))                               \
    X(simt_work, "simtWork", uint64_t, (void))                                                     \
    X(simt_keep_shared, "simtKeepShared", void, (int))                                             \
    X(simt_run_newer, "simtRunNewer", void, (void))                                                \
    X(simt_sample, "simtSample", void, (int))                                                      \
    X(simt_schedule, "simtSchedule", void, (uint64_t))                                             \
    X(simt_refuse, "simtRefuse", void, (unsigned, int))                                            \
    X(simt_refused, "simtRefused", void, (struct simt_refusal *))                                  \
    X(simt_watch_calls, "simtWatchCalls", void, (enum simt_watch))                                 \
    X(simt_calls, "simtCalls", void, (struct simt_calls *))                                        \
    X(simt_stores, "simtStores", uint64_t, (void))                                                 \
    X(simt_allocations, "simtAllocations", size_t, (uint64_t *))                                   \
    X(simt_pretend, "simtPretend", void, (int))                                                    \
    X(simt_callers, "simtCallers", void, (int))                                                    \
    X(simt_objects, "simtObjects", size_t, (void))                                                 \
    X(simt_findings, "simtFindings", size_t, (void))                                               \
    X(simt_report_json, "simtReportJson", char *, (void))                                          \
    X(simt_report_reset, "simtReportReset", void, (void))                                          \
    X(simt_last_error, "simtLastError", const char *, (void))

struct cuda {
    void *library;
#define CUDA_FIELD(field, symbol, result, parameters) result(*field) parameters;
    CUDA_NEEDED(CUDA_FIELD)
    CUDA_OPTIONAL(CUDA_FIELD)
#undef CUDA_FIELD
};

/* Loads the library for all to use and fills the table. False, with a sentence in `error`, where
 * it can't be loaded or lacks something. */
bool cuda_load(struct cuda *cuda, const char *path, char *error, size_t error_bytes);

/* True when everything for timing by events is there. */
bool cuda_can_time(const struct cuda *cuda);

/* Milliseconds between two completed events, or NAN. */
double cuda_elapsed_ms(const struct cuda *cuda, void *start, void *stop);

/* An attribute of device 0, or 0 where the runtime does not say. */
int cuda_attribute(const struct cuda *cuda, int attribute);
