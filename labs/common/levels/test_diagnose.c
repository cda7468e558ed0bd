/* The diagnoses that need no simulator: what comes out wrong is known by what it comes to. Each
 * answer here makes one mistake, in plain C, in place of a worker. */
#include <signal.h>
#include <sys/mman.h>

#include "common/harness/tests/fake_call.h"
#include "labs/common/levels/sum.h"

/* A lab whose tree stops where two sums are left. */
static int32_t first_half(int32_t *tile, unsigned block) {
    return levels_reference(tile, block / 2);
}

static const struct levels_mistake mistakes[] = {{"loop_ends_early", first_half}};

const struct levels_sum levels_sums[] = {
    {.function = "sum",
     .past_the_tile = "past_the_tile",
     .too_many_add = "too_many_add",
     .mistakes = mistakes,
     .n_mistakes = 1},
    {.function = NULL},
};

static size_t case_n;
static unsigned case_block;

static void one_sum(struct lab *lab) {
    lab_one(lab, case_n, case_block, levels_case);
}

static void expect_diagnosis(size_t n, unsigned block, fake_answer *answer, const char *id) {
    case_n = n;
    case_block = block;
    fake.answer = answer;
    json_t *document = fake_perform("edge", one_sum);
    fake_expect(document, "diagnosis", id);
}

/* Stores the sum of in[0], in[step], … below n. */
static void store(struct call_arg *args, size_t n, size_t step) {
    const int32_t *in = args[0].data;
    uint32_t sum = 0;

    for (size_t i = 0; i < n; i += step)
        sum += (uint32_t)in[i];
    *(int32_t *)args[4].data = (int32_t)sum;
}

FAKE_ANSWER(first_256) {
    store(args, args[0].count < 256 ? args[0].count : 256, 1);
}

FAKE_ANSWER(first_half_of_each_eight) {
    const int32_t *in = args[0].data;
    uint32_t sum = 0;

    /* Of 40 ints in blocks of 8: five partial sums, of which the last one is dropped in turn. */
    for (size_t i = 0; i < 32; i++)
        sum += i % 8 < 4 ? (uint32_t)in[i] : 0;
    *(int32_t *)args[4].data = (int32_t)sum;
}

FAKE_ANSWER(every_second) {
    store(args, args[0].count, 2);
}

FAKE_ANSWER(nothing) {
    result->untouched = 1u << 4;
}

Test(diagnosis, tells_the_first_block_from_the_first_level) {
    expect_diagnosis(2048, 256, first_256, "partials_never_reduced");
    expect_diagnosis(2048, 16, first_256, "single_level");
}

/* In one block: threads without an int bring the last one once more. */
FAKE_ANSWER(last_repeated) {
    const int32_t *in = args[0].data;
    const size_t n = args[0].count, block = args[2].value.u64;

    store(args, n, 1);
    *(uint32_t *)args[4].data += (uint32_t)(n < block ? block - n : 0) * (uint32_t)in[n - 1];
}

Test(diagnosis, knows_the_last_int_that_idle_threads_bring_again) {
    expect_diagnosis(5, 8, last_repeated, "last_repeated");
    expect_diagnosis(100, 256, last_repeated, "last_repeated");
}

FAKE_ANSWER(first_4) {
    store(args, 4, 1);
}

/* A GPU tells no grid: 5 ints may lack the last one or the last level. Of 8, no block is partial.
 */
Test(diagnosis, tells_a_missing_level_from_a_dropped_tail_where_sizes_can) {
    expect_diagnosis(5, 2, first_4, NULL);
    expect_diagnosis(8, 2, first_4, "single_level");
}

/* What is wrong at any size is found at the smallest, and not blamed on an index of 32 bits. */
static void sum_more_than_int_holds(struct lab *lab) {
    const size_t sizes[] = {512, ((size_t)1 << 31) + 1};
    const unsigned blocks[] = {512};

    LAB_SWEEP(lab, sizes, blocks, levels_case);
}

Test(diagnosis, blames_no_size_where_a_smaller_one_is_wrong) {
    fake.answer = every_second;
    json_t *document = fake_perform("edge", sum_more_than_int_holds);
    fake_expect(document, "diagnosis", NULL);
    fake_expect_reason(document, "(n = 3, block = 3)");
}

Test(diagnosis, knows_a_dropped_tail) {
    expect_diagnosis(300, 64, first_256, "dropped_partial_block");
    expect_diagnosis(200, 256, fake_refuse, "dropped_partial_block"); /* no block at all */
}

Test(diagnosis, tells_a_dropped_tail_from_sums_never_added_by_the_grid) {
    expect_diagnosis(300, 256, first_256, NULL);
    fake.report = "{\"launches\":[{\"grid\":[1,1,1]}]}";
    expect_diagnosis(300, 256, first_256, "dropped_partial_block");
    fake.report = "{\"launches\":[{\"grid\":[2,1,1]}]}";
    expect_diagnosis(300, 256, first_256, "partials_never_reduced");
}

Test(diagnosis, knows_a_loop_that_ends_early) {
    expect_diagnosis(40, 8, first_half_of_each_eight, "loop_ends_early");
}

