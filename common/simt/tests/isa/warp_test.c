/*
 * Exchange between lanes: each case says what every lane should hold.
 */
#include "common/simt/program/isa/shuffle.h"
#include "common/simt/tests/isa/cases.h"

typedef uint64_t expect_lane(unsigned lane, uint32_t mask);

struct warp_case {
    const char *text;
    expect_lane *expected;
};

/* Runs with a mask; a lane that shuffles from one that is off gets no defined value. */
static void check_mask(struct exec_bench *bench, const struct warp_case *wanted, uint32_t mask) {
    exec_bench_reset(bench, false);
    exec_bench_run(bench, mask);
    const uint32_t defined = mask & ~simt_shuffle_strays(bench->x, bench->last);
    for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
        const uint64_t got = exec_bench_result(bench, lane);
        if (defined >> lane & 1)
            cr_expect(got == wanted->expected(lane, mask),
                      "%s: lane %u of %08x: %llx instead of %llx", wanted->text, lane, mask,
                      (unsigned long long)got, (unsigned long long)wanted->expected(lane, mask));
        else if (!(mask >> lane & 1) && bench->last->flow == SIMT_FLOW_SYNC &&
                 exec_bench_pattern(bench) != UINT64_MAX)
            cr_expect(got == exec_bench_pattern(bench), "%s: lane %u is off and was written",
                      wanted->text, lane);
    }
}

static void check_warp(const struct warp_case *cases, size_t n_cases) {
    for (int isa = 0; isa < EXEC_N_ISAS; isa++) {
        for (size_t i = 0; exec_isa_runs((enum exec_isa)isa) && i < n_cases; i++) {
            struct exec_bench bench;
            struct simt_diag diag;
            const bool decoded = exec_bench_init(&bench, (enum exec_isa)isa, cases[i].text, &diag);
            cr_expect(decoded, "%s: %s", cases[i].text, diag.message);
            if (decoded) {
                check_mask(&bench, &cases[i], UINT32_MAX);
                check_mask(&bench, &cases[i], UINT32_C(0xffff));
            }
            exec_bench_finish(&bench);
        }
    }
}
#define CHECK_WARP(cases) check_warp(cases, sizeof(cases) / sizeof((cases)[0]))

/* %r1 is lane + 100, %r2 the lane, %p1 set in odd lanes. */
#define PREPARE                                                                                    \
    "mov.u32 %r2, %laneid; add.u32 %r1, %r2, 100; and.b32 %r3, %r2, 1; setp.ne.u32 %p1, %r3, 0; "

static uint64_t from_down(unsigned lane, uint32_t mask) {
    (void)mask;
    return 100 + (lane + 3 <= 31 ? lane + 3 : lane);
}
static uint64_t from_down_in_eights(unsigned lane, uint32_t mask) {
    (void)mask;
    return 100 + (lane % 8 + 3 <= 7 ? lane + 3 : lane);
}
static uint64_t from_up(unsigned lane, uint32_t mask) {
    (void)mask;
    return 100 + (lane >= 2 ? lane - 2 : lane);
}
static uint64_t from_bfly(unsigned lane, uint32_t mask) {
    (void)mask;
    return 100 + (lane ^ 5);
}
static uint64_t from_index_in_fours(unsigned lane, uint32_t mask) {
    (void)mask;
    return 100 + (lane & ~3u) + 2;
}
static uint64_t next_in_ring(unsigned lane, uint32_t mask) {
    (void)mask;
    return 100 + (lane + 1) % 32;
}
static uint64_t down_in_range(unsigned lane, uint32_t mask) {
    (void)mask;
    return lane + 3 <= 31;
}
static uint64_t up_in_range(unsigned lane, uint32_t mask) {
    (void)mask;
    return lane >= 2;
}

Test(shuffle, reads_the_lane_that_the_mode_names) {
    static const struct warp_case cases[] = {
        {PREPARE "shfl.sync.down.b32 %r0, %r1, 3, 31, -1", from_down},
        {PREPARE "shfl.sync.down.b32 %r0, %r1, 3, 0x1807, -1", from_down_in_eights},
        {PREPARE "shfl.sync.up.b32 %r0, %r1, 2, 0, -1", from_up},
        {PREPARE "shfl.sync.bfly.b32 %r0, %r1, 5, 31, -1", from_bfly},
        {PREPARE "shfl.sync.idx.b32 %r0, %r1, 6, 0x1c03, -1", from_index_in_fours},
        {PREPARE "add.u32 %r3, %r2, 1; shfl.sync.idx.b32 %r0, %r1, %r3, 31, -1", next_in_ring},
        {PREPARE "shfl.sync.bfly.b32 %r1, %r1, 5, 31, -1", from_bfly},
        {PREPARE "shfl.sync.down.b32 %r0|%p2, %r1, 3, 31, -1; mov.pred %p0, %p2", down_in_range},
        {PREPARE "shfl.sync.up.b32 _|%p2, %r1, 2, 0, -1; mov.pred %p0, %p2", up_in_range},
    };
    CHECK_WARP(cases);
}

