/*
 * Data movement between registers and addresses, PTX ISA section 9.7.9: mov with its packing and
 * unpacking of vectors, cvta, isspacep, ld.param and the clocks.
 */
#include "common/simt/program/isa/ops/lanes.h"

LANES_INLINE uint64_t in_window(uint64_t a, uint64_t base) {
    return a - base < SIMT_WINDOW_BYTES;
}

/* clang-format off */
#define OPERATIONS(UNARY, BINARY, TERNARY)                                                         \
    UNARY(mov_b16, b16, b16, a)                                                                    \
    UNARY(mov_b32, b32, b32, a)                                                                    \
    UNARY(mov_b64, b64, b64, a)                                                                    \
    UNARY(cvta_shared_u64, u64, u64, a + SIMT_SHARED_WINDOW)                                       \
    UNARY(cvta_local_u64, u64, u64, a + SIMT_LOCAL_WINDOW)                                         \
    UNARY(cvta_param_u64, u64, u64, a + SIMT_PARAM_WINDOW)                                         \
    UNARY(cvta_to_shared_u64, u64, u64, a - SIMT_SHARED_WINDOW)                                    \
    UNARY(cvta_to_local_u64, u64, u64, a - SIMT_LOCAL_WINDOW)                                      \
    UNARY(cvta_to_param_u64, u64, u64, a - SIMT_PARAM_WINDOW)
/* clang-format on */

OPERATIONS(LANES_DEFINE_UNARY, , )

/* isspacep: what is in neither window is global (constants have no window of their own). */
#define IN_SPACE(space, expression)                                                                \
    static void isspacep_##space(struct simt_exec *x, const struct simt_insn *insn) {              \
        LANES_POINTER(u64, a)                                                                      \
        uint32_t holds = 0;                                                                        \
        LANES_LOOP {                                                                               \
            LANES_VALUE(u64, a)                                                                    \
            holds |= (expression) ? lanes_bit[i] : 0;                                              \
        }                                                                                          \
        lanes_set_pred(x, insn->d, holds);                                                         \
    }
IN_SPACE(shared, in_window(a, SIMT_SHARED_WINDOW))
IN_SPACE(local, in_window(a, SIMT_LOCAL_WINDOW))
IN_SPACE(const, a != a)
IN_SPACE(param, in_window(a, SIMT_PARAM_WINDOW))
IN_SPACE(global, !in_window(a, SIMT_SHARED_WINDOW) && !in_window(a, SIMT_LOCAL_WINDOW) &&
                     !in_window(a, SIMT_PARAM_WINDOW))

static void mov_pred(struct simt_exec *x, const struct simt_insn *insn) {
    lanes_set_pred(x, insn->d, lanes_get_pred(x, insn, insn->a, 0));
}

/* mov.pred of a literal. */
static void true_pred(struct simt_exec *x, const struct simt_insn *insn) {
    lanes_set_pred(x, insn->d, UINT32_MAX);
}
static void false_pred(struct simt_exec *x, const struct simt_insn *insn) {
    lanes_set_pred(x, insn->d, 0);
}

/* Clocks: a counter that each reading moves on, so that a launch repeats exactly and a loop that
 * waits for a clock ends. A reading counts for 32 cycles, a cycle of %globaltimer for 1 ns. */
enum { CYCLES_PER_READING = 32 };
#define CLOCK(name, t, expression)                                                                 \
    static void name(struct simt_exec *x, const struct simt_insn *insn) {                          \
        const uint64_t now = x->clock += CYCLES_PER_READING;                                       \
        cell_##t *const row_d = LANES_ROW(t, insn->d);                                             \
        LANES_LOOP {                                                                               \
            row_d[i] = x->mask & lanes_bit[i] ? (cell_##t)(expression) : row_d[i];                 \
        }                                                                                          \
    }
CLOCK(clock_u32, b32, now)
CLOCK(clock_hi_u32, b32, now >> 32)
CLOCK(clock_u64, b64, now)

/* Address of a local variable of a device function. */
#define FRAME(t)                                                                                   \
    static void frame_##t(struct simt_exec *x, const struct simt_insn *insn) {                     \
        const cell_32 *const row_a = LANES_ROW32(x, insn->a);                                      \
        cell_##t *const row_d = LANES_ROW(t, insn->d);                                             \
        LANES_LOOP {                                                                               \
            const cell_##t fresh = row_a[i] + (cell_##t)insn->imm;                                 \
            row_d[i] = x->mask & lanes_bit[i] ? fresh : row_d[i];                                  \
        }                                                                                          \
    }
FRAME(u32)
FRAME(u64)

/* ld.param: up to four rows that are constant while the kernel runs. */
#define PARAM(t)                                                                                   \
    static void param_##t(struct simt_exec *x, const struct simt_insn *insn) {                     \
        const uint32_t from[] = {insn->a, insn->b, insn->c, insn->d};                              \
        for (unsigned k = 0; k < insn->n_elements; k++) {                                          \
            if (insn->rows[k] == SIMT_NO_ROW)                                                      \
                continue;                                                                          \
            const cell_##t *const row_a = LANES_ROW(t, from[k]);                                   \
            cell_##t *const row_d = LANES_ROW(t, insn->rows[k]);                                   \
            const uint32_t *const on = x->lanes;                                                   \
            LANES_LOOP {                                                                           \
                row_d[i] = (cell_##t)LANES_KEEP(on[i], row_a[i], row_d[i]);                        \
            }                                                                                      \
        }                                                                                          \
    }
