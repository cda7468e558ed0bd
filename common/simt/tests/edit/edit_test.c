/*
 * Each edit mends a kernel, or a launch, that is wrong without it: by a wrong result, a finding or
 * a failed launch. Taken back, all is wrong again.
 */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/program/edit/edit.h"
#include "common/simt/tests/run/fixture.h"

enum { N = 64 };

static int input(int i) {
    return (i % 2 ? -1 : 1) * (3 * i + 1);
}

/* What is right at out[i], which held i before. */
static int by_both_blocks(int i) {
    return i ? i : 2 * N;
}
static int untouched(int i) {
    return i;
}
static int copied(int i) {
    return input(i);
}
static int above(int i) {
    return input(i) > 26;
}
static int halved(int i) {
    return input(i) >> 1;
}
static int times_four(int i) {
    return input(i) * 4;
}
static int three_times(int i) {
    return input(i) * 3;
}
static int sum_before(int i) {
    int sum = 0;
    for (int k = 1; k < N; k *= 2)
        sum += i >= k ? input(i - k) : 0;
    return sum;
}
static int sum_from_one(int i) {
    int sum = 0;
    for (int k = 1; k < N; k += N / 8)
        sum += input(k) * (k - i);
    return sum;
}
static int next(int i) {
    return i < N - 2 ? input(i + 1) : i;
}
static int plus_first(int i) {
    return input(i) + input(0);
}
static int minus_first(int i) {
    return input(i) - input(0);
}
static int down(int i) {
    return input(i % 32 < 31 ? i + 1 : i);
}
static int four_down(int i) {
    int lane = i % 32 < 30 ? i % 32 + 2 : i % 32;
    for (int step = 0; step < 2; step++)
        lane += lane < 31;
    return input(i / 32 * 32 + lane);
}
static int pairs(int i) {
    return input(i % 32 < 16 ? i ^ 1 : i);
}
static int reversed(int i) {
    return input(N - 1 - i);
}
static int sum_first(int i) {
    int sum = 0;
    for (int k = 0; k < N; k++)
        sum += input(k);
    return i ? i : sum;
}
static int twice(int i) {
    return input(i) + 1;
}
static int fifths(int i) {
    int value = input(i);
    for (int k = 0; k < 4; k++)
        value = value * 5 + input(k);
    return value;
}
static int first(int i) {
    return i ? i : input(0);
}
static int behind(int i) {
    return i < N - 1 ? input(i + 1) : 0;
}
static int first_half(int i) {
    return i < 32 ? input(i) : 0;
}
static int added_reversed(int i) {
    return N - 1 - i + input(i);
}
static int zeros_first(int i) {
    return i >= 40 ? i : i >= 24 ? input(63 - i) : 0;
}
static int below_forty(int i) {
    return i < 40 ? input(i) : 0;
}
static int forty(int i) {
    return i < 40 ? input(39 - i) : i;
}
static int shifted(int i) {
    return i < 48 ? (i % 32 < 16 ? (i + 16 < 48 ? input(i + 16) : 0) : (i < 32 ? input(i) : 0)) : i;
}
static int first_third(int i) {
    return i < 22 ? input(i) : i;
}
static int first_block(int i) {
    return i % 32 < 16 ? input(i) : i;
}
static int added(int i) {
    return i + input(i);
}
static int sum_first_43(int i) {
    int sum = 0;
    for (int k = 0; k < 43; k++)
        sum += input(k);
    return i ? i : sum;
}
static int times_second(int i) {
    return input(i) * input(1);
}
static int of_block(int i) {
    return i ? i : N + input(0);
}

/* The bits of doubles. */
#define HALF           0x3fe0000000000000
#define ONE            0x3ff0000000000000
#define ONE_AND_A_HALF 0x3ff8000000000000
#define THREE          0x4008000000000000

/* A mistake and its edit. */
struct mistake {
    const char *kernel;
    int n;
    unsigned blocks, threads;
    int (*right)(int i);
    enum simt_edit_kind kind;
    const char *mark; /* NULL: the edit is one of the launch */
    int64_t from, to;
};

