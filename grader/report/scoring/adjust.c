/* Applies the course's rules one after the other, and writes down what each did. */
#include "grader/report/scoring/adjust.h"

#include <stdlib.h>

#include "common/base/text.h"

enum { DAY_S = 86400, WHOLE = 10000 };

/* What the late rules look at. */
struct lateness {
    const struct course_late *late; /* what is taken off, or NULL */
    time_t handed, due;             /* 0: not known, never */
    time_t extension;               /* of this student */
    bool is_marked;                 /* as late, by the school's system */
    unsigned days;
    bool is_dated; /* `days` are counted, not what a mark counts as */
    int64_t penalty;
};

static struct lateness lateness_of(const struct scoring *scoring, const struct course_lab *own,
                                   time_t handed, bool is_marked) {
    const struct course *course = scoring->course;
    struct lateness found = {
        .late = course_late_rule(course, own),
        .handed = handed,
        .due = course_due(own),
        .extension = person_extension(scoring->person, course_due(own)),
        .is_marked = is_marked,
    };
    /* An extension moves the due date; what a system marks as late without a time is late by a day.
     */
    handed -= handed > found.extension ? found.extension : 0;
    is_marked &= found.extension < DAY_S;
    found.penalty = course_penalty(course, own, handed, is_marked);
    found.days = course_days_late(course, own, handed, is_marked);
    found.is_dated = course_days_late(course, own, handed, false) > 0;
    return found;
}

static char *time_words(time_t time) {
    char text[40] = "";
    struct tm utc;
    if (gmtime_r(&time, &utc))
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &utc);
    return text_format("%s", text);
}

static const char *plural(unsigned n) {
    return n == 1 ? "" : "s";
}

/* When it was due and came, where that matters. */
static void say_when(const struct lateness *lateness, struct scored_lab *lab) {
    OWNED char *due = time_words(lateness->due + lateness->extension);
    OWNED char *handed = time_words(lateness->handed);
    bool is_after = lateness->due > 0 && lateness->handed > lateness->due;
    if (is_after && lateness->extension > 0)
        text_add(&lab->rules, "You have an extension: for you this lab was due %s.\n", due);
    if (lateness->is_dated)
        text_add(&lab->rules,
                 "Handed in %s, due %s: %u day%s late, as a day that has begun counts.\n", handed,
                 due, lateness->days, plural(lateness->days));
    else if (lateness->days > 0)
        text_add(&lab->rules, "Marked as late by the school's system, without a time after the due "
                              "date: that counts as 1 day.\n");
    else if (lateness->is_marked)
        text_add(&lab->rules,
                 "Marked as late by the school's system; your extension covers that.\n");
    else if (is_after && lateness->handed > lateness->due + lateness->extension)
        text_add(&lab->rules,
                 "Handed in %s, due %s: within the %g hours in which nothing is taken "
                 "off.\n",
                 handed, due, lateness->late ? lateness->late->grace_hours : 0);
}

/* What that takes off `sum`, of which `left` stays. */
static void say_penalty(const struct lateness *lateness, points_t sum, points_t left,
                        struct scored_lab *lab) {
    OWNED char *percent = points_text(lateness->penalty);
    OWNED char *before = points_text(sum), *taken = points_text(sum - left);
    const struct course_late *late = lateness->late;
    if (lateness->days == 0 || sum == 0)
        return;
    if (lateness->penalty == 0)
        text_add(&lab->rules, "The course takes nothing off for that.\n");
    else if (lateness->penalty == WHOLE && late->percent_per_day * lateness->days < 100)
        text_add(&lab->rules,
                 "More than %g day%s after the due date there are no points: %s of %s are taken "
                 "off.\n",
                 *late->cutoff_days, *late->cutoff_days == 1 ? "" : "s", taken, before);
    else
        text_add(&lab->rules,
                 "%g %% for each day is %s %% in all: %s of %s points are taken off.\n",
                 late->percent_per_day, percent, taken, before);
}

static void say_rounding(points_t step, points_t left, points_t rounded, struct scored_lab *lab) {
    OWNED char *from = points_text(left), *to = points_text(rounded);
    OWNED char *most = points_text(lab->max_points), *steps = points_text(step);
    if (rounded != left)
        text_add(&lab->rules, "Rounded to a multiple of %s: from %s to %s.\n", steps, from, to);
    if (rounded > lab->max_points)
        text_add(&lab->rules, "A lab never brings more than it is worth: %s.\n", most);
}

/* What several formats show as an entry of its own. */
static char *adjustment_words(const struct lateness *lateness, bool is_rounded, points_t step,
                              points_t adjustment) {
    OWNED char *percent = points_text(lateness->penalty), *steps = points_text(step);
    if (lateness->penalty > 0)
        return text_format("%s%u day%s%s: %s %% off%s",
                           lateness->is_dated ? "" : "marked as late, which counts as ",
                           lateness->days, plural(lateness->days),
                           lateness->is_dated ? " late" : "", percent,
                           is_rounded ? ", rounded" : "");
    return adjustment != 0 ? text_format("rounded to a multiple of %s", steps) : NULL;
}

void adjust_lab(const struct scoring *scoring, const struct course_lab *own, time_t handed,
                bool is_marked, struct scored_lab *lab) {
    const struct lateness lateness = lateness_of(scoring, own, handed, is_marked);
    points_t sum = 0, step = course_step(scoring->course);
    for (size_t i = 0; i < lab->n_tests; i++) {
        sum += lab->tests[i].points;
        lab->max_points += lab->tests[i].max_points;
    }
    points_t left = points_share(sum, WHOLE - lateness.penalty, WHOLE);
    points_t rounded = points_round(left, step);
    lab->points = rounded > lab->max_points ? lab->max_points : rounded;
    lab->adjustment = lab->points - sum;
    lab->is_late = lateness.days > 0;
    lab->adjusted = adjustment_words(&lateness, scoring->course->rounding, step, lab->adjustment);
    if (own && own->points && lab->has_tests) {
        OWNED char *worth = points_text(lab->max_points);
        text_add(&lab->rules, "The course counts this lab as %s points, which its tests share.\n",
                 worth);
    }
    say_when(&lateness, lab);
    say_penalty(&lateness, sum, left, lab);
    say_rounding(step, left, rounded, lab);
}
