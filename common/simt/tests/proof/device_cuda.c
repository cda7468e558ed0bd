/*
 * A CUDA runtime library as the device under proof: NVIDIA's, or the simulator's drop-in under the
 * same name.
 */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/simt/tests/proof/device.h"

struct proof_device {
    cudaLibrary_t library;
    bool is_stuck;
    char error[512];
};

static bool succeeds(struct proof_device *device, const char *what, cudaError_t error) {
    if (error != cudaSuccess)
        snprintf(device->error, sizeof(device->error), "%s: %s", what, cudaGetErrorString(error));
    return error == cudaSuccess;
}

/* Waits for the kernel, but not forever: one that hangs can't be stopped, its process must end. */
static bool finishes(struct proof_device *device) {
    enum { LIMIT_S = 10 };
    const time_t start = time(NULL);
    cudaError_t error;
    while ((error = cudaStreamQuery(NULL)) == cudaErrorNotReady) {
        if (time(NULL) - start > LIMIT_S) {
            snprintf(device->error, sizeof(device->error), "did not end in %d s", LIMIT_S);
            device->is_stuck = true;
            return false;
        }
    }
    return succeeds(device, "cudaStreamQuery", error);
}

struct proof_device *proof_open(char *error, size_t error_bytes) {
    struct proof_device *const device = calloc(1, sizeof(*device));
    if (!device) {
        snprintf(error, error_bytes, "the host has no memory for a device");
    } else if (!succeeds(device, "cudaFree", cudaFree(NULL))) {
        snprintf(error, error_bytes, "%s", device->error);
        free(device);
        return NULL;
    }
    return device;
}

void proof_close(struct proof_device *device) {
    if (device && device->library && !device->is_stuck)
        cudaLibraryUnload(device->library);
    free(device);
}

const char *proof_error(const struct proof_device *device) {
    return device->error;
}

bool proof_is_unsupported(const struct proof_device *device) {
    (void)device;
    return false;
}

bool proof_load(struct proof_device *device, const char *image, size_t bytes) {
    (void)bytes; /* PTX ends with a 0, a cubin tells its own size */
    if (device->library)
        cudaLibraryUnload(device->library);
    device->library = NULL;
    return succeeds(device, "cudaLibraryLoadData",
                    cudaLibraryLoadData(&device->library, image, NULL, NULL, 0, NULL, NULL, 0));
}

bool proof_run(struct proof_device *device, const struct proof_launch *launch) {
    const size_t in_bytes = launch->n_in * sizeof(*launch->in),
                 out_bytes = launch->n_out * sizeof(*launch->out);
    void *in = NULL, *out = NULL;
    void *arguments[] = {&in, &out};
    cudaKernel_t kernel;
    const bool ok = succeeds(device, "cudaLibraryGetKernel",
                             cudaLibraryGetKernel(&kernel, device->library, launch->kernel)) &&
                    succeeds(device, "cudaMalloc", cudaMalloc(&in, in_bytes)) &&
                    succeeds(device, "cudaMalloc", cudaMalloc(&out, out_bytes)) &&
                    succeeds(device, "cudaMemcpy",
                             cudaMemcpy(in, launch->in, in_bytes, cudaMemcpyHostToDevice)) &&
                    succeeds(device, "cudaMemset", cudaMemset(out, 0, out_bytes)) &&
                    succeeds(device, "cudaLaunchKernel",
                             cudaLaunchKernel((const void *)kernel, (dim3){launch->grid, 1, 1},
                                              (dim3){launch->block, 1, 1}, arguments, 0, NULL)) &&
                    finishes(device) &&
                    succeeds(device, "cudaMemcpy",
                             cudaMemcpy(launch->out, out, out_bytes, cudaMemcpyDeviceToHost));
    if (!device->is_stuck) {
        cudaFree(in);
        cudaFree(out);
    }
    return ok;
}
