/*
 * The parts of a class that machines of a cluster grade: a folder each, in one folder that all of
 * them see. It is as good as a class: `warpbook grade K/class --journal K/journal` grades it.
 *
 *   job           name of the job, and which work is in which part (JSON)
 *   task          the script that grades a part, given its number by Slurm
 *   K/class/NNNNN/LAB/FILE   a student's files, without the student's name
 *   K/journal     of the class's secret; its task alone writes it, and the head reads it after
 *   K/log         what the task printed
 */
#pragma once

#include "grader/class/plan.h"
#include "grader/session/session.h"

struct part_work {
    struct plan_work *work; /* NULL where the class has it no more */
    size_t student;         /* the number in its folder's name */
    bool is_seen;           /* the log says that it is done */
};

struct part {
    struct part_work *work_items;
    size_t n;
};

struct parts {
    char *folder, *name; /* of the folder; of the job */
    struct part *items;
    size_t n;
};

/* Makes parts of at most `chunk` students of the open work of a plan. `folder` must not exist; it
 * appears when all is written. GRADER_FAILED where the disk refuses. parts_finish in each case. */
enum grader_status parts_make(struct parts *parts, const char *folder, const struct plan *plan,
                              size_t chunk, struct diag *diag);
/* Reads the parts that lie in a folder. */
enum grader_status parts_read(struct parts *parts, const char *folder, const struct plan *plan,
                              struct diag *diag);
void parts_finish(struct parts *parts);

/* Removes the folder, all of it or nothing, and what a program that was killed while it made or
 * removed such a folder left beside it. */
void parts_remove(const char *folder);

/* FOLDER/K/WHAT; the caller frees it. */
char *parts_path(const struct parts *parts, size_t part, const char *what);

/* Processors that a task asks for, and pieces of work that it does at once. */
int parts_jobs(const struct options *options);

/* How many pieces of open work a part's log says to be done. */
size_t parts_look(struct parts *parts, size_t part);

/* The last line of a part's log, clean; the caller frees it. NULL where there is none. */
char *parts_last_words(const struct parts *parts, size_t part);
