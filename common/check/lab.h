/*
 * What a lab's tests are written with. A test is plain C:
 *
 *     static void sum_case(struct lab *lab, const struct lab_case *c) {
 *         int32_t *in = lab_random_i32(lab, c->n);
 *         int32_t sum, expected = reference_sum(in, c->n);
 *         if (lab_call(lab, "sum_divergent", lab_in(in, c->n), lab_size(c->n), …))
 *             lab_expect_i32(lab, "sum", &sum, &expected, 1);
 *     }
 *     LAB_TEST(edge, handles_partial_last_block) {
 *         lab_sweep(lab, sizes, n_sizes, blocks, n_blocks, sum_case);
 *     }
 *
 * Criterion runs each test in a process of its own. The student's code is not in it: lab_call sends
 * the arguments to a worker and brings the outputs back. When the test ends, its result is written
 * as one JSON document into the folder that the grader named, and Criterion is told passed or
 * failed.
 */
#ifndef CHECK_LAB_H
#define CHECK_LAB_H

#include <criterion/criterion.h>
#include <jansson.h>

#include "common/call/call.h"

struct lab;

/* One case of a test: everything that is needed to run it again. */
struct lab_case {
    size_t n;
    unsigned block;
    uint64_t seed;
};

typedef void lab_body(struct lab *lab);
typedef void lab_case_body(struct lab *lab, const struct lab_case *c);

