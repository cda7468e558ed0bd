/*
 * What went wrong, for a person: a sentence, and the file and line where there is one. Functions
 * that fail fill a diagnostic and return a status; only the commands print.
 */
#ifndef GRADER_DIAG_H
#define GRADER_DIAG_H

#include <stdio.h>

/* How a piece of work ended. The values are the exit codes of the program. */
enum grader_status {
    GRADER_OK = 0,
    GRADER_NOT_PASSED = 1,    /* something was graded and did not pass */
    GRADER_BAD_INPUT = 2,     /* usage: unknown lab, option, missing or unusable file */
    GRADER_FAILED = 3,        /* the grader or the machine failed: no compiler, a broken lab */
    GRADER_INTERRUPTED = 130, /* Ctrl-C */
};

struct diag {
    char file[512]; /* "" where no file is meant */
    unsigned line;  /* 0 where no line is known */
    char message[1024];
};

/* Fills `diag` (which may be NULL); `file` may be NULL. */
void diag_set(struct diag *diag, const char *file, unsigned line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Prints "file:line: message" with a newline. */
void diag_print(const struct diag *diag, FILE *out);

#endif
