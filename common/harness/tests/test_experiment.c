/*
 * The search for causes, with a fake in place of the simulator: which edits it tries, and what
 * counts as a proof.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/harness/experiment/experiment.h"
#include "common/harness/tests/fake_call.h"

/* What the fake offers: three edits of two lines, and one of all launches. */
static const char offers[] =
    "{\"launches\":[{\"kernel\":\"k\",\"lines\":[{\"file\":\"a.cu\",\"line\":7},"
    "{\"file\":\"a.cu\",\"line\":8}]}],\"findings\":[],\"candidates\":["
    "{\"kind\":\"constant\",\"line\":7,\"place\":\"a.cu\",\"from\":1,\"to\":2},"
    "{\"kind\":\"negation\",\"line\":7,\"place\":\"a.cu\",\"from\":2,\"to\":0},"
    "{\"kind\":\"equality\",\"line\":8,\"place\":\"a.cu\",\"from\":2,\"to\":0},"
    "{\"kind\":\"no such edit\",\"line\":8,\"place\":\"a.cu\",\"from\":2,\"to\":0},"
    "{\"kind\":\"grid_more\",\"line\":0,\"place\":\"k\",\"from\":0,\"to\":1}]}";

/* Which edits make the sum right: all of these, up to their largest n. */
static struct {
    uint32_t kind;
    size_t largest_n;
} mends[4];

static bool is_mended(size_t n) {
    const struct call_experiment *experiment = &fake.experiment;

    for (size_t i = 0; i < sizeof mends / sizeof *mends; i++)
        if (mends[i].kind && experiment->n_edits == 1 && n <= mends[i].largest_n &&
            experiment->edits[0].kind == mends[i].kind)
            return true;
    return false;
}

static void answer(const char *function, struct call_arg *args, size_t n_args,
                   struct call_result *result) {
    fake.wrong_from = is_mended(args[0].count) ? SIZE_MAX : 5;
    fake_sum(function, args, n_args, result);
    result->report = strdup(offers);
}

static const size_t sizes[] = {1, 5, 9, 40};
static const unsigned blocks[] = {32};

static void sweep(struct lab *lab) {
    lab_sweep(lab, sizes, 4, blocks, 1, fake_sum_case);
}

static void small(struct lab *lab) {
    lab_one(lab, 3, 32, fake_sum_case);
}

static lab_body *failing_body = sweep, *passing_body = small;
static lab_body *second_body; /* NULL: one test fails */

/* What the experiments leave as the failing test's diagnosis; "" where there is none. */
static char diagnosis[64];

/* Runs both tests as the runner does, then the experiments; what they say of the one that fails. */
static json_t *explain(fake_answer *answers) {
    static char folder[] = "/tmp/warpbook-experiment-XXXXXX";
    struct lab_settings settings = fake_settings();
    char path[128];

    if (strstr(folder, "XXXXXX"))
        cr_assert_not_null(mkdtemp(folder));
    settings.results = folder;
    fake.answer = answers;
    fake.experiment = (struct call_experiment){0};
    json_t *failing = lab_perform(&settings, "edge", "fails", failing_body);
    json_t *passing = lab_perform(&settings, "edge", "passes", passing_body);
    json_t *second = second_body ? lab_perform(&settings, "edge", "second", second_body) : NULL;
    cr_assert(!second || lab_result_write(second, folder));
    cr_assert(lab_result_write(failing, folder) && lab_result_write(passing, folder));
    fake_expect(failing, "verdict", "wrong_answer");
    fake_expect(passing, "verdict", "pass");
    struct lab_experiments *experiments = lab_experiments_open(&settings);
    lab_experiments_add(experiments, "edge", "fails", failing_body);
    lab_experiments_add(experiments, "edge", "passes", passing_body);
    if (second_body)
        lab_experiments_add(experiments, "edge", "second", second_body);
    lab_experiments_run(experiments);
    lab_experiments_close(experiments);
    json_decref(failing);
    json_decref(passing);
    json_decref(second);
    snprintf(path, sizeof path, "%s/edge.fails.json", folder);
    json_t *document = json_load_file(path, 0, NULL);
    json_t *experiment = json_incref(json_object_get(document, "experiment"));
    const char *id = json_string_value(json_object_get(document, "diagnosis"));
    snprintf(diagnosis, sizeof diagnosis, "%s", id ? id : "");
    cr_assert(json_is_object(experiment) || strcmp(diagnosis, "error_left_pending") == 0);
    json_decref(document);
    cr_expect_eq(fake.n_opened, fake.n_closed, "each worker must be closed");
    return experiment;
}

