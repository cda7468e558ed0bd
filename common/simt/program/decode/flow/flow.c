/*
 * Basic blocks and their edges, from the branches of a function.
 */
#include "common/simt/program/decode/flow/flow.h"

#include <stdlib.h>

#include "common/base/owned.h"
#include "common/simt/program/decode/flow/dominators.h"

/* bra and brx. */
static bool is_jump(const struct ptx_insn *insn) {
    enum isa_flow flow = isa_opcodes[insn->opcode].flow;
    return flow == ISA_FLOW_BRANCH || flow == ISA_FLOW_SWITCH;
}

/* ret, exit and trap. */
static bool is_end(const struct ptx_insn *insn) {
    return isa_goes_elsewhere(insn->opcode) && !is_jump(insn);
}

/* Whether some lanes may go one way and some another. */
static bool may_diverge(const struct ptx_insn *insn) {
    return isa_opcodes[insn->opcode].flow == ISA_FLOW_SWITCH ||
           (insn->guard >= 0 && isa_goes_elsewhere(insn->opcode));
}

bool flow_falls_through(const struct ptx_insn *insn) {
    return insn->guard >= 0 || !isa_goes_elsewhere(insn->opcode);
}

/* The label of bra is operand 0; brx has a table. */
uint32_t flow_n_targets(const struct ptx_insn *insn) {
    if (!is_jump(insn) || !insn->n_operands)
        return 0;
    const struct ptx_operand *last = &insn->operands[insn->n_operands - 1];
    if (last->kind == PTX_OP_LABEL)
        return 1;
    return last->kind == PTX_OP_LIST ? (uint32_t)last->n_elements : 0;
}

uint32_t flow_target(const struct ptx_insn *insn, uint32_t i) {
    const struct ptx_operand *last = &insn->operands[insn->n_operands - 1];
    return (uint32_t)(last->kind == PTX_OP_LABEL ? last->integer : last->elements[i].integer);
}

static void find_blocks(const struct ptx_function *function, struct flow_graph *graph) {
    uint32_t n = (uint32_t)function->n_insns, block = 0;
    /* block_of first marks where blocks start. */
    graph->block_of[0] = 1;
    for (uint32_t i = 0; i < n; i++) {
        const struct ptx_insn *insn = &function->insns[i];
        for (uint32_t t = 0; t < flow_n_targets(insn); t++) {
            graph->block_of[flow_target(insn, t)] = 1;
            graph->is_back_edge[i] |= flow_target(insn, t) <= i;
        }
        if (i + 1 < n && (is_jump(insn) || is_end(insn)))
            graph->block_of[i + 1] = 1;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (graph->block_of[i]) {
            if (i)
                graph->end[block - 1] = i;
            graph->first[block++] = i;
        }
        graph->block_of[i] = block - 1;
    }
    graph->end[block - 1] = n;
    graph->n_blocks = block;
}

static void find_successors(const struct ptx_function *function, const struct flow_graph *graph,
                            struct flow_edges *edges) {
    uint32_t n = 0;
    for (uint32_t b = 0; b < graph->n_blocks; b++) {
        const struct ptx_insn *last = &function->insns[graph->end[b] - 1];
        edges->first[b] = n;
        for (uint32_t t = 0; t < flow_n_targets(last); t++)
            edges->to[n++] = graph->block_of[flow_target(last, t)];
        if (flow_falls_through(last) && b + 1 < graph->n_blocks)
            edges->to[n++] = b + 1;
    }
    edges->first[graph->n_blocks] = n;
}

static void reverse(const struct flow_edges *edges, uint32_t n, struct flow_edges *reversed) {
    uint32_t n_edges = edges->first[n];
    for (uint32_t e = 0; e < n_edges; e++)
        reversed->first[edges->to[e] + 1]++;
    for (uint32_t i = 0; i < n; i++)
        reversed->first[i + 1] += reversed->first[i];
    for (uint32_t from = n; from-- > 0;)
        for (uint32_t e = edges->first[from]; e < edges->first[from + 1]; e++)
            reversed->to[reversed->first[edges->to[e]]++] = from;
    /* Each `first` now stands where the next one began. */
    for (uint32_t i = n; i > 0; i--)
        reversed->first[i] = reversed->first[i - 1];
    reversed->first[0] = 0;
}

static void mark_ends(const struct ptx_function *function, const struct flow_graph *graph,
                      bool *is_return, bool *ends, bool *is_latch) {
    uint32_t last_return = UINT32_MAX;
    for (uint32_t b = 0; b < graph->n_blocks; b++) {
        uint32_t i = graph->end[b] - 1;
        const struct ptx_insn *last = &function->insns[i];
        ends[b] = (is_end(last) && last->guard < 0) ||
                  (flow_falls_through(last) && b + 1 == graph->n_blocks && !flow_n_targets(last));
        if (ends[b] && isa_opcodes[last->opcode].flow == ISA_FLOW_RETURN)
            last_return = b;
        is_latch[b] = graph->is_back_edge[i];
    }
    if (last_return != UINT32_MAX)
        is_return[last_return] = true;
}

static bool find_reconvergence(const struct ptx_function *function, struct flow_graph *graph) {
    uint32_t n = graph->n_blocks, n_edges = n;
    for (uint32_t i = 0; i < function->n_insns; i++)
        n_edges += flow_n_targets(&function->insns[i]);
    OWNED uint32_t *words = calloc((size_t)3 * n + 2 + (size_t)2 * n_edges, sizeof *words);
    OWNED bool *flags = calloc((size_t)3 * n, sizeof *flags);
    bool ok = words && flags;
    if (ok) {
        struct flow_edges successors = {words, words + n + 1};
        struct flow_edges predecessors = {successors.to + n_edges, successors.to + n_edges + n + 1};
        uint32_t *post_dominator = predecessors.to + n_edges;
        find_successors(function, graph, &successors);
        reverse(&successors, n, &predecessors);
        mark_ends(function, graph, flags, flags + n, flags + 2 * (size_t)n);
        struct flow_nodes nodes = {n,     successors, predecessors,
                                   flags, flags + n,  flags + 2 * (size_t)n};
        ok = flow_post_dominators(&nodes, post_dominator);
        for (uint32_t i = 0; ok && i < function->n_insns; i++) {
            uint32_t meet = post_dominator[graph->block_of[i]];
            bool meets = may_diverge(&function->insns[i]) && meet < n;
            graph->reconverge[i] = meets ? graph->first[meet] : FLOW_EXIT;
        }
    }
    return ok;
}

struct flow_graph *flow_build(const struct ptx_function *function) {
    size_t n = function->n_insns ? function->n_insns : 1;
    struct flow_graph *graph = calloc(1, sizeof *graph);
    if (!graph)
        return NULL;
    graph->block_of = calloc(n, sizeof *graph->block_of);
    graph->first = calloc(n, sizeof *graph->first);
    graph->end = calloc(n, sizeof *graph->end);
    graph->reconverge = calloc(n, sizeof *graph->reconverge);
    graph->is_back_edge = calloc(n, sizeof *graph->is_back_edge);
    bool ok =
        graph->block_of && graph->first && graph->end && graph->reconverge && graph->is_back_edge;
    if (ok && function->n_insns) {
        find_blocks(function, graph);
        ok = find_reconvergence(function, graph);
    }
    if (!ok) {
        flow_free(graph);
        return NULL;
    }
    return graph;
}

void flow_free(struct flow_graph *graph) {
    if (!graph)
        return;
    free(graph->block_of);
    free(graph->first);
    free(graph->end);
    free(graph->reconverge);
    free(graph->is_back_edge);
    free(graph);
}
