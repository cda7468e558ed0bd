/* Which device answers: a GPU by NVIDIA's runtime, or the simulator; and why. */
#ifndef GRADER_DEVICE_H
#define GRADER_DEVICE_H

#include <stdbool.h>

#include "common/call/call.h"
#include "common/base/diag.h"
#include "grader/machine/nvcc.h"
#include "grader/machine/sandboxing.h"
#include "grader/workbook/workbook.h"

enum device_wish { DEVICE_AUTO, DEVICE_SIM, DEVICE_GPU };

struct device {
    bool is_gpu;
    char *reason;           /* "no GPU (libcuda.so.1 not found)", "asked for by --backend" */
    char *worker;           /* path of the worker program */
    char *cudart_sim;       /* path of the simulator's runtime library */
    char *cudart_gpu;       /* path or name of NVIDIA's */
    struct call_device gpu; /* where is_gpu */
};

/* Chooses, by asking a GPU in a worker where one may be used. GRADER_FAILED with the reason where a
 * GPU was wished for and there is none. device_finish in each case. */
enum grader_status device_choose(enum device_wish wish, const struct workbook *book,
                                 const struct nvcc *nvcc, struct sandboxing *sandboxing,
                                 struct device *device, struct diag *diag);
/* A GPU of another machine, of which nothing is known but that it is one. */
void device_elsewhere(const struct workbook *book, struct device *device);
void device_finish(struct device *device);

/* "simulator: no GPU (…)" or "NVIDIA H200, 132 SMs"; the caller frees it. */
char *device_text(const struct device *device);

#endif
