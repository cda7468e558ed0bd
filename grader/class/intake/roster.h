/*
 * The roster: who handed in what. Read from a folder of strangers' files, in which anything may
 * lie: nothing is opened but what is a regular file of a lab's name, and no link is followed.
 */
#ifndef GRADER_CLASS_ROSTER_H
#define GRADER_CLASS_ROSTER_H

#include <stdbool.h>
#include <time.h>

#include "grader/class/intake/notes.h"
#include "grader/workbook/target.h"

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
};

struct roster_student {
    char *id;                  /* clean, of nobody else */
    char *name;                /* clean */
    struct roster_file *files; /* one a lab */
    struct notes notes;
};

struct roster {
    struct roster_student *students; /* by id */
    size_t n, n_labs;
    struct notes notes; /* of no student in particular */
};

/* Reads a class's folder. `labs` has all labs, one target each. Students come from folders (plain,
 * of Moodle or Gradescope) and from files (Canvas, Moodle without folders); a folder that holds
 * nothing but one folder is looked through. GRADER_BAD_INPUT where there is no student,
 * GRADER_FAILED where that can't be known.
 * roster_finish in each case. */
enum grader_status roster_read(const char *folder, const struct targets *labs,
                               struct roster *roster, struct diag *diag);
void roster_finish(struct roster *roster);

/* Says when a student's file for a lab was handed in, whatever its name has of that. */
void roster_set_time(struct roster *roster, size_t student, size_t lab, time_t handed);

/* Marks what was handed in after `deadline`, and notes of how many files that is not known. */
void roster_mark_late(struct roster *roster, time_t deadline);

/* True where any student has something for the lab, if only an unusable file. */
bool roster_has_lab(const struct roster *roster, size_t lab);

#endif
