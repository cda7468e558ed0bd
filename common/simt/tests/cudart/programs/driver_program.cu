// What libcuda.so.1 answers, a line each, for a comparison with an H200 (driver_h200.txt). Linked with
// the toolkit's stub. What is a figure of the machine (bus, free memory) is left out.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

static CUdevice device;

static void before_initialisation() {
    int n;
    CUcontext context;
    const char *text;
    printf("get %d\n", cuDeviceGet(&device, 0));
    printf("count %d\n", cuDeviceGetCount(&n));
    printf("current %d\n", cuCtxGetCurrent(&context));
    printf("version %d", cuDriverGetVersion(&n));
    printf(" %d\n", n);
    printf("text %d", cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
    printf(" %s\n", text);
    printf("flags %d, none %d\n", cuInit(1), cuInit(0));
}

static void devices() {
    int n = 0, value = -1;
    char name[256] = "", part[5];
    size_t bytes;
    cudaDeviceProp properties;
    CUuuid uuid;
    printf("none %d, negative %d, null %d\n", cuDeviceGet(&device, 1), cuDeviceGet(&device, -1),
           cuDeviceGet(nullptr, 0));
    printf("first %d", cuDeviceGet(&device, 0));
    printf(" %d\n", device);
    printf("count %d", cuDeviceGetCount(&n));
    printf(" %d, null %d\n", n, cuDeviceGetCount(nullptr));
    printf("name %d", cuDeviceGetName(name, sizeof name, device));
    printf(" %.11s, part %d", name, cuDeviceGetName(part, sizeof part, device));
    printf(" %s, null %d, other device %d\n", part, cuDeviceGetName(nullptr, 5, device),
           cuDeviceGetName(part, 5, 7));
    for (int attribute : {0, -1, 9999, (int)CU_DEVICE_ATTRIBUTE_MAX})
        printf("attribute %d: %d\n", attribute,
               cuDeviceGetAttribute(&value, (CUdevice_attribute)attribute, device));
    printf("attribute null %d, other device %d\n",
           cuDeviceGetAttribute(nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device),
           cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 7));
    printf("warp %d", cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
    printf(" %d\n", value);
    printf("multiprocessors %d",
           cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
    printf(" %d\n", value);
    const int total = cuDeviceTotalMem(&bytes, device), id = cuDeviceGetUuid(&uuid, device);
    unsigned flags;
    int is_active;
    printf("state %d", cuDevicePrimaryCtxGetState(device, &flags, &is_active));
    printf(" %u %d\n", flags, is_active);
    cudaGetDeviceProperties(&properties, 0);
    printf("memory %d %d\n", total, bytes == properties.totalGlobalMem);
    printf("uuid %d %d\n", id, memcmp(&uuid, &properties.uuid, sizeof uuid));
}

static void contexts() {
    unsigned flags;
    int is_active;
    CUdevice of;
    CUcontext primary, again, current;
    printf("device of none %d\n", cuCtxGetDevice(&of));
    printf("wait for none %d\n", cuCtxSynchronize());
    printf("pop none %d\n", cuCtxPopCurrent(&current));
    printf("push none %d, set none %d\n", cuCtxPushCurrent(nullptr), cuCtxSetCurrent(nullptr));
    printf("release none %d\n", cuDevicePrimaryCtxRelease(device));
    printf("retain %d", cuDevicePrimaryCtxRetain(&primary, device));
    printf(" %d", cuDevicePrimaryCtxRetain(&again, device));
    printf(" the same %d\n", primary == again);
    cuDevicePrimaryCtxGetState(device, &flags, &is_active);
    cuCtxGetCurrent(&current);
    printf("active %d, current %d\n", is_active, current != nullptr);
    printf("push %d\n", cuCtxPushCurrent(primary));
    printf("device %d", cuCtxGetDevice(&of));
    printf(" %d, wait %d\n", of, cuCtxSynchronize());
    printf("pop %d", cuCtxPopCurrent(&current));
    printf(" the same %d\n", current == primary);
    cuCtxGetCurrent(&current);
    printf("then current %d\n", current != nullptr);
    cuDevicePrimaryCtxRelease(device);
    cuDevicePrimaryCtxRelease(device);
    cuDevicePrimaryCtxGetState(device, &flags, &is_active);
    printf("active after all releases %d\n", is_active);
    cudaFree(nullptr);
    cuDevicePrimaryCtxGetState(device, &flags, &is_active);
    cuCtxGetCurrent(&current);
    printf("after the runtime: active %d, current %d\n", is_active, current != nullptr);
}

static const struct {
    const char *name;
    int version;
} asked[] = {
    {"cuInit", 2000},           {"cuInit", 12000},           {"cuInit", 13000},
    {"cuInit", 13010},          {"cuInit", 99000},           {"cuInit", 0},
    {"cuNothing", 12000},       {"", 12000},                 {"cuMemAlloc", 12000},
    {"cuMemAlloc_v2", 12000},   {"cuStreamQuery", 12000},    {"cuStreamQuery_ptsz", 12000},
    {"cuCtxPushCurrent", 4000}, {"cuGetProcAddress", 11030}, {"cuGetProcAddress", 12000},
    {"cuGetProcAddress", 11000}, {"cuGetProcAddress_v2", 12000},
    {"cuDevicePrimaryCtxRetain", 6000},
};

static void functions() {
    void *function;
    for (const auto &a : asked) {
        CUdriverProcAddressQueryResult status = (CUdriverProcAddressQueryResult)7;
        function = nullptr;
        const int error = cuGetProcAddress(a.name, &function, a.version, 0, &status);
        printf("driver's %s %d: %d %d %d\n", a.name, a.version, error, status,
               function != nullptr);
    }
    for (const auto &a : asked) {
        cudaDriverEntryPointQueryResult status = (cudaDriverEntryPointQueryResult)7;
        function = nullptr;
        const int error = cudaGetDriverEntryPointByVersion(a.name, &function, a.version,
                                                           cudaEnableDefault, &status);
        printf("runtime's %s %d: %d %d %d, last %d\n", a.name, a.version, error, status,
               function != nullptr, cudaGetLastError());
    }
    CUdriverProcAddressQueryResult status;
    printf("flags %d\n", cuGetProcAddress("cuInit", &function, 12000, 7, &status));
    printf("without status %d", cuGetProcAddress("cuDriverGetVersion", &function, 12000, 0, nullptr));
    int version = 0;
    printf(" %d", ((CUresult(*)(int *))function)(&version));
    printf(" %d\n", version);
}

static void errors() {
    for (int code = 0; code < 1100; code++) {
        const char *name = "", *text = "";
        const int has_name = cuGetErrorName((CUresult)code, &name);
        const int has_text = cuGetErrorString((CUresult)code, &text);
        if (name && text && code != CUDA_ERROR_EXTERNAL_DEVICE) // NVIDIA's text has a misspelling
            printf("error %d: %d %s, %d %s\n", code, has_name, name, has_text, text);
    }
    const char *name = "";
    printf("error 12345: %d", cuGetErrorName((CUresult)12345, &name));
    printf(" %d\n", name == nullptr);
}

int main() {
    before_initialisation();
    devices();
    contexts();
    functions();
    errors();
}
