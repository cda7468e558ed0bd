/*
 * Random valid kernels: the same text for the same number, everywhere.
 *
 * Program p is kernel "r<p>" of module p / PROOF_MODULE_PROGRAMS. It runs in PROOF_RANDOM_CTAS
 * ctas of PROOF_RANDOM_THREADS threads and writes all that its registers hold in the end. No
 * undefined behaviour and no race: results do not depend on the order of warps.
 */
#pragma once

#include "common/simt/tests/proof/device.h"

enum {
    PROOF_NARROW_MODULES = 200, /* modules from here on hold wide programs, see generate.h */
    PROOF_MODULE_PROGRAMS = 50,
    PROOF_RANDOM_THREADS = 96,
    PROOF_RANDOM_CTAS = 2,
    PROOF_THREAD_WORDS = 24,
    PROOF_SHARED_WORDS = 16, /* that atomics of all ctas meet in */
    PROOF_RANDOM_WORDS =
        PROOF_RANDOM_THREADS * PROOF_RANDOM_CTAS * PROOF_THREAD_WORDS + PROOF_SHARED_WORDS,
};

/* The PTX text of a module; the caller frees it. */
char *proof_random_module(unsigned module);

/* Runs a program of the loaded module; fills the digest of its outputs and, where `out` is not
 * NULL, the PROOF_RANDOM_WORDS outputs themselves. */
bool proof_random_run(struct proof_device *device, unsigned program, uint64_t *digest,
                      uint32_t *out);
