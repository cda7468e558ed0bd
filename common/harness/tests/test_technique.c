/* Counters of the report, technique checks and predictions. */
#include <stdlib.h>
#include <string.h>

#include "common/base/owned.h"
#include "common/base/seal.h"
#include "common/harness/tests/fake_call.h"

static const char report[] =
    "{\"findings\":[{\"kind\":\"shared_race\",\"here\":{\"line\":9},\"other\":{\"line\":11}},"
    "             {\"kind\":\"shared_race\",\"here\":{\"line\":10},\"other\":null}],"
    " \"launches\":["
    "  {\"kernel\":\"k\",\"grid\":[4,2,1],\"block\":[32,2,1],\"shared_bytes\":256,"
    "   \"counters\":{\"barriers\":70,\"atomics\":-3,\"votes\":\"x\"},"
    "   \"lines\":[{\"line\":9,\"counters\":{\"barriers\":20}},"
    "              {\"line\":12,\"counters\":{\"barriers\":50}}]},"
    "  {\"grid\":[1],\"block\":[32,1,1],\"counters\":{\"barriers\":5}}]}";

static void read_report(struct lab *lab) {
    int32_t in[1] = {1}, sum;
    int line = 0;

    lab_call(lab, "sum", lab_in("in", in, 1, 4), lab_size(1), lab_out("sum", &sum, 1, 4));
    cr_assert_eq(lab_n_launches(lab), 2);
    cr_assert_eq(lab_counter(lab, 0, "barriers"), 70);
    cr_assert_eq(lab_counter_line(lab, 0, "barriers", 12), 50);
    cr_assert_eq(lab_counter_max_line(lab, 0, "barriers", &line), 50);
    cr_assert_eq(line, 12);
    cr_assert_eq(lab_launch(lab, 0).n_blocks, 8);
    cr_assert_eq(lab_launch(lab, 0).n_threads, 64);
    cr_assert_eq(lab_launch(lab, 0).shared_bytes, 256);
    cr_assert_eq(lab_finding_side(lab_finding(lab, "shared_race"), "here").line, 9);
    cr_assert_eq(lab_finding_side(lab_finding(lab, "shared_race"), "other").line, 11);
    cr_assert_null(lab_finding(lab, "trap"));
    /* Nonsense counts as nothing. */
    cr_assert_eq(lab_counter(lab, 0, "atomics"), 0);
    cr_assert_eq(lab_counter(lab, 0, "votes"), 0);
    cr_assert_eq(lab_counter(lab, 7, "barriers"), 0);
    cr_assert_eq(lab_counter_total(lab, "barriers"), 75);
    cr_assert_eq(lab_counter_total(lab, "atomics"), 0);
    cr_assert_eq(lab_launch(lab, 1).n_blocks, 0);
}

/* Counts and sizes that would overflow what a test makes of them. */
static const char absurd[] =
    "{\"findings\":[],\"launches\":["
    "  {\"grid\":[9223372036854775807,4,1],\"block\":[-32,1,1],\"shared_bytes\":-1,"
    "   \"counters\":{\"barriers\":9223372036854775807,\"atomics\":0}},"
    "  {\"grid\":[1,1,1],\"block\":[32,1,1],\"counters\":{\"barriers\":9223372036854775807}},"
    "  {\"grid\":[1,1,1],\"block\":[32,1,1],\"counters\":{\"barriers\":9223372036854775807}}]}";

static void reckon_with_absurd(struct lab *lab) {
    int32_t in[1] = {1}, sum;
    struct lab_launch launch;

    lab_call(lab, "sum", lab_in("in", in, 1, 4), lab_size(1), lab_out("sum", &sum, 1, 4));
    launch = lab_launch(lab, 0);
    cr_assert_eq(launch.block[0], 0);
    cr_assert_eq(lab_launch(lab, 1).block[0], 32);
    cr_assert_eq(lab_launch(lab, 1).block[1], 1);
    cr_assert_eq(launch.n_threads, 0, "%llu", (unsigned long long)launch.n_threads);
    cr_assert_eq(launch.shared_bytes, 0);
    cr_assert(launch.n_blocks > UINT32_MAX && launch.n_blocks * 1024 / 1024 == launch.n_blocks);
    cr_assert_geq(lab_counter_total(lab, "barriers"), 3 * (uint64_t)UINT32_MAX);
    cr_assert_leq(lab_counter_total(lab, "barriers"), (uint64_t)INT64_MAX);
    cr_assert_eq(lab_ratio(lab_counter(lab, 0, "barriers"), lab_counter(lab, 0, "atomics")), 0);
    cr_assert_eq(lab_ratio(7, 2), 3);
}

Test(technique, reckons_safely_with_any_number) {
    fake.report = absurd;
    fake_perform("technique", reckon_with_absurd);
}

static void expect_few_atomics(struct lab *lab, const struct lab_case *c) {
    fake_sum_case(lab, c);
    lab_technique(lab, lab_counter(lab, 0, "atomics") <= 1, "atomics",
                  lab_counter(lab, 0, "atomics"), "<=", 1);
}

static void expect_many_atomics(struct lab *lab, const struct lab_case *c) {
    fake_sum_case(lab, c);
    if (!lab_technique(lab, lab_counter(lab, 0, "atomics") >= 1, "atomics",
                       lab_counter(lab, 0, "atomics"), ">=", 1))
        lab_diagnose(lab, "a_better_tree_comes_later");
}

static void run_few(struct lab *lab) {
    lab_one(lab, 64, 32, expect_few_atomics);
}

static void run_many(struct lab *lab) {
    lab_one(lab, 64, 32, expect_many_atomics);
}

