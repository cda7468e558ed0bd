/* Gradescope's submission_metadata.yml: whose submission a folder is, and when it came. */
#ifndef GRADER_CLASS_METADATA_H
#define GRADER_CLASS_METADATA_H

#include <jansson.h>
#include <stddef.h>
#include <time.h>

#include "common/base/diag.h"

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
time_t metadata_time(const char *text);
/* The other way: "2026-11-21T23:59:00Z", or null for 0, which is not known. */
json_t *metadata_time_json(time_t time);

#endif
