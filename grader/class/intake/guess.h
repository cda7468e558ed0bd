/*
 * Which lab a file is for. Its name says so where it is that of the lab's source. Else its text
 * does, by the lab's header that it includes; its name in another dress (Copy of x.cu, x.cu.txt);
 * or a number or name of the lab in the file's or its folder's name, where the text has the lab's
 * function, too. What two labs have the same reasons for is of neither.
 */
#pragma once

#include "grader/workbook/target.h"

enum guess_by {
    GUESS_NOTHING,
    GUESS_SEVERAL, /* labs `lab` and `other` at least */
    GUESS_PLACE,
    GUESS_NAME,
    GUESS_TEXT,
    GUESS_EXACT, /* the source's own name, also with an attempt's number */
};

struct guess {
    enum guess_by by;
    size_t lab, other; /* of the targets */
    unsigned attempt;  /* by the number in its name: x-2.cu, x (2).cu */
    bool is_elsewhere; /* a folder that it lies in has another lab's name */
    const char *was;   /* its code where that is not UTF-8 (encoding.h), or NULL */
};

/* `shown` is the path from the student's folder on, and `name` what the student called the file,
 * which is regular where `is_regular`: else only the name counts. */
struct guess guess_lab(const char *path, const char *shown, const char *name, bool is_regular,
                       const struct targets *labs);

/* True where somebody may have meant a file of this name to be graded: a source, or a text. */
bool guess_is_source_like(const char *name);

/* The file's name without what copying, downloading and editors put around it; the caller frees it.
 * The number of an attempt goes to `attempt`. */
char *guess_stem(const char *name, unsigned *attempt);