/* The word of a proven edit; "" where there are fewer. */
static const char *proven(const json_t *experiment, size_t index) {
    const json_t *edit = json_array_get(json_object_get(experiment, "proven"), index);
    const char *word = json_string_value(json_object_get(edit, "edit"));

    return word ? word : "";
}

Test(experiment, proves_what_mends_the_whole_test) {
    mends[0].kind = SIMT_EDIT_EQUALITY;
    mends[0].largest_n = SIZE_MAX;
    json_t *experiment = explain(answer);
    const json_t *first = json_array_get(json_object_get(experiment, "proven"), 0);

    cr_expect_str_eq(proven(experiment, 0), "equality");
    cr_expect_str_eq(proven(experiment, 1), "");
    cr_expect_eq(json_integer_value(json_object_get(first, "line")), 8);
    fake_expect(first, "file", "a.cu");
    fake_expect(first, "kernel", NULL);
    cr_expect_not_null(strstr(json_string_value(json_object_get(first, "sentence")), "line 8"));
    json_decref(experiment);
}

Test(experiment, does_not_count_what_mends_one_case) {
    mends[0].kind = SIMT_EDIT_EQUALITY;
    mends[0].largest_n = 9; /* the smallest failing case, 5, and more, but not 40 */
    json_t *experiment = explain(answer);

    cr_expect_str_eq(proven(experiment, 0), "");
    cr_expect_gt(json_integer_value(json_object_get(experiment, "tried")), 3);
    json_decref(experiment);
}

/* With the edit, the sum is right for the inputs that were drawn without it. */
static void answer_by_chance(const char *function, struct call_arg *args, size_t n_args,
                             struct call_result *result) {
    static uint64_t seed;

    answer(function, args, n_args, result);
    if (fake.experiment.n_edits == 0)
        seed = fake.settings.seed;
    else if (seed != fake.settings.seed && args[0].count >= 5)
        *(int32_t *)args[2].data += 1;
}

Test(experiment, does_not_count_what_mends_one_draw_of_inputs) {
    mends[0].kind = SIMT_EDIT_EQUALITY;
    mends[0].largest_n = SIZE_MAX;
    json_t *experiment = explain(answer_by_chance);

    cr_expect_str_eq(proven(experiment, 0), "");
    json_decref(experiment);
}

Test(experiment, puts_the_most_specific_first) {
    mends[0].kind = SIMT_EDIT_NEGATION;
    mends[1].kind = SIMT_EDIT_EQUALITY;
    mends[2].kind = SIMT_EDIT_GRID_MORE;
    for (int i = 0; i < 3; i++)
        mends[i].largest_n = SIZE_MAX;
    json_t *experiment = explain(answer);

    cr_expect_str_eq(proven(experiment, 0), "equality");
    cr_expect_str_eq(proven(experiment, 1), "grid_more");
    cr_expect_str_eq(proven(experiment, 2), "negation");
    json_decref(experiment);
}

/* The first edit of many mends up to 9 numbers; the last one, which is offered for those alone at
 * first, mends all. */
static void answer_and_offer_many(const char *function, struct call_arg *args, size_t n_args,
                                  struct call_result *result) {
    const struct simt_edit *edit = &fake.experiment.edits[0];
    const bool has_edit = fake.experiment.n_edits == 1;
    char *text;

    fake.wrong_from =
        has_edit && (edit->kind == SIMT_EDIT_NEGATION ||
                     (edit->kind == SIMT_EDIT_CONSTANT && args[0].count <= 9 && edit->to == 1))
            ? SIZE_MAX
            : 5;
    fake_sum(function, args, n_args, result);
    cr_assert_gt(asprintf(&text, "%.*s", (int)(strstr(offers, "\"candidates") - offers), offers),
                 0);
    cr_assert_gt(asprintf(&result->report, "%s\"candidates\":[", text), 0);
    free(text);
    for (int to = 1; args[0].count <= 9 && to <= 80; to++) {
        text = result->report;
        cr_assert_gt(asprintf(&result->report,
                              "%s{\"kind\":\"constant\",\"line\":7,\"place\":\"a.cu\","
                              "\"from\":%d,\"to\":%d},",
                              text, -to, to),
                     0);
        free(text);
    }
    text = result->report;
    cr_assert_gt(asprintf(&result->report,
                          "%s{\"kind\":\"negation\",\"line\":8,\"place\":\"a.cu\",\"from\":2,"
                          "\"to\":0}]}",
                          text),
                 0);
    free(text);
}

