/*
 * What a record says of a mistake, beside what the mistake is known to be.
 *
 * A line is *told* where a finding names it, on either side, an experiment has proven it, or a
 * test's reason or nvcc's message has it as FILE:LINE, or it is one of the few that a diagnosis or
 * a proven edit of launches points to. Of what does not compile, nvcc's message is the cause, and
 * right where it names a line that was changed. A *cause* is a sentence on why a test failed: its
 * diagnosis, or the first edit that its experiment has proven. A finding alone is no cause: it says
 * what happened.
 *
 * What a cause is about are its topics (topics.def); the mistake's are those of its kind and of the
 * statements that it changed. A diagnosis is *right* where they have one in common, and *false*
 * where they have none: mending what it speaks of would not make the case pass. One that says only
 * what was seen (`seen` in the manifest) is never false: it is true of the answer. An edit was
 * tried, and with it the case passes. It is right where it mends the mistake's own line, in other
 * words perhaps, and where they have a topic in common and it stands within three lines of the
 * mistake, or where the value is used that a changed line sets, or in no line, or says of its line
 * what it meets and not that it is wrong: what it reads is unwritten, no barrier lies before it.
 * Else it is false, unless it stands beside the mistake's line: it names another line's behaviour.
 * What only says that something is read which nobody wrote, or that a line goes beyond an array's
 * end, is true of the answer: never false.
 *
 * Lines are counted without those that are blank, comments or braces alone. What is missing has no
 * line: it may stand anywhere within the innermost braces around the place where the mend puts it,
 * and any line there tells it.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "grader/workbook/topics.h"

/* The mistake: the lines that it changed, each `slack` lines wider, and its topics. */
struct truth {
    const unsigned *lines;
    unsigned n_lines, slack;
    uint32_t topics;
    const struct manifest *manifest; /* the lab's; or NULL */
    const char *source;              /* the file's name; others' lines are no one's */
    const char *text;                /* what is in it; NULL: each line counts */
    const unsigned *gaps;            /* lines behind which something is missing */
    unsigned n_gaps;
};

struct telling {
    bool has_line;  /* a line was told, */
    bool line;      /* one of the mistake's among them */
    bool has_cause; /* a cause was named, */
    bool kind;      /* a right one among them, */
    bool is_false;  /* a false one among them */
    json_t *causes; /* [{test, kind, line, says, false}], a new reference */
};

/* Compares a lab's record with the truth. */
void telling_read(struct telling *telling, const json_t *lab, const struct truth *truth);
