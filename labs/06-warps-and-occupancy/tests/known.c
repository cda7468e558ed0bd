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

/* How often a block finds room, where a part of it is enough for the last one. */
static unsigned rounded_up(unsigned room, unsigned of_a_block) {
    return (room + of_a_block - 1) / of_a_block;
}

static unsigned one_at_least(unsigned blocks) {
    return blocks == 0 ? 1 : blocks;
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

static unsigned threads_rounded_up(const struct multiprocessor *sm, const struct block *block) {
    return least(sm->max_blocks, rounded_up(sm->max_threads / WARP, limits_warps(sm, block)));
}

static unsigned one_by_threads(const struct multiprocessor *sm, const struct block *block) {
    return one_at_least(limits_by_threads(sm, block));
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

static unsigned one_register_warp_more(const struct multiprocessor *sm, const struct block *block) {
    return by_warps(sm, round_up(exact(block), sm->register_unit), sm->register_parts,
                    block->threads / WARP + 1);
}

/* The registers of the threads that there are, shared out over the warps. */
static unsigned of_threads_there(const struct multiprocessor *sm, const struct block *block,
                                 bool rounds_up) {
    unsigned warps = limits_warps(sm, block), all = block->threads * block->registers;
    unsigned of_a_warp = round_up((rounds_up ? all + warps - 1 : all) / warps, sm->register_unit);

    return by_warps(sm, of_a_warp, sm->register_parts, warps);
}

static unsigned no_empty_lanes(const struct multiprocessor *sm, const struct block *block) {
    return of_threads_there(sm, block, true);
}

static unsigned no_empty_lanes_rounded(const struct multiprocessor *sm, const struct block *block) {
    return of_threads_there(sm, block, false);
}

static unsigned warps_of_a_part(const struct multiprocessor *sm, const struct block *block) {
    return sm->registers / sm->register_parts / round_up(exact(block), sm->register_unit);
}

static unsigned block_in_one_part(const struct multiprocessor *sm, const struct block *block) {
    return least(sm->max_blocks,
                 warps_of_a_part(sm, block) / limits_warps(sm, block) * sm->register_parts);
}

static unsigned equal_shares(const struct multiprocessor *sm, const struct block *block) {
    unsigned share = rounded_up(limits_warps(sm, block), sm->register_parts);

    return least(sm->max_blocks, warps_of_a_part(sm, block) / share);
}

static unsigned one_part_alone(const struct multiprocessor *sm, const struct block *block) {
    return least(sm->max_blocks, warps_of_a_part(sm, block) / limits_warps(sm, block));
}

static unsigned registers_rounded_up(const struct multiprocessor *sm, const struct block *block) {
    return least(sm->max_blocks, rounded_up(warps_of_a_part(sm, block) * sm->register_parts,
                                            limits_warps(sm, block)));
}

static unsigned one_by_registers(const struct multiprocessor *sm, const struct block *block) {
    return one_at_least(limits_by_registers(sm, block));
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

static unsigned none_is_free(const struct multiprocessor *sm, const struct block *block) {
    return block->shared_bytes == 0 ? sm->max_blocks : limits_by_shared(sm, block);
}

static unsigned shared_unit_rounded_down(const struct multiprocessor *sm,
                                         const struct block *block) {
    unsigned bytes = block->shared_bytes + sm->shared_reserved;

    return by_bytes(sm, bytes / sm->shared_unit * sm->shared_unit);
}

static unsigned shared_rounded_up(const struct multiprocessor *sm, const struct block *block) {
    unsigned bytes = round_up(block->shared_bytes + sm->shared_reserved, sm->shared_unit);

    return bytes == 0 ? sm->max_blocks : least(sm->max_blocks, rounded_up(sm->shared_bytes, bytes));
}

static unsigned one_by_shared(const struct multiprocessor *sm, const struct block *block) {
    return one_at_least(limits_by_shared(sm, block));
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

static unsigned one_of_all(const struct multiprocessor *sm, const struct block *block) {
    return one_at_least(limits_resident(sm, block));
}

static unsigned one_of_registers(const struct multiprocessor *sm, const struct block *block) {
    return least(without_registers(sm, block), one_by_registers(sm, block));
}

static unsigned one_of_shared(const struct multiprocessor *sm, const struct block *block) {
    return least(without_shared(sm, block), one_by_shared(sm, block));
}

static unsigned one_of_threads(const struct multiprocessor *sm, const struct block *block) {
    return least(without_threads(sm, block), one_by_threads(sm, block));
}

/* -- Warps of so many resident blocks -- */

typedef unsigned warps_rule(const struct multiprocessor *sm, const struct block *block,
                            unsigned blocks);

static unsigned all_threads(const struct multiprocessor *sm, const struct block *block,
                            unsigned blocks) {
    (void)sm;
    return blocks * block->threads;
}

static unsigned whole_warps(const struct multiprocessor *sm, const struct block *block,
                            unsigned blocks) {
    (void)sm;
    return blocks * (block->threads / WARP);
}

static unsigned a_warp_more_each(const struct multiprocessor *sm, const struct block *block,
                                 unsigned blocks) {
    (void)sm;
    return blocks * (block->threads / WARP + 1);
}

static unsigned together_down(const struct multiprocessor *sm, const struct block *block,
                              unsigned blocks) {
    return all_threads(sm, block, blocks) / WARP;
}

static unsigned together_up(const struct multiprocessor *sm, const struct block *block,
                            unsigned blocks) {
    return rounded_up(all_threads(sm, block, blocks), WARP);
}

static unsigned of_one_block(const struct multiprocessor *sm, const struct block *block,
                             unsigned blocks) {
    (void)blocks;
    return limits_warps(sm, block);
}

static unsigned all_there_is_room_for(const struct multiprocessor *sm, const struct block *block,
                                      unsigned blocks) {
    (void)block;
    (void)blocks;
    return sm->max_threads / WARP;
}

/* What it makes of the blocks; or of the warps, where the blocks are right. */
static const struct known {
    enum limits_function function;
    const char *id;
    limits_rule *rule;
    warps_rule *warps;
} known[] = {
    {LIMITS_THREADS, "threads_for_warps", threads_for_warps, NULL},
    {LIMITS_THREADS, "warps_rounded_down", warps_rounded_down, NULL},
    {LIMITS_THREADS, "one_warp_too_many", one_warp_more, NULL},
    {LIMITS_THREADS, "most_blocks_forgotten", threads_alone, NULL},
    {LIMITS_THREADS, "blocks_rounded_up", threads_rounded_up, NULL},
    {LIMITS_THREADS, "one_always_fits", one_by_threads, NULL},
    {LIMITS_REGISTERS, "registers_of_threads", registers_of_threads, NULL},
    {LIMITS_REGISTERS, "register_unit_forgotten", no_register_unit, NULL},
    {LIMITS_REGISTERS, "register_unit_rounded_down", unit_rounded_down, NULL},
    {LIMITS_REGISTERS, "register_unit_of_the_block", unit_of_the_block, NULL},
    {LIMITS_REGISTERS, "register_parts_forgotten", no_register_parts, NULL},
    {LIMITS_REGISTERS, "block_in_one_part", block_in_one_part, NULL},
    {LIMITS_REGISTERS, "parts_share_alike", equal_shares, NULL},
    {LIMITS_REGISTERS, "one_part_alone", one_part_alone, NULL},
    {LIMITS_REGISTERS, "empty_lanes_forgotten", no_empty_lanes, NULL},
    {LIMITS_REGISTERS, "empty_lanes_forgotten", no_empty_lanes_rounded, NULL},
    {LIMITS_REGISTERS, "warps_rounded_down", register_warps_rounded_down, NULL},
    {LIMITS_REGISTERS, "one_warp_too_many", one_register_warp_more, NULL},
    {LIMITS_REGISTERS, "most_blocks_forgotten", registers_alone, NULL},
    {LIMITS_REGISTERS, "blocks_rounded_up", registers_rounded_up, NULL},
    {LIMITS_REGISTERS, "one_always_fits", one_by_registers, NULL},
    {LIMITS_SHARED, "shared_unit_forgotten", no_shared_unit, NULL},
    {LIMITS_SHARED, "shared_unit_rounded_down", shared_unit_rounded_down, NULL},
    {LIMITS_SHARED, "reserve_forgotten", no_reserve, NULL},
    {LIMITS_SHARED, "reserve_once", reserve_of_the_multiprocessor, NULL},
    {LIMITS_SHARED, "reserve_behind_the_unit", reserve_behind_the_unit, NULL},
    {LIMITS_SHARED, "no_bytes_are_free", none_is_free, NULL},
    {LIMITS_SHARED, "most_blocks_forgotten", shared_alone, NULL},
    {LIMITS_SHARED, "no_bytes_no_blocks", none_fits, NULL},
    {LIMITS_SHARED, "blocks_rounded_up", shared_rounded_up, NULL},
    {LIMITS_SHARED, "one_always_fits", one_by_shared, NULL},
    {LIMITS_ALL, "limit_left_out", without_threads, NULL},
    {LIMITS_ALL, "limit_left_out", without_registers, NULL},
    {LIMITS_ALL, "limit_left_out", without_shared, NULL},
    {LIMITS_ALL, "most_for_least", most, NULL},
    {LIMITS_ALL, "one_always_fits", one_of_all, NULL},
    {LIMITS_ALL, "one_always_fits", one_of_threads, NULL},
    {LIMITS_ALL, "one_always_fits", one_of_registers, NULL},
    {LIMITS_ALL, "one_always_fits", one_of_shared, NULL},
    {LIMITS_ALL, "threads_for_warps", NULL, all_threads},
    {LIMITS_ALL, "warps_rounded_down", NULL, whole_warps},
    {LIMITS_ALL, "one_warp_too_many", NULL, a_warp_more_each},
    {LIMITS_ALL, "warps_rounded_together", NULL, together_down},
    {LIMITS_ALL, "warps_rounded_together", NULL, together_up},
    {LIMITS_ALL, "warps_of_one_block", NULL, of_one_block},
    {LIMITS_ALL, "warps_there_is_room_for", NULL, all_there_is_room_for},
};

enum { N_KNOWN = sizeof known / sizeof *known };

/* What it gives for a row: of the blocks, or of the warps of right blocks. */
static void apply(const struct known *mistake, const struct limits_row *row, int32_t *blocks,
                  int32_t *warps) {
    const struct multiprocessor *sm = &limits_multiprocessors[row->sm].has;
    unsigned n =
        mistake->rule != NULL ? mistake->rule(sm, &row->block) : limits_resident(sm, &row->block);

    *blocks = (int32_t)n;
    *warps = (int32_t)(mistake->warps != NULL ? mistake->warps(sm, &row->block, n)
                                              : n * limits_warps(sm, &row->block));
}

/* Gives just what was given, of which something is wrong. Where it is about blocks, nothing is
 * asked of the warps: they may be made of the blocks in another wrong way. */
static bool explains(const struct known *mistake, const struct limits_given *given) {
    bool is_wrong = false;

    for (size_t i = 0; i < given->n; i++) {
        const struct limits_row *row = &limits_rows[given->first + i];
        const struct multiprocessor *sm = &limits_multiprocessors[row->sm].has;
        int32_t right = (int32_t)limits_right(given->function, sm, &row->block), blocks, warps;

        apply(mistake, row, &blocks, &warps);
        if (blocks != given->blocks[i] || (mistake->warps != NULL && warps != given->warps[i]))
            return false;
        is_wrong |= blocks != right;
        if (mistake->warps != NULL)
            is_wrong |= warps != right * (int32_t)limits_warps(sm, &row->block);
    }
    return is_wrong;
}

const char *limits_give_known(size_t which, struct limits_given *given) {
    if (which >= N_KNOWN)
        return NULL;
    given->function = known[which].function;
    for (size_t i = 0; i < given->n; i++)
        apply(&known[which], &limits_rows[given->first + i], &given->blocks[i], &given->warps[i]);
    return known[which].id;
}

const char *limits_known(const struct limits_given *given) {
    const char *id = NULL;

    for (size_t i = 0; i < N_KNOWN; i++) {
        if (known[i].function != given->function || !explains(&known[i], given))
            continue;
        if (id != NULL && strcmp(id, known[i].id) != 0)
            return NULL;
        id = known[i].id;
    }
    return id;
}
