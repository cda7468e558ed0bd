/*
 * The record: one JSON document on what was graded and how it ended. Everything that is shown is a
 * rendering of it. record.schema.json describes it; a change of its meaning changes RECORD_VERSION.
 * Also the words for how a test or a lab ended, and what they look like to a person.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "grader/compile/build.h"
#include "grader/session/session.h"
#include "grader/workbook/selection.h"
#include "grader/workbook/target.h"

enum { RECORD_VERSION = 1 };

/* The record of a lab that nothing is known of yet; a new reference, as all that follow. */
json_t *record_lab(const struct target *target);

/* Notes what was compiled: the file's hash, the compiler's messages. */
void record_compile(json_t *lab, const struct build_result *build);

/* Ends a lab's record before any test ran: `verdict` is a word of verdict_of_lab. */
void record_refuse(json_t *lab, const char *verdict, const char *reason);

/* A test's document where the test itself wrote none: a verdict, a reason and nothing else. */
json_t *record_blank_test(const char *test, const char *verdict, const char *reason);

/* Adds a test. `document` is its result (borrowed), or NULL where it left none: `reason` then says
 * why, and the fault is the grader's. `again` is the command that runs the test again, without
 * --case. */
void record_test(json_t *lab, const struct manifest *manifest, const struct manifest_test *test,
                 json_t *document, const char *reason, const char *again);

/* evidence/doubt.c: takes back the mistakes of tests that other tests of the lab, or what
 * experiments proved, refute. `source` is the student's, for what its lines are about. */
void record_doubt(json_t *lab, const struct manifest *manifest, const char *source);

/* evidence/given.c: leaves out what experiments proved of lines that were given: those of headers,
 * and those outside TODO regions that the skeleton has, too. `source` is the student's. */
void record_leave_given(json_t *lab, const char *source, const char *skeleton);

/* Ends a lab's record: takes back the mistakes that experiments refute, adds up the points and
 * decides the verdict. */
void record_close(json_t *lab, const struct manifest *manifest);

/* The record of a run: takes `labs`, a list of lab records. */
json_t *record_run(const struct session *session, json_t *labs, double seconds);

/* The exit code that a lab's verdict, or that of all labs, calls for. */
int record_exit_code(const json_t *labs);

/* Prints a document to stdout, and gives it up. */
void record_print(json_t *document);
/* Writes a document to a file, and gives it up. */
enum grader_status record_keep(const char *path, json_t *document, struct diag *diag);

/* True where the reasons of two tests begin with the same function's name, or the same word. */
bool record_is_of_one_function(const json_t *a, const json_t *b);

/* Text of a key, or "" where it is null or missing. */
const char *record_text(const json_t *object, const char *key);
/* Integer of a key, or 0. */
json_int_t record_count(const json_t *object, const char *key);
/* The function that a test's reason begins with; the caller frees it. */
char *record_function(const json_t *test);
/* A kernel's name without template arguments, which stand elsewhere in the source, or nowhere; the
 * caller frees it. */
char *record_plain_name(const char *kernel);
/* The kernels that a test's failing call launched, by their names without template arguments. A new
 * array. */
json_t *record_kernels(const json_t *document);
/* True for a place ("file", "line") in the student's file. */
bool record_is_of_file(const json_t *lab, const json_t *place);
/* The lines of the student's file that ran in the launches of a test. A new array. */
json_t *record_lines_run(const json_t *lab, const json_t *test);
/* Where a text is in a list of texts; the list's size where it is not. */
size_t record_index(const json_t *list, const char *text);

enum verdict_kind {
    VERDICT_GOOD,    /* full points */
    VERDICT_BAD,     /* the student's code is at fault */
    VERDICT_WAITING, /* not written yet */
    VERDICT_NOTHING, /* counts for nothing: skipped */
    VERDICT_OURS,    /* the grader or the machine is at fault */
};

struct verdict {
    const char *word;  /* in the record: "wrong_answer" */
    const char *label; /* for a person: "wrong answer" */
    enum verdict_kind kind;
};

/* By word; NULL where there is no such verdict. Tests have those of common/harness (LAB_VERDICTS),
 * labs have "pass", "fail", "not_written", "compile_error", "bad_file", "missing", "infrastructure"
 * and "skipped". */
const struct verdict *verdict_of_test(const char *word);
const struct verdict *verdict_of_lab(const char *word);

/* Where student code did not even start: the same for all tests of a lab, so said once. */
bool verdict_is_of_whole_file(const char *word);
