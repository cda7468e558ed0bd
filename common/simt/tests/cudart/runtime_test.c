/*
 * Tests of the drop-in runtime from a program's point of view: runtime_test.cu, compiled by nvcc as
 * a student's file is, runs on it. Each test is a process of its own, so a lost context stays
 * there.
 */
#include "common/simt/cudart/simtcudart.h"
#include "common/simt/program/edit/edit.h"

#include <criterion/criterion.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A function of the program, by its name. */
static void *function(const char *name) {
    static void *program;
    if (program == NULL)
        program = dlopen(PROGRAM, RTLD_NOW);
    cr_assert_not_null(program, "%s", dlerror());
    void *address = dlsym(program, name);
    cr_assert_not_null(address, "%s", dlerror());
    return address;
}

/* A function of the program that takes one device pointer, or nothing. */
static cudaError_t call(const char *name, void *pointer) {
    cudaError_t (*called)(void *) = (cudaError_t(*)(void *))function(name);
    return called(pointer);
}

static void *device_memory(size_t bytes) {
    void *pointer = NULL;
    cr_assert_eq(cudaMalloc(&pointer, bytes), cudaSuccess);
    return pointer;
}

static cudaError_t launch(unsigned grid, unsigned block, size_t shared_bytes, cudaStream_t stream) {
    cudaError_t (*called)(unsigned, unsigned, size_t, cudaStream_t) =
        (cudaError_t(*)(unsigned, unsigned, size_t, cudaStream_t))function("launch");
    return called(grid, block, shared_bytes, stream);
}

static void expect_said(const char *part) {
    cr_expect_not_null(strstr(simtLastError(), part), "\"%s\" lacks \"%s\"", simtLastError(), part);
}

/* The context is lost with `error`: a launch that went well, then nothing goes well any more. */
static void expect_lost(cudaError_t launched, cudaError_t error) {
    void *pointer;
    cr_expect_eq(launched, cudaSuccess, "the launch itself gave %d", launched);
    cudaError_t got = cudaDeviceSynchronize();
    cr_expect_eq(got, error, "%s, not %s; %s", cudaGetErrorName(got), cudaGetErrorName(error),
                 simtLastError());
    cr_expect_eq(cudaGetLastError(), error);
    cr_expect_eq(cudaGetLastError(), cudaSuccess, "it was asked for");
    cr_expect_eq(cudaMalloc(&pointer, 4), error);
    cr_expect_eq(launch(1, 32, 0, NULL), error);
}

Test(runtime, runs_a_kernel) {
    enum { N = 1000 };
    int h_in[N], h_out[N], *in = device_memory(sizeof(h_in)), *out = device_memory(sizeof(h_out));
    for (int i = 0; i < N; i++)
        h_in[i] = i - 500;
    cudaError_t (*scale)(const int *, size_t, int, int *, unsigned) =
        (cudaError_t(*)(const int *, size_t, int, int *, unsigned))function("scale");
    cr_assert_eq(cudaMemcpy(in, h_in, sizeof(h_in), cudaMemcpyHostToDevice), cudaSuccess);
    cr_assert_eq(scale(in, N, 3, out, 256), cudaSuccess, "%s", simtLastError());
    cr_assert_eq(cudaMemcpy(h_out, out, sizeof(h_out), cudaMemcpyDeviceToHost), cudaSuccess);
    for (int i = 0; i < N; i++)
        cr_assert_eq(h_out[i], 3 * h_in[i], "out[%d] is %d", i, h_out[i]);
    cr_expect_eq(cudaFree(in), cudaSuccess);
    cr_expect_eq(cudaFree(out), cudaSuccess);
}

Test(runtime, passes_parameters_of_every_size) {
    int *out = device_memory(sizeof(int)), result = 0;
    cr_assert_eq(call("mixed", out), cudaSuccess, "%s", simtLastError());
    cudaMemcpy(&result, out, sizeof(result), cudaMemcpyDeviceToHost);
    cr_expect_eq(result, 1 + 2 + 30 + 40 + 50);
}