static const struct mistake mistakes[] = {
    {"equality", N, 1, 96, copied, SIMT_EDIT_EQUALITY, "@equality", SIMT_EDIT_GT, 0},
    {"negation", N, 1, 64, copied, SIMT_EDIT_NEGATION, "@negation", SIMT_EDIT_LT, 0},
    {"direction", N, 1, 64, above, SIMT_EDIT_DIRECTION, "@direction", SIMT_EDIT_LT, 0},
    {"signedness", N, 1, 64, halved, SIMT_EDIT_SIGNEDNESS, "@signedness", 0, 0},
    {"constant", N, 1, 64, times_four, SIMT_EDIT_CONSTANT, "@constant", 3, 4},
    {"kept_number", N, 1, 64, sum_before, SIMT_EDIT_CONSTANT, "@kept_number", 1, 0},
    {"first_of_a_loop", N, 1, 64, sum_from_one, SIMT_EDIT_CONSTANT, "@first_of_a_loop", 2, 1},
    {"loop_that_begins_too_late", N, 1, 64, plus_first, SIMT_EDIT_CONSTANT,
     "@loop_that_begins_too_late", 2, 1},
    {"real", N, 1, 64, three_times, SIMT_EDIT_REAL, "@real", ONE_AND_A_HALF, THREE},
    {"narrow_real", N, 1, 64, copied, SIMT_EDIT_REAL, "@narrow_real", HALF, ONE},
    {"offset", N, 1, 64, next, SIMT_EDIT_OFFSET, "@offset", 8, 4},
    {"special", N, 1, 64, copied, SIMT_EDIT_SPECIAL, "@special", SIMT_EDIT_CTAID_X,
     SIMT_EDIT_TID_X},
    {"of_grid_block", N, 2, 32, first_block, SIMT_EDIT_SPECIAL, "@of_block", SIMT_EDIT_GLOBAL_X,
     SIMT_EDIT_TID_X},
    {"of_block_long", N, 2, 32, first_block, SIMT_EDIT_SPECIAL, "@of_block_long",
     SIMT_EDIT_GLOBAL_X, SIMT_EDIT_TID_X},
    {"place_of_warp", N, 1, 64, copied, SIMT_EDIT_SPECIAL, "@place_of_warp", SIMT_EDIT_WARPID,
     SIMT_EDIT_WARP_X},
    {"operation", N, 1, 64, plus_first, SIMT_EDIT_OPERATION, "@operation", SIMT_EDIT_SUB,
     SIMT_EDIT_ADD},
    {"lower_bits", N, 1, 64, copied, SIMT_EDIT_OPERATION, "@lower_bits", SIMT_EDIT_SHR,
     SIMT_EDIT_AND},
    {"product", N, 1, 64, times_second, SIMT_EDIT_OPERATION, "@product", SIMT_EDIT_ADD,
     SIMT_EDIT_MUL},
    {"product_of_sizes", N, 2, 32, copied, SIMT_EDIT_OPERATION, "@product_of_sizes", SIMT_EDIT_ADD,
     SIMT_EDIT_MUL},
    {"operands", N, 1, 64, minus_first, SIMT_EDIT_OPERANDS, "@operands", SIMT_EDIT_SUB, 0},
    {"left_out", N, 1, 64, copied, SIMT_EDIT_LEFT_OUT, "@left_out", SIMT_EDIT_MUL, 2},
    {"rounded", N, 1, 64, first_third, SIMT_EDIT_ROUNDED, "@rounded", 0, 0},
    {"rounded_half", 43, 1, 64, first_third, SIMT_EDIT_ROUNDED, "@rounded_half", 0, 0},
    {"rounded_in_loop", 43, 1, 64, sum_first_43, SIMT_EDIT_ROUNDED, "@rounded_in_loop", 0, 0},
    {"wide_stride", N, 2, 16, added, SIMT_EDIT_SPECIAL, "@wide_stride", SIMT_EDIT_NTID_X,
     SIMT_EDIT_THREADS_X},
    {"stride_and_count", N, 2, 16, added, SIMT_EDIT_SPECIAL, "@stride_and_count", SIMT_EDIT_NTID_X,
     SIMT_EDIT_THREADS_X},
    {"of_grid", N, 2, 32, copied, SIMT_EDIT_SPECIAL, "@of_grid", SIMT_EDIT_TID_X,
     SIMT_EDIT_GLOBAL_X},
    {"stride_of_grid", N, 2, 16, added, SIMT_EDIT_SPECIAL, "@stride_of_grid", SIMT_EDIT_NTID_X,
     SIMT_EDIT_THREADS_X},
    {"shuffle", N, 1, 64, down, SIMT_EDIT_SHUFFLE, "@shuffle", SIMT_EDIT_UP, SIMT_EDIT_DOWN},
    {"shuffles", N, 1, 64, four_down, SIMT_EDIT_SHUFFLES, "@shuffles", SIMT_EDIT_UP,
     SIMT_EDIT_DOWN},
    {"shuffle_width", N, 1, 64, down, SIMT_EDIT_SHUFFLE_WIDTH, "@shuffle_width", 0, 0},
    {"mask_full", N, 1, 64, down, SIMT_EDIT_MASK_FULL, "@mask_full", 0, 0},
    {"mask_active", N, 1, 64, pairs, SIMT_EDIT_MASK_ACTIVE, "@mask_active", 0, 0},
    {"barrier_behind", N, 1, 64, reversed, SIMT_EDIT_BARRIER_AFTER, "@barrier_behind", 0, 0},
    {"barrier_behind", N, 1, 64, reversed, SIMT_EDIT_BARRIER_BEFORE, "@barrier_before", 0, 0},
    {"barrier_in_loop", N, 1, 64, sum_first, SIMT_EDIT_BARRIER_AFTER, "@barrier_in_loop", 1, 0},
    {"barrier_in_loop", N, 1, 64, sum_first, SIMT_EDIT_BARRIER_BEFORE, "@barrier_in_loop", 1, 0},
    {"barrier_between", N, 1, 64, sum_first, SIMT_EDIT_BARRIER_BETWEEN, "@barrier_between", 0, 0},
    {"barrier_inlined", N, 1, 64, twice, SIMT_EDIT_BARRIER_AFTER, "@barrier_inlined", 0, 0},
    {"unrolled", N, 1, 64, fifths, SIMT_EDIT_OPERATION, "@unrolled", SIMT_EDIT_SUB, SIMT_EDIT_ADD},
    {"barrier_out", N, 1, 64, copied, SIMT_EDIT_BARRIER_OUT, "@barrier_out", 0, 0},
    {"atomic", N, 1, 64, sum_first, SIMT_EDIT_ATOMIC, "@atomic", 0, 0},
    {"scope", N, 2, 32, by_both_blocks, SIMT_EDIT_SCOPE, "@scope", 0, 0},
    {"fence", N, 2, 32, by_both_blocks, SIMT_EDIT_FENCE, "@fence", 0, 0},
    {"added_to_nothing", N, 1, 64, reversed, SIMT_EDIT_LEFT_OUT, "@added_to_nothing", SIMT_EDIT_ADD,
     2},
    {"not_added", N, 1, 64, added, SIMT_EDIT_ADDED, "@not_added", 0, 0},
    {"only_first", N, 1, 64, first, SIMT_EDIT_ONLY_FIRST, "@only_first", 0, SIMT_EDIT_TID_X},
    {"inside", N, 1, 64, behind, SIMT_EDIT_INSIDE, "@inside", 0, 0},
    {"below", 40, 1, 64, below_forty, SIMT_EDIT_BELOW, "@below", 0, 1},
    {"written", N, 1, 64, first_half, SIMT_EDIT_WRITTEN, "@written", 0, 0},
    {"snapshot", N, 2, 32, added_reversed, SIMT_EDIT_SNAPSHOT, "@snapshot", 0, 0},
    {"again", N, 1, 64, untouched, SIMT_EDIT_AGAIN, "@again", 0, 0},
    {"stay", N, 1, 64, forty, SIMT_EDIT_STAY, "@stay", 1, 0},
    {"stay_with_zeros", N, 1, 64, zeros_first, SIMT_EDIT_STAY, "@stay_with_zeros", 0, 0},
    {"stay_in_loop", N, 1, 64, sum_first, SIMT_EDIT_STAY, "@stay_in_loop", 1, 0},
    {"barrier_moved", N, 1, 64, sum_first, SIMT_EDIT_BARRIER_MOVED, "@barrier_moved", 0, 0},
    {"copy", N, 1, 48, copied, SIMT_EDIT_GRID_MORE, NULL, 0, 1},
    {"copy", N, 1, 16, copied, SIMT_EDIT_GRID, NULL, 1, 1},
    {"block_warps", 48, 1, 48, shifted, SIMT_EDIT_BLOCK_WARPS, NULL, 0, 0},
    {"block", N, 2, 32, of_block, SIMT_EDIT_BLOCK, NULL, 0, N},
    {"shared", N, 1, 64, reversed, SIMT_EDIT_SHARED, NULL, 0, 4},
};
enum { N_MISTAKES = sizeof mistakes / sizeof *mistakes };

