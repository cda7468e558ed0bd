/*
 * A CUDA runtime without a device, for tests of the worker: device memory is memory that host code
 * can't touch, as on a GPU. It has what the worker and submission.c use, the simulator's additions
 * (with a report that the submission sets), and no kernels.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "common/call/tests/fakes/fake_cudart.h"

enum { PAGE = 4096, MEMORY_ALLOCATION = 2, INVALID_VALUE = 1 };

/* The "device" is the process's, as a real one is. */
static int pending_error, device_error;
static const char *report_text;
static size_t allocated_bytes;
static int n_registered, n_ever_registered;

static size_t pages(size_t bytes) {
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* Each allocation is preceded by a page that holds its size. */
int cudaMalloc(void **pointer, size_t bytes) {
    size_t total = pages(bytes) + PAGE;

    if (bytes > FAKE_DEVICE_BYTES - allocated_bytes)
        return pending_error = MEMORY_ALLOCATION;
    uint8_t *base = mmap(NULL, total, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return pending_error = MEMORY_ALLOCATION;
    *(size_t *)base = bytes;
    allocated_bytes += bytes;
    *pointer = base + PAGE;
    return mprotect(base + PAGE, total - PAGE, PROT_NONE);
}

int cudaFree(void *pointer) {
    if (!pointer)
        return 0;
    uint8_t *base = (uint8_t *)pointer - PAGE;
    size_t bytes = *(size_t *)base;
    allocated_bytes -= bytes;
    return munmap(base, pages(bytes) + PAGE);
}

static void protect(const void *start, size_t bytes, int protection) {
    uintptr_t first = (uintptr_t)start / PAGE * PAGE, last = (uintptr_t)start + bytes;

    mprotect((void *)first, pages(last - first), protection);
}

int cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
    const void *device = kind == 2 ? from : to;

    if (kind < 1 || kind > 3)
        return pending_error = INVALID_VALUE;
    protect(device, bytes, PROT_READ | PROT_WRITE);
    if (kind == 3)
        protect(from, bytes, PROT_READ | PROT_WRITE);
    memcpy(to, from, bytes);
    protect(device, bytes, PROT_NONE);
    if (kind == 3)
        protect(from, bytes, PROT_NONE);
    return 0;
}

int cudaMemset(void *to, int value, size_t bytes) {
    protect(to, bytes, PROT_READ | PROT_WRITE);
    memset(to, value, bytes);
    protect(to, bytes, PROT_NONE);
    return 0;
}

int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream) {
    (void)stream;
    return cudaMemcpy(to, from, bytes, kind);
}

int cudaMemsetAsync(void *to, int value, size_t bytes, void *stream) {
    (void)stream;
    return cudaMemset(to, value, bytes);
}

int cudaDeviceSynchronize(void) {
    return device_error;
}

int cudaGetLastError(void) {
    int error = pending_error ? pending_error : device_error;

    pending_error = 0;
    return error;
}

const char *cudaGetErrorName(int error) {
    return error == MEMORY_ALLOCATION ? "cudaErrorMemoryAllocation"
           : error == 700             ? "cudaErrorIllegalAddress"
           : error == 9               ? "cudaErrorInvalidConfiguration"
                                      : "cudaErrorFake";
}

const char *cudaGetErrorString(int error) {
    return error == 700 ? "an illegal memory access was encountered" : "an error of the tests";
}

int cudaDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    *value = attribute == 16   ? 132
             : attribute == 36 ? 3201000
             : attribute == 37 ? 6144
             : attribute == 38 ? 1 << 20
             : attribute == 75 ? 9
                               : 0;
    return 0;
}

int cudaGetDeviceProperties(void *properties, int device) {
    (void)device;
    strcpy(properties, "Fake \033[31mdevice");
    return 0;
}

int cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
    *total_bytes = FAKE_DEVICE_BYTES;
    *free_bytes = FAKE_DEVICE_BYTES - allocated_bytes;
    return 0;
}

int cudaHostRegister(void *start, size_t bytes, unsigned flags) {
    (void)flags;
    if ((uintptr_t)start % PAGE != 0 || bytes == 0)
        return pending_error = INVALID_VALUE;
    n_registered++;
    n_ever_registered++;
    return 0;
}

int cudaHostUnregister(void *start) {
    (void)start;
    n_registered--;
    return 0;
}

void fake_registered(int *n_now, int *n_ever) {
    *n_now = n_registered;
    *n_ever = n_ever_registered;
}

int cudaEventCreate(void **event) {
    *event = calloc(1, sizeof(struct timespec));
    return *event ? 0 : MEMORY_ALLOCATION;
}

int cudaEventRecord(void *event, void *stream) {
    (void)stream;
    return clock_gettime(CLOCK_MONOTONIC, event);
}

int cudaEventSynchronize(void *event) {
    (void)event;
    return 0;
}

int cudaEventElapsedTime(float *ms, void *start, void *stop) {
    const struct timespec *a = start, *b = stop;

    *ms = (float)((double)(b->tv_sec - a->tv_sec) * 1e3 + (double)(b->tv_nsec - a->tv_nsec) / 1e6);
    return 0;
}

size_t simtFindings(void) {
    return report_text && !strstr(report_text, "\"findings\":[]");
}

char *simtReportJson(void) {
    return report_text ? strdup(report_text) : NULL;
}

const char *simtLastError(void) {
    return device_error == 801 ? "kernel.cu:7: the instruction wgmma is not supported" : "";
}

void fake_set_pending(int error) {
    pending_error = error;
}

void fake_set_device_error(int error) {
    device_error = error;
}

void fake_set_report(const char *text) {
    report_text = text;
}
