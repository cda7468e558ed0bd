/*
 * The turns of a launch: which cta ran from which stamp on. A cta that never waits for another has
 * one turn.
 */
#ifndef SIMT_CHECKS_TURNS_H
#define SIMT_CHECKS_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct simt_turns {
    struct simt_turn {
        uint64_t stamp, cta;
    } * list; /* stamps rise */
    size_t n, room;
    bool is_full; /* the list ends too early */
};

/* A cta's turn begins. After the first few million turns, or where the host has no memory left,
 * nothing is noted any more. */
void simt_turns_add(struct simt_turns *turns, uint64_t stamp, uint64_t cta);

/* The cta that ran at a stamp; `unknown` where that was not noted. */
uint64_t simt_turns_find(const struct simt_turns *turns, uint64_t stamp, uint64_t unknown);

#endif