Test(diagnosis, claims_nothing_of_a_sum_that_it_does_not_know) {
    expect_diagnosis(2048, 256, every_second, NULL);
}

Test(diagnosis, knows_empty_inputs) {
    expect_diagnosis(0, 256, nothing, "empty_input_not_stored");
    expect_diagnosis(0, 256, fake_refuse, "empty_input_not_handled");
}

Test(diagnosis, knows_who_follows_device_pointers) {
    expect_diagnosis(8, 8, fake_crash, "device_pointer_on_host");
    fake.words = "it was killed by signal 11: a null pointer (address 0x0)";
    expect_diagnosis(8, 8, fake_crash, NULL);
}

static void gone_sum(struct lab *lab, const struct lab_case *c) {
    enum { BYTES = 4096 };
    int32_t *sum = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct call_arg args[LEVELS_N_ARGS], in = lab_in("in", lab_random_i32(lab, c->n), c->n, 4);

    lab_set_diagnoser(lab, levels_diagnose);
    levels_args(args, in, c->block, sum);
    lab_call_args(lab, "sum", args, LEVELS_N_ARGS);
    munmap(sum, BYTES);
    lab_technique(lab, false, "barriers", 1, "==", 2);
}

static void call_and_count(struct lab *lab) {
    lab_one(lab, 8, 8, gone_sum);
}

Test(diagnosis, reads_no_result_once_its_caller_is_gone) {
    fake.answer = first_256;
    json_t *document = fake_judge("technique", call_and_count, "technique");
    fake_expect(document, "diagnosis", NULL);
}

/* Runs a call after which the simulator reports this. */
static void expect_reported(const char *report, fake_answer *answer, const char *id) {
    fake.report = report;
    expect_diagnosis(8, 8, answer, id);
}

Test(diagnosis, knows_what_was_never_written) {
    fake.report = "{\"launches\":[]}"; /* the first block's sum, by chance */
    expect_diagnosis(600, 256, first_256, "nothing_launched");
    expect_reported("{\"launches\":[]}", nothing, "nothing_launched");
    expect_reported("{\"launches\":[{\"counters\":{}}]}", nothing, "kernel_not_written");
    expect_reported("{\"launches\":[{\"counters\":{\"global_stores\":1}}]}", nothing,
                    "sum_not_stored");
}

/* A report of one launch, of two blocks of 8 threads, and one finding. Of its lines, the fifth
 * fills the tile, the seventh is in the loop, and the ninth comes after it. */
#define REPORT(bytes, dynamic, barriers, findings)                                                 \
    REPORT_OF("6", bytes, dynamic, barriers, findings)
#define REPORT_OF(stores, bytes, dynamic, barriers, findings)                                      \
    "{\"launches\":[{\"grid\":[2,1,1],\"block\":[8,1,1],\"shared_bytes\":" bytes                   \
    ",\"dynamic_bytes\":" dynamic ",\"counters\":{\"barriers\":" barriers "},\"lines\":["          \
    "{\"line\":5,\"counters\":{\"shared_stores\":2}},"                                             \
    "{\"line\":7,\"counters\":{\"shared_stores\":" stores ",\"shared_loads\":12}},"                \
    "{\"line\":9,\"counters\":{\"shared_loads\":2}},{\"line\":11,\"counters\":{\"atomics\":2}}]}]" \
    ",\"findings\":[" findings "]}"
#define SIDE(what, line, block, thread)                                                            \
    "{\"what\":\"" what "\",\"line\":" line ",\"block\":[" block ",0,0],\"thread\":[" thread       \
    ",0,0]}"
#define FINDING(kind, place, here, other)                                                          \
    "{\"kind\":\"" kind "\",\"place\":\"" place "\",\"here\":" here ",\"other\":" other "}"

/* Of 13 ints in blocks of 8, threads 5 to 7 of block 1 have none. */
static void expect_found(const char *report, const char *id) {
    fake.report = report;
    expect_diagnosis(13, 8, first_256, id);
}

#define OUTSIDE(bytes, dynamic, place, what, block, thread)                                        \
    REPORT(bytes, dynamic, "8",                                                                    \
           FINDING("out_of_bounds", place, SIDE(what, "5", block, thread), "null"))

Test(diagnosis, knows_accesses_by_who_makes_them_where) {
    expect_found(OUTSIDE("32", "32", "in[13]", "reads", "1", "5"), "reads_past_the_end");
    expect_found(OUTSIDE("32", "32", "in[13]", "reads", "0", "5"), NULL); /* has an int */
    expect_found(OUTSIDE("32", "32", "in[13]", "writes", "1", "5"), NULL);
    expect_found(OUTSIDE("32", "32", "in[-3]", "reads", "1", "5"), NULL);
    expect_found(OUTSIDE("32", "32", "scratch[3]", "writes", "1", "0"), "scratch_overrun");
    expect_found(OUTSIDE("32", "32", "scratch[-1]", "writes", "0", "0"), NULL);
    expect_found(OUTSIDE("32", "32", "sum[1]", "writes", "1", "0"), "partials_into_sum");
    expect_found(OUTSIDE("32", "32", "sum[-192]", "reads", "1", "0"), NULL);
}

