/*
 * What a lab's tests are written with. A test is plain C:
 *
 *     static void sum_case(struct lab *lab, const struct lab_case *c) {
 *         int32_t *in = lab_random_i32(lab, c->n);          // an input, freed with the case
 *         int32_t sum, expected = reference_sum(in, c->n);  // the test's own code
 *
 *         // int sum(const int *in, size_t n, int *sum): its arguments in its order
 *         if (lab_call(lab, "sum", lab_in("in", in, c->n, 4), lab_size(c->n),
 *                      lab_out("sum", &sum, 1, 4)))
 *             lab_expect_i32(lab, "sum", &sum, &expected, 1);
 *     }
 *
 *     LAB_TEST(edge, handles_partial_last_block) {
 *         static const size_t sizes[] = {0, 1, 255, 257};
 *         static const unsigned blocks[] = {128, 256};
 *
 *         lab_sweep(lab, sizes, 4, blocks, 2, sum_case);
 *     }
 *
 * lab_call sends the arguments to a worker, where the student's code runs, and brings the outputs
 * back. `data` is the test's own memory; the worker copies inputs to the device and outputs from
 * it.
 *
 * The first failure that a case notes is the case's. The first case that fails is the test's, or
 * the smallest case that fails in the same way. When the test ends, its result is written as one
 * JSON document (README.md describes it) into the folder that the grader named. The test is one of
 * Criterion's, but it may use none of Criterion's functions, since what it finds goes into its
 * result.
 */
#pragma once

#include <criterion/criterion.h>
#include <jansson.h>
#include <pthread.h>

#include "common/call/call.h"

struct lab;

/* -- A test -- */

/* How a test ended, with the word that stands for it in the result. */
#define LAB_VERDICTS(X)                                                                            \
    X(PASS, "pass")                                                                                \
    X(WRONG_ANSWER, "wrong_answer")   /* an output differs from what is right */                   \
    X(FINDING, "finding")             /* the simulator saw what a correct kernel never does */     \
    X(TECHNIQUE, "technique")         /* right, but not done as the lab asks */                    \
    X(NOT_WRITTEN, "not_written")     /* the entry point returns LAB_NOT_WRITTEN */                \
    X(CRASH, "crash")                 /* killed by a signal */                                     \
    X(TIMEOUT, "timeout")             /* stopped at the time limit, or its budget's end */         \
    X(EXITED, "exited")               /* exit() in the student's code */                           \
    X(OUT_OF_MEMORY, "out_of_memory") /* the device holds less than was asked for */               \
    X(CUDA_ERROR, "cuda_error")       /* returned, or pending afterwards */                        \
    X(DAMAGE, "damage") /* a const input changed, bytes beside a buffer, or memory never freed */  \
    X(NO_ENTRY, "no_entry")                       /* no such function in the submission */         \
    X(LOAD_FAILED, "load_failed")                 /* the submission could not be loaded */         \
    X(UNSUPPORTED, "unsupported")                 /* the simulator does not run this */            \
    X(PROTOCOL, "protocol")                       /* the worker sent nonsense */                   \
    X(INVALID_MEASUREMENT, "invalid_measurement") /* a time that can't be */                       \
    X(TOO_NOISY, "too_noisy")                     /* times that differ too much to judge by */     \
    X(SKIPPED, "skipped")                         /* counts for nothing */                         \
    X(INFRASTRUCTURE, "infrastructure")           /* our own failure */

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

/* Runs a test's body with a fresh context and writes its result, which the process's exit code will
 * tell, too: 0 where all that it ran passed or was skipped, else 1. */
void lab_run(const char *tier, const char *name, lab_body *body);

/* Which device answers: example and edge run on the chosen backend, safety and technique always on
 * the simulator, speed always on the GPU (skipped in words where there is none). */
bool lab_on_gpu(const struct lab *lab);
/* Ends the test as "skipped" with a reason; it counts for nothing. Does not return. */
void lab_skip(struct lab *lab, const char *reason, ...)
    __attribute__((format(printf, 2, 3), noreturn));
