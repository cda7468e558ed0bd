/*
 * Tests of reconvergence: small functions with their meeting points by hand, then random ones
 * against the definition of a post-dominator.
 */
#include "common/simt/program/decode/flow/flow.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct ptx_module *parsed(const char *body) {
    char text[4096];
    struct simt_diag diag;
    int bytes = snprintf(text, sizeof text,
                         ".version 9.0\n.target sm_75\n.address_size 64\n.entry k()\n{\n"
                         ".reg .pred %%p<9>;\n.reg .b32 %%r<9>;\n%s\n}\n",
                         body);
    struct ptx_module *module = ptx_parse(text, (size_t)bytes, &diag);
    cr_assert_not_null(module, "line %u: %s", diag.line, diag.message);
    return module;
}

/* "1:4 6:exit" where instruction 1's lanes meet at 4, and those of 6 at the exit. */
static void expect(const char *body, const char *wanted, const char *wanted_back_edges) {
    struct ptx_module *module = parsed(body);
    const struct ptx_function *function = ptx_find_function(module, "k");
    struct flow_graph *graph = flow_build(function);
    cr_assert_not_null(graph);
    char got[256] = "", back_edges[256] = "";
    for (uint32_t i = 0; i < function->n_insns; i++) {
        const struct ptx_insn *insn = &function->insns[i];
        bool diverges = insn->guard >= 0 || insn->opcode == ISA_BRX;
        size_t used = strlen(got), back_used = strlen(back_edges);
        const char *space = used ? " " : "";
        if (diverges && graph->reconverge[i] == FLOW_EXIT)
            snprintf(got + used, sizeof got - used, "%s%u:exit", space, i);
        else if (diverges)
            snprintf(got + used, sizeof got - used, "%s%u:%u", space, i, graph->reconverge[i]);
        else
            cr_expect_eq(graph->reconverge[i], FLOW_EXIT, "%s: %s", body, insn->text);
        if (graph->is_back_edge[i])
            snprintf(back_edges + back_used, sizeof back_edges - back_used, "%s%u",
                     back_used ? " " : "", i);
    }
    cr_expect_str_eq(got, wanted, "%s\ngot %s, wanted %s", body, got, wanted);
    cr_expect_str_eq(back_edges, wanted_back_edges, "%s\ngot %s", body, back_edges);
    flow_free(graph);
    ptx_free(module);
}

#define WORK "membar.cta;\n" /* any instruction that goes on to the next */

Test(flow, meets_behind_an_if) {
    expect(WORK "@%p1 bra L;\n" WORK WORK "L: ret;", "1:4", "");
    expect("@%p1 bra L;\nL: ret;", "0:1", "");
}

Test(flow, meets_behind_both_sides_of_an_if) {
    expect("@%p1 bra ELSE;\n" WORK "bra.uni END;\nELSE: " WORK "END: " WORK "ret;", "0:4", "");
}

Test(flow, meets_inside_first_when_nested) {
    expect("@%p1 bra OUTER;\n" WORK "@!%p2 bra INNER;\n" WORK "INNER: " WORK "OUTER: ret;",
           "0:5 2:4", "");
    expect("@%p1 bra OUTER;\n@%p2 bra OUTER;\n" WORK "OUTER: ret;", "0:3 1:3", "");
}

Test(flow, meets_behind_a_loop) {
    expect("L: " WORK "@%p1 bra L;\n" WORK "ret;", "1:2", "1");
    expect("bra TEST;\nL: " WORK "TEST: @%p1 bra L;\nret;", "2:3", "2");
    expect("L: @%p1 bra L;\nret;", "0:1", "0");
}

Test(flow, meets_behind_a_loop_with_a_break) {
    /* for (;;) { if (p1) break; work; if (p2) break; } work */
    expect("L: @%p1 bra END;\n" WORK "@%p2 bra END;\nbra.uni L;\nEND: " WORK "ret;", "0:4 2:4",
           "3");
    /* continue: the lanes meet at the latch. */
    expect("L: @%p1 bra NEXT;\n" WORK "NEXT: @%p2 bra L;\nret;", "0:2 2:3", "2");
}

