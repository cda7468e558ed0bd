/*
 * The simulator as the device under proof, with all its checks on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/simt.h"
#include "common/simt/tests/proof/device_sim.h"

struct proof_device {
    struct simt *simt;
    struct simt_module *module;
    struct simt_counters counters;
    bool is_unsupported;
    char error[1024];
};

static struct simt *create(void) {
    struct simt_options options;
    simt_default_options(&options);
    options.timeout_ms = 20000;
    options.global_bytes = 64 << 20;
    return simt_create(&options);
}

struct proof_device *proof_open(char *error, size_t error_bytes) {
    struct proof_device *const device = calloc(1, sizeof(*device));
    if (device)
        device->simt = create();
    if (!device || !device->simt) {
        free(device);
        snprintf(error, error_bytes, "the host has no memory for a device");
        return NULL;
    }
    return device;
}

void proof_close(struct proof_device *device) {
    if (device)
        simt_destroy(device->simt);
    free(device);
}

const char *proof_error(const struct proof_device *device) {
    return device->error;
}

struct simt_counters proof_counters(const struct proof_device *device) {
    return device->counters;
}

bool proof_is_unsupported(const struct proof_device *device) {
    return device->is_unsupported;
}

static bool fail(struct proof_device *device, const struct simt_diag *diag) {
    device->is_unsupported = diag->status == SIMT_UNSUPPORTED;
    snprintf(device->error, sizeof(device->error), "%s, line %u: %s", diag->file, diag->line,
             diag->message);
    return false;
}

/* Modules live as long as their device: a new one for each keeps the memory small. */
bool proof_load(struct proof_device *device, const char *image, size_t bytes) {
    struct simt_diag diag = {0};
    simt_destroy(device->simt);
    device->simt = create();
    device->module = device->simt ? simt_module_load(device->simt, image, bytes, &diag) : NULL;
    return device->module ? true : fail(device, &diag);
}

static bool launch_kernel(struct proof_device *device, const struct proof_launch *launch,
                          const uint64_t params[2]) {
    struct simt_diag diag = {0};
    struct simt_kernel *const kernel = simt_kernel_find(device->module, launch->kernel);
    if (!kernel) {
        snprintf(device->error, sizeof(device->error), "the PTX has no kernel %s", launch->kernel);
        return false;
    }
    simt_report_reset(device->simt);
    if (simt_launch(device->simt, kernel, (struct simt_dim3){launch->grid, 1, 1},
                    (struct simt_dim3){launch->block, 1, 1}, 0, params, &diag) != SIMT_OK)
        return fail(device, &diag);
    struct simt_report report;
    simt_report(device->simt, &report);
    if (report.n_launches)
        device->counters = report.launches[report.n_launches - 1].total;
    if (report.n_findings) {
        const struct simt_finding *const finding = &report.findings[0];
        snprintf(device->error, sizeof(device->error), "%s, though the kernel is right: %s",
                 simt_finding_word(finding->kind), finding->message);
        return false;
    }
    return true;
}

bool proof_run(struct proof_device *device, const struct proof_launch *launch) {
    const size_t in_bytes = launch->n_in * sizeof(*launch->in),
                 out_bytes = launch->n_out * sizeof(*launch->out);
    uint64_t params[2] = {0, 0};
    device->is_unsupported = false;
    bool ok = simt_malloc(device->simt, in_bytes, &params[0]) == SIMT_OK &&
              simt_malloc(device->simt, out_bytes, &params[1]) == SIMT_OK &&
              simt_write(device->simt, params[0], launch->in, in_bytes) == SIMT_OK &&
              simt_set(device->simt, params[1], 0, out_bytes) == SIMT_OK;
    if (!ok)
        snprintf(device->error, sizeof(device->error), "no device memory for the buffers");
    ok = ok && launch_kernel(device, launch, params);
    if (ok)
        ok = simt_read(device->simt, launch->out, params[1], out_bytes) == SIMT_OK;
    for (int i = 0; i < 2; i++) {
        if (params[i])
            simt_free(device->simt, params[i]);
    }
    return ok;
}
