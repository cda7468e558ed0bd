/* The numbers that a small failing case shows. */
#include "common/harness/tests/fake_call.h"

static void sum_five(struct lab *lab) {
    lab_one(lab, 5, 32, fake_sum_case);
}

static const json_t *row(const json_t *document, const char *kind, size_t index) {
    const json_t *rows = json_object_get(json_object_get(document, "data"), "rows");

    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *item = json_array_get(rows, i);

        if (strcmp(json_string_value(json_object_get(item, "kind")), kind) == 0 && index-- == 0)
            return item;
    }
    return NULL;
}

static const char *value(const json_t *of, size_t index) {
    return json_string_value(json_array_get(json_object_get(of, "values"), index));
}

static size_t n_values(const json_t *of) {
    return json_array_size(json_object_get(of, "values"));
}

Test(data, shows_input_expected_and_got) {
    int sum = 0;

    fake.wrong_from = 5;
    json_t *document = fake_perform("example", sum_five);
    cr_assert_eq(n_values(row(document, "input", 0)), 5);
    for (size_t i = 0; i < 5; i++)
        sum += atoi(value(row(document, "input", 0), i));
    cr_expect_str_eq(json_string_value(json_object_get(row(document, "input", 0), "name")), "in");
    cr_expect_eq(atoi(value(row(document, "expected", 0), 0)), sum);
    cr_expect_eq(atoi(value(row(document, "got", 0), 0)), sum + 1);
    cr_expect_eq(json_integer_value(json_object_get(json_object_get(document, "data"), "wrong")),
                 0);
}

static const char pictures[] =
    "{\"launches\": [{\"kernel\": \"k\", \"shared\": ["
    "{\"block\": 0, \"file\": \"a.cu\", \"line\": 7, \"name\": \"tile\", \"words\": [4294967295, "
    "1073741824, null, 7]},"
    "{\"block\": 1, \"file\": \"\", \"line\": 0, \"name\": \"tile\", \"words\": [1, 2, 3]}]}],"
    " \"findings\": []}";

Test(data, shows_shared_memory_at_each_barrier) {
    fake.wrong_from = 5;
    fake.shared = pictures;
    json_t *document = fake_perform("example", sum_five);
    cr_expect_str_eq(value(row(document, "shared", 0), 0), "-1");
    cr_expect(
        json_is_null(json_array_get(json_object_get(row(document, "shared", 0), "values"), 2)),
        "nobody wrote it");
    cr_expect_eq(json_integer_value(json_object_get(row(document, "shared", 0), "line")), 7);
    cr_expect_eq(json_integer_value(json_object_get(row(document, "shared", 1), "block")), 1);
    cr_expect_not(fake.keeps_shared, "the calls that follow are not asked");
    const json_t *launch = json_array_get(json_object_get(document, "launches"), 0);
    cr_expect_str_eq(json_string_value(json_object_get(launch, "kernel")), "k");
    cr_expect_null(json_object_get(launch, "shared"), "it is told once");
}

static void sum_five_as_doubles(struct lab *lab) {
    lab_set_elements(lab, LAB_DOUBLES);
    lab_one(lab, 5, 32, fake_sum_case);
}

Test(data, are_shown_in_the_type_of_the_lab) {
    fake.wrong_from = 5;
    fake.shared = pictures;
    json_t *document = fake_perform("example", sum_five_as_doubles);
    cr_assert_eq(n_values(row(document, "shared", 0)), 2);
    cr_expect_str_eq(value(row(document, "shared", 0), 0), "2.000002");
    cr_expect(
        json_is_null(json_array_get(json_object_get(row(document, "shared", 0), "values"), 1)),
        "half of it nobody wrote");
}

static void sum_many(struct lab *lab) {
    lab_one(lab, 5000, 32, fake_sum_case);
}

Test(data, are_left_out_of_a_large_case) {
    fake.wrong_from = 5;
    json_t *document = fake_judge("example", sum_many, "wrong_answer");
    cr_expect(json_is_null(json_object_get(document, "data")));
    cr_expect_eq(fake.n_calls, 3,
                 "once more for what nobody has read, and once more with small numbers");
}

Test(data, are_not_there_where_all_is_right) {
    json_t *document = fake_perform("example", sum_five);

    cr_expect(json_is_null(json_object_get(document, "data")));
    cr_expect_eq(fake.n_calls, 1);
}

static void call_nonsense(struct lab *lab) {
    fake.shared = "{\"launches\": [{\"shared\": [7, {\"block\": -1, \"line\": \"x\", \"name\": 3, "
                  "\"words\": [\"y\", 2]}, {\"words\": 5}]}, {\"shared\": {}}], \"findings\": []}";
    sum_five(lab);
}

Test(data, survive_a_report_that_makes_no_sense) {
    fake.wrong_from = 5;
    json_t *document = fake_perform("example", call_nonsense);
    cr_expect_eq(n_values(row(document, "shared", 0)), 2);
    cr_expect_eq(json_integer_value(json_object_get(row(document, "shared", 0), "block")), 0);
    cr_expect_null(row(document, "shared", 1));
}
