/*
 * The roster: who handed in what, and notes on what was odd about it. Read from a folder of
 * strangers' files, in which anything may lie: nothing is opened but what is a regular file of a
 * lab's name, and no link is followed.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "grader/workbook/target.h"

/* Sentences for the instructor: what was refused, cleaned or odd. The list is bounded: whoever
 * hands in a hundred thousand odd files must not fill the memory with notes. */
enum { NOTES_MAX = 1000 };

struct notes {
    char **items; /* clean texts of one line */
    size_t n;
    size_t n_dropped; /* beyond NOTES_MAX */
    bool has_losses;  /* something could not be graded by no fault of a student's */
};

/* Adds a sentence by printf's rules; control characters in it are made visible. */
void notes_add(struct notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same of what could not be graded by no fault of a student's; there is room for as many again.
 */
void notes_add_loss(struct notes *notes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds all of another list. */
void notes_take(struct notes *notes, const struct notes *more);
/* A list of strings, a new reference; its last item says how many were dropped. */
json_t *notes_json(const struct notes *notes);
void notes_finish(struct notes *notes);

/* A student's file for one lab. Neither path nor problem: nothing was handed in. */
struct roster_file {
    char *path;      /* to open; NULL where there is none */
    char *shown;     /* below the class's folder, clean */
    char *problem;   /* why it cannot be graded: a sentence, or NULL */
    time_t modified; /* when it was handed in: as the instructor or the school's system says, or the
                      * file in a student's own folder; 0: not known */
    bool is_late;    /* so says its name, or it came after the deadline */
    unsigned attempt; /* of several of one name, the highest is graded */
    unsigned depth;   /* folders above it */
    char *why;        /* it was taken though it is called otherwise: a sentence, or NULL */
    const char *was;  /* its code, where that is not UTF-8 (encoding.h), or NULL */
    enum {
        ROSTER_SEEMS,
        ROSTER_NAMED,
        ROSTER_SAID
    } rank; /* by what it was taken: a guess, its
             * name, the instructor's word */
};

struct roster_student {
    char *id;                  /* clean, of nobody else */
    char *name;                /* clean */
    struct roster_file *files; /* one a lab */
    struct notes notes;
    struct notes others; /* names of files of no lab that can be told */
    bool is_unclear;     /* has such files, and none for a lab of the class */
};

struct roster {
    struct roster_student *students; /* by id */
    size_t n, n_labs;
    struct notes notes; /* of no student in particular */
};

/* Reads a class's folder. `labs` has all labs, one target each. Students come from folders (plain,
 * of Moodle or Gradescope) and from files (Canvas, Moodle without folders); a folder that holds
 * nothing but one folder is looked through. `map` is the
 * instructor's word on files, or NULL. GRADER_BAD_INPUT where there is no student, GRADER_FAILED
 * where that can't be known. roster_finish in each case. */
struct map;
enum grader_status roster_read(const char *folder, const struct targets *labs,
                               const struct map *map, struct roster *roster, struct diag *diag);
void roster_finish(struct roster *roster);

/* Says when a student's file for a lab was handed in, whatever its name has of that. */
void roster_set_time(struct roster *roster, size_t student, size_t lab, time_t handed);

/* Marks what was handed in after `deadline`, and notes of how many files that is not known. */
void roster_mark_late(struct roster *roster, time_t deadline);

/* True where any student has something for the lab, if only an unusable file. */
bool roster_has_lab(const struct roster *roster, size_t lab);
