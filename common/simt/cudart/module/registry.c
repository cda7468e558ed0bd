/*
 * Objects, kernels and variables as nvcc's host code registers them, and the loading of their PTX.
 *
 * Registration happens in constructors, for every object of the process; the PTX is parsed only
 * when one of the object's kernels or variables is used, so that errors belong to a call.
 */
#include "common/simt/cudart/module/abi.h"
#include "common/simt/cudart/stream/operation.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void **__cudaRegisterFatBinary(void *fatbin) {
    struct cudart_module *module = calloc(1, sizeof *module);
    if (!module)
        return NULL;
    struct cudart *rt = cudart_lock();
    module->fatbin = fatbin;
    module->next = rt->modules;
    rt->modules = module;
    cudart_unlock(rt);
    return (void **)module;
}

void __cudaRegisterFatBinaryEnd(void **handle) {
    (void)handle;
}

static void free_module(struct cudart_module *module) {
    while (module->kernels) {
        struct cudart_kernel *next = module->kernels->next;
        free(module->kernels->name);
        free(module->kernels);
        module->kernels = next;
    }
    while (module->variables) {
        struct cudart_variable *next = module->variables->next;
        free(module->variables->name);
        free(module->variables);
        module->variables = next;
    }
    free(module->simt);
    free(module);
}

static void unlink_module(struct cudart *rt, struct cudart_module *module) {
    struct cudart_module **link = &rt->modules;
    while (*link != module)
        link = &(*link)->next;
    *link = module->next;
    free_module(module);
}

void cudart_sweep(struct cudart *rt) {
    if (!atomic_exchange(&rt->has_gone, false))
        return;
    struct cudart_module *next;
    for (struct cudart_module *module = rt->modules; module; module = next) {
        next = module->next;
        if (atomic_load(&module->is_gone))
            unlink_module(rt, module);
    }
}

/* Called when an object is unloaded and when the program ends, which must not wait for the kernel
 * of another thread. */
void __cudaUnregisterFatBinary(void **handle) {
    struct cudart_module *module = (struct cudart_module *)handle;
    if (!module)
        return;
    atomic_store(&module->is_gone, true);
    atomic_store(&cudart_process()->has_gone, true);
    struct cudart *rt = cudart_try_lock();
    if (rt)
        cudart_unlock(rt);
}

cudaError_t cudart_forget(struct cudart *rt, struct cudart_module *module) {
    cudaError_t error = cudart_wait(rt, NULL);
    if (error == cudaSuccess)
        unlink_module(rt, module);
    return error;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int thread_limit, uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid,
                            int *warp_size) {
    (void)device, (void)tid, (void)bid, (void)block, (void)grid;
    (void)warp_size;
    struct cudart_module *module = (struct cudart_module *)handle;
    struct cudart_kernel *kernel = calloc(1, sizeof *kernel);
    char *copy = strdup(name);
    if (!module || !kernel || !copy) {
        free(kernel);
        free(copy);
        return;
    }
    struct cudart *rt = cudart_lock();
    *kernel = (struct cudart_kernel){.next = module->kernels,
                                     .module = module,
                                     .host = host,
                                     .name = copy,
                                     .thread_limit = thread_limit > 0 ? thread_limit : 0};
    module->kernels = kernel;
    cudart_unlock(rt);
}

static void register_variable(struct cudart_module *module, const void *host, void **managed,
                              const char *name) {
    struct cudart_variable *variable = calloc(1, sizeof *variable);
    char *copy = strdup(name);
    if (!module || !variable || !copy) {
        free(variable);
        free(copy);
        return;
    }
    struct cudart *rt = cudart_lock();
    *variable = (struct cudart_variable){
        .next = module->variables,
        .module = module,
        .host = host,
        .managed = managed,
        .name = copy,
    };
    module->variables = variable;
    cudart_unlock(rt);
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int is_extern,
                       size_t bytes, int is_constant, int is_global) {
    (void)device, (void)is_extern, (void)bytes, (void)is_constant, (void)is_global;
    register_variable((struct cudart_module *)handle, host, NULL, name);
}

