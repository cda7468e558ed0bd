/*
 * The roster: who handed in what, and notes on what was odd about it. Read from a folder of
 * strangers' files, in which anything may lie: nothing is opened but what is a regular file of a
 * lab's name, and no link is followed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "grader/class/intake/unpack/notes.h"
#include "grader/report/scoring/enrolment.h"
#include "grader/workbook/target.h"

struct map;

/* By what a file was taken for a lab's: a guess, its name, the instructor's word. */
enum roster_rank { ROSTER_SEEMS, ROSTER_NAMED, ROSTER_SAID };

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
    enum roster_rank rank;
    char *called;       /* what that export called the student, or NULL */
    const char *system; /* the export's; as roster_student has it */
    const char *from;   /* who of the group handed it in, by the id; NULL: the student */
    unsigned export;    /* of several that a folder has, the one that it came with */
};

struct roster_student {
    char *id;                  /* clean, of nobody else */
    char *name;                /* clean */
    struct roster_file *files; /* one a lab */
    struct notes notes;
    struct notes doubts;         /* on whose it is; for the teacher alone, since they name others */
    struct notes others;         /* names of files of no lab that can be told */
    bool is_unclear;             /* has such files, and none for a lab of the class */
    const struct person *person; /* of the enrolment, or NULL */
    char *key;                   /* what everything of this student's is known by, or NULL */
    char *number;                /* what the last export called the student, or NULL */
    char *called;                /* the same, also of who is in no enrolment */
    const char *system; /* that called them so: "canvas", "moodle", "gradescope", or NULL */
    char *group;        /* the enrolment's, or NULL */
    unsigned export;    /* the last that had something of the student's */
};

struct roster {
    struct roster_student *students; /* by id */
    size_t n, n_labs;
    struct notes notes; /* of no student in particular */
};

/* What is known before a class is read. */
struct intake {
    const struct targets *labs;        /* all, one target each */
    const struct map *map;             /* the instructor's word on files, or NULL */
    const struct enrolment *enrolment; /* who is in the course, or NULL */
    const struct notes *unpacked;      /* on the archive that the folder was in, or NULL */
    int interrupt_fd;                  /* of process_interrupts, or -1 */
};

/* Reads a class's folder. Students come from folders (plain, of Moodle or Gradescope) and from
 * files (Canvas, Moodle without folders); a folder that holds nothing but one folder is looked
 * through, and one in which each folder is an export is read as all of these. With an enrolment,
 * whoever is in it has its id and name, also who handed in nothing. GRADER_BAD_INPUT where there is
 * no student, or nobody of the enrolment; GRADER_FAILED where that can't be known;
 * GRADER_INTERRUPTED. `intake` is borrowed until roster_finish, which is due in each case. */
enum grader_status roster_read(const char *folder, const struct intake *intake,
                               struct roster *roster, struct diag *diag);
void roster_finish(struct roster *roster);

/* Says when a student's file for a lab was handed in, whatever its name has of that. */
void roster_set_time(struct roster *roster, size_t student, size_t lab, time_t handed);

/* Marks what was handed in after `deadline`, and notes of how many files that is not known. */
void roster_mark_late(struct roster *roster, time_t deadline);

/* True where any student has something for the lab, if only an unusable file. */
bool roster_has_lab(const struct roster *roster, size_t lab);