Test(technique, says_that_nothing_was_launched_and_no_more) {
    lab_body *const bodies[] = {run_few, run_many};

    fake.report = "{\"findings\":[],\"launches\":[]}";
    for (size_t i = 0; i < 2; i++) {
        json_t *document = fake_perform("technique", bodies[i]);

        fake_expect(document, "verdict", "technique");
        fake_expect(document, "diagnosis", "nothing_launched");
        fake_expect_reason(document, "no kernel was launched");
    }
}

Test(technique, reads_counters_in_sum_and_by_line) {
    fake.report = report;
    fake_perform("technique", read_report);
}

Test(technique, knows_where_a_finding_is_and_what_its_sides_do) {
    static const struct {
        const char *place;
        bool is_at;
    } cases[] = {{"in[513]", true},  {"in + 2", true}, {"in", true}, {"inner[1]", false},
                 {"tile[2]", false}, {"", false},      {NULL, false}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_auto_t *finding = json_pack("{s:s*, s:{s:s}, s:n}", "place", cases[i].place, "here",
                                         "what", "writes", "other");

        cr_assert_eq(lab_finding_is_at(finding, "in"), cases[i].is_at, "case %zu", i);
        cr_assert_str_eq(lab_finding_what(finding, "here"), "writes");
        cr_assert_str_eq(lab_finding_what(finding, "other"), "");
    }
}

static void two_checks(struct lab *lab, const struct lab_case *c) {
    fake_sum_case(lab, c);
    lab_technique(lab, 10 == 10, "barriers", 10, "==", 10);
    lab_technique(lab, 96 == 95, "divergent branches", 96, "==", 95);
}

static void check_technique(struct lab *lab) {
    lab_one(lab, 512, 512, two_checks);
}

Test(technique, fails_where_a_check_does_not_hold) {
    json_t *document = fake_perform("technique", check_technique);
    json_t *checks = json_object_get(document, "technique");

    fake_expect(document, "verdict", "technique");
    fake_expect_reason(document, "divergent branches: 96 counted, == 95 wanted");
    cr_assert_eq(json_array_size(checks), 2);
    cr_assert(json_is_true(json_object_get(json_array_get(checks, 0), "holds")));
    cr_assert(json_is_false(json_object_get(json_array_get(checks, 1), "holds")));
}

/* As in two cases of a test: it is asked once. */
static void predict(struct lab *lab) {
    lab_predict(lab, "predicted_barriers", "How many?", 10, "Because.");
    lab_predict(lab, "predicted_barriers", "How many?", 11, "Because.");
}

static json_t *prediction_of(int32_t value) {
    json_t *document, *prediction;

    fake.variable = "predicted_barriers";
    fake.value = value;
    document = fake_judge("technique", predict, "pass"); /* whatever was predicted */
    cr_assert_eq(json_array_size(json_object_get(document, "predictions")), 1);
    prediction = json_incref(json_array_get(json_object_get(document, "predictions"), 0));
    cr_assert_eq(json_integer_value(json_object_get(prediction, "counted")), 10);
    return prediction;
}

Test(technique, sets_predictions_beside_what_was_counted) {
    json_auto_t *right = prediction_of(10);
    json_auto_t *wrong = prediction_of(9);
    json_auto_t *none = prediction_of(-1);

    cr_assert(json_is_true(json_object_get(right, "right")));
    cr_assert(json_is_true(json_object_get(wrong, "answered")));
    cr_assert(json_is_false(json_object_get(wrong, "right")));
    cr_assert_eq(json_integer_value(json_object_get(wrong, "predicted")), 9);
    cr_assert(json_is_false(json_object_get(none, "answered")));
    fake_expect(none, "predicted", NULL);
}

static char *sealed;

static void predict_sealed(struct lab *lab) {
    lab_predict(lab, "predicted_barriers", "How many?", 10, sealed);
}

/* The explanation that is told to who predicted `value`, sealed for those of whom `counted` is. */
static char *told(int32_t value, const char *counted) {
    fake.variable = "predicted_barriers";
    fake.value = value;
    sealed = seal_close("Because.", counted, SEAL_QUICK);
    json_t *document = fake_judge("technique", predict_sealed, "pass");
    json_t *prediction = json_array_get(json_object_get(document, "predictions"), 0);
    free(sealed);
    return strdup(json_string_value(json_object_get(prediction, "explanation")));
}

Test(technique, opens_explanations_by_what_was_counted) {
    OWNED char *right = told(10, "predicted_barriers 10"),
               *wrong = told(9, "predicted_barriers 10");
    OWNED char *other = told(10, "predicted_barriers 11"),
               *none = told(-1, "predicted_barriers 10");

    cr_expect_str_eq(right, "Because.");
    cr_expect_str_eq(wrong, "Because.");
    cr_expect_str_eq(other, "");
    cr_expect_str_eq(none, "");
}

static void sum_once(struct lab *lab) {
    lab_one(lab, 512, 512, fake_sum_case);
}

Test(technique, takes_a_librarys_kernel_for_nobodys_technique) {
    static const struct {
        const char *report, *verdict;
    } cases[] = {
        {"{\"launches\":[{\"kernel\":\"sum\"},{\"kernel\":\"cub::CUB_1::Reduce<…>\"}]}",
         "technique"},
        {"{\"launches\":[{\"kernel\":\"own::thrust::reduce\"}]}", "technique"},
        {"{\"launches\":[{\"kernel\":\"incub::sum\"},{\"kernel\":\"thrusting\"},{}]}", "pass"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fake.report = cases[i].report;
        json_t *document = fake_perform("technique", sum_once);
        fake_expect(document, "verdict", cases[i].verdict);
        document = fake_perform("example", sum_once);
        fake_expect(document, "verdict", "pass");
    }
}