/* Right answers need not read each element of this test's inputs. */
void lab_leave_unread(struct lab *lab);
/* Skips unless this test runs on a GPU with that much memory free. */
void lab_need_gpu(struct lab *lab, size_t free_bytes);
/* Whether it has that much, for a part of a test that may be left out. */
bool lab_gpu_has(struct lab *lab, size_t free_bytes);
/* Raises the time limit of each call, and its budget on the simulator; before the first one. For
 * calls that move gigabytes, and for those whose work no buffer's size tells. */
void lab_allow_ms(struct lab *lab, int timeout_ms);

/* -- Cases -- */

/*
 * Runs `body` for every size (in ascending order) and block size, in one worker. The first failing
 * case is shrunk: a smaller n that fails in the same way is looked for at sizes around the block's
 * and by bisection, above the last size that passed, and the smallest one found becomes the result.
 * Where the command line named a case (--case n=513,block=256), only that one runs.
 */
void lab_sweep(struct lab *lab, const size_t *sizes, size_t n_sizes, const unsigned *blocks,
               size_t n_blocks, lab_case_body *body);
/* The same of arrays, all of them. */
#define LAB_SWEEP(lab, sizes, blocks, body)                                                        \
    lab_sweep(lab, sizes, sizeof(sizes) / sizeof(sizes)[0], blocks,                                \
              sizeof(blocks) / sizeof(blocks)[0], body)
/* What a failing case shows: the input, shared memory at each barrier, expected and got, as numbers
 * of this type; ints unless set. */
enum lab_elements { LAB_INTS, LAB_UNSIGNED, LAB_FLOATS, LAB_DOUBLES };
void lab_set_elements(struct lab *lab, enum lab_elements elements);
/* Block sizes with which the running case may be tried, too, so that a sweep which fails can show
 * few numbers. In ascending order; must live as long as the test. */
void lab_set_small_blocks(struct lab *lab, const unsigned *blocks, size_t n_blocks);

/* What the running case is ("a block of 8 × 8 threads"): messages say it in place of n and block,
 * where a student would not know what these stand for. Before the case's first call. */
