/*
 * The student's shared object, loaded into the worker: its functions and variables by name.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/call/wire.h"

struct submission {
    void *library; /* NULL before it is loaded */
    char path[WIRE_MAX_PATH];
};

/* Loads it; its constructors run. False, with a sentence in `error`, where that fails. */
bool submission_load(struct submission *submission, const char *path, char *error,
                     size_t error_bytes);

/* A function that the submission itself defines: not one of libc's or of the CUDA runtime's. NULL,
 * with a sentence in `error`, where there is none. */
void *submission_function(const struct submission *submission, const char *name, char *error,
                          size_t error_bytes);

/* Copies a variable of exactly `bytes` bytes. False, with a sentence in `error`, otherwise. */
bool submission_variable(const struct submission *submission, const char *name, void *data,
                         size_t bytes, char *error, size_t error_bytes);

/* The address as the submission's file has it; 0 where it lies elsewhere. */
uint64_t submission_site(const struct submission *submission, const void *address);

/* "sum_divergent+0x1f" where `address` lies in the submission's code; "" otherwise. */
void submission_place(const struct submission *submission, const void *address, char *place,
                      size_t place_bytes);
