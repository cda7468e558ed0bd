/* One mutant: an answer with one or two changes, and what came of it. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "grader/verify/mutation/mutation.h"
#include "grader/verify/mutants/object.h"
#include "grader/verify/measure/telling.h"
#include "grader/workbook/target.h"

/* What came of a mutant. */
enum mutant_end {
    MUTANT_OPEN,       /* not looked at */
    MUTANT_REFUSED,    /* does not compile */
    MUTANT_EQUIVALENT, /* compiles to the same code as its answer */
    MUTANT_DUPLICATE,  /* compiles to the same code as a mutant before it */
    MUTANT_LISTED,     /* survived, and equivalent.yaml says why it means the same */
    MUTANT_KILLED,     /* loses points */
    MUTANT_SURVIVED,   /* gets all points */
    MUTANT_KNOWN,      /* survived, and equivalent.yaml lists it as a hole in the tests */
    MUTANT_UNJUDGED,   /* the grader or the machine failed */
    N_MUTANT_ENDS
};

extern const char *const mutant_end_words[N_MUTANT_ENDS];

/* An answer whose mutants are looked at. */
struct answer {
    char *name; /* "shuffle_sum.cu", "variants/one_word.cu" */
    char *path;
    struct source source;
    struct mutations mutations;
    struct object object;
    size_t n_mutants; /* in the sample */
    bool is_sound;    /* gets all points, so that its mutants say something */
    bool is_interrupted;
};

struct mutant {
    const struct answer *answer;
    const struct mutation *one, *two; /* two: of second order, or NULL */
    struct target target;
    struct object object;
    bool has_object;
    enum mutant_end end;
    bool is_interrupted;
    json_int_t points, max_points;
    struct telling telling;
    json_t *failed; /* names of tests */
};

/* True where both compile to the same code, so that nobody could tell them apart. */
bool mutant_means_its_answer(const struct mutant *mutant);
bool mutant_means(const struct mutant *mutant, const struct mutant *other);

/* Notes what the record of the graded mutant tells of its changes. */
void mutant_tell(struct mutant *mutant, const json_t *lab);

/* The change in words; the caller frees it. */
char *mutant_change(const struct mutant *mutant);
