/*
 * Causes that the tests of a lab say of each other are false: a mistake that experiments should
 * have proven, and one that most failures of the same looks don't have; one that is about nothing
 * which stands where an edit mends the test; one that takes all else for right, where it is not;
 * and one of few tests, where many of the same function are told another one.
 */
#include <string.h>

#include "common/base/text.h"
#include "grader/alike/lexer.h"
#include "grader/grade/source/literals.h"
#include "grader/grade/record.h"
#include "grader/workbook/topics.h"

/* So many tries of all tests together that an edit which should have mended one of them did not. */
enum { TELLING_TRIES = 8 };

/* True where an edit of this kind (patterns) mended a test. */
static bool is_proven(const json_t *lab, const char *kinds) {
    size_t index, k;
    json_t *test, *proven;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        const json_t *experiment = json_object_get(test, "experiment");
        json_array_foreach(json_object_get(experiment, "proven"), k, proven) {
            if (text_is_like(record_text(proven, "edit"), kinds))
                return true;
        }
    }
    return false;
}

/* True where experiments were made that could have proven something. */
static bool has_experiments(const json_t *lab) {
    json_int_t tried = 0;
    size_t index;
    json_t *test;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        const json_t *experiment = json_object_get(test, "experiment");
        tried += record_count(experiment, "tried");
        if (json_array_size(json_object_get(experiment, "proven")) > 0)
            return true;
    }
    return tried >= TELLING_TRIES;
}

static const char *told_of(const json_t *test) {
    return record_text(json_object_get(test, "diagnosis"), "id");
}

/* Takes back the mistakes that an edit should have proven, and none of any test did: also where
 * the work that experiments may cost was done before it was their test's turn. */
static void take_back_unproven(const json_t *lab, const struct manifest *manifest) {
    size_t index;
    json_t *test;
    if (!has_experiments(lab))
        return;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        const struct manifest_diagnosis *told = manifest_diagnosis_find(manifest, told_of(test));
        if (told && told->proof && !is_proven(lab, told->proof))
            json_object_set_new(test, "diagnosis", json_null());
    }
}

/* The finding that a test's reason speaks of, else its first; NULL where there is none. */
static const json_t *finding_of(const json_t *test) {
    const json_t *findings = json_object_get(test, "findings"), *finding;
    size_t index;
    json_array_foreach(findings, index, finding) {
        if (strstr(record_text(test, "reason"), record_text(finding, "message")))
            return finding;
    }
    return json_array_get(findings, 0);
}

/* True where a launch stored to global memory, or updated it. */
static bool stores(const json_t *launch) {
    const json_t *counters = json_object_get(launch, "counters");
    return record_count(counters, "global_stores") > 0 || record_count(counters, "atomics") > 0;
}

/* True where a kernel of one test's call stored something in the other's. */
static bool stores_in(const json_t *test, const json_t *other) {
    const json_t *launches = json_object_get(test, "launches"), *one;
    const json_t *others = json_object_get(other, "launches"), *launch;
    size_t i, k;
    json_array_foreach(launches, i, one) {
        json_array_foreach(others, k, launch) {
            if (stores(launch) &&
                strcmp(record_text(one, "kernel"), record_text(launch, "kernel")) == 0)
                return true;
        }
    }
    return false;
}

/* True where two tests fail in the same way: with the same verdict, and where there are findings,
 * with the same kind of them at the same line. */
static bool fail_alike(const json_t *a, const json_t *b) {
    const json_t *found = finding_of(a), *also = finding_of(b);
    return strcmp(record_text(a, "verdict"), record_text(b, "verdict")) == 0 && !found == !also &&
           strcmp(record_text(found, "kind"), record_text(also, "kind")) == 0 &&
           record_count(json_object_get(found, "here"), "line") ==
               record_count(json_object_get(also, "here"), "line");
}

static bool has_failed(const json_t *test) {
    return verdict_of_test(record_text(test, "verdict"))->kind == VERDICT_BAD;
}

/* True where most of the tests of the function that fail as this one does end with another mistake,
 * or with none: its own is a coincidence. */
static bool is_odd_one(const json_t *lab, const json_t *test) {
    size_t index, n_alike = 0, n_told = 0;
    json_t *other;
    json_array_foreach(json_object_get(lab, "tests"), index, other) {
        if (!has_failed(other) || !record_is_of_one_function(test, other) ||
            !fail_alike(test, other))
            continue;
        n_alike++;
        n_told += strcmp(told_of(test), told_of(other)) == 0;
    }
    return 2 * n_told < n_alike;
}

/* True where a test fails by what the function computes, and not by how. */
static bool fails_by_result(const json_t *test) {
    return has_failed(test) &&
           text_is_like(record_text(test, "verdict"), "wrong_answer finding timeout damage");
}

/* True where a kernel that is said to store nothing stores in another test. */
static bool is_one_that_stores(const json_t *lab, const json_t *test) {
    size_t index;
    json_t *other;
    json_array_foreach(json_object_get(lab, "tests"), index, other) {
        if (stores_in(test, other))
            return true;
    }
    return false;
}

/* True where a function of which a test says that all else is right fails another test with a wrong
 * result, or with a finding: of that one the mistake is not said. */