Test(diagnosis, tells_a_tile_of_the_kernel_s_own_from_too_little_of_the_launch) {
    expect_found(OUTSIDE("8", "8", "tile[2]", "writes", "0", "2"), "no_dynamic_shared");
    expect_found(OUTSIDE("0", "0", "tile[0]", "writes", "0", "0"), "no_dynamic_shared");
    expect_found(OUTSIDE("8", "0", "tile[2]", "writes", "0", "2"), "fixed_tile");
}

/* A block of 8 threads is a power of two, whoever looks beyond its tile. */
Test(diagnosis, blames_no_odd_block_where_it_is_none) {
    expect_found(OUTSIDE("32", "32", "tile[8]", "reads", "0", "7"), NULL);
}

#define RACE(barriers, here, other)                                                                \
    REPORT("32", "32", barriers, FINDING("shared_race", "tile[1]", here, other))

/* Two warps: with n barriers each waits at n / 2. A block of 8 has three steps. */
Test(diagnosis, tells_a_race_by_where_its_sides_stand) {
    expect_found(RACE("0", SIDE("reads", "7", "0", "0"), SIDE("writes", "5", "0", "1")),
                 "no_barrier");
    expect_found(RACE("6", SIDE("reads", "7", "0", "0"), SIDE("writes", "5", "0", "1")),
                 "barrier_missing_after_load");
    expect_found(RACE("2", SIDE("reads", "7", "0", "0"), SIDE("writes", "7", "0", "2")),
                 "barrier_missing_in_loop");
    expect_found(RACE("6", SIDE("reads", "9", "0", "1"), SIDE("writes", "7", "0", "0")), NULL);
    expect_found(RACE("6", SIDE("writes", "7", "0", "1"), SIDE("writes", "7", "0", "0")), NULL);
}

/* Two steps where there should be three, and a barrier in each: something else is wrong. */
Test(diagnosis, misses_no_barrier_where_each_step_waits) {
    expect_found(REPORT_OF("4", "32", "32", "4",
                           FINDING("shared_race", "tile[1]", SIDE("reads", "7", "0", "0"),
                                   SIDE("writes", "7", "0", "2"))),
                 NULL);
}

/* Steps that are written out line by line: one of the two warps makes the first. */
Test(diagnosis, takes_no_step_of_a_few_warps_for_the_load) {
    expect_found(REPORT_OF("1", "32", "32", "6",
                           FINDING("shared_race", "tile[1]", SIDE("reads", "9", "0", "0"),
                                   SIDE("writes", "7", "0", "1"))),
                 NULL);
}

Test(diagnosis, tells_who_adds_though_it_should_rest) {
    static const char right_threads[] =
        RACE("8", SIDE("reads", "7", "0", "0"), SIDE("writes", "7", "0", "4"));

    expect_found(RACE("8", SIDE("reads", "7", "0", "2"), SIDE("writes", "7", "0", "3")),
                 "too_many_add");
    expect_found(right_threads, "too_many_add"); /* one stride apart */
    expect_found(RACE("8", SIDE("reads", "7", "0", "1"), SIDE("writes", "7", "0", "3")), NULL);
}

Test(diagnosis, tells_what_was_never_written_by_who_should_have) {
#define UNWRITTEN(place, line, block)                                                              \
    REPORT("32", "32", "8",                                                                        \
           FINDING("uninitialised", place, SIDE("reads", line, block, "0"), "null"))
    expect_found(UNWRITTEN("sum[0]", "9", "0"), NULL);
    expect_found(UNWRITTEN("sum[0]", "11", "0"), "sum_not_zeroed"); /* which adds */
    expect_found(UNWRITTEN("scratch[0]", "9", "0"), "reads_unwritten_partials");
    expect_found(UNWRITTEN("tile[5]", "7", "1"), "tail_not_zeroed");
    expect_found(UNWRITTEN("tile[5]", "7", "0"), NULL); /* all of block 0 have an int */
}

Test(diagnosis, tells_an_early_return_from_a_barrier_in_a_branch) {
#define GONE(block, thread)                                                                        \
    REPORT("32", "32", "8",                                                                        \
           FINDING("divergent_barrier", "", SIDE("waits", "7", block, "0"),                        \
                   SIDE("leaves the kernel", "9", block, thread)))
    expect_found(GONE("1", "6"), "early_return");
    expect_found(GONE("0", "6"), "barrier_in_branch"); /* which has an int */
}

Test(diagnosis, names_no_grid_that_was_not_empty) {
    fake.words = "it returned an error: Too many bytes of shared memory in a block …";
    expect_diagnosis(5, 8, fake_refuse, NULL);
    expect_diagnosis(0, 8, fake_refuse, NULL);
}

Test(diagnosis, knows_an_endless_loop) {
    expect_reported("{\"findings\":[{\"kind\":\"endless\"}]}", first_256, "endless_stride");
}