Test(shuffle, knows_lanes_that_read_where_nobody_takes_part) {
    struct exec_bench bench;
    struct simt_diag diag;
    cr_assert(exec_bench_init(&bench, EXEC_ISA_PORTABLE,
                              PREPARE "shfl.sync.down.b32 %r0, %r1, 4, 31, 0xff", &diag));
    exec_bench_reset(&bench, false);
    exec_bench_run(&bench, UINT32_MAX);
    cr_expect(simt_shuffle_strays(bench.x, bench.last) == 0);
    exec_bench_run(&bench, 0xff);
    cr_expect(simt_shuffle_strays(bench.x, bench.last) == 0xf0);
    cr_expect(simt_shuffle_strays(bench.x, bench.program->insns) == 0);
    exec_bench_finish(&bench);
}

static uint64_t yes(unsigned lane, uint32_t mask) {
    (void)lane, (void)mask;
    return 1;
}
static uint64_t no(unsigned lane, uint32_t mask) {
    (void)lane, (void)mask;
    return 0;
}
static uint64_t odd_lanes(unsigned lane, uint32_t mask) {
    (void)lane;
    return mask & UINT32_C(0xaaaaaaaa);
}
static uint64_t even_lanes(unsigned lane, uint32_t mask) {
    (void)lane;
    return mask & UINT32_C(0x55555555);
}
static uint64_t mask_itself(unsigned lane, uint32_t mask) {
    (void)lane;
    return mask;
}
static uint64_t own_parity(unsigned lane, uint32_t mask) {
    return mask & (lane % 2 ? UINT32_C(0xaaaaaaaa) : UINT32_C(0x55555555));
}

Test(vote, asks_the_lanes_of_the_mask) {
    static const struct warp_case cases[] = {
        {PREPARE "vote.sync.any.pred %p0, %p1, -1", yes},
        {"mov.pred %p1, 0; vote.sync.any.pred %p0, %p1, -1", no},
        {PREPARE "vote.sync.all.pred %p0, %p1, -1", no},
        {"mov.pred %p1, -1; vote.sync.all.pred %p0, %p1, -1", yes},
        {PREPARE "vote.sync.uni.pred %p0, %p1, -1", no},
        {"mov.pred %p1, 0; vote.sync.uni.pred %p0, !%p1, -1", yes},
        {PREPARE "vote.sync.ballot.b32 %r0, %p1, -1", odd_lanes},
        {PREPARE "vote.sync.ballot.b32 %r0, !%p1, -1", even_lanes},
        {"activemask.b32 %r0", mask_itself},
    };
    CHECK_WARP(cases);
}

Test(match, finds_equal_lanes) {
    static const struct warp_case cases[] = {
        {PREPARE "match.any.sync.b32 %r0, %r3, -1", own_parity},
        {PREPARE "match.any.sync.b32 %r0, 7, -1", mask_itself},
        {PREPARE "cvt.u64.u32 %rd1, %r3; shl.b64 %rd1, %rd1, 40; "
                 "match.any.sync.b64 %r0, %rd1, -1",
         own_parity},
        {PREPARE "match.all.sync.b32 %r0|%p2, %r3, -1", no},
        {PREPARE "match.all.sync.b32 %r0|%p2, 7, -1; mov.pred %p0, %p2", yes},
        {PREPARE "match.all.sync.b32 %r0|%p2, %r3, -1; mov.pred %p0, %p2", no},
        {PREPARE "match.all.sync.b64 %r0|%p2, 7, -1", mask_itself},
    };
    CHECK_WARP(cases);
}

static uint64_t sum_of_lanes(unsigned lane, uint32_t mask) {
    (void)lane;
    return mask == UINT32_MAX ? 31 * 32 / 2 : 15 * 16 / 2;
}
static uint64_t or_of_lanes(unsigned lane, uint32_t mask) {
    (void)lane;
    return mask == UINT32_MAX ? 31 : 15;
}
static uint64_t least_signed(unsigned lane, uint32_t mask) {
    (void)lane;
    return mask == UINT32_MAX ? (uint32_t)-31 : (uint32_t)-15;
}
static uint64_t greatest_unsigned(unsigned lane, uint32_t mask) {
    (void)lane, (void)mask;
    return UINT32_MAX;
}
static uint64_t lane_0_leads(unsigned lane, uint32_t mask) {
    (void)mask;
    return lane == 0;
}

Test(redux, reduces_over_the_lanes_of_the_mask) {
    static const struct warp_case cases[] = {
        {PREPARE "redux.sync.add.u32 %r0, %r2, -1", sum_of_lanes},
        {PREPARE "redux.sync.add.s32 %r0, %r2, -1", sum_of_lanes},
        {PREPARE "redux.sync.and.b32 %r0, %r2, -1", no},
        {PREPARE "redux.sync.or.b32 %r0, %r2, -1", or_of_lanes},
        {PREPARE "redux.sync.xor.b32 %r0, %r2, -1", no},
        {PREPARE "redux.sync.min.u32 %r0, %r2, -1", no},
        {PREPARE "redux.sync.max.u32 %r0, %r2, -1", or_of_lanes},
        {PREPARE "neg.s32 %r2, %r2; redux.sync.min.s32 %r0, %r2, -1", least_signed},
        {PREPARE "neg.s32 %r2, %r2; redux.sync.max.s32 %r0, %r2, -1", no},
        {PREPARE "neg.s32 %r2, %r2; redux.sync.max.u32 %r0, %r2, -1", greatest_unsigned},
    };
    CHECK_WARP(cases);
}

Test(elect, chooses_the_lowest_lane) {
    static const struct warp_case cases[] = {
        {"elect.sync %r0|%p1, -1", no},
        {"elect.sync _|%p1, -1; mov.pred %p0, %p1", lane_0_leads},
    };
    CHECK_WARP(cases);
}
