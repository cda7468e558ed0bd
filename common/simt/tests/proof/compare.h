/*
 * One kernel on the device, and its outputs against the hardware's.
 */
#pragma once

#include "common/simt/tests/proof/corpus.h"
#include "common/simt/tests/proof/device.h"

/* Inputs and outputs of one run; free() both. */
struct proof_result {
    uint64_t *in;
    uint32_t *out;
    size_t n_in, n_out;
};

/* Runs a kernel of the loaded image with its inputs. On failure proof_error() says why. */
bool proof_run_case(struct proof_device *device, const struct proof_case *one,
                    struct proof_result *result);
void proof_result_free(struct proof_result *result);

/* The first output word at which `got` is not what `wanted` (n_out words, unaligned) says, within
 * the kernel's tolerance; n_out when there is none. */
size_t proof_first_mismatch(const struct proof_case *one, const struct proof_result *got,
                            const char *wanted);
