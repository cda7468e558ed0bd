/* The words for how a test or a lab ended, and what they look like to a person. */
#ifndef GRADER_VERDICT_H
#define GRADER_VERDICT_H

#include <stdbool.h>

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

/* By word; NULL where there is no such verdict. Tests have the verdicts of the lab kit, labs have
 * "pass", "fail", "not_written", "compile_error", "bad_file", "missing", "infrastructure" and
 * "skipped". */
const struct verdict *verdict_of_test(const char *word);
const struct verdict *verdict_of_lab(const char *word);

/* Where student code did not even start: the same for all tests of a lab, so said once. */
bool verdict_is_of_whole_file(const char *word);

#endif
