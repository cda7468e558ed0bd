/*
 * The state of one running test, shared by the files of this folder.
 *
 * A failure is noted once: the first of a case in `now`. When the case ends, it moves to `kept`,
 * unless a smaller one is there. Strings and JSON values are owned by the struct that holds them.
 */
#pragma once

#include <setjmp.h>
#include <stddef.h>

#include "common/harness/settings.h"

enum lab_verdict {
#define LAB_VERDICT_ENUM(name, word) LAB_##name,
    LAB_VERDICTS(LAB_VERDICT_ENUM)
#undef LAB_VERDICT_ENUM
        LAB_N_VERDICTS
};
const char *lab_verdict_word(enum lab_verdict verdict);
/* LAB_INFRASTRUCTURE for a word that is none. */
enum lab_verdict lab_verdict_of(const char *word);

/* How a case failed, or how a test ended. LAB_PASS while nothing has failed. */
struct lab_failure {
    enum lab_verdict verdict;
    char *reason;     /* whole sentences for the student */
    char *diagnosis;  /* id of a known mistake, or NULL */
    json_t *mismatch; /* or NULL */
    json_t *findings; /* of the failing call, or NULL */
    json_t *launches;
    json_t *data;   /* of a small case, or NULL */
    json_t *host;   /* {did, sites, asked}: lab_host_code, or NULL */
    json_t *unread; /* lab_unread, or NULL */
    char *output;   /* what the student's code printed */
    size_t output_dropped;
    bool has_case;
    struct lab_case c;
    char *described; /* what the case is, in the lab's words, or NULL */
};

/* Two arrays that a comparison has found to differ; as doubles, or ints; NULL where they lie
 * nowhere.
 */
struct lab_compared {
    const char *what;
    const void *got, *expected;
    enum lab_elements got_type, expected_type;
    size_t count, index; /* index: the first that differs */
    bool is_untouched;   /* nobody wrote got */
};

/* Memory that lives as long as the case. */
struct lab_block {
    struct lab_block *next;
    _Alignas(max_align_t) char bytes[];
};

/* What timed runs are held against: how long the device takes for the same copy. */
struct lab_yardsticks {
    bool is_asking; /* tests that are performed run nothing, but say what copies they need */
    size_t n;
    struct lab_yardstick {
        size_t bytes;
        bool with_host;
        double ms;    /* NAN where it was not measured */
        double at_ms; /* when it was, by process_clock_ms */
    } list[16];
};

/* Workers on a GPU that the tests of one process reuse. */
struct lab_workers {
    struct call_worker *idle;  /* no test has it; NULL for none */
    bool is_idle_new;          /* it has not run the student's code yet */
    struct call_worker *clean; /* never loads the student's code; NULL for none */
    size_t n_lost;             /* closed, since a test left them unfit for another one */
    size_t n_idle_calls;       /* in which no kernel did the work */
    bool is_device_known;
    struct call_device device; /* as a worker told it that had not loaded the student's code */
    struct lab_yardsticks yardsticks;
};

/* Functions whose work is remembered; no test calls more. */
enum { LAB_MOST_WORKED = 16 };

struct lab {
    const struct lab_settings *settings;
    const char *tier, *name;
    enum call_backend backend; /* of this test */
    int timeout_ms;
    uint64_t seed; /* of this test */
    long n_kills;  /* of programs, by the kernel, when it began */

    struct call_worker *worker; /* opened with the first call */
    bool is_reused;             /* another test had it before */
    struct call_result last;
    bool has_last;
    json_t *report; /* last.report, parsed; through lab_report where it may not be there yet */
    const char *function;
    struct call_arg args[CALL_MAX_ARGS]; /* of the last call */
    size_t n_args;
    bool device_known;
    struct call_device device;

    struct call_conditions conditions;   /* of the calls to come */
    const char *worked[LAB_MOST_WORKED]; /* functions of which an earlier call to this worker had
                                            a kernel store something */
    size_t n_worked;
    bool is_in_turn;    /* calls are made one after the other: none keeps memory */
    bool leaves_unread; /* right answers need not read each element of the inputs */
    bool is_silent;     /* no diagnoser is asked: why a case fails is found out by another one */