static void few(struct lab *lab) {
    lab_one(lab, 9, 32, fake_sum_case);
}

static void many(struct lab *lab) {
    lab_one(lab, 40, 32, fake_sum_case);
}

/* The search of the first test ends before it comes to the edit that mends both; what it found
 * mends but one of the two. */
Test(experiment, tries_what_mends_one_test_on_those_before) {
    failing_body = few;
    second_body = many;
    json_t *experiment = explain(answer_and_offer_many);

    cr_expect_str_eq(proven(experiment, 0), "negation");
    cr_expect_str_eq(proven(experiment, 1), "");
    json_decref(experiment);
}

/* What is right without the edit, and wrong with it. */
static void answer_or_break(const char *function, struct call_arg *args, size_t n_args,
                            struct call_result *result) {
    answer(function, args, n_args, result);
    if (fake.experiment.n_edits == 1 && fake.experiment.edits[0].kind == SIMT_EDIT_EQUALITY &&
        args[0].count == 3)
        *(int32_t *)args[2].data += 1;
}

Test(experiment, does_not_count_what_breaks_another_test) {
    mends[0].kind = SIMT_EDIT_EQUALITY;
    mends[0].largest_n = SIZE_MAX;
    mends[1].kind = SIMT_EDIT_GRID_MORE;
    mends[1].largest_n = SIZE_MAX;
    json_t *experiment = explain(answer_or_break);

    cr_expect_str_eq(proven(experiment, 0), "grid_more");
    cr_expect_str_eq(proven(experiment, 1), "");
    json_decref(experiment);
}

/* Two blocks store; with the edit the sum is right, but one block stores, or both. */
static const char *stores_with_edit;

static void answer_and_mute(const char *function, struct call_arg *args, size_t n_args,
                            struct call_result *result) {
    answer(function, args, n_args, result);
    free(result->report);
    cr_assert_gt(
        asprintf(&result->report,
                 "{\"launches\":[{\"grid\":[2,1,1],\"counters\":{\"global_stores\":%s}}],%s",
                 fake.experiment.n_edits ? stores_with_edit : "2", strstr(offers, "\"findings\"")),
        0);
}

Test(experiment, does_not_count_what_silences_blocks) {
    mends[0].kind = SIMT_EDIT_EQUALITY;
    mends[0].largest_n = SIZE_MAX;
    stores_with_edit = "1";
    json_t *experiment = explain(answer_and_mute);
    cr_expect_str_eq(proven(experiment, 0), "");
    json_decref(experiment);
    stores_with_edit = "2";
    experiment = explain(answer_and_mute);
    cr_expect_str_eq(proven(experiment, 0), "equality");
    json_decref(experiment);
}

Test(experiment, says_the_same_each_time) {
    mends[0].kind = SIMT_EDIT_EQUALITY;
    mends[0].largest_n = SIZE_MAX;
    json_t *one = explain(answer), *other = explain(answer);

    cr_expect(json_equal(one, other));
    json_decref(one);
    json_decref(other);
}

static void answer_once(const char *function, struct call_arg *args, size_t n_args,
                        struct call_result *result) {
    static size_t n_workers, n;

    n = n_workers == fake.n_opened ? n + 1 : 1;
    n_workers = fake.n_opened;
    fake.wrong_from = n > 1 ? 0 : SIZE_MAX;
    fake_sum(function, args, n_args, result);
    result->report = strdup(offers);
}

static void call_twice(struct lab *lab, const struct lab_case *c) {
    fake_sum_case(lab, c);
    fake_sum_case(lab, c);
}

