/*
 * The state of one running test, shared by the files of this folder.
 *
 * A failure is noted once: the first of a case in `now`. When the case ends, it moves to `kept`,
 * unless a smaller one is there. Strings and JSON values are owned by the struct that holds them.
 */
#ifndef CHECK_CONTEXT_H
#define CHECK_CONTEXT_H

#include <setjmp.h>
#include <stddef.h>

#include "common/harness/settings.h"
#include "common/harness/workers.h"

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
    char *output; /* what the student's code printed */
    size_t output_dropped;
    bool has_case;
    struct lab_case c;
};

/* Memory that lives as long as the case. */
struct lab_block {
    struct lab_block *next;
    _Alignas(max_align_t) char bytes[];
};

struct lab {
    const struct lab_settings *settings;
    const char *tier, *name;
    enum call_backend backend; /* of this test */
    int timeout_ms;
    uint64_t seed; /* of this test */
    long n_kills;  /* of programs, by the kernel, when it began */

    struct call_worker *worker; /* opened with the first call */
    bool is_handed_on;          /* by another test */
    struct call_result last;
    bool has_last;
    json_t *report; /* last.report, parsed; through lab_report where it may not be there yet */
    const char *function;
    struct call_arg args[CALL_MAX_ARGS]; /* of the last call */
    size_t n_args;
    bool device_known;
    struct call_device device;

    const struct lab_case *current; /* NULL outside cases */
    unsigned n_arrays;              /* drawn in this case */
    struct lab_block *blocks;
    struct lab_failure now, kept;
    size_t cases_passed;

    lab_diagnoser *diagnoser;
    lab_owner_of *owner;
    json_t *technique, *predictions, *bench;
    jmp_buf end; /* where lab_stop goes */
};

/* Notes a failure of the running case, with what the last call left, and asks the diagnoser. Later
 * ones of the same case are dropped. */
void lab_note(struct lab *lab, enum lab_verdict verdict, json_t *mismatch, const char *reason, ...)
    __attribute__((format(printf, 4, 5)));
/* Copies what the last call left for the report: findings, launches, output, and the case. */
void lab_gather(const struct lab *lab, struct lab_failure *failure);
/* The same as lab_note, and the test is over. */
void lab_stop(struct lab *lab, enum lab_verdict verdict, const char *reason, ...)
    __attribute__((format(printf, 3, 4), noreturn));
void lab_failure_clear(struct lab_failure *failure);

/* Milliseconds of a clock that only goes forward. */
double lab_now_ms(void);

/* Ends the case: frees its memory. */
void lab_case_clear(struct lab *lab);

/* The worker of this test, opened if need be. Ends the test when there is no memory. */
struct call_worker *lab_worker(struct lab *lab);
/* What the device is; ends the test when the worker can't say. */
const struct call_device *lab_device(struct lab *lab);
/* Takes over `result` as the last call's, and the text of its report, NULL for none. */
void lab_take_result(struct lab *lab, struct call_result *result);
void lab_take_report(struct lab *lab, const char *text);
/* Notes what is wrong with the last call, if anything. True when nothing is. */
bool lab_judge_call(struct lab *lab);
/* Where technique is tested: notes a kernel of CUB or Thrust that the last call launched, for what
 * its counters say is not the student's work. True where there is none. The manifest explains the
 * diagnosis `library_kernel`. */
bool lab_judge_kernels(struct lab *lab);
/* Where technique is tested, and the last call's result is right: notes that it launched no kernel
 * at all. True where it did, or where nobody knows. The manifest explains the diagnosis
 * `nothing_launched`. */
bool lab_judge_launches(struct lab *lab);
/* The finding that says most about what went wrong; NULL where there is none. */
const json_t *lab_worst_finding(const struct lab *lab);

/* "sum_divergent (n = 513, block = 256)", the last function called with its case. */
const char *lab_called(const struct lab *lab, char *text, size_t bytes);

/* Runs a test and returns its result as a document that the caller owns; NULL when the host has no
 * memory. */
json_t *lab_perform(const struct lab_settings *settings, const char *tier, const char *name,
                    lab_body *body);

/* The result of a test whose process a signal of its own has ended. */
json_t *lab_broken_document(const struct lab_settings *settings, const char *tier, const char *name,
                            int signal);

/* Any bytes as a JSON string: what is not UTF-8 becomes U+FFFD. "" for NULL. */
json_t *lab_json_text(const char *text);

#endif
