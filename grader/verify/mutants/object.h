/*
 * What nvcc made of a source, for one question: do two sources mean the same? They do where PTX and
 * host code are the same but for what only names lines, files and addresses.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/base/digest.h"

struct object {
    char *bytes; /* of the shared object, owned */
    size_t n;
    char ptx[DIGEST_TEXT];  /* of its PTX */
    char host[DIGEST_TEXT]; /* of its constants, of the functions that it calls, of its code's size
                             */
};

/* Reads a shared object; false where it is none, or too large. object_finish in each case. */
bool object_init(struct object *object, const char *path);
void object_finish(struct object *object);

/* True where the PTX is the same. */
bool object_same_device(const struct object *a, const struct object *b);

/* True where the host's machine code is the same, when each address in it is taken as a section and
 * an offset: the length of the PTX between them moves the sections. */
bool object_same_host(const struct object *a, const struct object *b);