static void twice(struct lab *lab) {
    lab_one(lab, 7, 32, call_twice);
}

Test(experiment, tries_a_call_as_the_first_of_its_process) {
    struct lab_settings settings = fake_settings();
    struct lab_suspect *suspects;
    json_t *report =
        json_loads("[{\"kind\":\"fresh\",\"line\":0,\"place\":\"\",\"from\":0,\"to\":0}]", 0, NULL);

    fake.answer = answer_once;
    json_t *document = lab_perform(&settings, "safety", "keeps", twice);
    fake_expect(document, "verdict", "wrong_answer");
    cr_assert_eq(lab_suspects(document, report, 2, &suspects), 1);
    free(suspects);
    cr_expect_eq(lab_suspects(document, report, 1, &suspects), 0, "one call has no earlier one");
    free(suspects);
    struct lab_trial trial = {.is_fresh = true};
    settings.trial = &trial;
    json_t *mended = lab_perform(&settings, "safety", "keeps", twice);
    fake_expect(mended, "verdict", "pass");
    json_decref(mended);
    json_decref(document);
    json_decref(report);
}

static const char *named = "no_barrier";

static void name_another_mistake(struct lab *lab, const struct lab_case *c, const char *verdict) {
    (void)c, (void)verdict;
    lab_diagnose(lab, named);
}

static void diagnosed_case(struct lab *lab, const struct lab_case *c) {
    lab_set_diagnoser(lab, name_another_mistake);
    fake_sum_case(lab, c);
}

static void diagnosed_sweep(struct lab *lab) {
    lab_sweep(lab, sizes, 4, blocks, 1, diagnosed_case);
}

/* What a failure looks like is no cause where the same call is right as the first one. */
Test(experiment, takes_a_diagnosis_back_where_the_call_alone_is_right) {
    failing_body = diagnosed_sweep;
    json_t *experiment = explain(answer_once);
    cr_expect_str_eq(proven(experiment, 0), "fresh");
    cr_expect_str_eq(diagnosis, "state_between_calls");
    json_decref(experiment);
    experiment = explain(answer);
    cr_expect_str_eq(diagnosis, "no_barrier", "it fails alone, too");
    json_decref(experiment);
    named = "error_left_pending";
    experiment = explain(answer_once);
    cr_expect_str_eq(diagnosis, "error_left_pending", "which is known to be left from before");
    cr_expect_not(json_is_object(experiment), "nothing was tried");
    json_decref(experiment);
}

/* What the fake makes of at least five numbers, beside their sum. */
static int32_t (*beside)(const int32_t *in, size_t n);

static void answer_beside(const char *function, struct call_arg *args, size_t n_args,
                          struct call_result *result) {
    fake.wrong_from = SIZE_MAX;
    fake_sum(function, args, n_args, result);
    if (args[0].count >= 5)
        *(uint32_t *)args[2].data += (uint32_t)beside(args[0].data, args[0].count);
    result->report = strdup(offers);
}

static json_t *terms_of(int32_t (*of)(const int32_t *, size_t)) {
    beside = of;
    json_t *experiment = explain(answer_beside);
    json_t *terms = json_incref(json_object_get(experiment, "terms"));

    json_decref(experiment);
    return terms;
}

static void expect_term(const json_t *terms, size_t index, int first, int last, int got,
                        int expected) {
    const json_t *term = json_array_get(json_object_get(terms, "list"), index);

    fake_expect(term, "name", "in");
    cr_expect_eq(json_integer_value(json_object_get(term, "first")), first);
    cr_expect_eq(json_integer_value(json_object_get(term, "last")), last);
    cr_expect_eq(json_integer_value(json_object_get(term, "got")), got);
    cr_expect_eq(json_integer_value(json_object_get(term, "expected")), expected);
}

static int32_t without_two(const int32_t *in, size_t n) {
    (void)n;
    return (int32_t)(5u * (uint32_t)in[0] - (uint32_t)in[2] - (uint32_t)in[3] -
                     2u * (uint32_t)in[4]);
}

