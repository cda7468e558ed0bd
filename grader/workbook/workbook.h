/*
 * The workbook on disk: its root (labs/, solutions/), its build folder, and its labs by name.
 * The launcher names both folders in WARPBOOK_ROOT and WARPBOOK_BUILD; without them the root is
 * looked for upwards from the current folder and the build is its .build.
 */
#pragma once

#include <stddef.h>

#include "common/base/text.h"

struct workbook_lab {
    char *name;   /* "01-divergent" */
    char *folder; /* absolute path of labs/01-divergent */
};

struct workbook {
    char *root, *build; /* absolute paths */
    struct workbook_lab *labs;
    size_t n_labs; /* sorted by name */
};

/* Finds the workbook; on failure `diag` says what is missing. workbook_finish either way. */
enum grader_status workbook_init(struct workbook *book, struct diag *diag);
void workbook_finish(struct workbook *book);

/* The lab that an argument means: "1", "01", "divergent", "01-divergent" (a folder's path ending in
 * one of these, too). NULL with a suggestion in `diag` where there is none. */
const struct workbook_lab *workbook_find(const struct workbook *book, const char *argument,
                                         struct diag *diag);

/* Paths that the caller frees. */
char *workbook_solution(const struct workbook *book, const struct workbook_lab *lab);
char *
workbook_skeleton(const struct workbook *book, const struct workbook_lab *lab,
                  const char *source); /* the lab's file as it is before anybody works on it */
char *workbook_tests(const struct workbook *book, const struct workbook_lab *lab);
