/*
 * Immediate post-dominators of a directed graph whose nodes are numbered from 0.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Neighbours of node i: to[first[i]] to to[first[i + 1] - 1]. */
struct flow_edges {
    uint32_t *first, *to;
};

/*
 * The graph, its edges both ways. `is_return` marks the node of the return that all others lead to,
 * `is_end` marks every node without successor (that one too), `is_latch` those with an edge to
 * themselves or to a lower node.
 */
struct flow_nodes {
    uint32_t n;
    struct flow_edges successors, predecessors;
    const bool *is_return, *is_end, *is_latch;
};

/*
 * Fills post_dominator[0 … n): the immediate post-dominator, or n, which stands for the exit.
 *
 * What never comes back is not waited for: of a node from which the return can be reached only
 * those successors count from which it can be reached as well. The rest of the graph (traps, early
 * ends, endless loops) is treated apart: each of its ends leads to the exit, and of an endless loop
 * the last latch does. False when the host has no memory.
 */
bool flow_post_dominators(const struct flow_nodes *nodes, uint32_t *post_dominator);
