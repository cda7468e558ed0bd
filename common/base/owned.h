/*
 * Variables that own something, and let go of it where their block ends, by whichever way:
 *
 *     OWNED char *path = text_format("%s/lab.yaml", folder);
 *     OWNED_BY(folder_finish) struct folder files;
 *
 * It is for what no function gives away: what is returned, or handed on to a new owner, stays a
 * plain variable. A document is a json_auto_t, which is jansson's own word for the same. All are
 * set where they are declared, since to let go of something needs a value.
 */
#pragma once

#include <stdlib.h>
#include <string.h>

/* The variable at `variable` points to memory of malloc's, or is NULL. */
static inline void owned_free(void *variable) {
    void *memory;
    memcpy(&memory, variable, sizeof memory);
    free(memory);
}

#define OWNED            __attribute__((cleanup(owned_free)))
#define OWNED_BY(finish) __attribute__((cleanup(finish)))