struct state {
    struct fixture fixture;
    uint64_t in, out;
};

static void open_state(struct state *state) {
    int values[N];
    fixture_open(&state->fixture);
    for (int i = 0; i < N; i++)
        values[i] = input(i);
    state->in = fixture_buffer(&state->fixture, "in", values, sizeof values, sizeof *values);
    state->out = fixture_ramp(&state->fixture, "out", N);
}

/* Runs it; true where everything is right. */
static bool is_right(struct state *state, const struct mistake *mistake) {
    int values[N];
    for (int i = 0; i < N; i++)
        values[i] = mistake->right == sum_first && i == 0 ? 0 : i;
    /* In the usual order warp w is in place w. */
    if (mistake->kind == SIMT_EDIT_SPECIAL && mistake->from == SIMT_EDIT_WARPID)
        simt_options(state->fixture.simt)->seed = 1;
    cr_assert_eq(simt_write(state->fixture.simt, state->out, values, sizeof values), SIMT_OK);
    const struct {
        uint64_t in;
        int n;
        uint64_t out;
    } params = {state->in, mistake->n, state->out};
    bool right = fixture_run(&state->fixture, mistake->kernel, mistake->blocks, mistake->threads, 0,
                             &params) == SIMT_OK &&
                 state->fixture.report.n_findings == 0;
    for (int i = 0; i < N && right; i++)
        right = fixture_int(&state->fixture, state->out, (size_t)i) == mistake->right(i);
    return right;
}