Test(runtime, copies_to_and_from_symbols) {
    int before = 0, after = 0, size = 0;
    cudaError_t (*symbols)(int *, int *, int *) =
        (cudaError_t(*)(int *, int *, int *))function("symbols");
    cr_expect_eq(symbols(&before, &after, &size), cudaErrorInvalidValue, "past the symbol's end");
    cr_expect_eq(before, 7, "%s", simtLastError());
    cr_expect_eq(after, 17);
    cr_expect_eq(size, 4 * (int)sizeof(int));
    cr_expect_eq(cudaMemcpyToSymbol(&before, &after, 4, 0, cudaMemcpyHostToDevice),
                 cudaErrorInvalidSymbol);
}

Test(runtime, refuses_launches_that_hardware_refuses) {
    cr_expect_eq(launch(1, 1024, 0, NULL), cudaSuccess, "%s", simtLastError());
    cr_expect_eq(launch(1, 1025, 0, NULL), cudaErrorInvalidValue);
    expect_said("1025");
    cr_expect_eq(launch(0, 32, 0, NULL), cudaErrorInvalidValue);
    cr_expect_eq(launch(1, 0, 0, NULL), cudaErrorInvalidValue);
    cr_expect_eq(launch(1, 32, 1 << 20, NULL), cudaErrorInvalidValue);
    expect_said("1048576");
    cr_expect_eq(launch(1, 32, 0, (cudaStream_t)(uintptr_t)4096), cudaErrorInvalidResourceHandle);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess, "none of them costs the context");
    cr_expect_eq(launch(1, 32, 0, NULL), cudaSuccess);
}

Test(runtime, refuses_functions_that_are_no_kernels) {
    dim3 one = {1, 1, 1};
    cr_expect_eq(cudaLaunchKernel((void *)launch, one, one, NULL, 0, NULL),
                 cudaErrorInvalidResourceHandle);
    cr_expect_eq(cudaLaunchKernel(NULL, one, one, NULL, 0, NULL), cudaErrorInvalidDeviceFunction);
    struct cudaFuncAttributes attributes;
    cr_expect_eq(cudaFuncGetAttributes(&attributes, (void *)launch),
                 cudaErrorInvalidResourceHandle);
}

Test(runtime, keeps_the_last_error_until_it_is_asked_for) {
    void *pointer;
    cr_expect_eq(cudaMalloc(NULL, 4), cudaErrorInvalidValue);
    cr_expect_eq(cudaMalloc(&pointer, 4), cudaSuccess, "an error is no reason to refuse the next");
    cr_expect_eq(cudaPeekAtLastError(), cudaErrorInvalidValue);
    cr_expect_eq(cudaGetLastError(), cudaErrorInvalidValue);
    cr_expect_eq(cudaGetLastError(), cudaSuccess);
}

Test(runtime, gives_out_of_memory_without_losing_the_device) {
    void *pointer = &pointer;
    size_t free_bytes, total_bytes;
    cr_assert_eq(cudaMemGetInfo(&free_bytes, &total_bytes), cudaSuccess);
    cr_expect_eq(cudaMalloc(&pointer, total_bytes + 1), cudaErrorMemoryAllocation);
    cr_expect_null(pointer);
    cr_expect_eq(cudaMalloc(&pointer, 4), cudaSuccess);
    cr_expect_eq(cudaMalloc(&pointer, 0), cudaSuccess);
    cr_expect_null(pointer);
}

Test(runtime, frees_only_what_was_allocated) {
    char *pointer = device_memory(64);
    cr_expect_eq(cudaFree(NULL), cudaSuccess);
    cr_expect_eq(cudaFree(pointer + 4), cudaErrorInvalidValue);
    cr_expect_eq(cudaFree(&pointer), cudaErrorInvalidValue);
    cr_expect_eq(cudaFree(pointer), cudaSuccess);
    cr_expect_eq(cudaFree(pointer), cudaErrorInvalidValue);
}

