/*
 * What known mistakes make of the rules: a wrong number of blocks is mostly a right one of a rule
 * that leaves something out. A mistake is named only where it gives just what was given, for all
 * rows of the test, and no other known one does the same.
 */
#include <string.h>

#include "labs/06-warps-and-occupancy/tests/limits.h"

enum { WARP = 32, NOTHING = 0 };

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

static unsigned round_up(unsigned number, unsigned unit) {
    return (number + unit - 1) / unit * unit;
}

/* UINT32_MAX for what a division by 0 would be: that ends the process, and gives no number. */
static unsigned quotient(unsigned a, unsigned b) {
    return b == 0 ? UINT32_MAX : a / b;
}

/* -- Threads -- */

static unsigned threads_for_warps(const struct multiprocessor *sm, const struct block *block) {
    return least(sm->max_blocks, sm->max_threads / block->threads);
}

static unsigned threads_alone(const struct multiprocessor *sm, const struct block *block) {
    return sm->max_threads / WARP / limits_warps(sm, block);
}

static unsigned warps_rounded_down(const struct multiprocessor *sm, const struct block *block) {
    unsigned blocks = quotient(sm->max_threads / WARP, block->threads / WARP);

    return blocks == UINT32_MAX ? blocks : least(sm->max_blocks, blocks);
}

static unsigned one_warp_more(const struct multiprocessor *sm, const struct block *block) {
    return least(sm->max_blocks, sm->max_threads / WARP / (block->threads / WARP + 1));
}

/* -- Registers: of a warp, by parts or not, over the warps of a block -- */

static unsigned by_warps(const struct multiprocessor *sm, unsigned of_a_warp, unsigned parts,
                         unsigned warps) {
    return least(sm->max_blocks, quotient(sm->registers / parts / of_a_warp * parts, warps));
}

static unsigned exact(const struct block *block) {
    return WARP * block->registers;
}

static unsigned registers_of_threads(const struct multiprocessor *sm, const struct block *block) {
    return least(sm->max_blocks, sm->registers / (block->threads * block->registers));
}

static unsigned no_register_unit(const struct multiprocessor *sm, const struct block *block) {
    return by_warps(sm, exact(block), sm->register_parts, limits_warps(sm, block));
}

static unsigned no_register_parts(const struct multiprocessor *sm, const struct block *block) {
    return by_warps(sm, round_up(exact(block), sm->register_unit), 1, limits_warps(sm, block));
}

static unsigned unit_of_the_block(const struct multiprocessor *sm, const struct block *block) {
    unsigned all = round_up(block->threads * block->registers, sm->register_unit);

    return least(sm->max_blocks, sm->registers / all);
}

static unsigned registers_alone(const struct multiprocessor *sm, const struct block *block) {
    unsigned of_a_warp = round_up(exact(block), sm->register_unit);

    return sm->registers / sm->register_parts / of_a_warp * sm->register_parts /
           limits_warps(sm, block);
}

static unsigned register_warps_rounded_down(const struct multiprocessor *sm,
                                            const struct block *block) {
    return by_warps(sm, round_up(exact(block), sm->register_unit), sm->register_parts,
                    block->threads / WARP);
}

static unsigned unit_rounded_down(const struct multiprocessor *sm, const struct block *block) {
    unsigned of_a_warp = exact(block) / sm->register_unit * sm->register_unit;

    return of_a_warp == 0 ? UINT32_MAX
                          : by_warps(sm, of_a_warp, sm->register_parts, limits_warps(sm, block));
}

/* -- Shared memory -- */

static unsigned by_bytes(const struct multiprocessor *sm, unsigned bytes) {
    return bytes == 0 ? sm->max_blocks : least(sm->max_blocks, sm->shared_bytes / bytes);
}

static unsigned no_shared_unit(const struct multiprocessor *sm, const struct block *block) {
    return by_bytes(sm, block->shared_bytes + sm->shared_reserved);
}

static unsigned no_reserve(const struct multiprocessor *sm, const struct block *block) {
    return by_bytes(sm, round_up(block->shared_bytes, sm->shared_unit));
}

static unsigned reserve_behind_the_unit(const struct multiprocessor *sm,
                                        const struct block *block) {
    return by_bytes(sm, round_up(block->shared_bytes, sm->shared_unit) + sm->shared_reserved);
}

static unsigned reserve_of_the_multiprocessor(const struct multiprocessor *sm,
                                              const struct block *block) {
    unsigned bytes = round_up(block->shared_bytes, sm->shared_unit);

    return bytes == 0 ? sm->max_blocks
                      : least(sm->max_blocks, (sm->shared_bytes - sm->shared_reserved) / bytes);
}

