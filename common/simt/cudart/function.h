/*
 * What launches and occupancy calls know of a kernel.
 */
#ifndef CUDART_FUNCTION_H
#define CUDART_FUNCTION_H

#include "common/simt/cudart/cudart.h"

/* Blocks of a kernel that one multiprocessor holds at a time; 0: not even one. Registers are no
 * limit, since PTX does not say how many a kernel has. */
int cudart_resident_blocks(const struct cudart *rt, const struct cudart_kernel *kernel, int block,
                           size_t dynamic_bytes);

#endif
