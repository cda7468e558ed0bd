/*
 * What a test expects: outputs that are right, counters that show the lab's technique, and numbers
 * that the student predicted.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/owned.h"
#include "common/base/seal.h"
#include "common/base/text.h"
#include "common/harness/context.h"

void lab_set_owner(struct lab *lab, lab_owner_of *owner) {
    lab->owner = owner;
}

/* A number that may be unknown. */
static json_t *known(int64_t value) {
    return value < 0 ? json_null() : json_integer(value);
}

/* True when the last call left the output that `got` is, or takes, untouched. */
static bool is_untouched(const struct lab *lab, const void *got) {
    if (!lab->has_last)
        return false;
    for (size_t i = 0; i < lab->n_args; i++)
        if (lab->args[i].data == got || lab->args[i].taker == got)
            return (lab->last.untouched >> i & 1) != 0;
    return false;
}

/* A result is about to be compared. */
static void begin(struct lab *lab, const struct lab_compared *compared) {
    lab->n_compared++;
    if (compared->got)
        lab_probe_look(lab, compared);
}

/* Numbers as the mismatch shows them. */
struct mismatch {
    char got[40], expected[40];
    const char *beyond; /* what the reason says behind the numbers: "" or a bound */
};

/* False for an owner that the simulator did not run: who should have stored the element did not.
 * Where there is no report, nobody knows. */
static bool is_there(const struct lab *lab, const struct lab_owner *owner) {
    if (owner->launch < 0 || !json_is_object(lab_report(lab)))
        return true;
    struct lab_launch launch = lab_launch(lab, (size_t)owner->launch);
    return owner->block < (int64_t)launch.n_blocks && owner->thread < (int64_t)launch.n_threads;
}

static void note_mismatch(struct lab *lab, const struct lab_compared *compared,
                          const struct mismatch *numbers) {
    const char *what = compared->what;
    size_t index = compared->index;
    const struct call_writer writer = lab_writer_of(lab, compared);
    bool untouched = compared->is_untouched || writer.kind == CALL_WRITER_NOBODY;
    struct lab_owner owner = {-1, -1, -1};
    char called[LAB_CALLED_BYTES];
    json_t *mismatch;

    if (lab->owner)
        owner = lab->owner(lab, what, index);
    if (!is_there(lab, &owner))
        owner = (struct lab_owner){-1, -1, -1};
    mismatch = json_pack("{s:s, s:I, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "what", what, "index",
                         (json_int_t)index, "expected", numbers->expected, "got",
                         untouched ? "nothing" : numbers->got, "block", known(owner.block),
                         "thread", known(owner.thread), "launch", known(owner.launch), "stored",
                         lab_stored_by(&writer), "news", lab_news(lab));
    lab_called(lab, called, sizeof called);
    lab->compared = compared->got ? compared : NULL;
    if (lab->compared && !untouched)
        lab_probe_find(lab, compared);
    if (untouched)
        lab_note(lab, LAB_WRONG_ANSWER, mismatch,
                 "%s returned cudaSuccess, but nothing wrote %s[%zu]; it must be %s.", called, what,
                 index, numbers->expected);
    else
        lab_note(lab, LAB_WRONG_ANSWER, mismatch, "%s gave %s[%zu] = %s; it must be %s%s.", called,
                 what, index, numbers->got, numbers->expected, numbers->beyond);
    lab->compared = NULL;
}

static void print_whole(char *text, size_t bytes, int32_t value, bool is_unsigned) {
    if (is_unsigned)
        snprintf(text, bytes, "%" PRIu32, (uint32_t)value);
    else
        snprintf(text, bytes, "%" PRId32, value);
}

bool lab_expect_i32(struct lab *lab, const char *what, const int32_t *got, const int32_t *expected,
                    size_t count) {
    const bool is_unsigned = lab->elements == LAB_UNSIGNED;
    const enum lab_elements type = is_unsigned ? LAB_UNSIGNED : LAB_INTS;
    struct lab_compared compared = {what, got,   expected, type,
                                    type, count, 0,        is_untouched(lab, got)};

    begin(lab, &compared);
    for (size_t i = 0; i < count; i++)
        if (got[i] != expected[i]) {
            struct mismatch numbers = {.beyond = ""};

            print_whole(numbers.got, sizeof numbers.got, got[i], is_unsigned);
            print_whole(numbers.expected, sizeof numbers.expected, expected[i], is_unsigned);
            compared.index = i;
            note_mismatch(lab, &compared, &numbers);
            return false;
        }
    return true;
}