static bool is_wrong_elsewhere(const json_t *lab, const json_t *test) {
    size_t index;
    json_t *other;
    json_array_foreach(json_object_get(lab, "tests"), index, other) {
        if (record_is_of_one_function(test, other) && fails_by_result(other) &&
            strcmp(told_of(test), told_of(other)) != 0)
            return true;
    }
    return false;
}

/* Takes back what these tests are told; frees the array. All tests of the lab were looked at
 * before: each is doubted by what the others are told. */
static void take_back(json_t *tests) {
    size_t index;
    json_t *test;
    json_array_foreach(tests, index, test) {
        json_object_set_new(test, "diagnosis", json_null());
    }
    json_decref(tests);
}

/* Takes back what is known of single tests alone. */
static void take_back_odd_ones(const json_t *lab, const struct manifest *manifest) {
    size_t index;
    json_t *test, *odd = json_array();
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        const struct manifest_diagnosis *told = manifest_diagnosis_find(manifest, told_of(test));
        if (told &&
            (is_odd_one(lab, test) || (told->stores_nothing && is_one_that_stores(lab, test)) ||
             (told->else_right && is_wrong_elsewhere(lab, test))))
            json_array_append(odd, test);
    }
    take_back(odd);
}

/* Edits that say what a line meets, and not that it is wrong: they go with any mistake. */
static const char facts[] =
    "barrier_before barrier_after barrier_between written inside below snapshot stay atomic";

/* What a line of a source is about, by its words. */
static uint32_t topics_of_line(const char *source, json_int_t number) {
    size_t bytes;
    const char *line = number > 0 ? text_line(source, (unsigned)number, &bytes) : NULL;
    struct lexer lexer;
    struct lexeme lexeme;
    uint32_t topics = 0;
    lexer_init(&lexer, line ? line : "", line ? bytes : 0);
    while (lexer_next(&lexer, &lexeme)) {
        OWNED char *word = text_format("%.*s", (int)lexeme.bytes, lexeme.at);
        topics |= lexeme.kind == LEXEME_COMMENT ? 0 : topics_of_token(word);
    }
    return topics;
}

/* What holds a test's mistake and the edit that was proven on it together. */
enum agreement { NOBODY_KNOWS, AGREE, CONTRADICT };

/* The line at which an edit mends the test is what is wrong: a mistake that is about nothing which
 * stands there is another one. */
static enum agreement compare(const json_t *test, const struct manifest *manifest,
                              const char *source) {
    const json_t *proof =
        json_array_get(json_object_get(json_object_get(test, "experiment"), "proven"), 0);
    const uint32_t line = topics_of_line(source, record_count(proof, "line"));
    const uint32_t told = topics_of_labs(manifest, told_of(test));
    if (line == 0 || told == 0 || text_is_like(record_text(proof, "edit"), facts) ||
        (source && literals_lack(source, proof)))
        return NOBODY_KNOWS;
    return line & told ? AGREE : CONTRADICT;
}

/* True where the edits that were proven contradict what this test is told, and none agrees, of all
 * tests of the function that are told the same. */
static bool is_contradicted(const json_t *lab, const json_t *test, const struct manifest *manifest,
                            const char *source) {
    size_t index, n_against = 0;
    json_t *other;
    json_array_foreach(json_object_get(lab, "tests"), index, other) {
        if (!has_failed(other) || !record_is_of_one_function(test, other) ||
            strcmp(told_of(test), told_of(other)) != 0)
            continue;
        const enum agreement agreement = compare(other, manifest, source);
        if (agreement == AGREE)
            return false;
        n_against += agreement == CONTRADICT;
    }
    return n_against > 0;
}

/* True where what a failure looks like was taken for a mistake: nothing was counted or returned. */
static bool is_guess(const json_t *test) {
    return *told_of(test) && fails_by_result(test);
}

/* How many tests of the same function are told this mistake. */
static size_t count_told(const json_t *lab, const json_t *test, const char *id) {
    size_t index, n = 0;
    json_t *other;
    json_array_foreach(json_object_get(lab, "tests"), index, other) {
        n += is_guess(other) && record_is_of_one_function(test, other) &&
             strcmp(told_of(other), id) == 0;
    }
    return n;
}

/* True where three times as many tests of the function are told one other mistake: that one has
 * these looks, too, as a rule. */
static bool is_outnumbered(const json_t *lab, const json_t *test) {
    const size_t n = count_told(lab, test, told_of(test));
    size_t index;
    json_t *other;
    json_array_foreach(json_object_get(lab, "tests"), index, other) {
        if (is_guess(test) && is_guess(other) && count_told(lab, test, told_of(other)) >= 3 * n)
            return true;
    }
    return false;
}

/* Takes back what the proven edits contradict, or most other tests. */
static void take_back_contradicted(const json_t *lab, const struct manifest *manifest,
                                   const char *source) {
    size_t index;
    json_t *test, *wrong = json_array();
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        if (*told_of(test) && has_failed(test) &&
            (is_contradicted(lab, test, manifest, source) || is_outnumbered(lab, test)))
            json_array_append(wrong, test);
    }
    take_back(wrong);
}

void record_doubt(json_t *lab, const struct manifest *manifest, const char *source) {
    take_back_unproven(lab, manifest);
    take_back_odd_ones(lab, manifest);
    take_back_contradicted(lab, manifest, source);
}
