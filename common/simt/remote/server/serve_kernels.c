/*
 * The host's requests that are about modules, kernels and what they print.
 */
#include "common/simt/remote/server/state.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 256 << 20, SHARED_BYTES = 1 << 20 };

static void put(struct server *server, const void *answer, size_t bytes) {
    memcpy(server->answer + server->answer_bytes, answer, bytes);
    server->answer_bytes += bytes;
}

static void drop_text(struct server *server) {
    free(server->text);
    server->text = NULL;
    server->text_bytes = server->text_room = 0;
}

/* All of the text is there. */
static void load(struct server *server) {
    struct simt_diag diag = {.status = SIMT_NO_MEMORY};
    struct simt_module *module =
        simt_module_load(server->simt, server->text, server->text_bytes, &diag);

    drop_text(server);
    server->reply.n[0] = module ? server_add(&server->modules, module) : 0;
    server->reply.n[1] = module ? simt_module_target(module) : 0;
    if (server->reply.n[0])
        return;
    server->reply.status = module ? SIMT_NO_MEMORY : diag.status;
    put(server, &diag, sizeof diag);
}

void host_module(struct server *server, const uint64_t *n) {
    drop_text(server);
    server->text = n[0] <= TEXT_BYTES ? malloc(n[0] + 1) : NULL;
    server->reply.status = server->text ? SIMT_OK : SIMT_NO_MEMORY;
    server->text_room = server->text ? n[0] : 0;
    if (server->text && n[0] == 0)
        load(server);
}

void host_module_text(struct server *server, const uint64_t *n) {
    (void)n;
    if (server->packet.bytes > server->text_room - server->text_bytes) {
        server_refuse(server, "it has more PTX than it said");
        return;
    }
    memcpy(server->text + server->text_bytes, server->packet.payload, server->packet.bytes);
    server->text_bytes += server->packet.bytes;
    if (server->text_bytes == server->text_room)
        load(server);
}

/* The payload as a string; NULL where it is none, or without memory. */
static char *name_of(const struct server *server) {
    if (memchr(server->packet.payload, '\0', server->packet.bytes))
        return NULL;
    return strndup((const char *)server->packet.payload, server->packet.bytes);
}

static void describe(struct server *server, const struct simt_kernel *kernel, uint64_t id) {
    const struct remote_kernel known = {
        .id = id,
        .param_bytes = simt_kernel_param_bytes(kernel),
        .n_params = simt_kernel_n_params(kernel),
        .static_shared_bytes = simt_kernel_static_shared_bytes(kernel),
        .max_threads = simt_kernel_max_threads(kernel),
        .target = simt_kernel_target(kernel),
    };

    if (known.n_params > (sizeof server->answer - sizeof known) / sizeof(struct remote_param)) {
        server->reply.status = SIMT_UNSUPPORTED;
        return;
    }
    put(server, &known, sizeof known);
    for (size_t i = 0; i < known.n_params; i++) {
        size_t offset, bytes;
        simt_kernel_param(kernel, i, &offset, &bytes);
        put(server, &(struct remote_param){(uint32_t)offset, (uint32_t)bytes},
            sizeof(struct remote_param));
    }
}

void host_kernel(struct server *server, const uint64_t *n) {
    struct simt_module *module = server_find(server, &server->modules, n[0]);
    char *name = name_of(server);
    struct simt_kernel *kernel = module && name ? simt_kernel_find(module, name) : NULL;
    uint64_t id = kernel ? server_add(&server->kernels, kernel) : 0;

    free(name);
    server->reply.status = id ? SIMT_OK : SIMT_BAD_ADDRESS;
    if (id)
        describe(server, kernel, id);
}

void host_symbol(struct server *server, const uint64_t *n) {
    struct simt_module *module = server_find(server, &server->modules, n[0]);
    char *name = name_of(server);
    size_t bytes = 0;

    server->reply.status = SIMT_BAD_ADDRESS;
    if (module && name)
        server->reply.status = simt_symbol(module, name, &server->reply.n[0], &bytes);
    server->reply.n[1] = bytes;
    free(name);
}

/* What the host may say of a launch; the rest its owner has said. NULL where the host is refused.
 */