void lab_describe(struct lab *lab, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One case. The command line's case gives it its seed, if any, and nothing else. */
void lab_one(struct lab *lab, size_t n, unsigned block, lab_case_body *body);

/* The same; where it fails, a smaller case is run, too, whose failure takes its place: what goes
 * wrong at both sizes is told of the smaller one, and costs no time where all is right. A smaller
 * one that is skipped changes nothing. */
void lab_one_above(struct lab *lab, size_t n, size_t smaller, unsigned block, lab_case_body *body);

/* -- Inputs -- */

/* Inputs: from the case's secret seed, never 0 (a dropped element always shows) and no two
 * neighbours equal. More than 64 of them have all 32 bits: a float can't hold them, and their sums
 * wrap around. Up to 64 lie between -32,768 and 32,767, so that a reader can add them up. Each
 * array of a case differs. Freed with the case. */
int32_t *lab_random_i32(struct lab *lab, size_t n);
/* Fills an array in the same way from a seed of one's own. */
void lab_fill_i32(int32_t *data, size_t n, uint64_t seed);

/* The same numbers without memory for them: each is made where it is needed, by several threads.
 * For inputs of gigabytes. Of all types none is 0 and no two neighbours are equal. LAB_I32_SMALL:
 * -32 to 31, whose sums floats hold, too, up to 2^19 of them. LAB_F32: floats
 * between -128 and 128, multiples of 2^-16, whose sum depends on the order of additions.
 * LAB_F32_WHOLE: floats that are whole numbers, whose sum does not, as long as no partial sum
 * exceeds 2^24. Up to 4,096 of them lie between -4,096 and 4,096, so none can. More of them lie
 * between -32 and 32; each is drawn alone, and has either sign with the same chance; so a sum of
 * any n of them, picked and ordered without looking at them, exceeds 2^24 on its way with a chance
 * of at most 2 exp(-2^48 / (2 n 32^2)) (Azuma and Hoeffding): 3e-28 for n = 2^31. LAB_F32_FEW: the
 * same between -32 and 32, however few, whose products are exact, too. */
enum { LAB_PIECE = 1 << 18, LAB_STRETCH = 1 << 23 };
struct lab_probe;
struct lab_drawn {
    enum { LAB_I32, LAB_F32, LAB_F32_WHOLE, LAB_F32_FEW, LAB_I32_SMALL } type;
    uint64_t seed;
    size_t n;
    size_t period;   /* they repeat after so many, whole pieces; 0: they don't */
    int64_t *totals; /* of each LAB_PIECE numbers, where they are kept, as soon as they were made */
    /* Of those that change by stretches; NULL: all change. */
    struct lab_stretch {
        uint64_t seed;
        bool is_new; /* since the last lab_drawn_anew */
    } * stretches;
    unsigned array;                /* the how-many-th that its case draws, from 0 on */
    const struct lab_probe *probe; /* what an experiment changes of it; NULL: nothing */
};
struct lab_drawn lab_draw(struct lab *lab, int type, size_t n);
/* Very many repeat after 17 million, so that a GPU can copy most of them by itself. 2^31 and 2^32,
 * at which an index may wrap around, are no multiples of that: the element there is another one,
 * and the mistake shows. Not for timed calls: who knows after how many they repeat need not read
 * them all. */
struct lab_drawn lab_draw_repeating(struct lab *lab, int type, size_t n);
/* Their exact sum; of LAB_F32 in units of 2^-16. For up to 2^32 ints, and 2^40 floats. */
int64_t lab_drawn_sum(const struct lab_drawn *drawn);
/* The sum of one piece of LAB_PIECE numbers, or of what the last one has. */
int64_t lab_drawn_piece_sum(const struct lab_drawn *drawn, size_t piece);
/* From then on the sums of pieces are kept while the input of a call is made, so that they cost
 * hardly anything after the call. In memory of the case. */
void lab_drawn_keep_sums(struct lab *lab, struct lab_drawn *drawn);
/* Other numbers, as many. Of those that change by stretches a few, at places that nobody can know
 * who does not read them all. */
void lab_drawn_anew(struct lab_drawn *drawn, uint64_t seed);
/* From the next lab_drawn_anew on, which changes all of them, they change by stretches of
 * LAB_STRETCH numbers: what stays need not be moved to a GPU again. In memory of the case. */
void lab_drawn_by_stretches(struct lab *lab, struct lab_drawn *drawn);
/* All of them in memory, which is freed with the case. */
float *lab_drawn_f32(struct lab *lab, const struct lab_drawn *drawn);
/* The numbers that were drawn last go into the call in another form; what is said of them calls
 * them so, with an index behind it: "the sum in state". The caller keeps the name. */
void lab_name_drawn(struct lab *lab, const char *name);
/* Elements first … first + count - 1 of them, by any thread. */
void lab_drawn_make(const void *drawn, size_t first, size_t count, void *to);
/* The argument of a call; `drawn` must live as long as the case. */
struct call_arg lab_in_drawn(const char *name, const struct lab_drawn *drawn);
/* Memory that is freed with the case, zeroed. Ends the test when the host has none. */
void *lab_memory(struct lab *lab, size_t bytes);

/* -- Arguments of a call -- */

/* `name` is the parameter's name in the lab's header, `count` its elements of `element_bytes` each.
 * An input must be unchanged after the call, unless its `may_change` is set; an output must be
 * written; lab_inout is filled before the call, and may be written; scratch is device memory whose
 * contents nobody looks at. lab_host_in and lab_host_out are arrays in host memory: a function that
 * takes any is asked to copy, so its copies count as no work of the host's. lab_size is a parameter
 * `size_t n`. Other kinds can be written out as a struct call_arg (common/call/call.h).
 */
struct call_arg lab_in(const char *name, const void *data, size_t count, size_t element_bytes);
struct call_arg lab_out(const char *name, void *data, size_t count, size_t element_bytes);
struct call_arg lab_inout(const char *name, void *data, size_t count, size_t element_bytes);
struct call_arg lab_scratch(const char *name, size_t count, size_t element_bytes);
struct call_arg lab_host_in(const char *name, const void *data, size_t count, size_t element_bytes);
struct call_arg lab_host_out(const char *name, void *data, size_t count, size_t element_bytes);
/* The same in pinned memory, of which copies go on while the host does. */
struct call_arg lab_pinned_in(const char *name, const void *data, size_t count,
                              size_t element_bytes);
struct call_arg lab_pinned_out(const char *name, void *data, size_t count, size_t element_bytes);
/* An output of ints, or of floats that are right to the bit, that is compared as it comes back, in
 * place of memory for gigabytes: make(…) writes elements first … first + count - 1 of what is right
 * to `to`. It is called by several threads at once, for pieces of LAB_PIECE elements from the first
 * one on. One struct is of one call at a time, and lives as long as the case. */
struct lab_made {
    void (*make)(const void *context, size_t first, size_t count, int32_t *to);
    const void *context;
    size_t n;
    /* Since the last begin: */
    pthread_mutex_t mutex;
    size_t n_compared;
    int64_t wrong; /* the first that differs; -1 for none */
    int32_t got, expected;
};
struct call_arg lab_out_made(const char *name, struct lab_made *made);
/* For who calls again with the same argument: forgets what came before. */
void lab_made_begin(struct lab_made *made);
/* True where all came back, and was right. */
bool lab_made_is_right(const struct lab_made *made);
struct call_arg lab_size(size_t value);
struct call_arg lab_u32(const char *name, uint32_t value);

/* -- The call -- */

/* Calls the student's function. True when it returned normally and nothing was damaged; otherwise
 * the verdict and the reason are noted and the case is over. Findings of the simulator make it
 * false too (in every tier: a race is wrong whatever came out). */
#define lab_call(lab, function, ...)                                                               \
    lab_call_args(lab, function, (struct call_arg[]){__VA_ARGS__},                                 \
                  sizeof((struct call_arg[]){__VA_ARGS__}) / sizeof(struct call_arg))
bool lab_call_args(struct lab *lab, const char *function, struct call_arg *args, size_t n_args);

/* The same for a function that is host code alone, a calculation: no kernel is asked for. */
#define lab_call_host(lab, function, ...)                                                          \
    lab_call_host_args(lab, function, (struct call_arg[]){__VA_ARGS__},                            \
                       sizeof((struct call_arg[]){__VA_ARGS__}) / sizeof(struct call_arg))
bool lab_call_host_args(struct lab *lab, const char *function, struct call_arg *args,
                        size_t n_args);

/* The same with arguments that the device must refuse: true when the function returned an error.
 * `why` says in words what is refused ("a block of 1025 threads"). */
#define lab_call_refused(lab, function, why, ...)                                                  \
    lab_call_refused_args(lab, function, why, (struct call_arg[]){__VA_ARGS__},                    \
                          sizeof((struct call_arg[]){__VA_ARGS__}) / sizeof(struct call_arg))
bool lab_call_refused_args(struct lab *lab, const char *function, const char *why,
                           struct call_arg *args, size_t n_args);

/* The same with arguments that the header wants answered with cudaErrorInvalidValue. */
bool lab_call_invalid_args(struct lab *lab, const char *function, const char *why,
                           struct call_arg *args, size_t n_args);

/* -- What every function promises beside its result -- */

/* Calls, and then again once for each launch, allocation, copy and fill that was asked for (12 at
 * most), which the simulator refuses: true when the function returned its error each time, kept no
 * memory, launched nothing that reads memory which is not there, and handed CUDA no stream or event
 * that was never made (`object_never_made`).
 * After a launch that was refused it is called again, and must not return the error once more. The
 * manifest explains the diagnoses `launch_error_swallowed`, `call_error_swallowed`,
 * `memory_kept_after_error` and `error_left_pending`. */
#define lab_returns_refusals(lab, function, ...)                                                   \
    lab_returns_refusals_args(lab, function, (struct call_arg[]){__VA_ARGS__},                     \
                              sizeof((struct call_arg[]){__VA_ARGS__}) / sizeof(struct call_arg))
bool lab_returns_refusals_args(struct lab *lab, const char *function, struct call_arg *args,
                               size_t n_args);

/* The same for what waits, be it the host or a stream for an event, and for records of events. */
bool lab_returns_failed_waits_args(struct lab *lab, const char *function, struct call_arg *args,
                                   size_t n_args);

/* The same for questions about the device and about kernels, of a function that is host code: each
 * one that fails must be what the function returns; `question_error_swallowed` is where not. */
bool lab_returns_failed_questions_args(struct lab *lab, const char *function, struct call_arg *args,
                                       size_t n_args);

/* Whether the device is another one in calls to come, with 132 multiprocessors and the limits of
 * compute capability 9.0: it says so, and holds as many blocks. On the simulator alone. */
void lab_on_another_device(struct lab *lab, bool is_other);

/* Runs `body` for these sizes, one after the other in one worker. A buffer that is as large as that
 * of the call before lies at the same address, with other data. On the simulator buffers begin one
 * element behind a round address, but for arguments that are `is_round`. A case that fails after
 * others runs again in a worker of its own: only where it is right there, its diagnosis is
 * `state_between_calls`. No call may leave device memory allocated (`memory_kept`), or a stream, an
 * event or pinned memory
 * (`object_kept`), and not all calls memory of the host (`host_memory_kept`). */
void lab_in_turn(struct lab *lab, const size_t *sizes, size_t n_sizes, unsigned block,
                 lab_case_body *body);

/* Runs one case, and on the simulator again in eight other orders of streams, blocks and warps that
 * CUDA allows. What is right in the usual one alone has the diagnosis `depends_on_order`. */
void lab_any_order(struct lab *lab, size_t n, unsigned block, lab_case_body *body);

/* A technique check: the launch of the last call with the most threads has so many in a block, and
 * so many blocks (0: any number). True where it has, and where the case has failed already. Its
 * diagnosis is `other_grid`. */
bool lab_expect_grid(struct lab *lab, uint64_t n_threads, uint64_t n_blocks);

/* After a call that went well: kernels have stored to no more than so many bytes of this buffer,
 * which are those of the function's; also where they left the others as they were. On the
 * simulator. */
bool lab_expect_stored(struct lab *lab, const char *name, size_t bytes);

/* -- Sizes beyond 32 bits on the simulator -- */

/* Buffers of which little is touched: one of gigabytes takes memory only there. The input holds
 * zeros, and `bits` in `n_set` elements from `first` on; of 4 bytes, both numbers multiples of
 * CALL_SPARSE_STEP. What such a call writes to an output is where its argument's data point to. */
struct call_arg lab_in_set(const char *name, uint32_t bits, size_t first, size_t n_set, size_t n);
struct call_arg lab_out_sparse(const char *name, size_t count, size_t element_bytes);
struct call_arg lab_scratch_sparse(const char *name, size_t count, size_t element_bytes);
/* The same in host memory: zeros; what a call writes there is lost. */
struct call_arg lab_host_in_sparse(const char *name, size_t count, size_t element_bytes);
struct call_arg lab_host_out_sparse(const char *name, size_t count, size_t element_bytes);

/* A call with host arrays for which the device has no memory: true where the function returned an
 * error. `why` says in words what there is none for. Ends the test as skipped where the function
 * goes on in pieces, which would take too long. On the simulator. */
bool lab_call_beyond_memory(struct lab *lab, const char *function, const char *why,
                            struct call_arg *args, size_t n_args);

/*
 * A call of which a sample of the blocks runs, by pairs as far from the beginning of their grid as
 * from its end (struct simt_sample): the same at each call of a case, drawn from its seed. Those
 * that don't run leave memory as it is, which begins as zeros. True as lab_call_args; ends the test
 * as skipped where a sample can't stand for all: where blocks wait for those that don't run, or one
 * of them has more to do than the simulator gets done in the time: lab_allow_ms(lab,
 * LAB_SAMPLED_MS), before the test's first call, is enough for blocks that each go round a loop
 * some 10,000 times.
 */
enum { LAB_SAMPLED_MS = 4000 };
bool lab_call_sampled(struct lab *lab, const char *function, struct call_arg *args, size_t n_args);
/* The same with a grid that the test asks for, in which each thread has a few turns: what the
 * simulator stops there in its first block never ends. */
bool lab_call_briefly(struct lab *lab, const char *function, struct call_arg *args, size_t n_args);
/* The same of n elements that the threads of any grid share alike: what the simulator stops in its
 * first block never ends, where its threads have by then had many times their share. */
bool lab_call_sharing(struct lab *lab, const char *function, struct call_arg *args, size_t n_args,
                      size_t n);
/* The places of that sample: elements of n that its blocks take where each block takes as many
 * neighbours. They come in pairs, from the lower half and from the upper. */
enum { LAB_PLACES = 2 * SIMT_SAMPLE_PLACES };
void lab_sampled_places(struct lab *lab, size_t n, size_t places[LAB_PLACES]);

/* What the blocks of such calls did in the first part of the work and in the last, of which a
 * sample has as much: notes a wrong answer where one is less than half of the other. `least`: more
 * than nobody would call a sample; the test ends as skipped where both are less. */
struct lab_shares {
    const char *what;               /* was counted: "the sum is" */
    const char *of_first, *of_last; /* "where in[0] to in[7] are 1" */
    double first, last, least;
};
bool lab_expect_alike(struct lab *lab, const struct lab_shares *shares);
/* True where both are numbers, and one is less than half of the other. */
bool lab_shares_differ(const struct lab_shares *shares);

/* -- Outputs that are expected -- */

/* Compares; notes index, expected, got of the first mismatch, and says so where the function wrote
 * nothing at all. */
bool lab_expect_i32(struct lab *lab, const char *what, const int32_t *got, const int32_t *expected,
                    size_t count);
/* The same of an output that lab_out_made passed. */
bool lab_expect_made(struct lab *lab, const char *what, const struct lab_made *made);
/* The same for floats, compared with what doubles give; each may be off by `bound`, both ways. NaN
 * is never right. */
bool lab_expect_f32(struct lab *lab, const char *what, const float *got, const double *expected,
                    double bound, size_t count);
/* The same, where element i may be off by bounds[i]. */
bool lab_expect_f32_within(struct lab *lab, const char *what, const float *got,
                           const double *expected, const double *bounds, size_t count);
/* The same for doubles, each of which may be off by `bound`, both ways. NaN is never right. */
bool lab_expect_f64(struct lab *lab, const char *what, const double *got, const double *expected,
                    double bound, size_t count);

/* Which launch (from 0), block and thread own an output element; -1 where that is not known. */
struct lab_owner {
    int64_t launch, block, thread;
};
typedef struct lab_owner lab_owner_of(const struct lab *lab, const char *what, size_t index);
/* From then on, mismatches name the owner. */
void lab_set_owner(struct lab *lab, lab_owner_of *owner);

/* -- Failures, and the mistakes that explain them -- */

/* Notes that the case failed, in words ("verdict" is a word of LAB_VERDICTS). */
void lab_fail(struct lab *lab, const char *verdict, const char *reason, ...)
    __attribute__((format(printf, 3, 4)));
/* True when the running case, or one before it, has noted a failure. */
bool lab_failed(const struct lab *lab);
/* True when n is above `limit` and a smaller case of this test has passed: only then a diagnosis
 * may blame the size, an index that wraps around for example. */
bool lab_fails_only_beyond(const struct lab *lab, uint64_t n, uint64_t limit);

/* Names the known mistake (an id of the manifest's `diagnoses`) that explains the failure. The
 * first one named stands. */
void lab_diagnose(struct lab *lab, const char *id);
/* Called once a failed case, at the moment when the failure is noted: the arguments and outputs of
 * the last call are still there to be looked at. `verdict` is its word, `c` NULL outside cases. */
typedef void lab_diagnoser(struct lab *lab, const struct lab_case *c, const char *verdict);
void lab_set_diagnoser(struct lab *lab, lab_diagnoser *diagnoser);

/* Index of the output element that the running case's failure is about; 0 where it is about none.
 */
size_t lab_mismatch_index(const struct lab *lab);
/* -- What the last call was, and the simulator's report of it -- */

/* What the last call was. NULL before the first call. */
const struct call_result *lab_last(const struct lab *lab);
/* The function that the last call called. */
const char *lab_function(const struct lab *lab);
/* An argument of the last call by its name; NULL when there is none. Its data are the caller's own:
 * there in what the call or its comparison noted, but perhaps gone by the time of a technique. */
const struct call_arg *lab_argument(const struct lab *lab, const char *name);
/* The simulator's report of the last call, parsed; NULL on a GPU. Borrowed. */
const json_t *lab_report(const struct lab *lab);
/* The first finding of a kind ("shared_race"), NULL if there is none. Borrowed. */
const json_t *lab_finding(const struct lab *lab, const char *kind);
/* True when a finding is at this buffer or array: its place is "in[513]", or "in + 2" within an
 * element. */
bool lab_finding_is_at(const json_t *finding, const char *name);
/* The element of the array that a finding is at, by its place: 513 of "in[513]"; -1 where it names
 * none, or one before the array. */
int64_t lab_finding_index(const json_t *finding);
/* True where the place lies before the array's start: "temp[-1]". */
bool lab_finding_is_before(const json_t *finding);
/* True where the place is so many bytes behind the array's start ("in + 2"), since the simulator
 * does not know from which pointer the address was made. */
bool lab_finding_is_in_bytes(const json_t *finding);
/* True where the two sides are of different streams, which nothing orders. */
bool lab_is_between_streams(const json_t *finding);
/* True where a finding out of bounds is in the block's shared memory. */
bool lab_finding_is_in_shared(const json_t *finding);
/* Who one side ("here", "other") of a finding is: line 0 and block and thread -1 where there is no
 * such side. The blocks of these labs have one dimension. */
struct lab_side {
    int line;
    int64_t block, thread;
    bool reads, writes, leaves; /* leaves the kernel */
};
struct lab_side lab_finding_side(const json_t *finding, const char *side);
/* The same of one dimension: the number of the side's "block" in the grid, or "thread" in the
 * block, in x (axis 0), y or z; -1 where it is not known. */
int64_t lab_finding_place(const json_t *finding, const char *side, const char *what, size_t axis);
/* "writes", "leaves the kernel": what one side ("here", "other") of a finding does; "" where there
 * is no such side. */
const char *lab_finding_what(const json_t *finding, const char *side);
/* Launches of the last call that the report holds. */
size_t lab_n_launches(const struct lab *lab);
/* A counter of launch `index` of the last call ("barriers"): in sum (of all launches: total), at
 * one source line, and its largest value at any line (which goes to `line`, may be NULL). 0 where
 * there is none. */
uint64_t lab_counter(const struct lab *lab, size_t index, const char *name);
uint64_t lab_counter_total(const struct lab *lab, const char *name);
uint64_t lab_counter_line(const struct lab *lab, size_t index, const char *name, int line);
uint64_t lab_counter_max_line(const struct lab *lab, size_t index, const char *name, int *line);
/* Blocks, threads of a block and bytes of shared memory of launch `index`. */
struct lab_launch {
    const char *kernel; /* demangled, without parameters; valid until the next call */
    uint64_t n_blocks, n_threads, shared_bytes;
    uint64_t dynamic_bytes; /* of shared_bytes, what the launch asked for */
    uint64_t block[3];      /* threads of a block in x, y and z */
};
struct lab_launch lab_launch(const struct lab *lab, size_t index);
/* True where the last call ended with the error of a launch whose grid has no blocks: the simulator
 * says so; of a GPU it is taken for the reason where the configuration was invalid and the block,
 * of `block` threads, was not. */
bool lab_grid_was_empty(const struct lab *lab, unsigned block);
/* True where the last call was killed since host code touched the device memory of an argument. */
bool lab_touched_device_memory(const struct lab *lab);
/* True where the last call launched no kernel; false where nobody knows. */
bool lab_launched_nothing(const struct lab *lab);
/* True where the last call returned cudaSuccess and left the error of a refused launch behind. */
bool lab_swallowed_error(const struct lab *lab);
/* The launch with the most threads, and the one that counts most of a counter: 0 where none does.
 * What a call does beside, as clearing a word, has a launch of its own in some right answers. */
size_t lab_largest_launch(const struct lab *lab);
size_t lab_launch_with_most(const struct lab *lab, const char *counter);
/* a / b for numbers of a report, of which any may be 0: 0 where b is. No such number is over 2^40,
 * so that sums and products with a test's own don't overflow. */
uint64_t lab_ratio(uint64_t a, uint64_t b);

/*
 * When the last call's kernels and copies would run on a device with one engine for kernels and one
 * for copies in each direction, each of which takes what comes first in the order of the calls. A
 * copy takes 1 ns for LAB_COPY_BYTES_A_NS bytes, a kernel 1 ns for LAB_WARPS_A_NS warp
 * instructions; launches, fills and the host take no time. A piece of work begins when all that
 * streams, events and waits of the host put before it is done, and its engine is free.
 */
enum { LAB_COPY_BYTES_A_NS = 8, LAB_WARPS_A_NS = 4, LAB_MOST_PIECES = 1024 };
enum lab_engine { LAB_COPY_IN, LAB_KERNELS, LAB_COPY_OUT, LAB_N_ENGINES };
struct lab_timeline {
    size_t n_pieces; /* of work, in the order of the calls */
    struct lab_piece {
        enum lab_engine engine;
        uint64_t start_ns, end_ns;
        uint64_t waits; /* of the host, in all, when it asked for this piece */
    } pieces[LAB_MOST_PIECES];
    size_t n_queues;  /* streams with such work */
    size_t n_dropped; /* pieces for which the report had no room; then the rest is 0 */
    uint64_t ns;      /* from the first start to the last end */
    uint64_t busy_ns[LAB_N_ENGINES]; /* in sum; the longest of them is the bound of `ns` */
};
/* False, and all is 0, where the call had one stream alone, or made too many pieces of work; on the
 * simulator. */
bool lab_timeline(const struct lab *lab, struct lab_timeline *timeline);
/* Puts it into the test's result, for people to look at, in place of one before; nothing where it
 * has more than LAB_SHOWN_PIECES. */
enum { LAB_SHOWN_PIECES = 192 };
void lab_show_timeline(struct lab *lab, const struct lab_timeline *timeline);
/* The longest engine's share of the whole time, in percent, rounded down; 0 for none. */
uint64_t lab_overlap_percent(const struct lab_timeline *timeline);

/* -- Technique, predictions, timing -- */

/* A technique check: `holds` decides, `what` says what is counted ("barriers of the first launch"),
 * got and wanted as numbers. By its words the report finds the lines with most of it
 * (grader/grade/evidence/counted.c has the table); it shows none where they fit nothing there.
 * Returns `holds`. */
bool lab_technique(struct lab *lab, bool holds, const char *what, uint64_t got,
                   const char *relation, uint64_t wanted);

/* A prediction: the int that the student's file exports against what was counted. -1 in the
 * student's file is "not answered". Never fails a test; the result carries it, once a test, as the
 * first case has counted. The explanation is a text in quotes in the source: `edition` seals it
 * there (common/base/seal.h) under the secret "VARIABLE COUNTED", with what was counted of the
 * model answer. */
void lab_predict(struct lab *lab, const char *variable, const char *question, int64_t counted,
                 const char *explanation);

/*
 * Times `function` at one size: fresh inputs for each repetition, cold L2, output checked after
 * each run. Notes median, spread, count, GB/s from `bytes`, share of the device's copy bandwidth
 * measured here and now, and fails on a wrong output or on a figure that can't be ("measurement
 * invalid"). On a GPU only.
 */
struct lab_bench {
    const char *function;
    size_t n;
    unsigned block;
    size_t bytes;     /* that the algorithm must move */
    const char *unit; /* what else `bytes` counts ("evaluations"), where memory is not what limits:
                       * then the device's double-precision peak stands beside it, not its copy */
    bool with_host; /* so many bytes come from the host's memory, and as many go back to it: beside
                     * the rate stand both copies at once, from and to pinned memory */
    struct call_arg *args;
    size_t n_args;
    /* Changes the inputs and what is expected; called before each repetition. */
    void (*refresh)(void *state, uint64_t seed);
    /* True when the outputs are right. */
    bool (*is_right)(const void *state);
    void *state;
};
void lab_time(struct lab *lab, const struct lab_bench *bench);
/* What the last lab_time reached, as a share of the device's copy; 0 where it has not measured. */
double lab_share_of_copy(const struct lab *lab);
