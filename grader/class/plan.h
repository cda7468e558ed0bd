/*
 * The plan of a class: each student's file for each lab (a cell), and the different pieces of work
 * that they come to. Equal files for a lab are one piece of work.
 */
#pragma once

#include "grader/class/intake/roster.h"
#include "grader/class/journal/journal.h"
#include "grader/session/session.h"
#include "grader/workbook/target.h"

/* A file for a lab, compiled and tested once, whoever handed it in. */
struct plan_work {
    struct target target;   /* the file in the store; its lab and manifest are the plan's */
    struct journal_key key; /* points into this plan */
    char file[DIGEST_TEXT];
    size_t lab;
    enum { WORK_OPEN, WORK_KNOWN, WORK_DONE, WORK_FAILED } state; /* known: by the journal */
    char verdict[32]; /* of its result; "" while there is none */
    int points, max_points;
    char *reason;           /* why it failed */
    char *grader, *backend; /* what its key names where another machine graded it, else NULL */
};

/* One lab of one student. Where there is no file to grade, `work` is NULL and `verdict` says why:
 * "missing", "bad_file" or "infrastructure". */
struct plan_cell {
    struct plan_work *work;
    const char *verdict;
    char *reason;
};

struct course;

struct plan {
    const struct session *session;
    const struct roster *roster;
    const struct roster *known; /* who handed in in earlier years; or NULL */
    const struct targets *labs;
    const struct course *wanted; /* its labs are graded also where nobody handed them in; or NULL */
    struct journal *journal;
    bool *has_lab;           /* labs that are graded: somebody handed something in */
    struct plan_cell *cells; /* student by student, a cell a lab */
    struct plan_work **work_items;
    size_t n_work_items;
    char (*tests)[DIGEST_TEXT];
    char grader[DIGEST_TEXT];
};

/* Reads all files into the store and looks up in the journal what is known. `root` is the folder
 * that the roster's paths lie in. `regrade` is a student's id, a lab or "all", or NULL.
 * GRADER_BAD_INPUT where there is no such student or lab, GRADER_FAILED where the disk says no,
 * GRADER_INTERRUPTED. plan_finish in each case. */
enum grader_status plan_make(struct plan *plan, const char *root, const char *regrade,
                             struct diag *diag);
void plan_finish(struct plan *plan);

struct plan_cell *plan_cell(const struct plan *plan, size_t student, size_t lab);

/* The cell's verdict, as verdict_of_lab knows it; "" while the work is open. */
const char *plan_verdict(const struct plan_cell *cell);

/* Takes a record into the plan. */
void plan_note(struct plan_work *work, const json_t *record);

/* The record of a cell, made out for its student; a new reference. */
json_t *plan_record(const struct plan *plan, size_t student, size_t lab);