Test(experiment, finds_what_a_wrong_sum_is_made_of) {
    json_t *terms = terms_of(without_two);

    fake_expect(terms, "what", "sum");
    cr_expect_eq(json_integer_value(json_object_get(terms, "index")), 0);
    cr_expect_eq(json_integer_value(json_object_get(terms, "off_by")), 0);
    cr_expect_eq(json_array_size(json_object_get(terms, "list")), 3);
    expect_term(terms, 0, 0, 0, 6, 1);
    expect_term(terms, 1, 2, 3, 0, 1);
    expect_term(terms, 2, 4, 4, -1, 1);
    json_decref(terms);
}

static int32_t minus_nine(const int32_t *in, size_t n) {
    (void)in, (void)n;
    return -9;
}

Test(experiment, finds_what_a_wrong_sum_is_off_by) {
    json_t *terms = terms_of(minus_nine);

    cr_expect_eq(json_array_size(json_object_get(terms, "list")), 0);
    cr_expect_eq(json_integer_value(json_object_get(terms, "off_by")), -9);
    json_decref(terms);
}

static int32_t parity(const int32_t *in, size_t n) {
    (void)n;
    return 1 + (in[0] & 1);
}

Test(experiment, does_not_say_what_no_input_tells) {
    json_t *terms = terms_of(parity);

    cr_expect(json_is_null(terms));
    json_decref(terms);
}

static int32_t squares(const int32_t *in, size_t n) {
    uint32_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (uint32_t)in[i] * (uint32_t)in[i];
    return (int32_t)sum;
}

/* The last square of at least five is left out. */
static void answer_squares(const char *function, struct call_arg *args, size_t n_args,
                           struct call_result *result) {
    const size_t n = args[0].count;

    (void)function, (void)n_args;
    *(int32_t *)args[2].data = squares(args[0].data, n >= 5 ? n - 1 : n);
    result->report = strdup(offers);
}

static void squares_case(struct lab *lab, const struct lab_case *c) {
    int32_t *in = lab_random_i32(lab, c->n), right = squares(in, c->n), sum;

    if (lab_call(lab, "squares", lab_in("in", in, c->n, sizeof *in), lab_size(c->n),
                 lab_out("sum", &sum, 1, sizeof sum)))
        lab_expect_i32(lab, "sum", &sum, &right, 1);
}

static void few_squares(struct lab *lab) {
    lab_one(lab, 3, 32, squares_case);
}

static void many_squares(struct lab *lab) {
    lab_one(lab, 9, 32, squares_case);
}

Test(experiment, finds_what_else_a_result_depends_on) {
    failing_body = many_squares;
    passing_body = few_squares;
    json_t *experiment = explain(answer_squares);
    const json_t *terms = json_object_get(experiment, "terms");

    cr_expect(json_is_false(json_object_get(terms, "is_sum")));
    cr_expect_eq(json_array_size(json_object_get(terms, "list")), 1);
    expect_term(terms, 0, 8, 8, 0, 1);
    json_decref(experiment);
}

/* Of floats that are whole numbers. */
static void floats_case(struct lab *lab, const struct lab_case *c) {
    const struct lab_drawn drawn = lab_draw(lab, LAB_F32_WHOLE, c->n);
    float *in = lab_drawn_f32(lab, &drawn), sum;
    double right = (double)lab_drawn_sum(&drawn);

    lab_set_elements(lab, LAB_FLOATS);
    if (lab_call(lab, "sum", lab_in("in", in, c->n, sizeof *in), lab_size(c->n),
                 lab_out("sum", &sum, 1, sizeof sum)))
        lab_expect_f32(lab, "sum", &sum, &right, 0, 1);
}

static void floats(struct lab *lab) {
    lab_one(lab, 7, 32, floats_case);
}

/* The last of more than three is left out; one that is the first counts thrice. */
static void answer_floats(const char *function, struct call_arg *args, size_t n_args,
                          struct call_result *result) {
    const float *in = args[0].data;

    if (args[0].element_bytes != sizeof(float) || args[0].count != 7) {
        fake_sum(function, args, n_args, result);
        return;
    }
    float *sum = args[2].data;
    *sum = 2 * in[0];
    for (size_t i = 0; i + 1 < args[0].count; i++)
        *sum += in[i];
    result->report = strdup(offers);
}

