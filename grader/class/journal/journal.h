/*
 * The journal: an SQLite file in which results are kept as they come. It is in WAL mode with
 * synchronous=FULL: what was added is on the disk, and a kill at any moment leaves all of it or
 * none. Nothing is ever changed or removed but by hand: a later grading adds a row.
 *
 *   meta     version, and the secret that seeds are made of
 *   wanted   (lab, file, generation): asked for by --regrade
 *   result   one a (lab, file, tests, grader, backend, generation): what the file is worth
 *   grade    one a (student, lab, result): whose file it was
 *   cause    one a result: what experiments proved about the tests that failed, where asked for
 *   failure  what the grader or the machine failed at; never a result
 *
 * Another process may read it meanwhile; one writes. On a network's filesystem, where machines
 * cannot share the memory that WAL wants, it is open to one process alone. Other machines grade
 * parts of a class into journals of their own.
 */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "common/base/digest.h"
#include "common/base/text.h"

enum { JOURNAL_VERSION = 1, JOURNAL_SECRET_BYTES = 32 };

/* All that a result depends on. */
struct journal_key {
    const char *lab;
    const char *file;    /* SHA-256 of the student's file */
    const char *tests;   /* of the lab's tests */
    const char *grader;  /* of the grader, the worker, the compiler */
    const char *backend; /* "sim", or the GPU's name */
    int64_t generation;  /* 0, and 1 more for each --regrade */
};

struct journal;

/* Opens or makes the journal and keeps other graders out. GRADER_BAD_INPUT, with a sentence, where
 * the file is no journal or another grader is at work with it, GRADER_FAILED where the disk says
 * no. A new journal's secret is random, or made of `seed` where that is not NULL. */
enum grader_status journal_open(const char *path, const uint64_t *seed, struct journal **journal,
                                struct diag *diag);
void journal_close(struct journal *journal);

/* The seed of a result's inputs: secret, of this file and these tests alone, and the same when the
 * work is done again after a kill. */
uint64_t journal_seed(struct journal *journal, const struct journal_key *key);

/* The generation that is wanted of a file. */
int64_t journal_generation(struct journal *journal, const char *lab, const char *file);
/* Wants one generation more, unless the wanted one has no result yet for this key. */
enum grader_status journal_regrade(struct journal *journal, struct journal_key *key,
                                   struct diag *diag);

/* The record of a result, a new reference; NULL where there is none. */
json_t *journal_find(struct journal *journal, const struct journal_key *key);

/* Adds a result. It is there, for good, when this returns GRADER_OK; a result that is there already
 * stays. GRADER_FAILED where the disk says no. May be called from several threads, as all of these
 * functions. */
enum grader_status journal_add(struct journal *journal, const struct journal_key *key,
                               const json_t *record, struct diag *diag);
/* What experiments proved about a result, {test: experiment}: a new reference, NULL where nobody
 * looked. */
json_t *journal_causes(struct journal *journal, const struct journal_key *key);
/* Adds that, as journal_add does a result. */
enum grader_status journal_explain(struct journal *journal, const struct journal_key *key,
                                   const json_t *causes, struct diag *diag);
/* Notes that a student's file for a lab has the result of `key`. */
enum grader_status journal_grade(struct journal *journal, const char *student,
                                 const struct journal_key *key, struct diag *diag);
/* Notes a failure of ours; best effort. */
void journal_fail(struct journal *journal, const struct journal_key *key, const char *reason);

/* Several additions that count together, and cost one wait for the disk. */
enum grader_status journal_begin(struct journal *journal, struct diag *diag);
enum grader_status journal_end(struct journal *journal, struct diag *diag);

/* Makes a journal for a part of the class that another machine grades. It gets the same secret and
 * the same requests to regrade, all results of the keys' files (the keys need no grader and
 * backend), and no grades. `path` must not exist. */
enum grader_status journal_part(struct journal *journal, const char *path,
                                const struct journal_key *keys, size_t n, struct diag *diag);
/* The record that a part's grader gave a file as its grade (`key` without grader and backend), a
 * new reference; with it the grader and the backend of that result, which the caller frees. NULL
 * where there is none. */
json_t *journal_verdict(struct journal *part, const struct journal_key *key, char **grader,
                        char **backend);
/* The last failure of a file, which the caller frees, or NULL. */
char *journal_failure(struct journal *journal, const struct journal_key *key);
