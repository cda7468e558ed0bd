/*
 * Exchange between the lanes of a warp: shfl.sync, vote.sync, match.sync, redux.sync, elect.sync,
 * PTX ISA sections 9.7.9 and 9.7.13. The scheduler runs them when the lanes of the member mask are
 * together, so x->mask is that mask (or what is alive of it).
 */
#include "common/simt/program/isa/ops/lanes.h"
#include "common/simt/program/isa/shuffle.h"

/* Sources first, as vectors, then the exchange. */
#define SHUFFLE(name, mode)                                                                        \
    static void shfl_##name(struct simt_exec *x, const struct simt_insn *insn) {                   \
        uint32_t sources[SIMT_LANES], fresh[SIMT_LANES], in_range = 0;                             \
        const cell_32 *const row_a = LANES_ROW32(x, insn->a);                                      \
        cell_32 *const row_d = LANES_ROW32(x, insn->d);                                            \
        LANES_LOOP {                                                                               \
            bool valid;                                                                            \
            sources[i] = shuffle_source(x, insn, mode, i, &valid);                                 \
            in_range |= valid ? lanes_bit[i] : 0;                                                  \
        }                                                                                          \
        for (unsigned i = 0; i < SIMT_LANES; i++)                                                  \
            fresh[i] = row_a[sources[i]];                                                          \
        LANES_LOOP {                                                                               \
            row_d[i] = lanes_keep32(x->lanes[i], fresh[i], row_d[i]);                              \
        }                                                                                          \
        if (insn->d2 != SIMT_NO_ROW)                                                               \
            lanes_set_pred(x, insn->d2, in_range);                                                 \
    }
SHUFFLE(up, EXEC_SHUFFLE_UP)
SHUFFLE(down, EXEC_SHUFFLE_DOWN)
SHUFFLE(bfly, EXEC_SHUFFLE_BFLY)
SHUFFLE(idx, EXEC_SHUFFLE_IDX)

/* Writes one value in all lanes that are on. */
LANES_INLINE void broadcast(struct simt_exec *x, const struct simt_insn *insn, uint32_t value) {
    cell_32 *const row_d = LANES_ROW32(x, insn->d);
    LANES_LOOP {
        row_d[i] = lanes_keep32(x->lanes[i], value, row_d[i]);
    }
}

#define VOTE(name, expression)                                                                     \
    static void name(struct simt_exec *x, const struct simt_insn *insn) {                          \
        const uint32_t yes = lanes_get_pred(x, insn, insn->a, 0) & x->mask;                        \
        lanes_set_pred(x, insn->d, (expression) ? UINT32_MAX : 0);                                 \
    }
VOTE(vote_sync_all_pred, yes == x->mask)
VOTE(vote_sync_any_pred, yes != 0)
VOTE(vote_sync_uni_pred, yes == x->mask || yes == 0)

static void vote_sync_ballot_b32(struct simt_exec *x, const struct simt_insn *insn) {
    broadcast(x, insn, lanes_get_pred(x, insn, insn->a, 0) & x->mask);
}

static void activemask_b32(struct simt_exec *x, const struct simt_insn *insn) {
    broadcast(x, insn, x->mask);
}

/* match.any: which lanes hold the same value as this one. match.all: whether all do. */
#define MATCH(t)                                                                                   \
    static void match_any_sync_##t(struct simt_exec *x, const struct simt_insn *insn) {            \
        const cell_##t *const row_a = LANES_ROW(t, insn->a);                                       \
        cell_##t a[SIMT_LANES];                                                                    \
        memcpy(a, row_a, sizeof(a));                                                               \
        for (unsigned lane = 0; lane < SIMT_LANES; lane++) {                                       \
            uint32_t same = 0;                                                                     \
            LANES_LOOP {                                                                           \
                same |= a[i] == a[lane] ? lanes_bit[i] : 0;                                        \
            }                                                                                      \
            if (x->mask >> lane & 1)                                                               \
                LANES_ROW32(x, insn->d)[lane] = same & x->mask;                                    \
        }                                                                                          \
    }                                                                                              \
    static void match_all_sync_##t(struct simt_exec *x, const struct simt_insn *insn) {            \
        const cell_##t *const row_a = LANES_ROW(t, insn->a);                                       \
        const cell_##t first = row_a[x->mask ? __builtin_ctz(x->mask) : 0];                        \
        uint32_t same = 0;                                                                         \
        LANES_LOOP {                                                                               \
            same |= row_a[i] == first ? lanes_bit[i] : 0;                                          \
        }                                                                                          \
        const bool all = (same & x->mask) == x->mask;                                              \
        broadcast(x, insn, all ? x->mask : 0);                                                     \
        if (insn->d2 != SIMT_NO_ROW)                                                               \
            lanes_set_pred(x, insn->d2, all ? UINT32_MAX : 0);                                     \
    }