Test(flow, meets_behind_both_loops_when_nested) {
    expect("A: " WORK "B: " WORK "@%p1 bra B;\n@%p2 bra A;\nret;", "2:3 3:4", "2 3");
}

Test(flow, meets_at_the_common_return) {
    /* if (p1) return; work; if (p2) return; work; return, as nvcc writes it */
    expect("@%p1 bra END;\n" WORK "@%p2 bra END;\n" WORK "END: ret;", "0:4 2:4", "");
}

Test(flow, does_not_wait_for_lanes_that_returned_early) {
    expect("@%p1 bra L;\nret;\nL: " WORK "ret;", "0:2", "");
    /* An early return in a nested branch does not keep the outer one apart. */
    expect("@%p1 bra END;\n@%p2 bra IN;\nret;\nIN: " WORK "END: " WORK "ret;", "0:4 1:3", "");
}

Test(flow, goes_on_behind_a_guarded_exit) {
    expect(WORK "@%p1 exit;\n" WORK "@%p2 ret;\nret;", "1:2 3:4", "");
    expect("@%p1 bra L;\n@%p2 exit;\n" WORK "L: ret;", "0:3 1:2", "");
    expect("L: " WORK "@%p1 exit;\n@%p2 bra L;\nret;", "1:2 2:3", "2");
}

Test(flow, does_not_wait_for_lanes_that_trap) {
    /* if (p1) { if (p2) trap; work } work */
    expect("@%p1 bra END;\n@%p2 bra BAD;\n" WORK "END: " WORK "ret;\nBAD: " WORK "trap;", "0:3 1:2",
           "");
    /* A function that ends in traps alone has nowhere to meet but the exit. */
    expect("@%p1 bra L;\ntrap;\nL: trap;", "0:exit", "");
}

Test(flow, meets_inside_an_endless_loop) {
    /* for (;;) { if (p1) work; work } */
    expect("L: @%p1 bra NEXT;\n" WORK "NEXT: " WORK "bra L;", "0:2", "3");
    /* A lane that enters one is not waited for. */
    expect("@%p1 bra L;\n" WORK "ret;\nL: bra L;", "0:1", "3");
    expect("@%p1 bra M;\nL: bra L;\nM: bra M;", "0:exit", "1 2");
    expect("L: @%p1 bra L;\nM: bra M;", "0:1", "0 1");
}

Test(flow, meets_behind_a_switch) {
    expect("t: .branchtargets A, B, C;\n@%p1 bra D;\nbrx.idx %r1, t;\nA: " WORK "bra D;\nB: " WORK
           "C: " WORK "D: ret;",
           "0:6 1:6", "");
    /* B falls through to C, and A goes there too: they meet there. */
    expect("t: .branchtargets A, B;\nbrx.idx %r1, t;\nA: " WORK "bra C;\nB: " WORK "C: " WORK
           "D: ret;",
           "0:4", "");
}

Test(flow, cuts_blocks_at_branches_and_labels) {
    struct ptx_module *module = parsed(WORK "@%p1 bra L;\n" WORK "L: " WORK "ret;\n" WORK);
    struct flow_graph *graph = flow_build(ptx_find_function(module, "k"));
    cr_assert_not_null(graph);
    static const uint32_t block_of[] = {0, 0, 1, 2, 2, 3, 3};
    cr_assert_eq(graph->n_blocks, 4);
    for (uint32_t i = 0; i < 7; i++)
        cr_expect_eq(graph->block_of[i], block_of[i], "instruction %u", i);
    for (uint32_t b = 0; b < 4; b++) {
        cr_expect_eq(block_of[graph->first[b]], b);
        cr_expect_eq(block_of[graph->end[b] - 1], b);
    }
    flow_free(graph);
    ptx_free(module);
}

