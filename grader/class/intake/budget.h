/* What each student's archives may fill, so that nobody's leave less to the others. */
#ifndef GRADER_CLASS_BUDGET_H
#define GRADER_CLASS_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

enum {
    BUDGET_FILES = 5000, /* of one student, in all archives together */
    BUDGET_MIB = 256,    /* unpacked */
};

struct budget {
    char *key; /* the student, as far as a name says */
    size_t files_left;
    long long bytes_left;
    bool is_spent; /* nothing more is taken, and that is told */
};

/* The budget of whose a file or folder is, by its name beside those of other students; all that is
 * nobody's has one together. `*budgets` begins as NULL. */
struct budget *budget_of(void **budgets, const char *name, bool is_folder);
void budget_finish(void *budgets);

#endif