    const struct lab_case *current; /* NULL outside cases */
    char *described;                /* what it is, in words, or NULL */
    bool is_host_code;              /* the last call was of a function that launches nothing */
    unsigned n_arrays;              /* drawn in this case */
    bool has_drawn_ints;            /* of 32 bits, in this test */
    bool draws_small;               /* ints of few bits in their place */
    bool has_called;                /* a call of this case came to its end as it should */
    unsigned n_compared;            /* results of this case, so far */
    struct lab_block *blocks;
    struct lab_failure now, kept;
    size_t cases_passed;
    size_t n_calls; /* that came to some end */
    json_t *news;   /* what was new in the first case that failed; NULL: none has */

    enum lab_elements elements;
    const unsigned *small_blocks;
    size_t n_small_blocks;
    const struct lab_compared *compared; /* while a mismatch is noted, else NULL */
    lab_diagnoser *diagnoser;
    lab_owner_of *owner;
    json_t *technique, *predictions, *timeline, *bench;
    jmp_buf end; /* where lab_stop goes */
};

/* calls/yardstick.c */

/* Takes from the file at `path` (NULL: none) those of the copies that were asked for that were
 * timed there a moment ago. Where that leaves some, and the worker at hand has loaded the student's
 * code, closes that: they need another one. */
void lab_yardsticks_look(struct lab_workers *workers, const char *path);
/* Measures all copies that were asked for in the worker that was opened ahead, which has not loaded
 * the student's code, but for those that are known; writes them to the file at `path`, where it is
 * not NULL. False where it can't be written; they are measured then, too. */
bool lab_yardsticks_measure(struct lab_workers *workers, const char *path);
/* Notes a copy that a test needs. */
void lab_yardsticks_ask(struct lab_workers *workers, size_t bytes, bool with_host);
/* The time of a copy, or NAN where it was not measured. */
double lab_yardsticks_find(const struct lab_workers *workers, size_t bytes, bool with_host);

/* lab.c */

/* Runs a test and returns its result as a document that the caller owns; NULL when the host has no
 * memory. What fails in a worker that another test had, or is skipped there, is run again in a new
 * one; where the settings want it brief, only the latter is. */
json_t *lab_perform(const struct lab_settings *settings, const char *tier, const char *name,
                    lab_body *body);
/* The result of a test whose process was killed by a signal that it raised itself. */
json_t *lab_broken_document(const struct lab_settings *settings, const char *tier, const char *name,
                            int signal);

/* Runs a test only as far as it comes without a worker: for what it says of itself on the way. */
void lab_rehearse(const struct lab_settings *settings, const char *tier, const char *name,
                  lab_body *body);

/* Runs one case; true when it passed. Its failure is left in lab->now. */
bool lab_run_case(struct lab *lab, const struct lab_case *c, lab_case_body *body);
/* An experiment on one case leaves the others out. */
bool lab_is_meant(const struct lab *lab, size_t n, unsigned block);
/* The seed that a case has by itself, or by the command line. */
uint64_t lab_case_seed(const struct lab *lab, size_t n, unsigned block);

/* origin.c */

/* Who stored the element that differs last. */
struct call_writer lab_writer_of(const struct lab *lab, const struct lab_compared *compared);
/* The same for the document: null where it was no kernel. */
json_t *lab_stored_by(const struct call_writer *writer);
/* What no thread has read of the inputs of the last call, or, of those in the host's memory, no
 * copy has taken to the device, as the document has it; null where each element was read, need not
 * be, or nobody knows: who has read is known of a small call that is looked at. Of a wrong result
 * and of a finding. */
json_t *lab_unread(const struct lab *lab, enum lab_verdict verdict);
/* The code of the host that a failure of the last call is about, as addresses of the submission's
 * file, each called by the next: it "crashed", made the first call to the CUDA runtime that
 * "failed", or "copied" the element that differs to the host. Without addresses where it "returned"
 * an error though no call had failed, or "looped" and never came back. Beside it, or alone
 * ("asked"), what it asked of the device, in its order. NULL where there is none, or nobody knows.
 */
