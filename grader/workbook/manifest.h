/*
 * A lab's manifest, labs/NN-name/lab.yaml: what the lab is, its tests with points and claims, its
 * hints, the mistakes that it can name, and its words for what experiments prove.
 */
#pragma once

#include "common/base/text.h"

struct manifest_test {
    char *name; /* "edge.handles_partial_last_block": tier, point, name */
    unsigned points;
    unsigned todo;    /* number of the TODO region that it asks for; 0 where it asks for several */
    char *rung;       /* which of several ways to do the same its last call, or its time, is of
                         ("sequential"); the report sets them beside each other. NULL: of none */
    char *case_names; /* in place of the manifest's, or NULL */
    char *claim;      /* "sums a block that is not full" */
};

/* A mistake that the lab knows. */
struct manifest_diagnosis {
    char *id;
    char *finding; /* kind of the simulator's finding that means it, or NULL */
    char *text;    /* what went wrong, in the learner's words */
    char *hint;    /* where to look */
    char *where;   /* words of the source on whose lines that lies, as lines_of_words takes them;
                      "}" and "<<<" alone: as lines_of_a_silent_kernel and lines_of_the_launch
                      of grade/record.c take them; or NULL */
    char *proof;   /* kinds of edits, as patterns with blanks between: where experiments were made,
                      one of these must have mended the test; or NULL */
    char *about;   /* topics of grader/workbook/topics.def, by which `verify` measures whether
                      it is right; or NULL: those that have a pattern for its id */
    bool stores_nothing; /* it says that no kernel of the call stores anything */
    bool else_right;     /* it says that all but this is right: smaller sizes, the result */
    bool seen;           /* it says what was seen, and nothing of why */
};

/* What a proven edit means in this lab, in its own words. */
struct manifest_edit {
    char *edit;    /* its kind, as edits.def has it */
    unsigned todo; /* only for tests of this TODO; 0: for all */
    char *text;    /* with the placeholders of edits.def */
};

/* The hints in another language. */
struct manifest_hints {
    char **hints;
    unsigned n_hints;
};

struct manifest {
    char *title, *summary;
    char *source, *header; /* names of the student's file and the lab's header */
    char *entry;           /* the function that the tests call first */
    char *standard;        /* nvcc's -std */
    unsigned timeout_ms;   /* of one call */
    char *case_names;      /* what --case calls the numbers of a case ("m,edge"), or NULL */
    struct manifest_test *tests;
    unsigned n_tests;
    char **hints; /* from a nudge to nearly all */
    unsigned n_hints;
    struct manifest_diagnosis *diagnoses;
    unsigned n_diagnoses;
    struct manifest_edit *edits; /* NULL where the general sentences do */
    unsigned n_edits;
    struct manifest_hints *other_hints; /* those that are not shown, or NULL */
};

/* Loads and checks FOLDER/lab.yaml. Where the environment's language (LC_ALL, LC_MESSAGES, LANG)
 * has a file FOLDER/hints.LANGUAGE.yaml ("hints.de.yaml"), the hints are those of that file, one
 * for each of lab.yaml. NULL with file, line and reason in `diag`. */
/* Texts may be sealed (common/base/seal.h), so that nobody reads them before they are told: hints
 * under the name of the lab's `entry`, a diagnosis's text and hint under its id, an edit's text
 * under its kind. */
struct manifest *manifest_load(const char *folder, struct diag *diag);
void manifest_free(struct manifest *manifest);

/* Sum of the points of all tests. */
unsigned manifest_points(const struct manifest *manifest);

/* By name; NULL where there is none. */
const struct manifest_test *manifest_test_find(const struct manifest *manifest, const char *name);
const struct manifest_diagnosis *manifest_diagnosis_find(const struct manifest *manifest,
                                                         const char *id);
/* The diagnosis that a finding of this kind means, or NULL. */
const struct manifest_diagnosis *manifest_diagnosis_of_finding(const struct manifest *manifest,
                                                               const char *kind);

/* What a hint says of one TODO: from "TODO 3:" or "TODO 3 to 5:" up to the next such words; of the
 * first that it speaks of where `todo` is 0. NULL where it has no such part. */
const char *manifest_hint_part(const char *hint, unsigned todo, size_t *bytes);

/* The lab's words for an edit that mends a test of this TODO (0: of several), rather those for the
 * TODO than those for all; NULL where it has none. */
const struct manifest_edit *manifest_edit_find(const struct manifest *manifest, const char *edit,
                                               unsigned todo);
