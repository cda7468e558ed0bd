/*
 * An estimate of machine instructions: those PTX instructions for which a GPU has no single one.
 *
 * The numbers are what ptxas 13.0 makes of each for sm_90, counted in nvdisasm's listing: by how
 * much it grows with each more of it in a kernel, on the path that ordinary numbers take (a
 * division of denormals leaves it), subroutines included. Instructions that take less than 4 are
 * left out: there, what ptxas joins and what it splits is about as much.
 */
#include "common/simt/run/sm.h"

#include <string.h>

/* Both words must be there; the first row that fits counts. */
static const struct {
    const char *opcode, *word, *and;
    unsigned n;
} costs[] = {
    {"div", "u16", "u16", 23},   {"div", "s16", "s16", 29},    {"div", "u32", "u32", 18},
    {"div", "s32", "s32", 26},   {"div", "u64", "u64", 72},    {"div", "s64", "s64", 88},
    {"rem", "u16", "u16", 25},   {"rem", "s16", "s16", 32},    {"rem", "u32", "u32", 17},
    {"rem", "s32", "s32", 24},   {"rem", "u64", "u64", 68},    {"rem", "s64", "s64", 82},
    {"div", "approx", "ftz", 2}, {"div", "approx", "f32", 5},  {"div", "full", "ftz", 5},
    {"div", "full", "f32", 8},   {"div", "f32", "f32", 10},    {"div", "f64", "f64", 16},
    {"rcp", "approx", "ftz", 1}, {"rcp", "approx", "f32", 7},  {"rcp", "f32", "f32", 10},
    {"rcp", "f64", "f64", 11},   {"sqrt", "approx", "ftz", 1}, {"sqrt", "approx", "f32", 4},
    {"sqrt", "f32", "f32", 10},  {"sqrt", "f64", "f64", 18},   {"rsqrt", "approx", "ftz", 1},
    {"rsqrt", "f32", "f32", 4},  {"rsqrt", "f64", "f64", 14},  {"ex2", "ftz", "ftz", 1},
    {"ex2", "f32", "f32", 4},    {"lg2", "ftz", "ftz", 1},     {"lg2", "f32", "f32", 4},
    {"mul", "lo", "u64", 4},     {"mul", "lo", "s64", 4},      {"mul", "hi", "u64", 7},
    {"mul", "hi", "s64", 17},    {"mad", "lo", "u64", 5},      {"mad", "lo", "s64", 5},
    {"mad", "hi", "u64", 7},     {"mad", "hi", "s64", 17},     {"min", "u64", "u64", 4},
    {"min", "s64", "s64", 4},    {"max", "u64", "u64", 4},     {"max", "s64", "s64", 4},
    {"abs", "s64", "s64", 5},    {"clz", "b64", "b64", 6},     {"min", "f64", "f64", 7},
    {"max", "f64", "f64", 7},
};

unsigned simt_machine_instructions(const struct ptx_insn *insn) {
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) {
        if (strcmp(insn->opcode, costs[i].opcode) == 0 && ptx_has(insn, costs[i].word) &&
            ptx_has(insn, costs[i].and))
            return costs[i].n;
    }
    return 1;
}
