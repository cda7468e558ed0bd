/*
 * Device memory that begins at no round address, as an array does that is a part of a larger one:
 * an access that is wider than its elements is found there.
 */
#pragma once

#include "common/simt/simt.h"

/* As simt_malloc, but `shift` bytes behind a multiple of 256: a multiple of 4, below 256. */
enum simt_status simt_malloc_shifted(struct simt *simt, size_t bytes, size_t shift,
                                     uint64_t *address);
