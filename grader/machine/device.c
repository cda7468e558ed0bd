/* Probes for a GPU in a worker process, so that a broken driver cannot take the grader down. */
#include "grader/machine/device.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "grader/config.h"
#include "common/base/text.h"

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

enum grader_status device_choose(enum device_wish wish, const struct workbook *book,
                                 const struct nvcc *nvcc, struct sandboxing *sandboxing,
                                 struct device *device, struct diag *diag) {
    const char *cudart = nvcc->cudart_path ? nvcc->cudart_path : "libcudart.so.13";
    *device = (struct device){
        .worker = text_format("%s/%s", book->build, CONFIG_WORKER),
        .cudart_sim = text_format("%s/%s", book->build, CONFIG_CUDART_SIM),
        .cudart_gpu = text_format("%s", cudart),
    };
    if (wish == DEVICE_SIM)
        device->reason = text_format("asked for by --backend");
    else
        device->is_gpu = probe(device, sandboxing);
    if (device->is_gpu)
        device->reason =
            text_format(wish == DEVICE_GPU ? "asked for by --backend" : "there is one");
    if (wish != DEVICE_GPU || device->is_gpu)
        return GRADER_OK;
    diag_set(diag, NULL, 0, "--backend=gpu: %s", device->reason);
    return GRADER_FAILED;
}

void device_elsewhere(const struct workbook *book, struct device *device) {
    *device = (struct device){
        .is_gpu = true,
        .reason = text_format("another machine has it"),
        .worker = text_format("%s/%s", book->build, CONFIG_WORKER),
        .cudart_sim = text_format("%s/%s", book->build, CONFIG_CUDART_SIM),
        .cudart_gpu = text_format("libcudart.so.13"),
    };
    snprintf(device->gpu.name, sizeof device->gpu.name, "GPU of another machine");
}

void device_finish(struct device *device) {
    free(device->reason);
    free(device->worker);
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
