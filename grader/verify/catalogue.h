/* What `verify` checks: for each lab its skeleton, its model answer, that the two agree outside the
 * TODO regions, its hints, and each known mistake, as solutions/NN-name/mistakes.yaml lists them.
 * Also the page of all mistakes, solutions/MISTAKES.md, which is made of the same list.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "common/base/text.h"
#include "grader/grade/grading.h"

struct catalogue;
struct catalogue_item;

/* What a judge looks at. */
struct judged {
    const struct catalogue *catalogue;
    const struct catalogue_item *item;
    const struct target *target;
    const json_t *lab; /* the record of the graded file, NULL where nothing was graded */
};

/* See judge.h. */
typedef char *catalogue_judge(const struct judged *judged, char **got);

struct catalogue_item {
    size_t target;                   /* index of the file to grade */
    char *what;                      /* "skeleton", "mistakes/no_barrier.cu" */
    const struct mistake *mistake;   /* NULL but for a mistake */
    const struct mistakes *mistakes; /* of its lab; NULL but for what is about all of them */
    catalogue_judge *judge;
    char *gone;      /* name of a lab that is not there, though other files of it are; else NULL */
    char *model;     /* path of the file that is judged beside: the model answer, the handout */
    bool is_graded;  /* the file is compiled and run */
    bool is_skipped; /* only the other backend can show it */
    bool is_interrupted;
    json_t *row; /* out: {lab, what, file, ok, skipped, got, problem, detail} */
};

struct catalogue {
    struct grading grading;
    struct targets targets;
    struct mistakes **mistakes; /* a lab */
    size_t n_mistakes;
    struct catalogue_item *items;
    size_t n;
};

/* Lists what there is to look at, for the lab that `argument` means or for all (NULL). */
enum grader_status catalogue_init(struct catalogue *catalogue, const struct session *session,
                                  const char *argument, struct diag *diag);
void catalogue_finish(struct catalogue *catalogue);

/* Looks at one item and fills its row. May be called from several threads. */
void catalogue_run(struct catalogue *catalogue, size_t index);

struct mistake {
    char *file;      /* name of the wrong answer in mistakes/ */
    char *verdict;   /* that the named test must give */
    char *test;      /* "edge.handles_partial_last_block" */
    char *diagnosis; /* an id of the manifest */
    char *backend;   /* that can show it: "any" (also where it is NULL), "sim" or "gpu" */
};

struct mistakes {
    struct mistake *mistakes;
    unsigned n_mistakes;
};

/* Loads FOLDER/mistakes.yaml. NULL with file, line and reason in `diag`. */
struct mistakes *mistakes_load(const char *folder, struct diag *diag);
void mistakes_free(struct mistakes *mistakes);

/* True where the backend ("sim", "gpu") can show the mistake. */
bool mistake_shows_on(const struct mistake *mistake, const char *backend);

/* The page, which the caller frees. It says what the labs' authors claim; `verify` proves it. */
char *catalogue_table(const struct catalogue *catalogue);
