/*
 * The course: what an instructor sets in one file, by hand. README.md of report/ describes each
 * key, and course.yaml beside this file is an example. What is not set is as the labs' authors have
 * it. Points are counted in hundredths: sums of them are exact, so a total is the same in every
 * format.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "grader/workbook/target.h"

typedef int64_t points_t;

enum { POINTS_ONE = 100 };

/* A number of at most two decimals, from 0 to a million; false where it is none. */
bool points_read(double number, points_t *points);

/* "12", "12.5", "-0.25"; the caller frees it. */
char *points_text(points_t points);

/* The same as a JSON number. */
json_t *points_json(points_t points);

/* points × part / whole, rounded to the nearest hundredth; 0 where `whole` is 0. */
points_t points_share(points_t points, int64_t part, int64_t whole);

/* To the nearest multiple of `step`; what lies between two goes up. */
points_t points_round(points_t points, points_t step);

/* When students see a test. Gradescope's words; the order is that of course.c's table. */
enum course_show {
    COURSE_VISIBLE,
    COURSE_HIDDEN,
    COURSE_AFTER_DUE_DATE,
    COURSE_AFTER_PUBLISHED,
};

/* Whether the class's page has ranks of a lab, and by what it calls students there. */
enum course_board {
    COURSE_OFF,
    COURSE_NAMES,
    COURSE_PSEUDONYMS,
};

/* What is taken off late work. */
struct course_late {
    double percent_per_day; /* of the lab's points, for each day begun after the due date */
    double grace_hours;     /* within which nothing is taken off */
    double *cutoff_days;    /* after which there are no points; NULL: never */
};

/* A test, or all tests of a tier. NULL: not set. */
struct course_test {
    char *name; /* "speed", "edge.handles_empty_input" */
    double *points;
    enum course_show *show;
};

struct course_lab {
    char *name;   /* as given; "01-divergent-reduction" once checked */
    char *column; /* the heading in gradebooks, or NULL: the name */
    double *points;
    char *due; /* as given, or NULL */
    enum course_board *leaderboard;
    struct course_late *late;
    struct course_test *tests;
    unsigned n_tests;
};

struct course {
    char *title;
    double *rounding;
    char *handed_in; /* a table of dates (handed_in.h), below the course's folder, or NULL */
    unsigned hints;  /* of a lab that did not pass, from the first on */
    unsigned hidden; /* bits of enum render_part: what students are not told */
    int reveal;      /* enum render_reveal: what students are told of a proven cause */
    enum course_board *leaderboard;
    struct course_late *late;
    struct course_test *tests;
    unsigned n_tests;
    struct course_lab *labs; /* that count; none: all */
    unsigned n_labs;
};

/* Loads the file and checks it against the workbook's labs (one target each): names, numbers,
 * times. NULL with file, line and reason in `diag`. Without a path, a course that sets nothing. */
struct course *course_load(const char *path, const struct targets *labs, struct diag *diag);
void course_free(struct course *course);

/* A lab's own settings, or NULL; `is_counted` says whether its points count. */
const struct course_lab *course_lab(const struct course *course, const char *lab, bool *is_counted);

/* The points set for a test, in `*points`; false where none are. */
bool course_test_points(const struct course *course, const struct course_lab *lab, const char *test,
                        points_t *points);
enum course_show course_test_show(const struct course *course, const struct course_lab *lab,
                                  const char *test);
/* "visible", "after_due_date" … */
const char *course_show_word(enum course_show show);

/* What a lab's leaderboard shows; `is_own` says whether the lab itself has that set. */
enum course_board course_board(const struct course *course, const char *lab, bool *is_own);

/* Hundredths that a lab's points are rounded to. */
points_t course_step(const struct course *course);

/* When a lab is due; 0: never. */
time_t course_due(const struct course_lab *lab);

/* What is taken off a lab's late work, or NULL. */
const struct course_late *course_late_rule(const struct course *course,
                                           const struct course_lab *lab);

/* How late a lab was handed in: begun days after the due date, 0 in time or within the grace. What
 * is marked as late (by the school's system) with no time after the due date is late by 1 day, the
 * least that it can be. */
unsigned course_days_late(const struct course *course, const struct course_lab *lab, time_t handed,
                          bool is_marked);
/* Hundredths of a per cent that are taken off for it, at most 10000. */
int64_t course_penalty(const struct course *course, const struct course_lab *lab, time_t handed,
                       bool is_marked);
