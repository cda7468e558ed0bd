/* The instructor's word on files whose lab or owner nothing else says: --map. */
#pragma once

#include "grader/workbook/target.h"

struct map_entry {
    char *student; /* an id, or "*": of all students */
    char *file;    /* as a student called it, or as reports show it, with folders */
    size_t lab;    /* of the targets; MAP_NO_LAB: of none, and left out */
    unsigned line;
    bool is_used;
};

enum { MAP_NO_LAB = 0x7fffffff };

struct map {
    struct map_entry *entries;
    size_t n;
};

/* Reads a table of lines such as ann,homework.cu,01-divergent: a student's id or *, a file, and the
 * lab or - for none. A first line that says so, "student,file,lab", is a heading. GRADER_BAD_INPUT
 * with file and line. map_finish in each case. */
enum grader_status map_read(const char *path, const struct workbook *book,
                            const struct targets *labs, struct map *map, struct diag *diag);
void map_finish(struct map *map);

/* What the table says of a student's file, and marks that as used; NULL: nothing. A line for the
 * student goes before one for all, a later one before an earlier. `map` may be NULL. */
const struct map_entry *map_find(const struct map *map, const char *student, const char *shown,
                                 const char *name);

/* Whose a file is that no name gives to anybody; NULL: nobody's. */
const char *map_owner(const struct map *map, const char *name);
