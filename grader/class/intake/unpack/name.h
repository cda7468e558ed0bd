/* Names that came from strangers: made harmless, and read for what a school's system put in. */
#pragma once

#include <stdbool.h>

enum { NAME_BYTES = 200 }; /* the longest clean name */

/* The name as printable UTF-8 without controls, marks of direction, slashes or a leading dash, at
 * most NAME_BYTES long. Where that changes it, some digits of the old name's hash go to its end, or
 * before its suffix, so that two names stay two. The caller frees it; `is_changed` may be NULL. */
char *name_clean(const char *name, bool *is_changed);

/* What the name of a file or folder says of its owner. The strings are owned. */
struct name_parts {
    char *id;   /* "12345"; for a plain name the name itself */
    char *name; /* "First Last", "lastfirst"; as `id` where nothing else is known */
    char *file; /* what the student called the file; NULL: the name is of a folder */
    bool is_late;
    enum { NAME_PLAIN, NAME_CANVAS, NAME_MOODLE, NAME_GRADESCOPE } kind;
};

/* Reads lastfirst_12345_678910_FILE, lastfirst_LATE_12345_678910_FILE and, where it is anonymous,
 * anon_a1b2c_678910_FILE and LATE_anon_a1b2c_678910_FILE (Canvas), First
 * Last_123456_assignsubmission_file_FILE with or without FILE (Moodle) and submission_NNN
 * (Gradescope); anything else is NAME_PLAIN. name_parts_free. */
void name_read(const char *name, struct name_parts *parts);
void name_parts_free(struct name_parts *parts);

/* True where `name` is what students or their browsers make of `source`: of either case, and with
 * "-2" or " (2)" before the suffix, which goes to `attempt` (0 without). */
bool name_is_source(const char *name, const char *source, unsigned *attempt);
