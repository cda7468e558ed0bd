/*
 * Which thread stored a word last. The word's shadow has the stamp of its last access that wrote;
 * here is kept which launch a stamp is of, and what the host has written since.
 */
#pragma once

#include "common/simt/simt.h"

struct simt_allocation;
struct simt_steps; /* simt_space.steps */

/* The host writes these bytes, by itself or by a copy within the device. */
void simt_steps_add_write(struct simt *simt, const struct simt_allocation *allocation,
                          uint64_t offset, uint64_t bytes);

/* Stamps begin anew: forgets all. NULL is allowed. */
void simt_steps_forget(struct simt_steps *steps);
