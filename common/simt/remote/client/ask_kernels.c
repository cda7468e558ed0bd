/*
 * Modules, their kernels and variables, and launches. What is known of a kernel comes with its
 * number, so that questions about it cost no message.
 */
#include <stdlib.h>
#include <string.h>

#include "common/simt/remote/client/link.h"

/* The diagnostic of a reply, where it brings one. */
static void take_diag(const struct simt *simt, struct simt_diag *diag) {
    if (simt->packet.bytes >= sizeof *diag)
        memcpy(diag, simt->packet.payload, sizeof *diag);
}

struct simt_module *simt_module_load(struct simt *simt, const char *ptx, size_t bytes,
                                     struct simt_diag *diag) {
    struct simt_module *module = calloc(1, sizeof *module);
    enum simt_status status = module ? LINK_ASK(simt, REMOTE_MODULE, bytes) : SIMT_NO_MEMORY;

    *diag = (struct simt_diag){.status = status};
    for (size_t done = 0, n; done < bytes && status == SIMT_OK; done += n) {
        n = bytes - done < REMOTE_PAYLOAD_BYTES ? bytes - done : REMOTE_PAYLOAD_BYTES;
        status = link_ask(simt, REMOTE_MODULE_TEXT, NULL, 0, ptx + done, n);
    }
    if (status != SIMT_OK) {
        take_diag(simt, diag);
        free(module);
        return NULL;
    }
    module->simt = simt;
    module->id = simt->packet.head.reply.n[0];
    module->target = (unsigned)simt->packet.head.reply.n[1];
    module->next = simt->modules;
    return simt->modules = module;
}

unsigned simt_module_target(const struct simt_module *module) {
    return module->target;
}

/* The kernel of the reply. */
static struct simt_kernel *take_kernel(struct simt_module *module, const char *name) {
    const struct remote_packet *packet = &module->simt->packet;
    size_t n_bytes = packet->bytes - sizeof(struct remote_kernel);
    struct simt_kernel *kernel = calloc(1, sizeof *kernel + n_bytes);

    if (!kernel || !(kernel->name = strdup(name))) {
        free(kernel);
        return NULL;
    }
    memcpy(&kernel->known, packet->payload, sizeof kernel->known);
    memcpy(kernel->params, packet->payload + sizeof kernel->known, n_bytes);
    kernel->simt = module->simt;
    kernel->next = module->kernels;
    return module->kernels = kernel;
}

struct simt_kernel *simt_kernel_find(struct simt_module *module, const char *name) {
    for (struct simt_kernel *kernel = module->kernels; kernel; kernel = kernel->next)
        if (strcmp(kernel->name, name) == 0)
            return kernel;
    enum simt_status status =
        link_ask(module->simt, REMOTE_KERNEL, &module->id, 1, name, strlen(name));
    return status == SIMT_OK ? take_kernel(module, name) : NULL;
}

size_t simt_kernel_n_params(const struct simt_kernel *kernel) {
    return kernel->known.n_params;
}

void simt_kernel_param(const struct simt_kernel *kernel, size_t index, size_t *offset,
                       size_t *bytes) {
    *offset = kernel->params[index].offset;
    *bytes = kernel->params[index].bytes;
}

size_t simt_kernel_param_bytes(const struct simt_kernel *kernel) {
    return kernel->known.param_bytes;
}

uint32_t simt_kernel_static_shared_bytes(const struct simt_kernel *kernel) {
    return kernel->known.static_shared_bytes;
}

uint32_t simt_kernel_max_threads(const struct simt_kernel *kernel) {
    return kernel->known.max_threads;
}

unsigned simt_kernel_target(const struct simt_kernel *kernel) {
    return kernel->known.target;
}

enum simt_status simt_symbol(struct simt_module *module, const char *name, uint64_t *address,
                             size_t *bytes) {
    enum simt_status status =
        link_ask(module->simt, REMOTE_SYMBOL, &module->id, 1, name, strlen(name));

    *address = module->simt->packet.head.reply.n[0];
    *bytes = module->simt->packet.head.reply.n[1];
    return status;
}

static struct remote_launch describe(const struct simt *simt, const struct simt_kernel *kernel,
                                     struct simt_dim3 grid, struct simt_dim3 block,
                                     uint32_t dynamic_shared_bytes) {
    return (struct remote_launch){
        .kernel = kernel->known.id,
        .grid = grid,
        .block = block,
        .dynamic_shared_bytes = dynamic_shared_bytes,
        .shared_bytes = simt->options.shared_bytes,
        .heap_bytes = simt->options.heap_bytes,
        .grid_workspace = simt->options.grid_workspace,
    };
}

/* What the device refuses is told by the launch itself, which follows at once. Only where the
 * program has it wait for others, in a drawn order, it is asked ahead. */
enum simt_status simt_launch_check(struct simt *simt, struct simt_kernel *kernel,
                                   struct simt_dim3 grid, struct simt_dim3 block,
                                   uint32_t dynamic_shared_bytes, struct simt_diag *diag) {
    struct remote_launch launch = describe(simt, kernel, grid, block, dynamic_shared_bytes);

    *diag = (struct simt_diag){.status = SIMT_OK};
    if (simt->options.seed == 0 || memcmp(&launch, &kernel->checked, sizeof launch) == 0)
        return SIMT_OK;
    enum simt_status status = link_ask(simt, REMOTE_CHECK, NULL, 0, &launch, sizeof launch);
    diag->status = status;
    take_diag(simt, diag);
    if (status == SIMT_OK)
        kernel->checked = launch;
    return status;
}

enum simt_status simt_launch(struct simt *simt, struct simt_kernel *kernel, struct simt_dim3 grid,
                             struct simt_dim3 block, uint32_t dynamic_shared_bytes,
                             const void *params, struct simt_diag *diag) {
    struct remote_launch launch = describe(simt, kernel, grid, block, dynamic_shared_bytes);
    const size_t bytes = sizeof launch + kernel->known.param_bytes;
    uint8_t *message = malloc(bytes);
    struct remote_ran ran = {.diag.status = SIMT_NO_MEMORY};

    if (!message) {
        *diag = ran.diag;
        return SIMT_NO_MEMORY;
    }
    memcpy(message, &launch, sizeof launch);
    memcpy(message + sizeof launch, params, kernel->known.param_bytes);
    shared_push(simt);
    enum simt_status status = link_ask(simt, REMOTE_LAUNCH, NULL, 0, message, bytes);
    free(message);
    if (simt->packet.bytes >= sizeof ran)
        memcpy(&ran, simt->packet.payload, sizeof ran);
    simt->latest = ran.counters;
    simt->has_output |= ran.has_output != 0;
    simt->heap_is_in_use = ran.heap_is_in_use != 0;
    *diag = ran.diag;
    shared_pull(simt);
    return status;
}
