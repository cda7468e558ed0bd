/*
 * What nvcc made, kept in the build folder under a name made of everything that it depends on. What
 * was not used for longest goes when there is too much.
 *
 * To what it depends on belong the headers that a submission may include: nvcc is shown these, and
 * the name has what is in them. One list for both, so that they cannot differ.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/base/digest.h"
#include "common/base/text.h"

enum {
    CACHE_OBJECT_MB = 32, /* the largest compiled file that is kept */
    CACHE_MB = 4096,      /* that all of them may take */
    CACHE_PARTS = 16,     /* by the first digit of their keys; each has its share of that */
    CACHE_REST_S = 600    /* what was used this short a time ago may be in use, and stays */
};

struct cache_entry {
    char *object, *messages; /* paths; the strings are owned */
};

/* The names of what has this key; cache_entry_finish afterwards. Makes the folder; GRADER_FAILED
 * with the reason where that fails. */
enum grader_status cache_entry_init(struct cache_entry *entry, const char *build, const char *key,
                                    struct diag *diag);
void cache_entry_finish(struct cache_entry *entry);

/* True where it is there, with what nvcc said of it in `messages`, which the caller frees. */
bool cache_find(const struct cache_entry *entry, char **messages);

/* Keeps a copy of a compiled file and what nvcc said of it. GRADER_FAILED with the reason. */
enum grader_status cache_keep(const struct cache_entry *entry, const char *object,
                              const char *messages, struct diag *diag);

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