static struct simt_kernel *take_launch(struct server *server, struct remote_launch *launch) {
    struct simt_options *options = simt_options(server->simt);

    memcpy(launch, server->packet.payload, sizeof *launch);
    struct simt_kernel *kernel = server_find(server, &server->kernels, launch->kernel);
    if (launch->shared_bytes > SHARED_BYTES || launch->heap_bytes > options->global_bytes)
        server_refuse(server, "its launch asks for more memory than a device has");
    options->shared_bytes = launch->shared_bytes < options->sm_shared_bytes
                                ? launch->shared_bytes
                                : options->sm_shared_bytes;
    options->heap_bytes = launch->heap_bytes;
    options->grid_workspace =
        simt_is_range(server->simt, launch->grid_workspace, 8) ? launch->grid_workspace : 0;
    for (struct server_kept *kept = server->kept; kept && launch->grid_workspace; kept = kept->next)
        kept->is_workspace |= kept->address == launch->grid_workspace && kept->bytes == 8;
    return server->fault ? NULL : kernel;
}

void host_check(struct server *server, const uint64_t *n) {
    struct remote_launch launch;
    struct simt_kernel *kernel = take_launch(server, &launch);
    struct simt_diag diag = {.status = SIMT_OK};

    (void)n;
    if (!kernel)
        return;
    server->reply.status = simt_launch_check(server->simt, kernel, launch.grid, launch.block,
                                             launch.dynamic_shared_bytes, &diag);
    put(server, &diag, sizeof diag);
}

/* Adds what kernels printed to what the host has not taken yet; what there is no memory for is
 * lost. */
static void collect_output(struct server *server) {
    for (unsigned i = SIMT_STDOUT; i <= SIMT_STDERR; i++) {
        size_t bytes, left = server->output[i].bytes - server->output[i].taken;
        char *text = simt_take_output(server->simt, (enum simt_stream)i, &bytes);
        char *all = text ? malloc(left + bytes + 1) : NULL;
        if (all) {
            if (left)
                memcpy(all, server->output[i].text + server->output[i].taken, left);
            memcpy(all + left, text, bytes);
            free(server->output[i].text);
            server->output[i].text = all;
            server->output[i].bytes = left + bytes;
            server->output[i].taken = 0;
        }
        free(text);
    }
}

void host_launch(struct server *server, const uint64_t *n) {
    struct remote_launch launch;
    struct simt_kernel *kernel = take_launch(server, &launch);
    struct remote_ran ran = {.diag.status = SIMT_OK};
    struct simt_report report;

    (void)n;
    if (!kernel)
        return;
    if (server->packet.bytes - sizeof launch != simt_kernel_param_bytes(kernel)) {
        server_refuse(server, "its launch has parameters of another size than its kernel");
        return;
    }
    ran.diag.status = server->deferred;
    server->deferred = SIMT_OK;
    server->reply.status = ran.diag.status;
    if (server->reply.status == SIMT_OK)
        server->reply.status = simt_launch(server->simt, kernel, launch.grid, launch.block,
                                           launch.dynamic_shared_bytes,
                                           server->packet.payload + sizeof launch, &ran.diag);
    simt_report(server->simt, &report);
    collect_output(server);
    ran.counters = report.latest;
    ran.has_output = server->output[SIMT_STDOUT].bytes > server->output[SIMT_STDOUT].taken ||
                     server->output[SIMT_STDERR].bytes > server->output[SIMT_STDERR].taken;
    ran.heap_is_in_use = simt_heap_is_in_use(server->simt);
    put(server, &ran, sizeof ran);
}

void host_output(struct server *server, const uint64_t *n) {
    if (n[0] > SIMT_STDERR) {
        server_refuse(server, "it asks for output that there is not");
        return;
    }
    size_t left = server->output[n[0]].bytes - server->output[n[0]].taken;
    size_t bytes = left < sizeof server->answer ? left : sizeof server->answer;
    if (bytes)
        put(server, server->output[n[0]].text + server->output[n[0]].taken, bytes);
    server->output[n[0]].taken += bytes;
    server->reply.n[0] = left - bytes;
}
