/*
 * Second readers of words of global memory. A word's shadow has room for its last writer and one
 * reader, but two readers that are not ordered may each be the one that races with the next writer.
 * The other reader is kept here, in a table of a fixed size: where two words have the same place,
 * the newer reader takes it. The word's shadow says whether to look (SIMT_SLOT_RIVAL). The side
 * table of many readers is an idea of Flanagan and Freund, "FastTrack" (2009).
 */
#pragma once

#include <stdint.h>

enum { SIMT_RIVALS = 1 << 16 };

/* Of one launch and host thread. */
struct simt_rivals {
    struct simt_rival {
        uint64_t address, stamp; /* of the word; of the reader */
    } * list;                    /* NULL before the first */
};

/* The reader's stamp that was kept last for the word at an address; 0, which is older than all,
 * where there is none. */
uint64_t simt_rivals_find(const struct simt_rivals *rivals, uint64_t address);
void simt_rivals_keep(struct simt_rivals *rivals, uint64_t address, uint64_t stamp);
/* NULL is allowed. */
void simt_rivals_free(struct simt_rivals *rivals);
