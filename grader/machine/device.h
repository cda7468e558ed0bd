/* Which device answers, a GPU by NVIDIA's runtime or the simulator, and why. What NVIDIA's driver
 * says of itself and its devices. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/base/text.h"
#include "common/call/call.h"
#include "grader/machine/nvcc.h"
#include "grader/machine/sandboxing.h"
#include "grader/workbook/workbook.h"

enum device_choice { DEVICE_AUTO, DEVICE_SIM, DEVICE_GPU };

struct device {
    bool is_gpu;
    char *reason;           /* "no GPU (libcuda.so.1 not found)", "asked for by --backend" */
    char *worker;           /* path of the worker program */
    char *simulator;        /* path of the simulator's program, which runs beside the worker … */
    char *cudart_sim;       /* … and of the runtime library that talks to it */
    char *cudart_gpu;       /* path or name of NVIDIA's */
    struct call_device gpu; /* where is_gpu */
};

/* Chooses, by asking a GPU in a worker where one may be used. GRADER_FAILED with the reason where a
 * GPU was asked for and there is none. device_finish in each case. */
enum grader_status device_choose(enum device_choice choice, const struct workbook *book,
                                 const struct nvcc *nvcc, struct sandboxing *sandboxing,
                                 struct device *device, struct diag *diag);
/* A GPU of another machine, of which nothing is known but that it is one. */
void device_elsewhere(const struct workbook *book, struct device *device);
void device_finish(struct device *device);

/* "simulator: no GPU (…)" or "NVIDIA H200, 132 SMs"; the caller frees it. */
char *device_text(const struct device *device);

enum { DRIVER_MAX_GPUS = 16 };

struct driver_gpu {
    char name[128];
    int major, minor; /* compute capability */
    size_t bytes;     /* of memory */
    char uuid[48];    /* "GPU-…", as CUDA_VISIBLE_DEVICES takes it; "" where not known */
};

struct driver {
    int version; /* the newest CUDA that it runs: 13000 is 13.0; 0 where there is no driver */
    int n_gpus;
    struct driver_gpu gpus[DRIVER_MAX_GPUS];
    char problem[256]; /* why there is no driver or no device; "" where all is well */
};

/* Asks the driver directly, in this process. */
void driver_ask(struct driver *driver);