/* A test; its tier is the suite: example, edge, safety, technique or speed. */
#define LAB_TEST(tier, name)                                                                       \
    static void tier##_##name##_body(struct lab *lab);                                             \
    Test(tier, name) {                                                                             \
        lab_run(#tier, #name, tier##_##name##_body);                                               \
    }                                                                                              \
    static void tier##_##name##_body(struct lab *lab)

/* Runs a test's body with a fresh context, writes its result, and fails the Criterion test where
 * the result is not a pass. */
void lab_run(const char *tier, const char *name, lab_body *body);

/* Which device answers: example and edge run on the chosen backend, safety and technique always on
 * the simulator, speed always on the GPU (skipped in words where there is none). */
bool lab_on_gpu(const struct lab *lab);
/* Ends the test as "skipped" with a reason; it counts for nothing. Does not return. */
void lab_skip(struct lab *lab, const char *reason, ...)
    __attribute__((format(printf, 2, 3), noreturn));

/*
 * Runs `body` for every size and block size, smallest first, in one worker. The first failing case
 * is shrunk: n is bisected between the last size that passed and the one that failed, and the
 * smallest failing case becomes the result. Where the command line named a case (--case
 * n=513,block=256), only that one runs.
 */
void lab_sweep(struct lab *lab, const size_t *sizes, size_t n_sizes, const unsigned *blocks,
               size_t n_blocks, lab_case_body *body);
/* One case, with the test's seed. */
void lab_one(struct lab *lab, size_t n, unsigned block, lab_case_body *body);

/* Inputs: secret-seeded, different at each index, negative values among them. Freed with the case.
 */
int32_t *lab_random_i32(struct lab *lab, size_t n);

/* Arguments of a call. `name` is the parameter's name in the lab's header. */
struct call_arg lab_in(const char *name, const void *data, size_t count, size_t element_bytes);
struct call_arg lab_out(const char *name, void *data, size_t count, size_t element_bytes);
struct call_arg lab_scratch(const char *name, size_t count, size_t element_bytes);
struct call_arg lab_size(size_t value);
struct call_arg lab_u32(uint32_t value);

/* Calls the student's function. True when it returned normally and nothing was damaged; otherwise
 * the verdict and the reason are noted and the case is over. Findings of the simulator make it
 * false too (in every tier: a race is wrong whatever came out). */
#define lab_call(lab, function, ...)                                                               \
    lab_call_args(lab, function, (struct call_arg[]){__VA_ARGS__},                                 \
                  sizeof((struct call_arg[]){__VA_ARGS__}) / sizeof(struct call_arg))
bool lab_call_args(struct lab *lab, const char *function, struct call_arg *args, size_t n_args);

/* Compares; notes index, expected, got of the first mismatch. `owner` (may be NULL) says which
 * block and thread of which launch own an index. */
bool lab_expect_i32(struct lab *lab, const char *what, const int32_t *got, const int32_t *expected,
                    size_t count);

/* Notes that the case failed, in words ("verdict" is a word of LAB_VERDICTS). */
void lab_fail(struct lab *lab, const char *verdict, const char *reason, ...)
    __attribute__((format(printf, 3, 4)));

/* Names the known mistake (an id of the manifest's `diagnoses`) that explains the failure. The
 * first one named stands. */
void lab_diagnose(struct lab *lab, const char *id);
/* Called on each failed case, before it is recorded, so that the lab can look at what happened. */
typedef void lab_diagnoser(struct lab *lab, const struct lab_case *c);
void lab_set_diagnoser(struct lab *lab, lab_diagnoser *diagnoser);

/* What the last call was: outcome, findings, counters. NULL before the first call. */
const struct call_result *lab_last(const struct lab *lab);
/* The simulator's report of the last call, parsed; NULL on a GPU. Borrowed. */
const json_t *lab_report(const struct lab *lab);
/* Number of findings of a kind ("shared_race"); first line and second line of the first one, if
 * any. */
size_t lab_findings(const struct lab *lab, const char *kind, int *line, int *other_line);
/* A counter of launch `index` of the last call, summed ("barriers"), or its largest value on one
 * source line of the student's file. */
uint64_t lab_counter(const struct lab *lab, size_t index, const char *name);
uint64_t lab_counter_max_line(const struct lab *lab, size_t index, const char *name, int *line);
size_t lab_n_launches(const struct lab *lab);

/* A technique check: `holds` decides, `what` says what the lab asks for, got and wanted as numbers.
 */
bool lab_technique(struct lab *lab, bool holds, const char *what, uint64_t got,
                   const char *relation, uint64_t wanted);

/* A prediction: the variable that the student's file exports against what was counted. -1 in the
 * student's file is "not answered". Never fails a test; the record carries it. */
void lab_predict(struct lab *lab, const char *variable, const char *question, int64_t counted,
                 const char *explanation);

/*
 * Times `function` at one size: fresh inputs by `body` for each repetition (it fills args and the
 * expected output), cold L2, output checked after each run. Notes median, spread, count, GB/s from
 * `bytes`, share of the device's copy bandwidth measured here and now, and fails on a wrong output
 * or a figure above the physical peak ("measurement invalid").
 */
struct lab_bench {
    const char *function;
    size_t n;
    unsigned block;
    size_t bytes; /* that the algorithm must move */
    struct call_arg *args;
    size_t n_args;
    /* Changes the inputs and what is expected; called before each repetition. */
    void (*refresh)(void *state, uint64_t seed);
    /* True when the outputs are right. */
    bool (*is_right)(const void *state);
    void *state;
};
void lab_time(struct lab *lab, const struct lab_bench *bench);

/* Verdicts of a test, most telling first. */
#define LAB_VERDICTS(X)                                                                            \
    X(PASS, "pass")                                                                                \
    X(WRONG_ANSWER, "wrong_answer")                                                                \
    X(FINDING, "finding")                                                                          \
    X(TECHNIQUE, "technique")                                                                      \
    X(NOT_WRITTEN, "not_written")                                                                  \
    X(CRASH, "crash")                                                                              \
    X(TIMEOUT, "timeout")                                                                          \
    X(EXITED, "exited")                                                                            \
    X(OUT_OF_MEMORY, "out_of_memory")                                                              \
    X(CUDA_ERROR, "cuda_error")                                                                    \
    X(DAMAGE, "damage")                                                                            \
    X(NO_ENTRY, "no_entry")                                                                        \
    X(LOAD_FAILED, "load_failed")                                                                  \
    X(UNSUPPORTED, "unsupported")                                                                  \
    X(PROTOCOL, "protocol")                                                                        \
    X(INVALID_MEASUREMENT, "invalid_measurement")                                                  \
    X(SKIPPED, "skipped")                                                                          \
    X(INFRASTRUCTURE, "infrastructure")

#endif
