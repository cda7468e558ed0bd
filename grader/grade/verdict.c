/* The table of verdicts of a test, and that of a lab. */
#include "grader/grade/verdict.h"

#include <stddef.h>
#include <string.h>

static const struct verdict test_verdicts[] = {
    {"pass", "passed", VERDICT_GOOD},
    {"wrong_answer", "wrong answer", VERDICT_BAD},
    {"finding", "unsafe", VERDICT_BAD},
    {"technique", "other technique", VERDICT_BAD},
    {"not_written", "not written yet", VERDICT_WAITING},
    {"crash", "crashed", VERDICT_BAD},
    {"timeout", "did not end", VERDICT_BAD},
    {"exited", "ended the program", VERDICT_BAD},
    {"out_of_memory", "out of memory", VERDICT_BAD},
    {"cuda_error", "CUDA error", VERDICT_BAD},
    {"damage", "damaged memory", VERDICT_BAD},
    {"no_entry", "function missing", VERDICT_BAD},
    {"load_failed", "not loadable", VERDICT_BAD},
    {"unsupported", "not simulated", VERDICT_BAD},
    {"protocol", "broken reply", VERDICT_BAD},
    {"invalid_measurement", "measurement invalid", VERDICT_BAD},
    {"too_noisy", "too noisy to judge", VERDICT_OURS},
    {"not_run", "not run", VERDICT_BAD},
    {"skipped", "skipped", VERDICT_NOTHING},
    {"infrastructure", "grader failed", VERDICT_OURS},
};

static const struct verdict lab_verdicts[] = {
    {"pass", "passed", VERDICT_GOOD},
    {"fail", "not passed", VERDICT_BAD},
    {"not_written", "not written yet", VERDICT_WAITING},
    {"compile_error", "does not compile", VERDICT_BAD},
    {"bad_file", "unusable file", VERDICT_BAD},
    {"missing", "not there", VERDICT_BAD},
    {"skipped", "skipped", VERDICT_NOTHING},
    {"infrastructure", "grader failed", VERDICT_OURS},
};

static const struct verdict *find(const struct verdict *verdicts, size_t n, const char *word) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(verdicts[i].word, word) == 0)
            return &verdicts[i];
    }
    return NULL;
}

const struct verdict *verdict_of_test(const char *word) {
    return find(test_verdicts, sizeof test_verdicts / sizeof *test_verdicts, word);
}

const struct verdict *verdict_of_lab(const char *word) {
    return find(lab_verdicts, sizeof lab_verdicts / sizeof *lab_verdicts, word);
}

bool verdict_is_of_whole_file(const char *word) {
    return strcmp(word, "not_written") == 0 || strcmp(word, "no_entry") == 0 ||
           strcmp(word, "load_failed") == 0;
}