/* The source as the compiler names it. */
static void name_source(char *place) {
    static char path[SIMT_EDIT_PLACE];
    if (!*path) {
        struct fixture fixture;
        fixture_open(&fixture);
        const uint64_t out = fixture_zeros(&fixture, "out", 4);
        const struct {
            uint64_t in;
            int n;
            uint64_t out;
        } params = {out, 1, out};
        fixture_run(&fixture, "copy", 1, 1, 0, &params);
        cr_assert_gt(fixture.report.n_launches, 0);
        strncpy(path, fixture.report.launches[0].lines[0].file, sizeof path - 1);
        fixture_close(&fixture);
    }
    strcpy(place, path);
}

static struct simt_edit edit_of(const struct mistake *mistake) {
    struct simt_edit edit = {.kind = mistake->kind, .from = mistake->from, .to = mistake->to};
    if (mistake->mark) {
        edit.line = fixture_line(mistake->mark);
        name_source(edit.place);
    } else {
        strcpy(edit.place, mistake->kernel);
    }
    return edit;
}

TestSuite(edit, .timeout = 60);

Test(edit, mends_its_mistake_and_is_taken_back) {
    for (int i = 0; i < N_MISTAKES; i++) {
        const struct mistake *mistake = &mistakes[i];
        const char *word = simt_edit_kind_word(mistake->kind);
        const struct simt_edit edit = edit_of(mistake);
        struct state state;
        open_state(&state);
        cr_expect_not(is_right(&state, mistake), "%s is wrong", word);
        cr_assert(simt_set_edits(state.fixture.simt, &edit, 1));
        cr_expect(is_right(&state, mistake), "%s mends %s: %s %s", word, mistake->kernel,
                  state.fixture.diag.message,
                  state.fixture.report.n_findings ? state.fixture.report.findings[0].message : "");
        cr_assert(simt_set_edits(state.fixture.simt, NULL, 0));
        cr_expect_not(is_right(&state, mistake), "%s is taken back", word);
        fixture_close(&state.fixture);
    }
}

/* A launch of rows, whose grid or block has x and y the wrong way round. */
static bool is_right_in_rows(struct state *state, struct simt_dim3 grid, struct simt_dim3 block) {
    struct simt *simt = state->fixture.simt;
    int zeros[N] = {0};
    struct simt_diag diag;
    const struct {
        uint64_t in;
        int n;
        uint64_t out;
    } params = {state->in, N, state->out};
    cr_assert_eq(simt_write(simt, state->out, zeros, sizeof zeros), SIMT_OK);
    simt_report_reset(simt);
    struct simt_kernel *kernel = simt_kernel_find(state->fixture.module, "copy");
    cr_assert_eq(simt_launch(simt, kernel, grid, block, 0, &params, &diag), SIMT_OK);
    for (int i = 0; i < N; i++)
        if (fixture_int(&state->fixture, state->out, (size_t)i) != copied(i))
            return false;
    return true;
}

