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
    {"sum", "past_the_tile", "too_many_add", mistakes, 1},
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

FAKE_ANSWER(refuse) {
    result->outcome = CALL_CUDA_ERROR;
    result->returned = 9;
}

FAKE_ANSWER(crash) {
    result->outcome = CALL_CRASH;
    result->signal = SIGSEGV;
}

Test(diagnosis, tells_the_first_block_from_the_first_level) {
    expect_diagnosis(2048, 256, first_256, "partials_never_reduced");
    expect_diagnosis(2048, 16, first_256, "single_level");
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

    LEVELS_SWEEP(lab, sizes, blocks, levels_case);
}

Test(diagnosis, blames_no_size_where_a_smaller_one_is_wrong) {
    fake.answer = every_second;
    json_t *document = fake_perform("edge", sum_more_than_int_holds);
    fake_expect(document, "diagnosis", NULL);
    fake_expect_reason(document, "(n = 2,");
}

Test(diagnosis, knows_a_dropped_tail) {
    expect_diagnosis(300, 64, first_256, "dropped_partial_block");
    expect_diagnosis(200, 256, refuse, "dropped_partial_block"); /* no block at all */
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
    expect_diagnosis(0, 256, refuse, "empty_input_not_handled");
}

Test(diagnosis, knows_who_follows_device_pointers) {
    expect_diagnosis(8, 8, crash, "device_pointer_on_host");
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
    expect_reported("{\"launches\":[]}", nothing, "nothing_launched");
    expect_reported("{\"launches\":[{\"counters\":{}}]}", nothing, "kernel_not_written");
    expect_reported("{\"launches\":[{\"counters\":{\"global_stores\":1}}]}", nothing,
                    "sum_not_stored");
}

#define FINDING(kind, place)                                                                       \
    "{\"launches\":[{\"grid\":[1,1,1],\"block\":[8,1,1],\"shared_bytes\":8,\"counters\":{}}],"     \
    "\"findings\":[{\"kind\":\"" kind "\",\"place\":\"" place "\",\"here\":{\"line\":1}}]}"

Test(diagnosis, knows_buffers_by_their_names) {
    expect_reported(FINDING("out_of_bounds", "in[8]"), first_256, "reads_past_the_end");
    expect_reported(FINDING("out_of_bounds", "scratch[1]"), first_256, "scratch_overrun");
    expect_reported(FINDING("out_of_bounds", "sum[1]"), first_256, "partials_into_sum");
    expect_reported(FINDING("out_of_bounds", "tile[2]"), first_256, "no_dynamic_shared");
    expect_reported(FINDING("uninitialised", "sum[0]"), first_256, "sum_not_zeroed");
    expect_reported(FINDING("uninitialised", "scratch[0]"), first_256, "reads_unwritten_partials");
    expect_reported(FINDING("shared_race", "tile[1]"), first_256, "no_barrier");
}

Test(diagnosis, leaves_to_the_manifest_what_the_finding_tells_alone) {
    expect_reported(FINDING("uninitialised", "tile[4]"), first_256, NULL);
    expect_reported(FINDING("deadlock", ""), first_256, NULL);
}

Test(diagnosis, tells_an_early_return_from_a_barrier_in_a_branch) {
    static const char gone[] = "{\"findings\":[{\"kind\":\"divergent_barrier\","
                               "\"other\":{\"what\":\"leaves the kernel\"}}]}",
                      left_word[] = "{\"findings\":[{\"kind\":\"divergent_barrier\","
                                    "\"other\":{\"what\":\"leaves the kernel\"}},"
                                    "{\"kind\":\"uninitialised\",\"place\":\"tile[4]\"}]}";

    expect_reported(FINDING("divergent_barrier", ""), first_256, "barrier_in_branch");
    expect_reported(gone, first_256, "barrier_in_branch");
    expect_reported(left_word, first_256, "early_return");
}

Test(diagnosis, knows_an_endless_loop) {
    expect_reported(FINDING("endless", ""), first_256, "endless_stride");
}
