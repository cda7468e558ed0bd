/*
 * The part of the CUDA runtime that the tests' stand-in offers, declared for submission.c, and the
 * switches by which submission.c makes the stand-in fail.
 */
#pragma once

#include <stddef.h>

#define FAKE_DEVICE_BYTES ((size_t)1 << 30)

int cudaMalloc(void **pointer, size_t bytes);
int cudaFree(void *pointer);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemset(void *to, int value, size_t bytes);
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream);
int cudaMemsetAsync(void *to, int value, size_t bytes, void *stream);
int cudaDeviceSynchronize(void);
int cudaGetLastError(void);
const char *cudaGetErrorName(int error);
const char *cudaGetErrorString(int error);
int cudaDeviceGetAttribute(int *value, int attribute, int device);
int cudaGetDeviceProperties(void *properties, int device);
int cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
int cudaHostRegister(void *start, size_t bytes, unsigned flags);
int cudaHostUnregister(void *start);
int cudaEventCreate(void **event);
int cudaEventRecord(void *event, void *stream);
int cudaEventSynchronize(void *event);
int cudaEventElapsedTime(float *ms, void *start, void *stop);
size_t simtFindings(void);
char *simtReportJson(void);
const char *simtLastError(void);

/* An error that cudaGetLastError reports once; one that every synchronisation meets; the report
 * that the worker will fetch. */
void fake_set_pending(int error);
void fake_set_device_error(int error);
void fake_set_report(const char *text);

/* Pieces of host memory that are registered, and that ever were. */
void fake_registered(int *n_now, int *n_ever);