Test(flow, treats_a_function_without_a_body) {
    struct ptx_function function = {.name = "f"};
    struct flow_graph *graph = flow_build(&function);
    cr_assert_not_null(graph);
    cr_expect_eq(graph->n_blocks, 0);
    flow_free(graph);
}

/* Random functions: N blocks of one jump each; block i is instruction i. */
enum { N = 12, N_FUNCTIONS = 2000 };

struct random_function {
    uint32_t n, successors[N][2], n_successors[N];
};

static uint32_t draw(uint64_t *state, uint32_t below) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % below;
}

static void make(struct random_function *function, uint64_t *state, char *body, size_t bytes) {
    function->n = 2 + draw(state, N - 1);
    size_t used = 0;
    for (uint32_t i = 0; i < function->n; i++) {
        uint32_t to = draw(state, function->n), kind = draw(state, 8);
        uint32_t *successors = function->successors[i];
        successors[0] = to;
        successors[1] = i + 1;
        function->n_successors[i] = i + 1 == function->n || !kind ? 0 : kind < 3 ? 1 : 2;
        used += (size_t)snprintf(body + used, bytes - used, "L%u: ", i);
        if (i + 1 == function->n)
            used += (size_t)snprintf(body + used, bytes - used, "ret;\n");
        else if (!kind)
            used += (size_t)snprintf(body + used, bytes - used, "trap;\n");
        else
            used += (size_t)snprintf(body + used, bytes - used, "%sbra L%u;\n",
                                     kind < 3 ? "" : "@%p1 ", to);
    }
    cr_assert_lt(used, bytes);
}

/* Whether a path leads from one block to another without touching a third. */
static bool reaches(const struct random_function *function, uint32_t from, uint32_t to,
                    uint32_t without) {
    bool reached[N] = {false};
    if (from == without)
        return false;
    reached[from] = true;
    for (uint32_t round = 0; round < function->n; round++)
        for (uint32_t i = 0; i < function->n; i++)
            for (uint32_t k = 0; reached[i] && k < function->n_successors[i]; k++)
                if (function->successors[i][k] != without)
                    reached[function->successors[i][k]] = true;
    return reached[to];
}

/* The post-dominator nearest to a block, by definition: without it the return can't be reached,
 * and it is the one before all others of that kind. */
static uint32_t nearest(const struct random_function *function, uint32_t block) {
    uint32_t last = function->n - 1;
    for (uint32_t d = 0; d < function->n; d++) {
        if (d == block || !reaches(function, block, d, N) || reaches(function, block, last, d))
            continue;
        bool is_nearest = true;
        for (uint32_t e = 0; e < function->n; e++)
            if (e != block && e != d && reaches(function, block, e, N) &&
                !reaches(function, block, last, e) && reaches(function, block, e, d))
                is_nearest = false;
        if (is_nearest)
            return d;
    }
    return FLOW_EXIT;
}

Test(flow, agrees_with_the_definition_on_random_functions) {
    uint64_t state = 20240607;
    unsigned n_compared = 0;
    for (int f = 0; f < N_FUNCTIONS; f++) {
        struct random_function random;
        char body[1024];
        make(&random, &state, body, sizeof body);
        struct ptx_module *module = parsed(body);
        struct flow_graph *graph = flow_build(ptx_find_function(module, "k"));
        cr_assert_not_null(graph);
        for (uint32_t i = 0; i + 1 < random.n; i++) {
            if (random.n_successors[i] < 2 || !reaches(&random, i, random.n - 1, N))
                continue;
            uint32_t wanted = nearest(&random, i);
            cr_assert_eq(graph->reconverge[i], wanted, "branch %u: %u, not %u, in\n%s", i,
                         graph->reconverge[i], wanted, body);
            n_compared++;
        }
        flow_free(graph);
        ptx_free(module);
    }
    cr_expect_gt(n_compared, N_FUNCTIONS);
}
