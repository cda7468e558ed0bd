/*
 * mbarrier: barriers that lie in shared memory, of which a thread may arrive at one line and wait
 * at another. PTX ISA 9.7.13.15. The object is opaque to programs; here its 64 bits hold, from low
 * to high: the expected count (20 bits), the pending count (20), bytes still to come (22), the
 * parity of the phase (bit 63). What `arrive` returns is the object as it was before.
 */
#include "common/simt/access/access.h"

#include <string.h>

enum { COUNT_BITS = 20, BYTES_SHIFT = 40, BYTES_BITS = 22 };
#define COUNT_MASK ((UINT64_C(1) << COUNT_BITS) - 1)
#define BYTES_MASK ((UINT64_C(1) << BYTES_BITS) - 1)
#define PHASE      (UINT64_C(1) << 63)

struct counts {
    uint64_t expected, pending, bytes, phase;
};

static struct counts unpack(uint64_t object) {
    return (struct counts){
        .expected = object & COUNT_MASK,
        .pending = object >> COUNT_BITS & COUNT_MASK,
        .bytes = object >> BYTES_SHIFT & BYTES_MASK,
        .phase = object & PHASE,
    };
}

/* The phase is complete when all have arrived and all bytes have come; the next one begins. */
static uint64_t pack(struct counts counts) {
    if ((counts.pending & COUNT_MASK) == 0 && (counts.bytes & BYTES_MASK) == 0) {
        counts.phase ^= PHASE;
        counts.pending = counts.expected;
    }
    return counts.phase | (counts.bytes & BYTES_MASK) << BYTES_SHIFT |
           (counts.pending & COUNT_MASK) << COUNT_BITS | (counts.expected & COUNT_MASK);
}

static uint64_t initialise(uint64_t object, uint32_t operand) {
    (void)object;
    return (uint64_t)operand << COUNT_BITS | operand;
}

static uint64_t invalidate(uint64_t object, uint32_t operand) {
    (void)object;
    (void)operand;
    return 0;
}

static uint64_t arrive(uint64_t object, uint32_t operand) {
    struct counts counts = unpack(object);
    counts.pending -= operand;
    return pack(counts);
}

static uint64_t arrive_drop(uint64_t object, uint32_t operand) {
    struct counts counts = unpack(object);
    counts.expected -= operand;
    counts.pending -= operand;
    return pack(counts);
}

static uint64_t expect(uint64_t object, uint32_t operand) {
    struct counts counts = unpack(object);
    counts.bytes += operand;
    return pack(counts);
}

static uint64_t complete(uint64_t object, uint32_t operand) {
    struct counts counts = unpack(object);
    counts.bytes -= operand;
    return pack(counts);
}

static uint64_t arrive_expect(uint64_t object, uint32_t operand) {
    struct counts counts = unpack(object);
    counts.bytes += operand;
    counts.pending -= 1;
    return pack(counts);
}

static uint64_t arrive_drop_expect(uint64_t object, uint32_t operand) {
    struct counts counts = unpack(object);
    counts.expected -= 1;
    counts.bytes += operand;
    counts.pending -= 1;
    return pack(counts);
}

typedef uint64_t change(uint64_t object, uint32_t operand);

/* Lane after lane; what is stored does not depend on the order, what is returned does. */
static void change_each(struct simt_sm *sm, const struct simt_request *request,
                        const struct simt_region *region, change *changed) {
    const struct simt_insn *insn = request->insn;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest), operand = 1;
        uint8_t *at = region->host + request->offset[i];
        uint64_t old, fresh;
        if (insn->b != SIMT_NO_ROW)
            memcpy(&operand, sm->x.rows + insn->b + i * sizeof operand, sizeof operand);
        memcpy(&old, at, sizeof old);
        fresh = changed(old, operand);
        memcpy(at, &fresh, sizeof fresh);
        sm->modified = true;
        if (insn->d != SIMT_NO_ROW)
            memcpy(sm->x.rows + insn->d + i * sizeof old, &old, sizeof old);
    }
}

/* test_wait, try_wait: whether the phase of a token, or the one of a parity, is over. A thread that
 * waits gives way at once. */