/* The host's code uses such a variable through the pointer at `host`, which becomes its address
 * when the module is loaded; it calls __cudaInitModule before. */
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name,
                              int is_extern, size_t bytes, int is_constant, int is_global) {
    (void)device, (void)is_extern, (void)bytes, (void)is_constant, (void)is_global;
    register_variable((struct cudart_module *)handle, host, host, name);
}

void __cudaRegisterHostVar(void **handle, const char *device_name, char *host, size_t bytes) {
    (void)handle, (void)device_name, (void)host, (void)bytes;
}

struct cudart_kernel *cudart_find_kernel(struct cudart *rt, const void *host) {
    for (struct cudart_module *module = rt->modules; module; module = module->next)
        for (struct cudart_kernel *kernel = module->kernels; kernel; kernel = kernel->next)
            if (kernel->host == host || kernel == host)
                return kernel;
    return NULL;
}

unsigned cudart_least_arch(const struct cudart *rt) {
    unsigned least = 0;
    for (const struct cudart_module *m = rt->modules; m; m = m->next) {
        const unsigned arch = m->is_library ? 0 : fatbin_least_arch(m->fatbin);
        least = arch > least ? arch : least;
    }
    return least;
}

static unsigned device_arch(const struct cudart *rt) {
    return (unsigned)rt->device->arch;
}

/* What PTX may be for. */
static unsigned newest_arch(const struct cudart *rt) {
    return rt->runs_newer ? UINT_MAX : device_arch(rt);
}

/* PTX that a newer device than the current one would run. */
static void say_too_new(struct cudart *rt, unsigned arch) {
    const struct cudart_device *newer = cudart_device_for(arch);
    char cure[96] = "the simulator has no device as new as that";
    if ((unsigned)newer->arch >= arch)
        snprintf(cure, sizeof cure, "or run it on a newer device (warpbook run --device %s)",
                 newer->word);
    cudart_say(rt,
               "The program's PTX is for compute capability %u.%u and newer; the device has %u.%u. "
               "Compile it for the device (nvcc -arch=sm_%u); %s.",
               arch / 10, arch % 10, device_arch(rt) / 10, device_arch(rt) % 10, device_arch(rt),
               cure);
}

static cudaError_t load_texts(struct cudart *rt, struct cudart_module *module,
                              const struct fatbin_texts *texts) {
    module->simt = calloc(texts->n_texts, sizeof(struct simt_module *));
    if (!module->simt)
        return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < texts->n_texts; i++) {
        struct simt_diag diag = {0};
        const struct fatbin_text *text = &texts->texts[i];
        module->simt[i] = simt_module_load(rt->simt, text->ptx, text->bytes, &diag);
        if (module->simt[i] && simt_module_target(module->simt[i]) > newest_arch(rt)) {
            say_too_new(rt, simt_module_target(module->simt[i]));
            free(module->simt);
            module->simt = NULL;
            return cudaErrorInvalidPtx;
        }
        if (!module->simt[i]) {
            cudart_say_diag(rt, &diag);
            free(module->simt);
            module->simt = NULL;
            return diag.status == SIMT_UNSUPPORTED ? cudaErrorNotSupported : cudaErrorInvalidPtx;
        }
    }
    module->n_simt = texts->n_texts;
    return cudaSuccess;
}

/* Shares the module's managed variables with the host. */
static cudaError_t manage(struct cudart *rt, struct cudart_module *module) {
    for (struct cudart_variable *v = module->variables; v; v = v->next) {
        uint64_t address;
        size_t bytes;
        if (!v->managed)
            continue;
        enum simt_status status = SIMT_BAD_ADDRESS;
        for (size_t i = 0; status != SIMT_OK && i < module->n_simt; i++)
            status = simt_symbol(module->simt[i], v->name, &address, &bytes);
        if (status == SIMT_OK)
            status = simt_manage(rt->simt, address);
        if (status != SIMT_OK) {
            cudart_say(rt, "The managed variable %s can't be shared with the host.", v->name);
            return cudaErrorNotSupported;
        }
        *v->managed = (void *)(uintptr_t)address;
    }
    return cudaSuccess;
}