static void print_made(const struct lab *lab, char *text, size_t bytes, int32_t word) {
    float value;

    memcpy(&value, &word, sizeof value);
    if (lab->elements == LAB_FLOATS)
        snprintf(text, bytes, "%.9g", lab_printed((double)value));
    else
        print_whole(text, bytes, word, lab->elements == LAB_UNSIGNED);
}

bool lab_expect_made(struct lab *lab, const char *what, const struct lab_made *made) {
    struct lab_compared compared = {
        .what = what, .index = (size_t)made->wrong, .is_untouched = is_untouched(lab, made)};
    struct mismatch numbers = {.beyond = ""};

    begin(lab, &compared);
    if (lab_made_is_right(made))
        return true;
    if (made->wrong < 0)
        lab_stop(lab, LAB_INFRASTRUCTURE, "This machine has no memory to compare %s.", what);
    print_made(lab, numbers.got, sizeof numbers.got, made->got);
    print_made(lab, numbers.expected, sizeof numbers.expected, made->expected);
    note_mismatch(lab, &compared, &numbers);
    return false;
}

double lab_printed(double value) {
    return isnan(value) ? fabs(value) : value;
}

/* True when the number at compared->index is within the bound; notes it otherwise, printed with so
 * many digits. NaN is never within it. */
static bool is_near(struct lab *lab, const struct lab_compared *compared, const double numbers[2],
                    double bound, int digits) {
    struct mismatch mismatch = {.beyond = ""};
    char beyond[64];

    /* Infinities are equal, and their difference is no number. */
    if (numbers[0] == numbers[1] || fabs(numbers[0] - numbers[1]) <= bound)
        return true;
    if (bound > 0) {
        snprintf(beyond, sizeof beyond, ", give or take %.2g", bound);
        mismatch.beyond = beyond;
    }
    snprintf(mismatch.got, sizeof mismatch.got, "%.*g", digits, lab_printed(numbers[0]));
    snprintf(mismatch.expected, sizeof mismatch.expected, "%.*g", digits, lab_printed(numbers[1]));
    note_mismatch(lab, compared, &mismatch);
    return false;
}

/* The bound of element i is bounds[i * step]. */
static bool expect_f32(struct lab *lab, const char *what, const float *got, const double *expected,
                       const double *bounds, size_t step, size_t count) {
    struct lab_compared compared = {what,        got,   expected, LAB_FLOATS,
                                    LAB_DOUBLES, count, 0,        is_untouched(lab, got)};
    size_t *i = &compared.index;

    begin(lab, &compared);
    while (*i < count &&
           is_near(lab, &compared, (double[]){(double)got[*i], expected[*i]}, bounds[*i * step], 9))
        ++*i;
    return *i == count;
}

bool lab_expect_f32(struct lab *lab, const char *what, const float *got, const double *expected,
                    double bound, size_t count) {
    return expect_f32(lab, what, got, expected, &bound, 0, count);
}

bool lab_expect_f32_within(struct lab *lab, const char *what, const float *got,
                           const double *expected, const double *bounds, size_t count) {
    return expect_f32(lab, what, got, expected, bounds, 1, count);
}

bool lab_expect_f64(struct lab *lab, const char *what, const double *got, const double *expected,
                    double bound, size_t count) {
    struct lab_compared compared = {what,        got,   expected, LAB_DOUBLES,
                                    LAB_DOUBLES, count, 0,        is_untouched(lab, got)};
    size_t *i = &compared.index;

    begin(lab, &compared);
    while (*i < count && is_near(lab, &compared, (double[]){got[*i], expected[*i]}, bound, 17))
        ++*i;
    return *i == count;
}

