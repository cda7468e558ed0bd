/* What the grader's tests share: the real command line in a small workbook with stand-ins for nvcc
 * and for the labs' test programs (see workbook/). */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/base/tests/temporary.h"

/* A run of the real program. */
struct support_run {
    int code;
    char *out, *err; /* what it printed */
};

/* Runs `warpbook-grader ARGUMENTS` (shell syntax) in `folder`, which also holds the build folder.
 * `environment` is put before it: "NAME=value NAME=value", or "". */
struct support_run support_run(const char *folder, const char *environment, const char *arguments);
void support_run_free(struct support_run *run);

/* The same, which has to end with this exit code and a text in what was printed, on stdout or
 * stderr. */
void support_expect(const char *folder, const char *environment, const char *arguments, int code,
                    const char *word);

/* The record that the program prints with these arguments, --json among them; a new reference. */
json_t *support_record(const char *folder, const char *environment, const char *arguments);
/* The student of a class's record, who has to be there; a borrowed reference. */
json_t *support_student(const json_t *class, const char *id);
void support_expect_points(const json_t *class, const char *id, int points);
/* A note of the student, or (NULL) of the class. */
void support_expect_note(const json_t *class, const char *id, const char *word);

/* Puts the stand-ins and the small workbook into the environment of this process, with its build
 * folder in `folder`; the stand-in for the tests notes its runs in FOLDER/log.tests. */
void support_prepare(const char *folder);

enum { SUPPORT_AT_ONCE = 8 };

/* Grades a file in this process, after support_prepare, as if there were a GPU, `n` times at once
 * (at most SUPPORT_AT_ONCE), with or without speed; returns the first record of its lab, a new
 * reference. */
json_t *support_grade_on_gpu(const char *path, size_t n, bool is_untimed);

/* Compares with a golden text under tests/; where WARPBOOK_GOLDEN_UPDATE is set, writes it. */
void support_expect_golden(const char *name, const char *text);