json_t *lab_host_code(const struct lab *lab, enum lab_verdict verdict);

/* news.c */

/* The lines of kernels that ran in the last call, whose case fails, and in no case that passed
 * before the first one that failed, as {file, line}. A new array, empty where there are many. */
json_t *lab_news(struct lab *lab);

/* confirm.c */

/* The cases that a test may run: each size with each block. */
struct lab_cases {
    const size_t *sizes;
    size_t n_sizes;
    const unsigned *blocks;
    size_t n_blocks;
};
/* Takes the diagnosis of a kept wrong answer back where other cases with other inputs contradict
 * it: where one is told as another mistake, or more of them as none than as this one. */
void lab_confirm(struct lab *lab, const struct lab_cases *cases, lab_case_body *body);

/* calls/promises.c */

/* In a test that makes several calls one after another: fails the test if the last call has not
 * freed all the device memory that it allocated. Returns true if it has. The manifest explains the
 * diagnosis `memory_kept`. */
bool lab_judge_kept(struct lab *lab);
/* After a call with which nothing is wrong: notes that no kernel stored anything. True where one
 * did, where there was nothing to do (n is 0), or where nobody knows. What did the work instead is
 * told where the case has compared its result. The manifest explains the diagnosis
 * `nothing_launched`. */
bool lab_judge_idle(struct lab *lab);
/* The same in a technique test: notes data that came to the host, and outputs that no kernel has
 * written. The manifest explains the diagnosis `work_on_the_host`. */
bool lab_judge_hosts_work(struct lab *lab);

/* calls/inputs.c */

/* A seed that depends on a seed and on two words, so that each test draws numbers of its own. */
uint64_t lab_random_seed(uint64_t seed, const char *word, const char *second);
/* Ends the case: frees its memory. */
void lab_case_clear(struct lab *lab);

/* calls/call.c */

/* The worker of this test, opened if need be. Ends the test when there is no memory. */
struct call_worker *lab_worker(struct lab *lab);
/* A worker without the student's code, opened with the first use. Ends the test when there is no
 * memory for it. */
struct call_worker *lab_clean_worker(struct lab *lab);
/* Gives the test's worker up when the test has ended: keeps it for the next test where that may
 * have it, else closes it. The verdict is that of the test's result; NULL where there is none. True
 * where its failure has to be seen again elsewhere, since its worker was reused. */
bool lab_release_worker(struct lab *lab, const char *verdict);
/* Opens the worker that the first test is to have, and has it make its context, but not load the
 * student's code. None is left where that fails: the test finds out, and says so. */
void lab_workers_open(const struct lab_settings *settings);
void lab_workers_close(struct lab_workers *workers);
/* What the device is; ends the test when the worker can't say. */
const struct call_device *lab_device(struct lab *lab);
/* Gives the test another worker from the next call on. */
void lab_renew_worker(struct lab *lab);
/* True where an earlier call of the same function to this worker had a kernel store something. */
bool lab_has_worked(const struct lab *lab);
/* Makes a call, and notes nothing: what it was is in lab->last. */
void lab_call_unjudged(struct lab *lab, const char *function, struct call_arg *args, size_t n_args);
/* Takes over `result` as the last call's, and the text of its report, NULL for none. */
void lab_take_result(struct lab *lab, struct call_result *result);
void lab_take_report(struct lab *lab, const char *text);
/* Notes what is wrong with the last call, if anything. True when nothing is. */
bool lab_judge_call(struct lab *lab);
/* Enough for a function's name and what its case is. */
enum { LAB_CALLED_BYTES = 256 };

/* "sum_divergent (n = 513, block = 256)", the last function called with its case. */
const char *lab_called(const struct lab *lab, char *text, size_t bytes);

/* experiment/trial.c: before and after a call of an experiment. */
void lab_trial_begin(struct lab *lab);
void lab_trial_note(struct lab *lab);

/* experiment/survey.c: in a survey each case of a test is run, and none ends it. */
bool lab_survey_is_on(const struct lab *lab);
void lab_survey_cases(struct lab *lab, const struct lab_cases *cases, lab_case_body *body);

