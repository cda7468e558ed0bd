/*
 * When students handed in: as the instructor's table of dates says (README.md of report/ describes
 * it), or Gradescope's submission_metadata.yml, which also says whose submission a folder is.
 */
#pragma once

#include <jansson.h>
#include <stddef.h>
#include <time.h>

#include "common/base/text.h"
#include "grader/workbook/target.h"

/* One submitter of one submission; a group's submission has several. */
struct metadata_entry {
    char *folder; /* "submission_12345" */
    char *id;     /* the school's number, else the address, else "" */
    char *name;
    time_t created; /* 0: not known */
};

struct metadata {
    struct metadata_entry *entries;
    size_t n;
};

/* Reads the file; GRADER_BAD_INPUT with a sentence where it is no such file. metadata_finish in
 * each case. */
enum grader_status metadata_read(const char *path, struct metadata *metadata, struct diag *diag);
void metadata_finish(struct metadata *metadata);

/* "2026-11-21 09:30[:15][.5] [Z|UTC|+0100]" (or with a T) in UTC seconds; -1 where it is none. A
 * time without a zone is of this machine's. */
time_t handed_in_time(const char *text);
/* The other way: "2026-11-21T23:59:00Z", or null for 0, which is not known. */
json_t *handed_in_json(time_t time);

struct dates_entry {
    char *student;
    const struct workbook_lab *lab; /* NULL: all labs */
    time_t handed;
};

struct dates {
    struct dates_entry *entries;
    size_t n;
};

/* Reads a CSV file: a student's id, a time, and perhaps a lab in each line; a first line without a
 * time is a heading. GRADER_BAD_INPUT with file and line. dates_finish in each case. */
enum grader_status dates_read(const char *path, const struct workbook *book, struct dates *dates,
                              struct diag *diag);
void dates_finish(struct dates *dates);

/* When a student handed in a lab (by name); 0: not known. A line for that lab counts more than one
 * for all labs, a later line more than an earlier. */
time_t dates_find(const struct dates *dates, const char *student, const char *lab);
