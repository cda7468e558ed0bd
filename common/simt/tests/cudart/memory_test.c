/*
 * Memory that host and device share, pitched copies, pools and virtual devices, from a program's
 * point of view: memory_test.cu runs on the drop-in. Each test is a process of its own.
 */
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/cudart/simtcudart.h"
#include "common/simt/tests/cudart/program.h"

static cudaError_t add(int *to, int value, int n) {
    cudaGetLastError(); /* of refused calls before */
    return program_call(cudaError_t, "add", (int *, int, int, cudaStream_t), (to, value, n, NULL));
}

static cudaError_t type_of(const void *pointer, enum cudaMemoryType *type) {
    struct cudaPointerAttributes attributes;
    cudaError_t error = cudaPointerGetAttributes(&attributes, pointer);
    *type = attributes.type;
    return error;
}

static void expect_type(const void *pointer, enum cudaMemoryType wanted) {
    enum cudaMemoryType type;
    cr_expect_eq(type_of(pointer, &type), cudaSuccess);
    cr_expect_eq(type, wanted, "type %d", (int)type);
}

Test(memory, lets_kernels_use_pinned_memory_in_place) {
    int *pinned, *device;
    cr_assert_eq(cudaHostAlloc((void **)&pinned, 64 * sizeof(int), cudaHostAllocMapped),
                 cudaSuccess);
    for (int i = 0; i < 64; i++)
        pinned[i] = i;
    cr_assert_eq(cudaHostGetDevicePointer((void **)&device, pinned, 0), cudaSuccess);
    cr_expect_eq(add(device, 100, 64), cudaSuccess, "%s", simtLastError());
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    cr_expect_eq(pinned[63], 163);
    expect_type(pinned, cudaMemoryTypeHost);
    cr_expect_eq(cudaFreeHost(pinned + 1), cudaErrorInvalidValue);
    cr_expect_eq(cudaFreeHost(pinned), cudaSuccess);
    cr_expect_eq(cudaFreeHost(pinned), cudaErrorInvalidValue);
}

