/*
 * Mutations of a source: small changes, one or two at a time, as people make them. A measure of
 * the tests (what of them loses no points?) and of what they say (which line, which cause?).
 */
#pragma once

#include <stdint.h>

#include "grader/verify/mutation/source.h"

enum mutation_family {
#define FAMILY(name, word, meaning) FAMILY_##name,
#include "grader/verify/mutation/families.def"
#undef FAMILY
    N_FAMILIES
};

extern const char *const family_words[N_FAMILIES];

struct mutations;
struct mutation_operator;

typedef void mutation_rule(struct mutations *mutations, const struct mutation_operator *by);

/* A row of operators.def. */
struct mutation_operator {
    enum mutation_family family;
    mutation_rule *rule;
    const char *from, *to;
};

/* One change: the tokens `first` to `end - 1` become a text. */
struct mutation {
    const struct mutation_operator *by;
    size_t first, end;
    char *text;
};

struct mutations {
    const struct source *source;
    struct mutation *items;
    size_t n;
};

/* Lists all mutations of a source, which stays the caller's and must live as long. */
void mutations_init(struct mutations *mutations, const struct source *source);
void mutations_finish(struct mutations *mutations);

/* For rules: adds a change, and takes its text. It is dropped where it touches what students don't
 * write, changes nothing, or is there already. */
void mutations_propose(struct mutations *mutations, const struct mutation_operator *by,
                       size_t first, size_t end, char *text);

/* True where two changes have a token in common. */
bool mutation_overlaps(const struct mutation *a, const struct mutation *b);

/* The source with a change, and with a second one where `more` is not NULL. All other lines keep
 * their numbers. The caller frees it. */
char *mutation_apply(const struct source *source, const struct mutation *mutation,
                     const struct mutation *more);

/* "i < n → i <= n" in one line; the caller frees it. */
char *mutation_text(const struct source *source, const struct mutation *mutation);

/* A number that is the same in each run, evenly spread; samples are made by it. */
uint64_t mutation_rank(const struct source *source, const struct mutation *mutation, uint64_t seed);
