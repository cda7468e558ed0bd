/* The few calls of libcuda that describe devices, found at run time: no header, no link. */
#include "grader/machine/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { ATTRIBUTE_MAJOR = 75, ATTRIBUTE_MINOR = 76 }; /* CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_… */

struct calls {
    int (*init)(unsigned flags);
    int (*version)(int *version);
    int (*count)(int *count);
    int (*name)(char *name, int bytes, int device);
    int (*attribute)(int *value, int attribute, int device);
    int (*memory)(size_t *bytes, int device);
    int (*error_name)(int error, const char **name);
    int (*uuid)(unsigned char uuid[16], int device);
};

static int find(void *library, const char *name, void *call) {
    void *found = dlsym(library, name);
    memcpy(call, &found, sizeof found); /* POSIX: a function's address fits a pointer to void */
    return found != NULL;
}

static int find_all(void *library, struct calls *calls) {
    return find(library, "cuInit", &calls->init) &&
           find(library, "cuDriverGetVersion", &calls->version) &&
           find(library, "cuDeviceGetCount", &calls->count) &&
           find(library, "cuDeviceGetName", &calls->name) &&
           find(library, "cuDeviceGetAttribute", &calls->attribute) &&
           find(library, "cuDeviceTotalMem_v2", &calls->memory) &&
           find(library, "cuDeviceGetUuid_v2", &calls->uuid) &&
           find(library, "cuGetErrorName", &calls->error_name);
}

/* Sixteen bytes as eight, four, four, four and twelve digits. */
static void ask_uuid(const struct calls *calls, int device, struct driver_gpu *gpu) {
    unsigned char bytes[16];
    if (calls->uuid(bytes, device) != 0)
        return;
    int n = snprintf(gpu->uuid, sizeof gpu->uuid, "GPU");
    for (size_t i = 0; i < sizeof bytes; i++)
        n += snprintf(gpu->uuid + n, sizeof gpu->uuid - (size_t)n, "%s%02x",
                      i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
}

static void ask_gpu(const struct calls *calls, int device, struct driver_gpu *gpu) {
    if (calls->name(gpu->name, sizeof gpu->name, device) != 0)
        snprintf(gpu->name, sizeof gpu->name, "device %d", device);
    gpu->name[sizeof gpu->name - 1] = '\0';
    calls->attribute(&gpu->major, ATTRIBUTE_MAJOR, device);
    calls->attribute(&gpu->minor, ATTRIBUTE_MINOR, device);
    calls->memory(&gpu->bytes, device);
    ask_uuid(calls, device, gpu);
}

void driver_ask(struct driver *driver) {
    struct calls calls;
    memset(driver, 0, sizeof *driver);
    /* Kept open: the driver starts threads, which would lose their code. */
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library || !find_all(library, &calls)) {
        snprintf(driver->problem, sizeof driver->problem, "libcuda.so.1 %s",
                 library ? "is too old" : "not found");
        return;
    }
    int error = calls.init(0);
    calls.version(&driver->version);
    if (error == 0)
        error = calls.count(&driver->n_gpus);
    if (error != 0) {
        const char *name = NULL;
        calls.error_name(error, &name);
        snprintf(driver->problem, sizeof driver->problem, "the driver says %s",
                 name ? name : "an unknown error");
        driver->n_gpus = 0;
    }
    if (driver->n_gpus > DRIVER_MAX_GPUS)
        driver->n_gpus = DRIVER_MAX_GPUS;
    for (int i = 0; i < driver->n_gpus; i++)
        ask_gpu(&calls, i, &driver->gpus[i]);
}