/* calls/inputs.c: of floats, else of ints. */
static inline bool lab_drawn_is_float(const struct lab_drawn *drawn) {
    return drawn->type != LAB_I32 && drawn->type != LAB_I32_SMALL;
}

/* experiment/probe.c */

/* An array is drawn: notes it, and leaves word of what is to be changed of it. */
void lab_probe_draw(const struct lab *lab, struct lab_drawn *drawn);
/* What was drawn lies there: an argument at the same place is that array. */
void lab_probe_place(const struct lab *lab, unsigned array, const void *data);
/* What the array is called, where no argument is that array. */
void lab_probe_name(const struct lab *lab, unsigned array, const char *name);
/* Changes elements first … first + count - 1 of what was drawn, which lie at `to`. */
void lab_probe_change(const struct lab_drawn *drawn, size_t first, size_t count, void *to);
/* A result is about to be compared: looks at the element in question. */
void lab_probe_look(const struct lab *lab, const struct lab_compared *compared);
/* The element differs: from here on it is the one in question, unless there is one. */
void lab_probe_find(const struct lab *lab, const struct lab_compared *compared);

/* expect.c */

/* In a technique test: notes a kernel of CUB or Thrust that the last call launched, since what its
 * counters say is not the student's work. True where there is none. The manifest explains the
 * diagnosis `library_kernel`. */
bool lab_judge_kernels(struct lab *lab);
/* In a technique test whose last call gave the right result: notes that it launched no kernel at
 * all. True where it did, or where nobody knows. */
bool lab_judge_launches(struct lab *lab);
/* The number as it is shown: without the sign of a NaN, which says nothing. */
double lab_printed(double value);

/* report.c */

/* A number of the report, for tests to reckon with: none is negative, or above 2^40. */
uint64_t lab_number(const json_t *value);
/* What the report says of a named buffer's memory; NULL where it says nothing. */
const json_t *lab_buffer(const struct lab *lab, const char *name);

/* The finding that says most about what went wrong; NULL where there is none. */
const json_t *lab_worst_finding(const struct lab *lab);
/* True where the device refused a launch of the last call; nobody knows on a GPU, and it is true.
 */
bool lab_was_refused(const struct lab *lab);
/* True where a finding of this kind says that the simulator stopped a kernel: for its budget, or by
 * the clock. `kind` may be NULL. */
bool lab_is_stop(const char *kind);

/* data.c */

/* The numbers of the failing case, where it is small: README.md describes them. A new object, or
 * NULL. */
json_t *lab_data(const struct lab *lab);
/* True where the data of such a case are worth to be shown. */
bool lab_data_is_small(size_t n, unsigned block);

/* result.c */

/* Notes a failure of the running case, with what the last call left, and asks the diagnoser. Later
 * ones of the same case are dropped. */
void lab_note(struct lab *lab, enum lab_verdict verdict, json_t *mismatch, const char *reason, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for a cause that is known already: no diagnoser is asked. */
void lab_note_known(struct lab *lab, const char *id, enum lab_verdict verdict, const char *reason,
                    ...) __attribute__((format(printf, 4, 5)));
/* The same, and the test is over. */
void lab_stop(struct lab *lab, enum lab_verdict verdict, const char *reason, ...)
    __attribute__((format(printf, 3, 4), noreturn));
void lab_failure_clear(struct lab_failure *failure);
/* The running case's failure becomes the test's, in place of the one before. */
void lab_failure_keep(struct lab *lab);

/* The document of a test that has ended; takes what it needs from lab->kept. NULL when the host has
 * no memory. */
json_t *lab_result_document(struct lab *lab, double seconds);
/* The verdict of a document; LAB_N_VERDICTS where that is NULL, or has none. */
enum lab_verdict lab_result_verdict(const json_t *document);
/* Where a test's result lies in `folder`; the caller frees it. */
char *lab_result_path(const char *folder, const char *tier, const char *name);
/* Writes TIER.NAME.json into `folder`: whole, or not at all. False when it can't. */
bool lab_result_write(const json_t *document, const char *folder);
/* True where the test timed out, and not for a kernel that the simulator stopped: then host code
 * hangs, as far as can be seen. */
bool lab_result_hangs(const json_t *document);
