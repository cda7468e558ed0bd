/*
 * Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), on the reversed graph:
 * it starts at the exit and walks against the edges.
 */
#include "common/simt/program/decode/flow/dominators.h"

#include <stdlib.h>

#define NONE UINT32_MAX

struct walk {
    const struct flow_nodes *nodes;
    uint32_t *rank;  /* per node: its place in the post-order from the exit, NONE if not reached */
    uint32_t *order; /* nodes by rank; the exit comes last and is not held */
    uint32_t *stack, *next_edge;
    bool *returns; /* per node: the return can be reached */
    bool *leaves;  /* per node: has an edge to the exit */
    uint32_t n_ranked;
};

/* Depth first, against the edges, from a node that leads to the exit. */
static void visit(struct walk *walk, uint32_t root) {
    const struct flow_edges *edges = &walk->nodes->predecessors;
    uint32_t depth = 0;
    walk->leaves[root] = true;
    walk->stack[depth++] = root;
    walk->next_edge[root] = edges->first[root];
    walk->rank[root] = 0; /* reached; the final rank comes when all behind it are done */
    while (depth) {
        uint32_t node = walk->stack[depth - 1];
        if (walk->next_edge[node] == edges->first[node + 1]) {
            walk->order[walk->n_ranked] = node;
            walk->rank[node] = walk->n_ranked++;
            depth--;
            continue;
        }
        uint32_t from = edges->to[walk->next_edge[node]++];
        if (walk->rank[from] == NONE) {
            walk->rank[from] = 0;
            walk->next_edge[from] = edges->first[from];
            walk->stack[depth++] = from;
        }
    }
}

static void visit_all(struct walk *walk) {
    const struct flow_nodes *nodes = walk->nodes;
    for (uint32_t i = 0; i < nodes->n; i++)
        if (nodes->is_return[i])
            visit(walk, i);
    for (uint32_t i = 0; i < walk->n_ranked; i++)
        walk->returns[walk->order[i]] = true;
    for (uint32_t i = 0; i < nodes->n; i++)
        if (nodes->is_end[i] && walk->rank[i] == NONE)
            visit(walk, i);
    /* What is left runs into an endless loop, and each of these has a latch. */
    for (uint32_t i = nodes->n; i-- > 0;)
        if (nodes->is_latch[i] && walk->rank[i] == NONE)
            visit(walk, i);
}

/* The nearest common post-dominator; ranks grow towards the exit. */
static uint32_t intersect(const struct walk *walk, const uint32_t *post_dominator, uint32_t a,
                          uint32_t b) {
    uint32_t exit = walk->nodes->n;
    while (a != b && a != exit && b != exit) {
        if (walk->rank[a] < walk->rank[b])
            a = post_dominator[a];
        else
            b = post_dominator[b];
    }
    return a == b ? a : exit;
}

static uint32_t meet_successors(const struct walk *walk, const uint32_t *post_dominator,
                                uint32_t node) {
    const struct flow_edges *edges = &walk->nodes->successors;
    uint32_t meet = walk->leaves[node] ? walk->nodes->n : NONE;
    for (uint32_t e = edges->first[node]; e < edges->first[node + 1]; e++) {
        uint32_t to = edges->to[e];
        if (walk->returns[to] != walk->returns[node] || post_dominator[to] == NONE)
            continue;
        meet = meet == NONE ? to : intersect(walk, post_dominator, meet, to);
    }
    return meet;
}

static void iterate(const struct walk *walk, uint32_t *post_dominator) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = walk->n_ranked; i-- > 0;) {
            uint32_t node = walk->order[i];
            uint32_t meet = meet_successors(walk, post_dominator, node);
            changed |= post_dominator[node] != meet;
            post_dominator[node] = meet;
        }
    }
}

bool flow_post_dominators(const struct flow_nodes *nodes, uint32_t *post_dominator) {
    size_t n = nodes->n ? nodes->n : 1;
    struct walk walk = {
        .nodes = nodes,
        .rank = malloc(n * sizeof(uint32_t)),
        .order = malloc(n * sizeof(uint32_t)),
        .stack = malloc(n * sizeof(uint32_t)),
        .next_edge = malloc(n * sizeof(uint32_t)),
        .returns = calloc(n, sizeof(bool)),
        .leaves = calloc(n, sizeof(bool)),
    };
    bool ok =
        walk.rank && walk.order && walk.stack && walk.next_edge && walk.returns && walk.leaves;
    if (ok) {
        for (uint32_t i = 0; i < nodes->n; i++)
            walk.rank[i] = post_dominator[i] = NONE;
        visit_all(&walk);
        iterate(&walk, post_dominator);
    }
    free(walk.rank);
    free(walk.order);
    free(walk.stack);
    free(walk.next_edge);
    free(walk.returns);
    free(walk.leaves);
    return ok;
}
