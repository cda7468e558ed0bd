/*
 * The report for people: a rendering of the record onto a page. A lab's report is a list of its
 * tests with points, then what failed and why, predictions, what the warps did, bandwidth, and the
 * verdict as the last line.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "grader/grade/record.h"
#include "grader/terminal/page.h"

/* Parts of what is said of a failed test that can be left out, for students to find themselves. */
enum render_part {
    RENDER_CASE = 1 << 0,      /* the smallest case, expected and got */
    RENDER_DIAGNOSIS = 1 << 1, /* the likely cause */
    RENDER_FINDINGS = 1 << 2,  /* of the simulator, and what was counted */
    RENDER_OUTPUT = 1 << 3,    /* what the code printed */
    RENDER_COMMAND = 1 << 4,   /* the command that runs the case again */
};

/* How much of a proven cause is told. */
enum render_reveal {
    RENDER_LINE, /* where it is */
    RENDER_KIND, /* what kind of thing it is */
    RENDER_EDIT, /* what mends it */
};

struct render {
    struct page page;
    bool is_verbose;
    bool is_brief;             /* only what failed, and the verdict */
    unsigned rows;             /* for a brief report of one failure that fits into them; 0: all */
    size_t focus;              /* which failure is told then, from 0 */
    bool is_low;               /* too few rows for the numbers of a case */
    enum render_reveal reveal; /* how much of a proven cause is told */
    unsigned hidden;           /* bits of enum render_part: what is left out */
    const json_t *backend;     /* of the run's record */
    char *source_text;         /* of the lab that is being rendered, or NULL */
};

/* The report of one lab. */
void render_lab(struct render *render, const json_t *lab);

/* One line a lab and the total, where there is more than one. */
void render_total(const struct render *render, const json_t *labs);

/* The parts of a lab's report; each prints nothing where it has nothing to say. */
void render_failures(const struct render *render, const json_t *lab);
void render_predictions(const struct render *render, const json_t *lab);
void render_counters(const struct render *render, const json_t *lab);
void render_speed(const struct render *render, const json_t *lab);
void render_timelines(const struct render *render, const json_t *lab);
void render_ladder(const struct render *render, const json_t *lab);
/* What is said of one test that failed, below its name and verdict. */
void render_failure(const struct render *render, const json_t *lab, const json_t *test);
/* What experiments proved about its cause, or that they proved nothing. */
void render_cause(const struct render *render, const json_t *lab, const json_t *test);
/* The proven edit that says most; NULL where there is none. */
const json_t *render_proven(const json_t *test);
/* What it proves, told as far as `reveal`, of a test that has one; the caller frees it. */
char *render_proven_text(enum render_reveal reveal, const json_t *lab, const json_t *test);
/* True where it is a number that the compiled code has in a line of `source`, the graded file, but
 * that does not stand there: the line has neither a number nor a name in capitals. It comes from a
 * function that was inlined, or from a named constant. */
bool render_comes_from_elsewhere(const char *source, const json_t *lab, const json_t *proven);
/* The line that it is about, where that is the student's. */
void render_proven_line(const struct render *render, const json_t *lab, const json_t *test);
/* The numbers of the small case in which it failed. */
void render_data(const struct render *render, const json_t *test);
/* What is written where a heading starts a part. */
void render_heading(const struct render *render, const char *text);

/* Reads the graded file for its lines, where it still is what was graded. */
char *render_source_load(const json_t *lab);
/* True where `file`, as the compiler noted it, is the graded one. */
bool render_source_is_own(const json_t *lab, const char *file);
/* "  41 │ code" of the graded file, with `around` lines before and after; nothing where the line
 * isn't known. */
void render_source_line(const struct render *render, unsigned indent, unsigned line,
                        unsigned around);
/* The same of several lines, with one line before and after; each is printed once, in order. */
void render_source_lines(const struct render *render, unsigned indent, const json_t *lines);

/* The number of the TODO region of the text `source` in which a change lies that was proven to mend
 * the test, where all tests of that TODO pass, and this one is of another TODO: what is changed
 * there may be right, and what calls it wrong. Else 0. */
unsigned render_right_todo(const char *source, const json_t *lab, const json_t *test);
/* The number of the TODO region of the graded file in which a change lies that was proven to mend
 * the test; 0 where none was, where it lies elsewhere or in a region that is right, or where that
 * is not to be told. */
unsigned render_proven_todo(const struct render *render, const json_t *lab, const json_t *test);
/* That of the region in which a function that is not written yet returns LAB_NOT_WRITTEN; 0 where
 * that can't be told. */
unsigned render_waiting_todo(const struct render *render, const json_t *test);

/* Explains those of the compiler's messages that puzzle whoever knows C. */
void render_compiler(const struct render *render, const char *messages);

/* The mark and colour of a verdict. */
const char *render_mark(enum verdict_kind kind);
enum page_style render_style(enum verdict_kind kind);

/* A number with its thousands apart: "10,403,840"; the caller frees it. */
char *render_count(json_int_t count);
/* "2^22" where it is a large power of two, else the same; the caller frees it. */
char *render_size(json_int_t n);