PARAM(b32)
PARAM(b64)

/* Element n of 2 or 4 that a vector packs; the element's width divides the whole. */
LANES_INLINE void put_element(struct simt_exec *x, uint32_t row, unsigned lane, uint64_t value,
                              unsigned bits) {
    if (row != SIMT_NO_ROW && x->mask & lanes_bit[lane])
        LANES_ROW32(x, row)[lane] = (uint32_t)(value & ((UINT64_C(1) << bits) - 1));
}

#define PACK(name, td, n, bits)                                                                    \
    static void pack_##name(struct simt_exec *x, const struct simt_insn *insn) {                   \
        cell_##td *const row_d = LANES_ROW(td, insn->d);                                           \
        LANES_LOOP {                                                                               \
            uint64_t fresh = 0;                                                                    \
            for (unsigned k = 0; k < n; k++)                                                       \
                fresh |=                                                                           \
                    ((uint64_t)LANES_ROW32(x, insn->rows[k])[i] & ((UINT64_C(1) << bits) - 1))     \
                    << bits * k;                                                                   \
            row_d[i] = x->mask & lanes_bit[i] ? (cell_##td)fresh : row_d[i];                       \
        }                                                                                          \
    }                                                                                              \
    static void unpack_##name(struct simt_exec *x, const struct simt_insn *insn) {                 \
        const cell_##td *const row_a = LANES_ROW(td, insn->a);                                     \
        for (unsigned i = 0; i < SIMT_LANES; i++) {                                                \
            const uint64_t whole = row_a[i];                                                       \
            for (unsigned k = 0; k < n; k++)                                                       \
                put_element(x, insn->rows[k], i, whole >> bits * k, bits);                         \
        }                                                                                          \
    }
PACK(b16_b8, b32, 2, 8)
/* The halves of a .b128 register are rows of their own. */
static void pack_b128_b64(struct simt_exec *x, const struct simt_insn *insn) {
    for (unsigned k = 0; k < 2; k++) {
        const cell_64 *const from = LANES_ROW64(x, insn->rows[k]);
        cell_64 *const to = LANES_ROW64(x, insn->d + k * SIMT_LANES * sizeof(cell_64));
        for (unsigned i = 0; i < SIMT_LANES; i++)
            to[i] = x->lanes[i] ? from[i] : to[i];
    }
}

static void unpack_b128_b64(struct simt_exec *x, const struct simt_insn *insn) {
    for (unsigned k = 0; k < 2; k++) {
        const cell_64 *const from = LANES_ROW64(x, insn->a + k * SIMT_LANES * sizeof(cell_64));
        cell_64 *const to = LANES_ROW64(x, insn->rows[k]);
        for (unsigned i = 0; i < SIMT_LANES; i++)
            to[i] = x->lanes[i] ? from[i] : to[i];
    }
}

PACK(b32_b8, b32, 4, 8)
PACK(b32_b16, b32, 2, 16)
PACK(b64_b32, b64, 2, 32)
PACK(b64_b16, b64, 4, 16)

#define ROW_MOVE(key, t) {"mov_" #key, #t "," #t, mov_##t##_full, mov_##t##_part},
#define ROW_PACK(name)   LANES_ROW_HAND(pack_##name, "vector") LANES_ROW_HAND(unpack_##name, "vector")
/* cvta to and from global and constant addresses: generic addresses are the same. */
#define ROW_CVTA(space) {"cvta_" #space "_u64", "u64,u64", mov_b64_full, mov_b64_part},

/* clang-format off */
static const struct exec_variant rows[] = {
    OPERATIONS(LANES_ROW_UNARY, , )
    ROW_MOVE(f32, b32) ROW_MOVE(f64, b64) ROW_MOVE(f16, b16) ROW_MOVE(f16x2, b32)
    ROW_CVTA(global) ROW_CVTA(const) ROW_CVTA(to_global) ROW_CVTA(to_const)
    ROW_PACK(b16_b8) ROW_PACK(b32_b8) ROW_PACK(b32_b16) ROW_PACK(b64_b32) ROW_PACK(b64_b16)
    ROW_PACK(b128_b64)
    LANES_ROW_HAND(isspacep_shared, "pred,u64")
    LANES_ROW_HAND(isspacep_local, "pred,u64")
    LANES_ROW_HAND(isspacep_global, "pred,u64")
    LANES_ROW_HAND(isspacep_const, "pred,u64")
    LANES_ROW_HAND(isspacep_param, "pred,u64")
    LANES_ROW_HAND(frame_u32, "u32")
    LANES_ROW_HAND(frame_u64, "u64")
    LANES_ROW_HAND(mov_pred, "pred,pred")
    LANES_ROW_HAND(true_pred, "pred")
    LANES_ROW_HAND(false_pred, "pred")
    LANES_ROW_HAND(clock_u32, "u32")
    LANES_ROW_HAND(clock_hi_u32, "u32")
    LANES_ROW_HAND(clock_u64, "u64")
    {"globaltimer_u32", "u32", clock_u32, clock_u32},
    {"globaltimer_hi_u32", "u32", clock_hi_u32, clock_hi_u32},
    {"globaltimer_u64", "u64", clock_u64, clock_u64},
    LANES_ROW_HAND(param_b32, "param")
    LANES_ROW_HAND(param_b64, "param")
};
/* clang-format on */
EXEC_EXPORT(move, rows)
