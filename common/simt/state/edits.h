/*
 * Kernels and launches as the device's edits make them (program/edit/edit.h).
 */
#pragma once

#include "common/simt/program/edit/edit.h"
#include "common/simt/state/module.h"

/* A kernel as edits made it. It lives as long as its module, since records of accesses name it. */
struct simt_edited_kernel {
    struct simt_edited_kernel *next;
    struct ptx_module *ptx;
    struct simt_kernel kernel;
};

/* The kernel that a launch runs in this one's place: itself where no edit is set. NULL when the
 * host has no memory. */
struct simt_kernel *simt_kernel_to_run(struct simt *simt, struct simt_kernel *kernel);
void simt_edited_free(struct simt_edited_kernel *edited);

/* Changes the shape of a launch. `params`: the packed parameters, NULL where only the shape is to
 * be checked. */
void simt_edit_launch(const struct simt *simt, const struct simt_kernel *kernel, const void *params,
                      struct simt_dim3 *grid, struct simt_dim3 *block, uint32_t *dynamic_bytes);
/* True where the launch, one of the kernel, is left out; to be asked once for each. */
bool simt_skips_launch(const struct simt *simt, struct simt_kernel *kernel);
