/*
 * Experiments: a failing case is tried again with one edit of a kernel or launch after the other.
 * An edit with which the case, and then the whole test, passes without a finding proves its cause.
 *
 * They come after all tests, in a process of their own, one failing test after the other, so that
 * what mended one is tried first on the next. All that bounds them is counted work, no clock: their
 * results are the same each time.
 */
#pragma once

#include "common/harness/context.h"

/* What the calls of a test take part in: they happen with these edits, and what they cost and offer
 * is noted. */
struct lab_trial {
    struct call_experiment call;
    bool is_fresh;             /* each call is the first one of its process */
    struct lab_probe *probe;   /* what is done with the inputs; NULL: nothing */
    struct lab_survey *survey; /* all cases are run for it; NULL: as in each test */
    json_t *candidates;        /* that the last call offered which offered any; NULL: none */
    uint64_t work;             /* warp instructions so far, and something for each call */
    size_t n_calls;
};

/* What is done with the inputs of a case: numbers are changed as they are drawn, and one element of
 * a result is looked at. Arrays are counted as the case draws them, from 0 on. */
enum { LAB_PROBE_ARRAYS = 4, LAB_PROBE_MOST = 1 << 16 };
struct lab_probe {
    /* What is added to elements first … end - 1 of an array: `by`, times a number of its own
     * between 1 and 256 of each where they are `mixed`. */
    unsigned array;
    size_t first, end;
    int32_t by;
    bool is_mixed;

    unsigned comparison; /* which of the case's, from 1 on; 0: the first one that fails */
    size_t index;
    char what[64];         /* the result's name */
    bool is_seen;          /* it was compared, and both are whole numbers: */
    int64_t got, expected; /* of an int its 32 bits, without sign */
    bool wraps;            /* they are ints: sums are modulo 2^32 */
    unsigned n_drawn;      /* arrays, while the comparison was looked for … */
    unsigned n_arrays;     /* … and of these, from the first on, those that are looked at: */
    struct lab_probe_array {
        struct lab_drawn drawn;
        const void *data; /* where it lies; NULL: nowhere, or nobody knows */
        char name[64];    /* of the call's input that it is; "" for none, or where it is large */
    } arrays[LAB_PROBE_ARRAYS];
};

/* Cases of a function, and whether each failed. */
enum { LAB_SURVEY_NUMBERS = 6 };
struct lab_survey {
    const char *function;
    struct lab_surveyed {
        bool fails;
        unsigned n_numbers; /* that the function is given: "n = 100, block = 32" */
        struct {
            char name[16];
            uint64_t value;
        } numbers[LAB_SURVEY_NUMBERS];
    } * list; /* the caller frees it */
    size_t n;
    uint64_t work; /* that it may cost, as a trial counts */
    bool is_over;  /* a case cost too much, the machine ended it, or equal ones end in two ways:
                    * nothing is known */
};

/* A test whose document says that it failed, or passed. */
struct lab_tested {
    const char *tier, *name;
    lab_body *body;
    json_t *document;
};

struct lab_experiments;

/* Experiments with these settings, whose results folder has the documents. NULL when the host has
 * no memory. */
struct lab_experiments *lab_experiments_open(const struct lab_settings *settings);
/* A test that was run; its document is read where there is one. The strings must live on. */
void lab_experiments_add(struct lab_experiments *experiments, const char *tier, const char *name,
                         lab_body *body);
/* Looks for the causes of all failures, and writes the documents of those tests again. */
void lab_experiments_run(struct lab_experiments *experiments);
void lab_experiments_close(struct lab_experiments *experiments);

/* suspects.c */

/* An edit that may be tried, with how promising it is. */
struct lab_suspect {
    struct simt_edit edit;
    unsigned score;
    size_t order; /* among equals */
};

/* Reads what a call offered, adds what only a test knows (the block that was asked for), and sorts
 * it, most promising first, by what the failure's document says. The caller frees the list. */
size_t lab_suspects(const json_t *document, const json_t *candidates, size_t n_calls,
                    struct lab_suspect **suspects);

/* Whether one of the launches that a document has comes to what the edit changes. */
bool lab_edit_concerns(const json_t *document, const struct simt_edit *edit);

/* silence.c: documents of the failing case, without an edit and with one that mends it. */

/* Lines that ran don't run with the edit. */
bool lab_edit_silences(const json_t *failed, const json_t *mended);
/* All blocks of a launch wrote, and with the edit some don't: where each does too much, one that is
 * left alone may be right by chance. */
bool lab_edit_mutes(const json_t *failed, const json_t *mended);

/* How much an edit of this kind says: of several that mend the same, the most specific one counts.
 */
unsigned lab_specificity(uint32_t kind);

/* probe.c: what a probe adds to an element of an array. */
int32_t lab_probe_added(const struct lab_probe *probe, unsigned array, size_t i);

/* terms.c */

/* Runs the failing case with a probe. */
typedef void lab_probe_run(void *context, struct lab_probe *probe);
/* What the element that differs is made of, and how that differs from what it should be made of:
 * README.md has the object. Where it is a sum of the inputs, each with a weight, these; that is
 * told only where the weights say in advance what comes of other inputs. Else which inputs it
 * changes with. A new object, or NULL. */
json_t *lab_terms(lab_probe_run *run, void *context);

/* survey.c */

/* The first fact of where.def, or a limit of a number, that holds in all cases that failed, and in
 * no other, as an object {is, where, failed, passed}; NULL where there is none, or too few cases of
 * either kind. */
json_t *lab_survey_where(const struct lab_survey *survey);

/* proof.c */

/* True where the failures of two documents are of calls of one function: a reason begins with it.
 */
bool lab_are_of_one_function(const json_t *a, const json_t *b);
/* The function that a failure is of; the caller frees it. NULL where no reason is told. */
char *lab_function_of(const json_t *document);
/* The edit as an item of a document's `proven`; a new object. */
json_t *lab_proof_json(const struct simt_edit *edit);