MATCH(b32)
MATCH(b64)

/* redux: one value from those of all lanes that are on. */
#define REDUX(name, t, start, expression)                                                          \
    static void redux_sync_##name(struct simt_exec *x, const struct simt_insn *insn) {             \
        LANES_POINTER(t, a)                                                                        \
        value_##t total = start;                                                                   \
        for (uint32_t left = x->mask; left; left &= left - 1) {                                    \
            const value_##t a = get_##t(row_a[__builtin_ctz(left)]);                               \
            total = (expression);                                                                  \
        }                                                                                          \
        broadcast(x, insn, put_##t(total));                                                        \
    }
#define REDUCTIONS(X)                                                                              \
    X(add_b32, b32, 0, total + a)                                                                  \
    X(and_b32, b32, UINT32_MAX, total &a)                                                          \
    X(or_b32, b32, 0, total | a)                                                                   \
    X(xor_b32, b32, 0, total ^ a)                                                                  \
    X(min_u32, u32, UINT32_MAX, LANES_MIN(total, a))                                               \
    X(max_u32, u32, 0, LANES_MAX(total, a))                                                        \
    X(min_s32, s32, INT32_MAX, LANES_MIN(total, a))                                                \
    X(max_s32, s32, INT32_MIN, LANES_MAX(total, a))
REDUCTIONS(REDUX)

/* elect: the lowest lane leads. */
static void elect_sync(struct simt_exec *x, const struct simt_insn *insn) {
    broadcast(x, insn, x->mask ? (uint32_t)__builtin_ctz(x->mask) : 0);
    if (insn->d2 != SIMT_NO_ROW)
        lanes_set_pred(x, insn->d2, x->mask & (0 - x->mask));
}

#define ROW_SHFL(mode, number)                                                                     \
    {"shfl_sync_" #mode "_b32", "b32,b32,b32,b32,member,#" #number, shfl_##mode, shfl_##mode},
/* vote.ballot.sync: assembly in headers has the modifiers that way round. */
#define ROW_OLD_VOTE(key, signature, run) {"vote_" #key, signature, run, run},
#define ROW_REDUX(name, t, start, expression)                                                      \
    {"redux_sync_" #name, #t "," #t ",member", redux_sync_##name, redux_sync_##name},

/* clang-format off */
static const struct exec_variant rows[] = {
    ROW_SHFL(up, 1) ROW_SHFL(down, 2) ROW_SHFL(bfly, 3) ROW_SHFL(idx, 4)
    LANES_ROW_HAND(vote_sync_all_pred, "pred,pred,member")
    LANES_ROW_HAND(vote_sync_any_pred, "pred,pred,member")
    LANES_ROW_HAND(vote_sync_uni_pred, "pred,pred,member")
    LANES_ROW_HAND(vote_sync_ballot_b32, "b32,pred,member")
    ROW_OLD_VOTE(all_sync_pred, "pred,pred,member", vote_sync_all_pred)
    ROW_OLD_VOTE(any_sync_pred, "pred,pred,member", vote_sync_any_pred)
    ROW_OLD_VOTE(uni_sync_pred, "pred,pred,member", vote_sync_uni_pred)
    ROW_OLD_VOTE(ballot_sync_b32, "b32,pred,member", vote_sync_ballot_b32)
    LANES_ROW_HAND(activemask_b32, "b32")
    LANES_ROW_HAND(match_any_sync_b32, "b32,b32,member")
    LANES_ROW_HAND(match_any_sync_b64, "b32,b64,member")
    LANES_ROW_HAND(match_all_sync_b32, "b32,b32,member")
    LANES_ROW_HAND(match_all_sync_b64, "b32,b64,member")
    REDUCTIONS(ROW_REDUX)
    LANES_ROW_HAND(elect_sync, "b32,member")
};
/* clang-format on */
EXEC_EXPORT(collective, rows)