/* The error of a fat binary without PTX that can be loaded. */
static cudaError_t settle_fatbin(struct cudart *rt, enum fatbin_status status,
                                 unsigned least_arch) {
    if (status == FATBIN_TOO_NEW)
        say_too_new(rt, least_arch);
    else
        cudart_say(rt, "%s", fatbin_status_text(status));
    switch (status) {
    case FATBIN_NO_MEMORY:
        return cudaErrorMemoryAllocation;
    case FATBIN_NO_PTX:
    case FATBIN_TOO_NEW:
        return cudaErrorNoKernelImageForDevice;
    default:
        return cudaErrorInvalidKernelImage;
    }
}

cudaError_t cudart_load(struct cudart *rt, struct cudart_module *module) {
    if (module->simt)
        return cudaSuccess;
    struct fatbin_texts texts;
    enum fatbin_status status = (module->is_library ? fatbin_find_code : fatbin_find_ptx)(
        module->fatbin, newest_arch(rt), &texts);
    cudaError_t error = status == FATBIN_OK ? load_texts(rt, module, &texts)
                                            : settle_fatbin(rt, status, texts.least_arch);
    fatbin_free(&texts);
    if (error == cudaSuccess)
        error = manage(rt, module);
    return error;
}

/* Whoever uses a managed variable gets an address that faults if this fails, and an error from the
 * next call. */
char __cudaInitModule(void **handle) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && handle)
        error = cudart_load(rt, (struct cudart_module *)handle);
    return cudart_leave(rt, error) == cudaSuccess;
}

cudaError_t cudart_use_kernel(struct cudart *rt, const void *host, struct cudart_kernel **found) {
    struct cudart_kernel *kernel = !host ? NULL : cudart_find_kernel(rt, host);
    *found = kernel;
    if (!kernel)
        return !host ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidResourceHandle;
    if (kernel->simt)
        return cudaSuccess;
    struct cudart_module *module = kernel->module;
    cudaError_t error = cudart_load(rt, module);
    if (error != cudaSuccess)
        return error;
    for (size_t i = 0; !kernel->simt && i < module->n_simt; i++)
        kernel->simt = simt_kernel_find(module->simt[i], kernel->name);
    if (kernel->simt)
        return cudaSuccess;
    cudart_say(rt, "The program's PTX has no kernel %s.", kernel->name);
    return cudaErrorInvalidDeviceFunction;
}

void cudart_unload_all(struct cudart *rt) {
    for (struct cudart_module *module = rt->modules; module; module = module->next) {
        if (module->is_library)
            continue; /* its text may be gone */
        for (struct cudart_kernel *kernel = module->kernels; kernel; kernel = kernel->next)
            kernel->simt = NULL;
        free(module->simt); /* the modules themselves belong to the device */
        module->simt = NULL;
        module->n_simt = 0;
    }
}

cudaError_t cudart_symbol(struct cudart *rt, const void *host, uint64_t *address, size_t *bytes) {
    for (struct cudart_module *module = rt->modules; module; module = module->next) {
        for (struct cudart_variable *variable = module->variables; variable;
             variable = variable->next) {
            bool is_it =
                variable->host == host || (variable->managed && *variable->managed == host);
            if (!is_it)
                continue;
            cudaError_t error = cudart_load(rt, module);
            for (size_t i = 0; error == cudaSuccess && i < module->n_simt; i++)
                if (simt_symbol(module->simt[i], variable->name, address, bytes) == SIMT_OK)
                    return cudaSuccess;
            return error != cudaSuccess ? error : cudaErrorInvalidSymbol;
        }
    }
    return cudaErrorInvalidSymbol;
}
