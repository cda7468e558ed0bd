/* What NVIDIA's driver says of itself and its devices, asked directly: for `doctor`. */
#ifndef GRADER_DRIVER_H
#define GRADER_DRIVER_H

#include <stddef.h>

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

void driver_ask(struct driver *driver);

#endif