static void test_each(struct simt_sm *sm, const struct simt_request *request,
                      const struct simt_region *region) {
    const struct simt_insn *insn = request->insn;
    uint32_t over = 0;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rest), parity;
        uint64_t object, token;
        memcpy(&object, region->host + request->offset[i], sizeof object);
        if (insn->register_bytes == 4) {
            memcpy(&parity, sm->x.rows + insn->b + i * sizeof parity, sizeof parity);
            token = parity & 1 ? PHASE : 0;
        } else {
            memcpy(&token, sm->x.rows + insn->b + i * sizeof token, sizeof token);
        }
        bool is_over = ((object ^ token) & PHASE) != 0;
        if (is_over && sm->hooks && region->space == PTX_SHARED)
            sm->hooks->delivery_end(sm, (uint32_t)request->offset[i]);
        over |= (uint32_t)is_over << i;
    }
    sm->x.preds[insn->d] = (sm->x.preds[insn->d] & ~request->mask) | over;
    if (over != request->mask)
        sm->spins = SIMT_WAITS;
}

/* An mbarrier's instructions are neither atomics nor accesses for Nsight Compute. */
static void access(struct simt_exec *x, const struct simt_insn *insn, enum simt_touch touch,
                   simt_move *move) {
    struct simt_sm *sm = simt_sm_of(x);
    const struct simt_counters before = sm->counters[insn->index];
    simt_access(sm, insn, touch, move);
    sm->counters[insn->index] = before;
}

#define CHANGE(name, touch)                                                                        \
    static void move_##name(struct simt_sm *sm, const struct simt_request *request,                \
                            const struct simt_region *region) {                                    \
        change_each(sm, request, region, name);                                                    \
    }                                                                                              \
    static void run_##name(struct simt_exec *x, const struct simt_insn *insn) {                    \
        access(x, insn, touch, move_##name);                                                       \
    }
CHANGE(initialise, SIMT_WRITES)
CHANGE(invalidate, SIMT_WRITES)
CHANGE(arrive, SIMT_UPDATES)
CHANGE(arrive_drop, SIMT_UPDATES)
CHANGE(expect, SIMT_UPDATES)
CHANGE(complete, SIMT_UPDATES)
CHANGE(arrive_expect, SIMT_UPDATES)
CHANGE(arrive_drop_expect, SIMT_UPDATES)

/* cp.async.mbarrier.arrive.noinc: the thread's copies have come, then it arrives. */
static void run_copies_arrive(struct simt_exec *x, const struct simt_insn *insn) {
    struct simt_sm *sm = simt_sm_of(x);
    uint32_t barriers[SIMT_LANES];
    for (uint32_t lane = 0; lane < SIMT_LANES; lane++)
        barriers[lane] = simt_shared_place(x, insn, lane);
    if (sm->hooks)
        sm->hooks->copy_tell(sm, x->mask, barriers);
    simt_fence(sm, insn, x->mask);
    run_arrive(x, insn);
}

static void run_test(struct simt_exec *x, const struct simt_insn *insn) {
    access(x, insn, SIMT_UPDATES, test_each);
}

/* The modifiers that must both be there; the first row that fits counts. */
static const struct {
    enum isa_modifier modifier, other;
    simt_op *run;
} operations[] = {
    {ISA_DOT_ARRIVE, ISA_DOT_NOINC, run_copies_arrive},
    {ISA_DOT_ARRIVE_DROP, ISA_DOT_EXPECT_TX, run_arrive_drop_expect},
    {ISA_DOT_ARRIVE, ISA_DOT_EXPECT_TX, run_arrive_expect},
    {ISA_DOT_ARRIVE_DROP, ISA_DOT_B64, run_arrive_drop},
    {ISA_DOT_ARRIVE, ISA_DOT_B64, run_arrive},
    {ISA_DOT_INIT, ISA_DOT_B64, run_initialise},
    {ISA_DOT_INVAL, ISA_DOT_B64, run_invalidate},
    {ISA_DOT_EXPECT_TX, ISA_DOT_B64, run_expect},
    {ISA_DOT_COMPLETE_TX, ISA_DOT_B64, run_complete},
    {ISA_DOT_TEST_WAIT, ISA_DOT_B64, run_test},
    {ISA_DOT_TRY_WAIT, ISA_DOT_B64, run_test},
};

bool simt_mbarrier_op(struct simt_insn *insn, const struct ptx_insn *source) {
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        if (ptx_has(source, operations[i].modifier) && ptx_has(source, operations[i].other)) {
            insn->run_full = insn->run_part = operations[i].run;
            return true;
        }
    }
    return false;
}
