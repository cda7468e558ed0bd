/*
 * The virtual GPUs that there are to choose from, and how long things take on one.
 */
#pragma once

#include "common/simt/simt.h"

#include <stddef.h>

struct cudart_device {
    const char *word; /* what SIMT_DEVICE says */
    const char *name;
    int arch; /* 75 for compute capability 7.5 */
    int n_sm;
    int threads_per_sm, blocks_per_sm;
    int shared_per_sm, shared_optin; /* bytes; `optin`: of a block, after cudaFuncSetAttribute */
    int shared_reserved; /* bytes of shared memory that the system takes of each block */
    int clock_khz, memory_khz, bus_bits;
    int l2_bytes;
    size_t memory_bytes;
};

/* The device of a word; NULL where there is none. */
const struct cudart_device *cudart_device_find(const char *word);
/* The first that can run PTX of an architecture, else the most capable one. */
const struct cudart_device *cudart_device_for(unsigned arch);
extern const struct cudart_device cudart_devices[];
extern const size_t cudart_n_devices;

/* How long things take, by a model: what event times are made of. README.md, "Time", has the rules
 * and says what they leave out. */

/* Milliseconds of a kernel that did `counters` with `n_ctas` blocks. */
double model_kernel_ms(const struct cudart_device *device, const struct simt_counters *counters,
                       uint64_t n_ctas);
/* Of a copy between host and device. */
double model_transfer_ms(size_t bytes, bool is_pinned);
/* Of a copy or a fill within the device, which moves `bytes` in all. */
double model_device_ms(const struct cudart_device *device, uint64_t bytes);
