/*
 * The fat binary that nvcc puts into an object: a wrapper that points to containers, each a list of
 * PTX texts and machine codes. This finds the PTX.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum fatbin_status {
    FATBIN_OK,
    FATBIN_DAMAGED,    /* no fat binary, or one whose sizes contradict each other */
    FATBIN_NO_PTX,     /* machine code only */
    FATBIN_TOO_NEW,    /* PTX for newer architectures only: see least_arch */
    FATBIN_COMPRESSED, /* by a method that is not known here */
    FATBIN_NO_MEMORY,
};

/* One PTX text, without its terminator. */
struct fatbin_text {
    const char *ptx;
    size_t bytes;
    char *owned; /* what fatbin_free releases; NULL where `ptx` lies in the object itself */
};

/* The texts of a registered object: one, or one a file where it was linked from device code. */
struct fatbin_texts {
    struct fatbin_text *texts;
    size_t n_texts;
    unsigned least_arch; /* the lowest that can run the PTX: 75 for compute_75; 0 for plain PTX */
};

/*
 * Finds the PTX behind a registered wrapper. Of several architectures in one container it takes the
 * highest up to `arch`, as NVIDIA's driver does. The object must stay loaded while the texts are in
 * use; the caller releases them, also after an error.
 */
enum fatbin_status fatbin_find_ptx(const void *wrapper, unsigned arch, struct fatbin_texts *texts);
/* The same for whatever a program may load itself: a wrapper, a container, or PTX that ends with
 * NUL. */
enum fatbin_status fatbin_find_code(const void *data, unsigned arch, struct fatbin_texts *texts);
/* The same for a container or PTX of which `bytes` bytes are there; nothing beyond is read. */
enum fatbin_status fatbin_find_in(const void *data, size_t bytes, unsigned arch,
                                  struct fatbin_texts *texts);
/* The lowest architecture of the wrapper's PTX, of several containers the highest of these: what a
 * device needs. 0 where there is none. */
unsigned fatbin_least_arch(const void *wrapper);
void fatbin_free(struct fatbin_texts *texts);

/* A sentence for a status. */
const char *fatbin_status_text(enum fatbin_status status);