static unsigned shared_alone(const struct multiprocessor *sm, const struct block *block) {
    return quotient(sm->shared_bytes,
                    round_up(block->shared_bytes + sm->shared_reserved, sm->shared_unit));
}

static unsigned none_fits(const struct multiprocessor *sm, const struct block *block) {
    return block->shared_bytes + sm->shared_reserved == 0 ? NOTHING : limits_by_shared(sm, block);
}

/* -- All -- */

static unsigned without_threads(const struct multiprocessor *sm, const struct block *block) {
    return least(limits_by_registers(sm, block), limits_by_shared(sm, block));
}

static unsigned without_registers(const struct multiprocessor *sm, const struct block *block) {
    return least(limits_by_threads(sm, block), limits_by_shared(sm, block));
}

static unsigned without_shared(const struct multiprocessor *sm, const struct block *block) {
    return least(limits_by_threads(sm, block), limits_by_registers(sm, block));
}

static unsigned most(const struct multiprocessor *sm, const struct block *block) {
    unsigned a = limits_by_threads(sm, block), b = limits_by_registers(sm, block);
    unsigned c = limits_by_shared(sm, block);

    return a > b ? (a > c ? a : c) : b > c ? b : c;
}

static const struct known {
    enum limits_function function;
    const char *id;
    limits_rule *rule;
} known[] = {
    {LIMITS_THREADS, "threads_for_warps", threads_for_warps},
    {LIMITS_THREADS, "warps_rounded_down", warps_rounded_down},
    {LIMITS_THREADS, "one_warp_too_many", one_warp_more},
    {LIMITS_THREADS, "most_blocks_forgotten", threads_alone},
    {LIMITS_REGISTERS, "registers_of_threads", registers_of_threads},
    {LIMITS_REGISTERS, "register_unit_forgotten", no_register_unit},
    {LIMITS_REGISTERS, "register_unit_rounded_down", unit_rounded_down},
    {LIMITS_REGISTERS, "register_unit_of_the_block", unit_of_the_block},
    {LIMITS_REGISTERS, "register_parts_forgotten", no_register_parts},
    {LIMITS_REGISTERS, "warps_rounded_down", register_warps_rounded_down},
    {LIMITS_REGISTERS, "most_blocks_forgotten", registers_alone},
    {LIMITS_SHARED, "shared_unit_forgotten", no_shared_unit},
    {LIMITS_SHARED, "reserve_forgotten", no_reserve},
    {LIMITS_SHARED, "reserve_once", reserve_of_the_multiprocessor},
    {LIMITS_SHARED, "reserve_behind_the_unit", reserve_behind_the_unit},
    {LIMITS_SHARED, "most_blocks_forgotten", shared_alone},
    {LIMITS_SHARED, "no_bytes_no_blocks", none_fits},
    {LIMITS_ALL, "limit_left_out", without_threads},
    {LIMITS_ALL, "limit_left_out", without_registers},
    {LIMITS_ALL, "limit_left_out", without_shared},
    {LIMITS_ALL, "most_for_least", most},
};

/* Gives just what was given, of which something is wrong. */
static bool explains(const struct known *mistake, const struct limits_given *given) {
    bool is_wrong = false;

    for (size_t i = 0; i < given->n; i++) {
        const struct limits_row *row = &limits_rows[given->first + i];
        const struct multiprocessor *sm = &limits_multiprocessors[row->sm].has;
        unsigned got = (unsigned)given->blocks[i];

        if (mistake->rule(sm, &row->block) != got)
            return false;
        is_wrong |= got != limits_right(given->function, sm, &row->block);
    }
    return is_wrong;
}

/* The blocks are right, and their warps are what comes of counting threads. */
static bool counts_threads(const struct limits_given *given, unsigned by, bool rounds_block) {
    for (size_t i = 0; i < given->n; i++) {
        const struct limits_row *row = &limits_rows[given->first + i];
        const struct multiprocessor *sm = &limits_multiprocessors[row->sm].has;
        unsigned blocks = (unsigned)given->blocks[i], threads = row->block.threads;
        unsigned warps = rounds_block ? blocks * (threads / by) : blocks * threads / by;

        if (blocks != limits_resident(sm, &row->block) || warps != (unsigned)given->warps[i])
            return false;
    }
    return true;
}

const char *limits_known(const struct limits_given *given) {
    const char *id = NULL;

    if (given->function == LIMITS_ALL && counts_threads(given, 1, false))
        return "threads_for_warps";
    if (given->function == LIMITS_ALL &&
        (counts_threads(given, WARP, false) || counts_threads(given, WARP, true)))
        return "warps_rounded_down";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].function != given->function || !explains(&known[i], given))
            continue;
        if (id != NULL && strcmp(id, known[i].id) != 0)
            return NULL;
        id = known[i].id;
    }
    return id;
}
