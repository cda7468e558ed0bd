/*
 * Cases of the operations: an instruction with its operands as literals, and what it leaves in its
 * destination. The text may be several instructions, the last of which counts.
 *
 * Registers that a case may name: %p0-7, %rs0-7, %r0-7, %rd0-7, %f0-7, %fd0-7. Each case runs with
 * every instruction set of the host that this machine has: with all lanes on, and with every second
 * lane off, whose cells must not change. Literals differ in the lanes that are not looked at, so
 * that no path for equal lanes hides the general one.
 */
#pragma once

#include <criterion/criterion.h>

#include "common/simt/program/decode/program.h"

struct exec_case {
    const char *text;
    uint64_t expected; /* of a predicate: 1 or 0 */
};

void exec_check(const struct exec_case *cases, size_t n_cases);
#define EXEC_CHECK(cases) exec_check(cases, sizeof(cases) / sizeof((cases)[0]))

/* A kernel of the text, decoded, and a warp to run it with. */
struct exec_bench {
    struct ptx_module *module;
    struct simt_program *program;
    struct simt_exec *x;
    const struct simt_insn *last; /* the instruction that counts */
};
/* False where the text is no PTX or holds something unsupported; `diag` says why. */
bool exec_bench_init(struct exec_bench *bench, enum exec_isa isa, const char *text,
                     struct simt_diag *diag);
void exec_bench_finish(struct exec_bench *bench);
/* Fills registers with a pattern, constants with their values, %laneid and its masks. With
 * `uneven`, constants have other values in odd lanes. */
void exec_bench_reset(struct exec_bench *bench, bool uneven);
/* Gives each lane its own value of a constant, after a reset: the one that is `literal`. */
void exec_bench_give(struct exec_bench *bench, uint64_t literal, const uint64_t values[SIMT_LANES]);
/* Runs all instructions with the mask. */
void exec_bench_run(struct exec_bench *bench, uint32_t mask);
/* The last instruction's destination in a lane; what it holds after a reset. */
uint64_t exec_bench_result(const struct exec_bench *bench, unsigned lane);
uint64_t exec_bench_pattern(const struct exec_bench *bench);