/* True where a name is, or lies in, this namespace: "cub::CUB_300001::DeviceReduceKernel". */
static bool is_within(const char *name, const char *space) {
    size_t length = strlen(space);

    for (const char *at = name; (at = strstr(at, space)) != NULL; at += length)
        if (at == name || at[-1] == ':')
            return true;
    return false;
}

bool lab_judge_kernels(struct lab *lab) {
    const json_t *launches = json_object_get(lab_report(lab), "launches");

    for (size_t i = 0; i < json_array_size(launches); i++) {
        const char *kernel =
            json_string_value(json_object_get(json_array_get(launches, i), "kernel"));

        if (!kernel || !(is_within(kernel, "cub::") || is_within(kernel, "thrust::")))
            continue;
        lab_note(lab, LAB_TECHNIQUE, NULL,
                 "%s had a library's kernel do the work, %.160s. This lab is about your own.",
                 lab->function, kernel);
        lab_diagnose(lab, "library_kernel");
        return false;
    }
    return true;
}

bool lab_judge_launches(struct lab *lab) {
    bool has_nothing_to_do = lab->current && lab->current->n == 0;
    char called[LAB_CALLED_BYTES];

    if (has_nothing_to_do || !lab->has_last || lab->last.outcome != CALL_OK ||
        !json_is_object(lab_report(lab)) || lab_n_launches(lab) > 0)
        return true;
    lab_note(lab, LAB_TECHNIQUE, NULL, "%s gave the right result, but no kernel was launched.",
             lab_called(lab, called, sizeof called));
    lab_diagnose(lab, "nothing_launched");
    return false;
}

bool lab_technique(struct lab *lab, bool holds, const char *what, uint64_t got,
                   const char *relation, uint64_t wanted) {
    json_t *check = json_pack("{s:s, s:I, s:s, s:I, s:b}", "what", what, "got", (json_int_t)got,
                              "relation", relation, "wanted", (json_int_t)wanted, "holds", holds);
    char called[LAB_CALLED_BYTES];

    json_array_append_new(lab->technique, check);
    if (!holds && lab_judge_launches(lab) && lab_judge_hosts_work(lab))
        lab_note(lab, LAB_TECHNIQUE, NULL,
                 "%s gave the right result, but not in this lab's way: %s: %llu counted, %s %llu "
                 "wanted.",
                 lab_called(lab, called, sizeof called), what, (unsigned long long)got, relation,
                 (unsigned long long)wanted);
    return holds;
}

/* In the students' edition it is sealed by the right answer: told to who has answered, and where
 * the student's kernel was counted to do what the model answer does. */
static char *open_explanation(const char *variable, int64_t counted, const char *explanation,
                              bool answered) {
    char secret[200];
    if (!seal_is(explanation))
        return text_format("%s", explanation);
    snprintf(secret, sizeof secret, "%s %" PRId64, variable, counted);
    char *opened = answered ? seal_open(explanation, secret) : NULL;
    return opened ? opened : text_format("%s", "");
}

/* True where an earlier case of this test has asked the same. */
static bool has_asked(const struct lab *lab, const char *variable) {
    size_t index;
    json_t *asked;

    json_array_foreach(lab->predictions, index, asked) {
        if (strcmp(json_string_value(json_object_get(asked, "variable")), variable) == 0)
            return true;
    }
    return false;
}

void lab_predict(struct lab *lab, const char *variable, const char *question, int64_t counted,
                 const char *explanation) {
    if (has_asked(lab, variable))
        return;
    int32_t predicted = -1;
    struct call_result result = {0};
    enum call_outcome outcome =
        call_read_variable(lab_worker(lab), variable, &predicted, sizeof predicted, &result);
    bool answered = outcome == CALL_OK && predicted != -1;

    OWNED char *told = open_explanation(variable, counted, explanation, answered);
    call_result_clear(&result);
    json_array_append_new(lab->predictions,
                          json_pack("{s:s, s:s, s:b, s:o, s:I, s:b, s:s}", "variable", variable,
                                    "question", question, "answered", answered, "predicted",
                                    answered ? json_integer(predicted) : json_null(), "counted",
                                    (json_int_t)counted, "right", answered && predicted == counted,
                                    "explanation", told));
}