static void expect_turned(struct simt_dim3 grid, struct simt_dim3 block, int64_t to) {
    struct simt_edit edit = {.kind = SIMT_EDIT_TURNED, .to = to}, *candidates;
    struct state state;
    size_t n_found = 0;
    strcpy(edit.place, "copy");
    open_state(&state);
    cr_expect_not(is_right_in_rows(&state, grid, block));
    const size_t n = simt_edit_candidates(state.fixture.simt, &candidates);
    for (size_t i = 0; i < n; i++)
        n_found += candidates[i].kind == SIMT_EDIT_TURNED && candidates[i].to == to;
    cr_expect_eq(n_found, 1);
    cr_assert(simt_set_edits(state.fixture.simt, &edit, 1));
    cr_expect(is_right_in_rows(&state, grid, block));
    cr_assert(simt_set_edits(state.fixture.simt, NULL, 0));
    cr_expect_not(is_right_in_rows(&state, grid, block));
    free(candidates);
    fixture_close(&state.fixture);
}

Test(edit, turns_a_grid_and_a_block) {
    expect_turned((struct simt_dim3){1, 2, 1}, (struct simt_dim3){N / 2, 1, 1}, 0);
    expect_turned((struct simt_dim3){1, 1, 1}, (struct simt_dim3){1, N, 1}, 1);
}

Test(edit, of_a_line_has_a_mistake_that_it_mends) {
    for (uint32_t kind = SIMT_EDIT_NONE + 1; kind < SIMT_N_EDITS; kind++) {
        int i = 0;
        while (i < N_MISTAKES && (uint32_t)mistakes[i].kind != kind)
            i++;
        cr_expect(i < N_MISTAKES || simt_edit_scope_of(kind) != SIMT_SCOPE_LINE, "%s has none",
                  simt_edit_kind_word(kind));
    }
}

Test(edit, is_among_the_candidates) {
    for (int i = 0; i < N_MISTAKES; i++) {
        const struct mistake *mistake = &mistakes[i];
        const struct simt_edit edit = edit_of(mistake);
        struct simt_edit *candidates;
        struct state state;
        bool found = false;
        open_state(&state);
        is_right(&state, mistake);
        const size_t n = simt_edit_candidates(state.fixture.simt, &candidates);
        for (size_t k = 0; k < n; k++)
            found |= candidates[k].kind == edit.kind && candidates[k].line == edit.line &&
                     candidates[k].from == edit.from && candidates[k].to == edit.to &&
                     strcmp(candidates[k].place, edit.place) == 0;
        /* Whoever searches knows which block was asked for. */
        cr_expect(found || edit.kind == SIMT_EDIT_BLOCK, "%s %s", mistake->kernel,
                  simt_edit_kind_word(edit.kind));
        free(candidates);
        fixture_close(&state.fixture);
    }
}

/* A static array that is too small is no matter of the launch. */
Test(edit, of_shared_memory_is_for_dynamic_arrays) {
    static const struct mistake fixed = {"fixed", N, 1, 64, reversed, SIMT_EDIT_SHARED, NULL, 0, 4};
    struct simt_edit *candidates;
    struct state state;
    open_state(&state);
    cr_expect_not(is_right(&state, &fixed));
    const size_t n = simt_edit_candidates(state.fixture.simt, &candidates);
    for (size_t i = 0; i < n; i++)
        cr_expect_neq(candidates[i].kind, SIMT_EDIT_SHARED);
    cr_expect_gt(n, 0);
    free(candidates);
    fixture_close(&state.fixture);
}

/* What nobody wrote, and what nothing mends, stays as it is: an edit of another line is none. */
Test(edit, of_another_line_changes_nothing) {
    for (int i = 0; i < N_MISTAKES; i++) {
        const struct mistake *mistake = &mistakes[i];
        struct simt_edit edit = edit_of(mistake);
        struct state state;
        open_state(&state);
        edit.line += 1000;
        strcpy(edit.place, "other");
        cr_assert(simt_set_edits(state.fixture.simt, &edit, 1));
        cr_expect_not(is_right(&state, mistake), "%s", mistake->kernel);
        fixture_close(&state.fixture);
    }
}

Test(edit, two_at_a_time_are_made_one_after_the_other) {
    static const struct mistake both = {
        "operation",  N, 1, 64, plus_first, SIMT_EDIT_OPERATION, "@operation", SIMT_EDIT_SUB,
        SIMT_EDIT_ADD};
    const struct simt_edit mend = edit_of(&both);
    struct simt_edit edits[] = {mend, mend};
    struct state state;
    edits[1].from = SIMT_EDIT_ADD;
    edits[1].to = SIMT_EDIT_SUB;
    open_state(&state);
    cr_assert(simt_set_edits(state.fixture.simt, edits, 1));
    cr_expect(is_right(&state, &both));
    cr_assert(simt_set_edits(state.fixture.simt, edits, 2));
    cr_expect_not(is_right(&state, &both), "the second one takes the first one back");
    cr_expect_not(simt_set_edits(state.fixture.simt, edits, SIMT_MAX_EDITS + 1));
    fixture_close(&state.fixture);
}

