/*
 * The lines of kernels that ran before the last reset of a record: with them a report tells which
 * lines a call ran for the first time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/simt/simt.h"

struct simt_earlier {
    uint64_t *keys;
    size_t n, room;
    uint64_t n_resets;
    bool is_incomplete; /* the host had no memory for all: nothing can be said then */
};

bool simt_earlier_has(const struct simt_earlier *earlier, const struct simt_line *line);
void simt_earlier_add(struct simt_earlier *earlier, const struct simt_line *line);
/* Frees what it holds. */
void simt_earlier_free(struct simt_earlier *earlier);
