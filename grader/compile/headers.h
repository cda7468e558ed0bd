/*
 * The headers that a submission may include: nvcc is shown these, and what comes of it is
 * remembered by what is in them. One list for both, so that they cannot differ.
 */
#ifndef GRADER_HEADERS_H
#define GRADER_HEADERS_H

#include <stddef.h>

#include "common/base/digest.h"

struct header {
    char *path;   /* on this machine */
    char *inside; /* in a sandbox */
};

struct headers {
    struct header *items;
    size_t n;
};

/* Lists those of a lab: its own, and what the labs share. headers_finish afterwards. */
void headers_init(struct headers *headers, const char *root, const char *lab_folder);
void headers_finish(struct headers *headers);

/* Adds those of a folder; `inside` is its name in a sandbox. */
void headers_add(struct headers *headers, const char *path, const char *inside);

/* Adds their names and what is in them to a digest. */
void headers_digest(const struct headers *headers, struct digest *digest);

#endif
