/*
 * What is fuzzed: one function a target, by the name that libFuzzer calls. replay.c calls it too,
 * with inputs of its own, so that every build runs the targets for a moment.
 */
#ifndef SIMT_TESTS_FUZZ_TARGET_H
#define SIMT_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes at all; must neither crash nor leak nor run on. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

#endif
