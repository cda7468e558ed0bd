/* What a test's record says of its cause. */
#include <criterion/criterion.h>

#include "grader/grade/record.h"
#include "grader/workbook/manifest.h"

static struct manifest_diagnosis missing = {
    .id = (char *)"no_barrier", .text = (char *)"None.", .hint = (char *)"Where?"};
static const struct manifest manifest = {.diagnoses = &missing, .n_diagnoses = 1};
static const struct manifest_test test = {.name = (char *)"safety.has_no_race",
                                          .claim = (char *)"has none"};

/* Whether the diagnosis stands after so many tries, of which one mended the test (NULL: none). */
static bool stands(const char *proof, int tried, const char *edit) {
    json_t *lab = json_pack("{s:s, s:[]}", "path", "", "tests");
    json_t *proven = json_array();
    if (edit)
        json_array_append_new(proven, json_pack("{s:s}", "edit", edit));
    json_t *document = json_pack("{s:s, s:s, s:s, s:s, s:{s:i, s:o}}", "test", test.name, "verdict",
                                 "finding", "reason", "Two threads.", "diagnosis", "no_barrier",
                                 "experiment", "tried", tried, "proven", proven);
    missing.proof = (char *)proof;
    record_test(lab, &manifest, &test, document, "", "again");
    const json_t *record = json_array_get(json_object_get(lab, "tests"), 0);
    const bool is_there = json_is_object(json_object_get(record, "diagnosis"));
    json_decref(document);
    json_decref(lab);
    return is_there;
}

Test(record, takes_back_a_diagnosis_that_experiments_refute) {
    cr_expect(stands(NULL, 90, NULL), "it needs no proof");
    cr_expect(stands("barrier_*", 0, NULL), "nothing was tried");
    cr_expect(stands("barrier_*", 3, NULL), "little was tried");
    cr_expect(stands("shuffle barrier_*", 3, "barrier_after"));
    cr_expect_not(stands("barrier_*", 90, NULL));
    cr_expect_not(stands("barrier_*", 1, "constant"));
}