Test(memory, lets_kernels_use_registered_memory_until_it_is_not) {
    static int words[40];
    int *device;
    cr_expect_eq(cudaHostGetDevicePointer((void **)&device, words, 0), cudaErrorInvalidValue);
    cr_assert_eq(cudaHostRegister(words, sizeof(words), cudaHostRegisterMapped), cudaSuccess);
    cr_expect_eq(cudaHostRegister(words, 4, 0), cudaErrorHostMemoryAlreadyRegistered);
    cr_expect_eq(add(words, 7, 40), cudaSuccess);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess, "%s", simtLastError());
    cr_expect_eq(words[39], 7);
    cr_expect_eq(cudaHostUnregister(words), cudaSuccess);
    cr_expect_eq(cudaHostUnregister(words), cudaErrorHostMemoryNotRegistered);
    cr_expect_eq(add(words, 7, 40), cudaSuccess);
    cr_expect_eq(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

Test(memory, finds_the_first_byte_past_pinned_memory) {
    int *pinned;
    cr_assert_eq(cudaMallocHost((void **)&pinned, 40 * sizeof(int)), cudaSuccess);
    cr_expect_eq(add(pinned, 1, 41), cudaSuccess);
    cr_expect_eq(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

Test(memory, shares_managed_memory) {
    int *managed, host[4] = {1, 2, 3, 4};
    struct cudaMemLocation device = {.type = cudaMemLocationTypeDevice, .id = 0};
    cr_assert_eq(cudaMallocManaged((void **)&managed, 64, cudaMemAttachGlobal), cudaSuccess, "%s",
                 simtLastError());
    managed[3] = 5;
    cr_expect_eq(cudaMemPrefetchAsync(managed, 64, device, 0, NULL), cudaSuccess);
    cr_expect_eq(cudaMemAdvise(managed, 64, cudaMemAdviseSetPreferredLocation, device),
                 cudaSuccess);
    cr_expect_eq(cudaMemAdvise(managed, 65, cudaMemAdviseSetReadMostly, device),
                 cudaErrorInvalidValue);
    cr_expect_eq(add(managed, 10, 4), cudaSuccess);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    cr_expect_eq(managed[3], 15);
    cr_expect_eq(cudaMemcpy(managed, host, 16, cudaMemcpyHostToDevice), cudaSuccess);
    cr_expect_eq(managed[2], 3);
    cr_expect_eq(cudaMemcpy(host, managed, 4, cudaMemcpyHostToHost), cudaSuccess);
    expect_type(managed + 1, cudaMemoryTypeManaged);
    cr_expect_eq(cudaFree(managed), cudaSuccess);
    cr_expect_eq(cudaMallocManaged((void **)&managed, 0, cudaMemAttachGlobal), cudaSuccess);
}

Test(memory, shares_managed_variables) {
    cr_expect_eq(program_call(int, "initial_managed", (void), ()), 3);
    cr_expect_eq(program_call(int, "count_managed", (int), (20)), 31);
}

Test(memory, knows_device_and_ordinary_memory) {
    int here, *device;
    struct cudaMemLocation here_too = {.type = cudaMemLocationTypeDevice, .id = 0};
    cr_assert_eq(cudaMalloc((void **)&device, 4), cudaSuccess);
    expect_type(device, cudaMemoryTypeDevice);
    expect_type(&here, cudaMemoryTypeUnregistered);
    cr_expect_eq(cudaMemPrefetchAsync(device, 4, here_too, 0, NULL), cudaErrorInvalidValue,
                 "device memory is not managed");
}

/* 2 slices of 3 rows of 4 bytes, into a larger box and back. */
Test(memory, copies_boxes) {
    char host[2][3][4], back[2][3][4];
    struct cudaPitchedPtr box;
    memset(back, 0, sizeof(back));
    for (int i = 0; i < 24; i++)
        ((char *)host)[i] = (char)('a' + i);
    cr_assert_eq(cudaMalloc3D(&box, (struct cudaExtent){10, 5, 3}), cudaSuccess);
    cr_expect_eq(box.pitch, 512);
    cr_expect_eq(box.xsize, 10);
    cr_expect_eq(box.ysize, 5);
    cr_expect_eq(cudaMemset3D(box, '.', (struct cudaExtent){10, 5, 3}), cudaSuccess);
    struct cudaMemcpy3DParms to = {
        .srcPtr = {host, 4, 4, 3},
        .dstPtr = box,
        .dstPos = {2, 1, 1},
        .extent = {4, 3, 2},
        .kind = cudaMemcpyHostToDevice,
    };
    cr_expect_eq(cudaMemcpy3D(&to), cudaSuccess);
    struct cudaMemcpy3DParms from = {
        .srcPtr = box,
        .srcPos = {2, 1, 1},
        .dstPtr = {back, 4, 4, 3},
        .extent = {4, 3, 2},
        .kind = cudaMemcpyDeviceToHost,
    };
    cr_expect_eq(cudaMemcpy3DAsync(&from, NULL), cudaSuccess);
    cr_expect_arr_eq(back, host, sizeof(host));
    from.srcPos = (struct cudaPos){1, 1, 1};
    cr_expect_eq(cudaMemcpy3D(&from), cudaSuccess);
    cr_expect_arr_eq(back[1][2], ".uvw", 4);
    from.srcPos.z = 2;
    cr_expect_eq(cudaMemcpy3D(&from), cudaErrorInvalidValue, "past the last slice");
}

Test(memory, keeps_account_of_pools) {
    int *pointer;
    uint64_t used = 1, high = 0;
    cudaMemPool_t pool, other;
    struct cudaMemPoolProps properties = {.allocType = cudaMemAllocationTypePinned,
                                          .location = {.type = cudaMemLocationTypeDevice}};
    cr_assert_eq(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
    cr_assert_eq(cudaMallocAsync((void **)&pointer, 1000, NULL), cudaSuccess);
    cr_expect_eq(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), cudaSuccess);
    cr_expect_eq(used, 1000);
    cr_expect_eq(cudaFreeAsync(pointer, NULL), cudaSuccess);
    cr_expect_eq(cudaFreeAsync(pointer, NULL), cudaErrorInvalidValue);
    cr_expect_eq(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), cudaSuccess);
    cr_expect_eq(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &high), cudaSuccess);
    cr_expect_eq(used, 0);
    cr_expect_eq(high, 1000);
    cr_assert_eq(cudaMemPoolCreate(&other, &properties), cudaSuccess);
    cr_expect_eq(cudaMemPoolSetAttribute(other, cudaMemPoolAttrReleaseThreshold, &high),
                 cudaSuccess);
    cr_expect_eq(cudaMallocFromPoolAsync((void **)&pointer, 16, other, NULL), cudaSuccess);
    cr_expect_eq(cudaMemPoolDestroy(other), cudaSuccess);
    cr_expect_eq(cudaFree(pointer), cudaSuccess);
    cr_expect_eq(cudaMemPoolTrimTo(other, 0), cudaErrorInvalidValue);
    cr_expect_eq(cudaMemPoolDestroy(pool), cudaErrorInvalidValue, "it is the default one");
}

static void expect_device(const char *word, int major, int n_sm, size_t shared_optin) {
    struct cudaDeviceProp properties;
    cr_expect_eq(cudaGetDeviceProperties(&properties, 0), cudaSuccess, "%s", simtLastError());
    cr_expect_eq(properties.major, major, "%s", word);
    cr_expect_eq(properties.multiProcessorCount, n_sm, "%s", word);
    cr_expect_eq(properties.sharedMemPerBlockOptin, shared_optin, "%s", word);
}

Test(device, is_a_small_turing_by_default) {
    expect_device("turing", 7, 8, 64 << 10);
}

Test(device, is_the_one_that_the_environment_names) {
    setenv("SIMT_DEVICE", "H200", 1);
    expect_device("h200", 9, 132, 227 << 10);
    void *pointer;
    cr_expect_eq(program_call(cudaError_t, "cooperative", (int *, unsigned), (NULL, 265)),
                 cudaErrorCooperativeLaunchTooLarge, "2 × 1,024 threads on each of 132");
    cr_expect_eq(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
    cr_expect_eq(cudaMalloc(&pointer, 4), cudaSuccess);
    cr_expect_eq(program_call(cudaError_t, "cooperative", (int *, unsigned), (pointer, 264)),
                 cudaSuccess, "%s", simtLastError());
}

Test(device, lets_the_blocks_of_a_cooperative_launch_meet) {
    enum { N = 512 };
    int ring[N], *device;
    for (int i = 0; i < N; i++)
        ring[i] = i;
    cr_assert_eq(cudaMalloc((void **)&device, sizeof(ring)), cudaSuccess);
    cudaMemcpy(device, ring, sizeof(ring), cudaMemcpyHostToDevice);
    for (int launch = 0; launch < 2; launch++)
        cr_assert_eq(
            program_call(cudaError_t, "rotate", (int *, unsigned, int), (device, N / 64, 3)),
            cudaSuccess, "%s", simtLastError());
    cr_assert_eq(cudaMemcpy(ring, device, sizeof(ring), cudaMemcpyDeviceToHost), cudaSuccess, "%s",
                 simtLastError());
    for (int i = 0; i < N; i++)
        cr_assert_eq(ring[i], (i + 6) % N, "%d has %d", i, ring[i]);
}

Test(device, is_none_where_the_environment_names_none) {
    setenv("SIMT_DEVICE", "voodoo", 1);
    void *pointer;
    cr_expect_eq(cudaMalloc(&pointer, 4), cudaErrorNoDevice);
    cr_expect_not_null(strstr(simtLastError(), "voodoo"));
}

static const char answer_ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                                 ".global .u32 wanted = 42;\n"
                                 ".visible .entry answer(.param .u64 to) {\n"
                                 "  .reg .b64 %rd<2>; .reg .b32 %r<2>;\n"
                                 "  ld.param.u64 %rd1, [to];\n"
                                 "  ld.global.u32 %r1, [wanted];\n"
                                 "  st.global.u32 [%rd1], %r1;\n"
                                 "  ret;\n}\n";

Test(library, runs_kernels_of_a_text) {
    cudaLibrary_t library;
    cudaKernel_t kernel;
    int *to, back = 0;
    size_t bytes;
    void *wanted, *arguments[] = {&to};
    dim3 one = {1, 1, 1};
    cr_assert_eq(cudaLibraryLoadData(&library, answer_ptx, NULL, NULL, 0, NULL, NULL, 0),
                 cudaSuccess, "%s", simtLastError());
    cr_expect_eq(cudaLibraryGetKernel(&kernel, library, "question"), cudaErrorSymbolNotFound);
    cr_assert_eq(cudaLibraryGetKernel(&kernel, library, "answer"), cudaSuccess);
    cr_expect_eq(cudaLibraryGetGlobal(&wanted, &bytes, library, "wanted"), cudaSuccess);
    cr_expect_eq(bytes, 4);
    cr_assert_eq(cudaMalloc((void **)&to, 4), cudaSuccess);
    cr_expect_eq(cudaLaunchKernel((void *)kernel, one, one, arguments, 0, NULL), cudaSuccess, "%s",
                 simtLastError());
    cr_expect_eq(cudaMemcpy(&back, to, 4, cudaMemcpyDeviceToHost), cudaSuccess);
    cr_expect_eq(back, 42);
    cr_expect_eq(cudaLibraryUnload(library), cudaSuccess);
    cr_expect_eq(cudaLibraryUnload(library), cudaErrorInvalidResourceHandle);
    cr_expect_eq(cudaLaunchKernel((void *)kernel, one, one, arguments, 0, NULL),
                 cudaErrorInvalidResourceHandle);
}

Test(library, refuses_what_is_no_code) {
    cudaLibrary_t library;
    cr_expect_eq(cudaLibraryLoadData(&library, "no code", NULL, NULL, 0, NULL, NULL, 0),
                 cudaErrorInvalidPtx);
    cr_expect_eq(cudaLibraryLoadFromFile(&library, "/nowhere", NULL, NULL, 0, NULL, NULL, 0),
                 cudaErrorFileNotFound);
}
