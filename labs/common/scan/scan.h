/*
 * What the tests of labs have in common that scan n ints (04, 10): functions scan_inclusive and
 * scan_exclusive of (in, n, block, scratch, out), which scan tiles, then the tiles' totals. A lab
 * defines scan_diagnose and scan_small_blocks.
 */
#ifndef SCAN_H
#define SCAN_H

#include "labs/common/mapped.h"

/* Scans n drawn ints in blocks of c->block threads, first inclusive, then exclusive; compares, and
 * has failures diagnosed. */
void scan_case(struct lab *lab, const struct lab_case *c);

/* Scans these ints and compares; true when the call went well and the result is right. `in` must
 * live as long as the case. Which diagnoser is asked is the caller's choice. */
bool scan_ints(struct lab *lab, const int32_t *in, size_t n, unsigned block, bool exclusive);

/* The right answer, modulo 2^32. */
void scan_reference(const int32_t *in, size_t n, bool exclusive, int32_t *out);

/* The functions, and their arguments in order. */
const char *scan_function(bool exclusive);
enum { SCAN_N_ARGS = 5 };
void scan_args(struct call_arg args[SCAN_N_ARGS], const int32_t *in, size_t n, unsigned block,
               int32_t *out);

/* A scan of gigabytes. */
struct scan_mapped {
    struct mapped map;
    bool exclusive;
    /* The sum of all ints before each piece of LAB_PIECE, once any is asked for. */
    uint32_t *before;
    pthread_mutex_t mutex;
    bool is_summed;
};
struct scan_mapped scan_mapped(bool exclusive);

/* True when the last call was one of the exclusive scan. A process runs one test at a time. */
bool scan_was_exclusive(void);

/* How many ints a thread of the first launch takes, by the simulator's report; 0 where unknown. */
size_t scan_items(const struct lab *lab, size_t n, unsigned block);

/* Steps of a block's scan: 1, 2, 4 … below block. */
unsigned scan_steps(unsigned block);

/* Sizes beyond 32 bits, in both forms: at 2^28 where `beyond` is not set, else at more than 2^31
 * bytes on a GPU and more than 2^32 ints on the simulator, which runs a sample of the blocks. */
void scan_gigabytes(struct lab *lab, bool beyond);

/* The lab's: names the known mistake behind a failure, if it is one. */
lab_diagnoser scan_diagnose;

/* The lab's: blocks in which few numbers are enough to go wrong. */
enum { SCAN_SMALL_BLOCKS = 4 };
extern const unsigned scan_small_blocks[SCAN_SMALL_BLOCKS];

/* The known mistake that makes just this of the input, by a list of them; NULL where none does. */
const char *scan_known_result(const struct lab *lab, const int32_t *in, size_t n, unsigned block,
                              const int32_t *got);

/* The same of one array that was scanned in tiles of this size. */
const char *scan_known_in_tiles(const int32_t *in, size_t n, size_t tile, bool exclusive,
                                const int32_t *got);

#endif
