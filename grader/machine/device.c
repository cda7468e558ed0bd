/* Probes for a GPU in a worker process, so that a broken driver cannot take the grader down. The
 * few calls of libcuda that describe devices are found at run time: no header, no link. */
#include "grader/machine/device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/config.h"

enum { PROBE_MS = 30000 };

static bool has_driver(void) {
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (driver)
        dlclose(driver);
    return driver != NULL;
}

/* Fills device->gpu by a worker in this sandbox, or says in device->reason why there is none. */
static bool ask(struct device *device, const struct sandbox_tools *sandbox) {
    struct call_settings settings = {
        .backend = CALL_GPU,
        .worker = device->worker,
        .cudart = device->cudart_gpu,
        .sandbox = *sandbox,
        .timeout_ms = PROBE_MS,
    };
    struct call_worker *worker = call_open(&settings);
    struct call_result result = {0};
    bool found = worker && call_device(worker, &device->gpu, &result) == CALL_OK;
    free(device->reason);
    device->reason = NULL;
    if (!found) {
        const char *why = result.message[0] ? result.message : "the probe failed";
        device->reason = text_format("no usable GPU (%.*s)", (int)strcspn(why, "\n"), why);
    }
    call_result_clear(&result);
    if (worker)
        call_close(worker);
    return found;
}

/* Asks in the sandbox; where that fails, without one, since the first program that uses a GPU after
 * the machine's start makes its device files, by a helper with privileges, and then again. A GPU
 * that no sandbox reaches is used without one for what is the student's own. */
static bool probe(struct device *device, struct sandboxing *sandboxing) {
    const struct sandbox_tools none = {.confine = NULL};
    if (!has_driver()) {
        device->reason = text_format("no GPU (libcuda.so.1 not found)");
        return false;
    }
    if (ask(device, &sandboxing->tools))
        return true;
    if (!ask(device, &none))
        return false;
    if (ask(device, &sandboxing->tools))
        return true;
    if (sandboxing->is_foreign || !sandboxing->tools.bwrap)
        return false;
    sandboxing->problem = text_format("the GPU is out of its reach: %s", device->reason);
    free((char *)sandboxing->tools.bwrap);
    sandboxing->tools.bwrap = NULL;
    return ask(device, &sandboxing->tools);
}

enum grader_status device_choose(enum device_choice choice, const struct workbook *book,
                                 const struct nvcc *nvcc, struct sandboxing *sandboxing,
                                 struct device *device, struct diag *diag) {
    const char *cudart = nvcc->cudart_path ? nvcc->cudart_path : "libcudart.so.13";
    *device = (struct device){
        .worker = text_format("%s/%s", book->build, CONFIG_WORKER),
        .simulator = text_format("%s/%s", book->build, CONFIG_SIMULATOR),
        .cudart_sim = text_format("%s/%s", book->build, CONFIG_CUDART_APART),
        .cudart_gpu = text_format("%s", cudart),
    };
    if (choice == DEVICE_SIM)
        device->reason = text_format("asked for by --backend");
    else
        device->is_gpu = probe(device, sandboxing);
    if (device->is_gpu)
        device->reason =
            text_format(choice == DEVICE_GPU ? "asked for by --backend" : "there is one");
    if (choice != DEVICE_GPU || device->is_gpu)
        return GRADER_OK;
    diag_set(diag, NULL, 0, "--backend=gpu: %s", device->reason);
    return GRADER_FAILED;
}

void device_elsewhere(const struct workbook *book, struct device *device) {
    *device = (struct device){
        .is_gpu = true,
        .reason = text_format("another machine has it"),
        .worker = text_format("%s/%s", book->build, CONFIG_WORKER),
        .simulator = text_format("%s/%s", book->build, CONFIG_SIMULATOR),
        .cudart_sim = text_format("%s/%s", book->build, CONFIG_CUDART_APART),
        .cudart_gpu = text_format("libcudart.so.13"),
    };
    snprintf(device->gpu.name, sizeof device->gpu.name, "GPU of another machine");
}

void device_finish(struct device *device) {
    free(device->reason);
    free(device->worker);
    free(device->simulator);
    free(device->cudart_sim);
    free(device->cudart_gpu);
}

char *device_text(const struct device *device) {
    if (!device->is_gpu)
        return text_format("simulator: %s", device->reason);
    if (device->gpu.major == 0)
        return text_format("%s", device->gpu.name);
    return text_format("%s, compute capability %d.%d", device->gpu.name, device->gpu.major,
                       device->gpu.minor);
}

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
