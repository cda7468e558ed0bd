/*
 * The virtual GPUs that there are to choose from.
 */
#ifndef CUDART_DEVICE_H
#define CUDART_DEVICE_H

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

#endif
