/*
 * What is fuzzed: one function a target, by the name that libFuzzer calls. replay.c calls it too,
 * with inputs of its own, so that every build runs the targets for a moment.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes at all; must neither crash nor leak nor run on. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
