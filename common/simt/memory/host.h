/*
 * What the host has left. Allocations are pages that cost memory once they are touched, and checks
 * put shadow memory beside them, so a kernel can use up the host's memory long after cudaMalloc has
 * succeeded. Before the host kills somebody for it, the kernel ends with an error.
 */
#pragma once

#include <stddef.h>

struct simt_host {
    size_t bytes;    /* that the process may take beyond `resident`; 0: as much as there is */
    size_t resident; /* what it had when that was said */
    size_t reserve;  /* left to the host, for what is taken between two looks */
};

void simt_host_open(struct simt_host *host, size_t bytes);

/* What the process may still take: the least of what the machine, its control group and its own
 * limits leave. SIZE_MAX where nothing says. Reads /proc: some 20 microseconds. */
size_t simt_host_room(const struct simt_host *host);

/* Zeros that cost memory only once they are written to: what is large comes as fresh pages, not
 * from calloc, which writes to them itself under some settings. NULL without memory. They are freed
 * with the size that they were made with. */
void *simt_zeros(size_t bytes);
void simt_zeros_free(void *zeros, size_t bytes);