/* out[i] += in[i], into memory that nobody wrote. */
static bool adds_to_zeros(struct state *state, uint64_t out) {
    const struct {
        uint64_t in;
        int n;
        uint64_t out;
    } params = {state->in, N, out};
    bool right = fixture_run(&state->fixture, "add", 1, N, 0, &params) == SIMT_OK &&
                 state->fixture.report.n_findings == 0;
    for (int i = 0; i < N && right; i++)
        right = fixture_int(&state->fixture, out, (size_t)i) == input(i);
    return right;
}

Test(edit, clears_memory) {
    static const enum simt_edit_kind kinds[] = {SIMT_EDIT_NONE, SIMT_EDIT_OUTPUT_CLEARED,
                                                SIMT_EDIT_MEMORY_CLEARED, SIMT_EDIT_WRITTEN};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct simt_edit edit = {.kind = kinds[i]};
        struct state state;
        open_state(&state);
        if (edit.kind == SIMT_EDIT_WRITTEN) {
            edit.line = fixture_line("@add");
            name_source(edit.place);
        }
        cr_assert(simt_set_edits(state.fixture.simt, &edit, 1));
        uint64_t allocated = fixture_unwritten(&state.fixture, "out", N);
        uint64_t poisoned = fixture_unwritten(&state.fixture, "out", N);
        cr_assert_eq(simt_set(state.fixture.simt, poisoned, 0xcd, N * sizeof(int)), SIMT_OK);
        cr_assert_eq(simt_undefine(state.fixture.simt, poisoned, N * sizeof(int)), SIMT_OK);
        cr_expect_eq(adds_to_zeros(&state, allocated),
                     kinds[i] == SIMT_EDIT_MEMORY_CLEARED || kinds[i] == SIMT_EDIT_WRITTEN, "%s",
                     simt_edit_kind_word(kinds[i]));
        cr_expect_eq(adds_to_zeros(&state, poisoned),
                     kinds[i] == SIMT_EDIT_OUTPUT_CLEARED || kinds[i] == SIMT_EDIT_WRITTEN, "%s",
                     simt_edit_kind_word(kinds[i]));
        fixture_close(&state.fixture);
    }
}

Test(edit, skips_one_launch_of_a_kernel) {
    const struct simt_edit edit = {.kind = SIMT_EDIT_SKIPPED, .to = 1, .place = "add"};
    struct state state;
    open_state(&state);
    cr_assert(simt_set_edits(state.fixture.simt, &edit, 1));
    const struct {
        uint64_t in;
        int n;
        uint64_t out;
    } params = {state.in, N, fixture_zeros(&state.fixture, "sums", N)};
    for (int launch = 0; launch < 3; launch++)
        fixture_run(&state.fixture, "add", 1, N, 0, &params);
    cr_expect_eq(fixture_int(&state.fixture, params.out, 5), 2 * input(5));
    fixture_close(&state.fixture);
}

Test(edit, candidates_are_json_too) {
    struct state state;
    open_state(&state);
    is_right(&state, &mistakes[0]);
    struct simt_edit *candidates;
    const size_t n = simt_edit_candidates(state.fixture.simt, &candidates);
    char *text = simt_edit_candidates_json(state.fixture.simt);
    json_t *list = json_loads(text, 0, NULL);
    cr_assert_eq(json_array_size(list), n);
    cr_assert_gt(n, 0);
    for (size_t i = 0; i < n; i++) {
        const json_t *edit = json_array_get(list, i);
        cr_expect_eq(simt_edit_kind_of(json_string_value(json_object_get(edit, "kind"))),
                     candidates[i].kind);
        cr_expect_eq(json_integer_value(json_object_get(edit, "line")), candidates[i].line);
        cr_expect_eq(json_integer_value(json_object_get(edit, "to")), candidates[i].to);
        cr_expect_str_eq(json_string_value(json_object_get(edit, "place")), candidates[i].place);
    }
    json_decref(list);
    free(text);
    free(candidates);
    fixture_close(&state.fixture);
}
