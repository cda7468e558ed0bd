/*
 * PTX from anywhere: parsed, decoded, and run for a moment where it is valid.
 */
#include "common/simt/state/module.h"
#include "common/simt/tests/fuzz/target.h"

enum { TIMEOUT_MS = 20, DEVICE_BYTES = 1 << 20 };

static void run(struct simt *simt, struct simt_kernel *kernel) {
    static const char params[1 << 15]; /* pointers are null: accesses end as illegal addresses */
    static const struct simt_dim3 grid = {2, 1, 1}, block = {48, 1, 1};
    struct simt_diag diag;
    if (simt_kernel_param_bytes(kernel) <= sizeof(params))
        simt_launch(simt, kernel, grid, block, 0, params, &diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    struct simt_options options;
    simt_default_options(&options);
    options.timeout_ms = TIMEOUT_MS;
    options.global_bytes = DEVICE_BYTES;
    options.n_threads = 1;
    struct simt *simt = simt_create(&options);
    if (simt == NULL)
        return 0;
    struct simt_diag diag;
    struct simt_module *module = simt_module_load(simt, (const char *)data, bytes, &diag);
    for (size_t i = 0; module != NULL && i < module->n_kernels; i++)
        run(simt, &module->kernels[i]);
    simt_destroy(simt);
    return 0;
}