Test(experiment, finds_what_a_wrong_sum_of_floats_is_made_of) {
    failing_body = floats;
    json_t *experiment = explain(answer_floats);
    const json_t *terms = json_object_get(experiment, "terms");

    cr_expect_eq(json_array_size(json_object_get(terms, "list")), 2);
    expect_term(terms, 0, 0, 0, 3, 1);
    expect_term(terms, 1, 6, 6, 0, 1);
    json_decref(experiment);
}

/* Which sums of a survey are wrong. */
static bool (*is_wrong)(size_t n);

static void answer_somewhere(const char *function, struct call_arg *args, size_t n_args,
                             struct call_result *result) {
    fake.wrong_from = is_wrong(args[0].count) ? 0 : SIZE_MAX;
    fake_sum(function, args, n_args, result);
    result->report = strdup(offers);
}

/* What is said of such a function; "" for nothing. */
static void expect_where(bool (*of)(size_t n), const char *is, const char *words) {
    is_wrong = of;
    json_t *experiment = explain(answer_somewhere);
    const json_t *where = json_object_get(experiment, "where");
    const char *said = json_string_value(json_object_get(where, "where"));

    cr_expect_str_eq(said ? said : "", words);
    if (*words)
        fake_expect(where, "is", is);
    json_decref(experiment);
}

static bool is_odd_beyond_3(size_t n) {
    return n % 2 == 1 && n > 3;
}

static bool is_odd_but_3(size_t n) {
    return n % 2 == 1 && n != 3;
}

static bool is_no_multiple(size_t n) {
    return n % 4 != 0 && n > 1;
}

static bool is_five_or_more(size_t n) {
    return n >= 5;
}

static void wide(struct lab *lab) {
    static const size_t many[] = {1, 5, 9, 40, 64, 100};

    lab_sweep(lab, many, 6, blocks, 1, fake_sum_case);
}

static void four(struct lab *lab) {
    lab_one(lab, 4, 32, fake_sum_case);
}

Test(experiment, tells_where_a_function_fails) {
    failing_body = wide;
    expect_where(is_five_or_more, "limit", "n is 5 or more");
    passing_body = four;
    expect_where(is_no_multiple, "no_multiple_of_4", "n is no multiple of 4 and n is more than 1");
}

Test(experiment, tells_no_place_where_one_case_speaks_against_it) {
    expect_where(is_odd_but_3, "", "");
    expect_where(is_odd_beyond_3, "", "");
}

static void few_odd(struct lab *lab) {
    static const size_t few[] = {2, 4, 6, 7, 8, 9};

    lab_sweep(lab, few, 6, blocks, 1, fake_sum_case);
}

static void even(struct lab *lab) {
    lab_one(lab, 2, 32, fake_sum_case);
}

static bool is_odd(size_t n) {
    return n % 2 == 1;
}

/* A survey runs sizes that the test does not have: 3. */
Test(experiment, tells_of_how_many_cases_that_is_so) {
    failing_body = few_odd;
    passing_body = even;
    is_wrong = is_odd;
    json_t *experiment = explain(answer_somewhere);
    const json_t *where = json_object_get(experiment, "where");

    fake_expect(where, "is", "odd");
    fake_expect(where, "where", "n is odd");
    cr_expect_eq(json_integer_value(json_object_get(where, "failed")), 3);
    cr_expect_eq(json_integer_value(json_object_get(where, "passed")), 4);
    json_decref(experiment);
}

Test(experiment, makes_no_survey_where_an_edit_mends) {
    mends[0].kind = SIMT_EDIT_EQUALITY;
    mends[0].largest_n = SIZE_MAX;
    json_t *experiment = explain(answer);

    cr_expect(json_is_null(json_object_get(experiment, "where")));
    json_decref(experiment);
}

/* Right for an n that is wrong in another test: something else decides. */
static bool is_mild;

static bool is_wrong_elsewhere(size_t n) {
    return n >= 5 && !(is_mild && n == 9);
}

static void mild(struct lab *lab) {
    is_mild = true;
    lab_one(lab, 9, 32, fake_sum_case);
    is_mild = false;
}

Test(experiment, tells_no_place_where_the_same_numbers_end_in_two_ways) {
    failing_body = wide;
    passing_body = mild;
    expect_where(is_wrong_elsewhere, "", "");
}