Test(runtime, copies_in_all_directions) {
    int host[4] = {1, 2, 3, 4}, back[4] = {0}, *one = device_memory(16), *two = device_memory(16);
    cr_expect_eq(cudaMemcpy(one, host, 16, cudaMemcpyHostToDevice), cudaSuccess);
    cr_expect_eq(cudaMemcpy(two, one, 16, cudaMemcpyDeviceToDevice), cudaSuccess);
    cr_expect_eq(cudaMemcpy(back, two, 16, cudaMemcpyDeviceToHost), cudaSuccess);
    cr_expect_arr_eq(back, host, 16);
    cr_expect_eq(cudaMemset(two, 0x11, 8), cudaSuccess);
    cr_expect_eq(cudaMemcpyAsync(back, two, 16, cudaMemcpyDefault, NULL), cudaSuccess);
    cr_expect_eq(back[1], 0x11111111);
    cr_expect_eq(back[2], 3);
    cr_expect_eq(cudaMemcpy(back, host, 16, cudaMemcpyHostToHost), cudaSuccess);
    cr_expect_eq(back[0], 1);
}

Test(runtime, refuses_copies_that_make_no_sense) {
    int host[8] = {0}, *device = device_memory(16);
    cr_expect_eq(cudaMemcpy(host, device, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    expect_said("cudaMemcpy was refused: its direction (cudaMemcpyHostToDevice) has the "
                "destination in device memory, but it is in the host's.");
    cr_expect_eq(cudaMemcpy(device, host, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    expect_said("(cudaMemcpyDeviceToHost) has the source in device memory");
    cr_expect_eq(cudaMemcpy(device, host, 32, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    expect_said("it writes 32 bytes from byte 0 of device memory on, which has 16.");
    cr_expect_eq(cudaMemcpyAsync(host, device + 1, 16, cudaMemcpyDeviceToHost, NULL),
                 cudaErrorInvalidValue);
    expect_said("cudaMemcpyAsync was refused: it reads 16 bytes from byte 4 of device memory on, "
                "which has 16.");
    cr_expect_eq(cudaMemcpy(NULL, device, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    expect_said("its destination is NULL.");
    cr_expect_eq(cudaMemcpy(device, host, 16, (enum cudaMemcpyKind)9),
                 cudaErrorInvalidMemcpyDirection);
    cr_expect_eq(cudaMemset(host, 0, 16), cudaErrorInvalidValue);
    cr_expect_eq(cudaMemset(device, 0, 17), cudaErrorInvalidValue);
    expect_said("A fill of 17 bytes goes beyond the memory");
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
}

Test(runtime, copies_rows_with_a_pitch) {
    char host[3][10], back[3][10] = {{0}}, *device;
    size_t pitch;
    memset(host, 'x', sizeof(host));
    cr_assert_eq(cudaMallocPitch((void **)&device, &pitch, 10, 3), cudaSuccess);
    cr_expect_geq(pitch, 10);
    cr_expect_eq(cudaMemcpy2D(device, pitch, host, 10, 10, 3, cudaMemcpyHostToDevice), cudaSuccess);
    cr_expect_eq(cudaMemset2D(device, pitch, 'y', 5, 3), cudaSuccess);
    cr_expect_eq(cudaMemcpy2D(back, 10, device, pitch, 10, 3, cudaMemcpyDeviceToHost), cudaSuccess);
    cr_expect_arr_eq(back[2], "yyyyyxxxxx", 10);
    cr_expect_eq(cudaMemcpy2D(back, 9, device, pitch, 10, 3, cudaMemcpyDeviceToHost),
                 cudaErrorInvalidPitchValue);
}

Test(runtime, loses_the_context_after_an_illegal_address) {
    expect_lost(call("write_far", device_memory(4)), cudaErrorIllegalAddress);
    expect_said("runtime_test.cu:");
}

Test(runtime, loses_the_context_after_a_misaligned_address) {
    expect_lost(call("write_odd", device_memory(16)), cudaErrorMisalignedAddress);
    expect_said("runtime_test.cu:");
}

Test(runtime, loses_the_context_after_a_trap) {
    expect_lost(call("fail_trap", NULL), cudaErrorLaunchFailure);
}

Test(runtime, stops_a_kernel_that_never_ends) {
    int *flag = device_memory(sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    simtConfigure(1, 100, 0);
    expect_lost(call("run_endless", flag), cudaErrorLaunchTimeout);
    expect_said("runtime_test.cu:");
}

Test(runtime, stops_a_kernel_at_its_last_instruction) {
    int *flag = device_memory(sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    simtConfigure(1, 0, 1 << 16);
    expect_lost(call("run_restless", flag), cudaErrorLaunchTimeout);
    expect_said("runtime_test.cu:");
    expect_said("warp instructions");
}

Test(runtime, names_what_the_simulator_does_not_run) {
    cr_expect_eq(call("use_texture", device_memory(4)), cudaErrorNotSupported);
    expect_said("runtime_test.cu:");
    expect_said("tex.1d");
    cr_expect_eq(cudaGetLastError(), cudaSuccess, "the program has asked for it already");
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);

    cudaGraph_t graph;
    cr_expect_eq(cudaGraphCreate(&graph, 0), cudaErrorNotSupported);
    expect_said("cudaGraphCreate is not supported by the simulator");
    cr_expect_eq(cudaGetLastError(), cudaErrorNotSupported);
    simtReportReset();
    cr_expect_str_empty(simtLastError());
}

static void expect_missing(cudaError_t error, const char *named) {
    cr_expect_eq(error, cudaErrorNotSupported, "%s: %s", named, cudaGetErrorName(error));
    expect_said(named);
    cudaGetLastError();
}

Test(runtime, names_calls_that_the_simulator_lacks) {
    cudaTextureObject_t texture;
    cudaSurfaceObject_t surface;
    cudaIpcMemHandle_t handle;
    cudaArray_t array;
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray};
    struct cudaTextureDesc texels = {.readMode = cudaReadModeElementType};
    struct cudaChannelFormatDesc format = {.x = 32, .f = cudaChannelFormatKindFloat};
    cudaLaunchAttribute cluster = {.id = cudaLaunchAttributeClusterDimension,
                                   .val.clusterDim = {2, 1, 1}};
    const cudaLaunchConfig_t config = {
        .gridDim = {2, 1, 1}, .blockDim = {32, 1, 1}, .attrs = &cluster, .numAttrs = 1};
    expect_missing(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal),
                   "cudaStreamBeginCapture is not supported");
    expect_missing(cudaCreateTextureObject(&texture, &resource, &texels, NULL),
                   "cudaCreateTextureObject is not supported");
    expect_missing(cudaCreateSurfaceObject(&surface, &resource),
                   "cudaCreateSurfaceObject is not supported");
    expect_missing(cudaMallocArray(&array, &format, 8, 8, 0), "cudaMallocArray is not supported");
    expect_missing(cudaIpcGetMemHandle(&handle, device_memory(4)),
                   "cudaIpcGetMemHandle is not supported");
    expect_missing(cudaLaunchKernelExC(&config, NULL, NULL),
                   "The launch asks for clusters of several blocks");
}

Test(runtime, grants_more_shared_memory_when_asked) {
    cudaError_t (*use_shared)(int *, unsigned, size_t, int) =
        (cudaError_t(*)(int *, unsigned, size_t, int))function("use_shared");
    int *out = device_memory(64 * sizeof(int)), back[64];
    cr_expect_eq(use_shared(out, 64, 48 << 10, 0), cudaSuccess, "%s", simtLastError());
    cr_expect_eq(use_shared(out, 64, 60 << 10, 0), cudaErrorInvalidValue);
    cr_expect_eq(use_shared(out, 64, 60 << 10, 60 << 10), cudaSuccess, "%s", simtLastError());
    cudaMemcpy(back, out, sizeof(back), cudaMemcpyDeviceToHost);
    cr_expect_eq(back[0], 63);
    cr_expect_eq(use_shared(out, 64, 0, 65 << 10), cudaErrorInvalidValue, "more than there is");
}

Test(runtime, describes_kernels) {
    cudaError_t (*attributes)(struct cudaFuncAttributes *, int *) =
        (cudaError_t(*)(struct cudaFuncAttributes *, int *))function("attributes");
    struct cudaFuncAttributes shared;
    int blocks = 0;
    cr_assert_eq(attributes(&shared, &blocks), cudaSuccess);
    cr_expect_eq(shared.maxThreadsPerBlock, 1024);
    cr_expect_eq(shared.sharedSizeBytes, 0);
    cr_expect_eq(blocks, 4, "4 × 16 KiB of 64, 4 × 256 threads of 1,024");
}

Test(runtime, launches_with_a_configuration) {
    cudaError_t (*launched)(int) = (cudaError_t(*)(int))function("launch_with_attributes");
    expect_lost(launched(0), cudaErrorLaunchFailure);
}

Test(runtime, knows_streams_and_events) {
    cudaStream_t stream;
    cudaEvent_t start, end;
    float ms = -1;
    cr_assert_eq(cudaStreamCreate(&stream), cudaSuccess);
    cr_assert_eq(cudaEventCreate(&start), cudaSuccess);
    cr_assert_eq(cudaEventCreate(&end), cudaSuccess);
    cr_expect_eq(cudaEventRecord(start, stream), cudaSuccess);
    cr_expect_eq(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle,
                 "end is not recorded");
    cudaGetLastError();
    cr_expect_eq(launch(1, 32, 0, stream), cudaSuccess);
    cr_expect_eq(cudaEventRecord(end, stream), cudaSuccess);
    cr_expect_eq(cudaStreamWaitEvent(stream, end, 0), cudaSuccess);
    cr_expect_eq(cudaEventSynchronize(end), cudaSuccess);
    cr_expect_eq(cudaEventQuery(end), cudaSuccess);
    cr_expect_eq(cudaEventElapsedTime(&ms, start, end), cudaSuccess);
    cr_expect_geq(ms, 0);
    cr_expect_eq(cudaEventDestroy(start), cudaSuccess);
    cr_expect_eq(cudaEventRecord(start, stream), cudaErrorInvalidResourceHandle);
    cr_expect_eq(cudaStreamDestroy(stream), cudaSuccess);
    cr_expect_eq(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
    cr_expect_eq(launch(1, 32, 0, stream), cudaErrorInvalidResourceHandle);
}

static void *one_thread(void *argument) {
    int *wrong = argument, host[256], *in, *out;
    cudaError_t (*scale)(const int *, size_t, int, int *, unsigned) =
        (cudaError_t(*)(const int *, size_t, int, int *, unsigned))function("scale");
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 256; i++)
            host[i] = i + round;
        cudaMalloc((void **)&in, sizeof(host));
        cudaMalloc((void **)&out, sizeof(host));
        cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
        *wrong += scale(in, 256, 2, out, 256) != cudaSuccess;
        cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
        for (int i = 0; i < 256; i++)
            *wrong += host[i] != 2 * (i + round);
        cudaFree(in);
        cudaFree(out);
    }
    *wrong += cudaMalloc(NULL, 1) != cudaErrorInvalidValue;
    return NULL;
}

Test(runtime, serves_many_threads_each_with_its_last_error) {
    enum { N = 4 };
    pthread_t threads[N];
    int wrong[N] = {0};
    function("scale"); /* loads the program before threads do */
    for (int i = 0; i < N; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, one_thread, &wrong[i]), 0);
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
        cr_expect_eq(wrong[i], 0, "thread %d", i);
    }
    cr_expect_eq(cudaGetLastError(), cudaSuccess, "their errors are not this thread's");
}

Test(runtime, shows_one_device) {
    struct cudaDeviceProp properties;
    int count = 0, value = 0;
    cr_expect_eq(cudaGetDeviceCount(&count), cudaSuccess);
    cr_expect_eq(count, 1);
    cr_expect_eq(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    cr_expect_eq(properties.warpSize, 32);
    cr_expect_eq(properties.maxThreadsPerBlock, 1024);
    cr_expect_eq(properties.major, 7);
    cr_expect_eq(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
    cr_expect_eq(value, properties.multiProcessorCount);
    cr_expect_eq(cudaDeviceGetAttribute(&value, cudaDevAttrEccEnabled, 0), cudaSuccess);
    cr_expect_eq(value, 0);
    cr_expect_eq(cudaDeviceGetAttribute(&value, cudaDevAttrMax, 0), cudaErrorInvalidValue);
    cr_expect_eq(cudaSetDevice(1), cudaErrorInvalidDevice);
    cr_expect_eq(cudaSetDevice(0), cudaSuccess);
}

Test(runtime, tells_where_pointers_point) {
    struct cudaPointerAttributes attributes;
    char *device = device_memory(64), *pinned;
    cr_assert_eq(cudaMallocHost((void **)&pinned, 64), cudaSuccess);
    memset(pinned, 1, 64);
    cr_expect_eq(cudaPointerGetAttributes(&attributes, device + 63), cudaSuccess);
    cr_expect_eq(attributes.type, cudaMemoryTypeDevice);
    cudaPointerGetAttributes(&attributes, device + 64);
    cr_expect_eq(attributes.type, cudaMemoryTypeUnregistered);
    cudaPointerGetAttributes(&attributes, pinned);
    cr_expect_eq(attributes.type, cudaMemoryTypeHost);
    cr_expect_eq(cudaFreeHost(pinned), cudaSuccess);
    cr_expect_eq(cudaFreeHost(device), cudaErrorInvalidValue);
}

Test(runtime, starts_afresh_after_a_reset) {
    char *device = device_memory(64);
    int before = 0, after = 0, size;
    cudaError_t (*symbols)(int *, int *, int *) =
        (cudaError_t(*)(int *, int *, int *))function("symbols");
    symbols(&before, &after, &size);
    cr_expect_eq(cudaDeviceReset(), cudaSuccess);
    cr_expect_eq(cudaMemset(device, 0, 64), cudaErrorInvalidValue, "memory is gone");
    symbols(&before, &after, &size);
    cr_expect_eq(before, 7, "variables have their initial values");
    char *json = simtReportJson();
    cr_expect_not_null(strstr(json, "symbols_kernel"), "the report is not gone");
    free(json);
}

Test(runtime, survives_a_reset_by_an_edit) {
    const struct simt_edit edit = {.kind = SIMT_EDIT_RESET_IGNORED};
    char *device = device_memory(64);
    cr_assert_eq(simtSetEdits(&edit, 1), 0);
    cr_expect_eq(cudaDeviceReset(), cudaSuccess);
    cr_expect_eq(cudaMemset(device, 0, 64), cudaSuccess, "memory is there");
    cr_assert_eq(simtSetEdits(NULL, 0), 0);
    cr_expect_eq(cudaDeviceReset(), cudaSuccess);
    cr_expect_eq(cudaMemset(device, 0, 64), cudaErrorInvalidValue, "memory is gone");
}

Test(runtime, names_the_edits_that_may_be_tried) {
    simtReportReset();
    cr_assert_eq(launch(3, 64, 0, NULL), cudaSuccess);
    char *json = simtReportEditsJson();
    cr_assert_not_null(json);
    cr_expect_not_null(strstr(json, "\"place\":\"scale_kernel\""), "%s", json);
    cr_expect_not_null(strstr(json, "runtime_test.cu"), "%s", json);
    free(json);
}

Test(runtime, reports_launches) {
    simtReportReset();
    cr_assert_eq(launch(3, 64, 0, NULL), cudaSuccess);
    char *json = simtReportJson();
    cr_assert_not_null(json);
    cr_expect_not_null(
        strstr(json, "\"kernel\":\"scale_kernel\",\"grid\":[3,1,1],\"block\":[64,1,1]"), "%s",
        json);
    free(json);
    simtReportReset();
    json = simtReportJson();
    cr_expect_not_null(strstr(json, "{\"launches\":[],\"launches_dropped\":0,\"findings\":[],"),
                       "%s", json);
    free(json);
}

Test(runtime, names_allocations_in_findings) {
    int *out = device_memory(16), here;
    cr_expect_eq(simtName(out, "result", 4), 0);
    cr_expect_eq(simtName(&here, "host", 4), -1);
    cr_expect_eq(simtUndefine(out, 16), 0);
    cr_expect_eq(simtUndefine(out, 17), -1);
    call("write_past", out);
    char *json = simtReportJson();
    cr_expect_not_null(strstr(json, "\"out_of_bounds\""), "%s", json);
    cr_expect_not_null(strstr(json, "\"place\":\"result[4]\""), "%s", json);
    free(json);
}
