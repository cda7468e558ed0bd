/*
 * What runs the kernels under proof: the simulator (device_sim.c) or any library with the CUDA
 * runtime's entry points (device_cuda.c). A program is linked with one of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct proof_device;

/* One launch of a kernel with the parameters (const uint64_t *in, uint32_t *out). */
struct proof_launch {
    const char *kernel;
    uint32_t grid, block;
    const uint64_t *in;
    size_t n_in;
    uint32_t *out; /* filled; zero on the device before the launch */
    size_t n_out;
};

/* NULL, with a sentence in `error`, when there is no device. */
struct proof_device *proof_open(char *error, size_t error_bytes);
void proof_close(struct proof_device *device);

/* Loads PTX (or, on a GPU, a cubin) in place of what was loaded before. `image` ends with a 0 that
 * does not count in `bytes`. */
bool proof_load(struct proof_device *device, const char *image, size_t bytes);

/* False, with the reason in proof_error(), when the kernel did not end well; on the simulator also
 * when a check found something, since every kernel of the corpus is right. */
bool proof_run(struct proof_device *device, const struct proof_launch *launch);

/* True when the last call failed since the simulator knows that it can't run the kernel. */
bool proof_is_unsupported(const struct proof_device *device);

/* Why the last call failed, one sentence. */
const char *proof_error(const struct proof_device *device);
