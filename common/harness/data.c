/*
 * The numbers of a small failing case, for a student to follow by hand: the inputs, what shared
 * memory held at each barrier, what was expected and what came.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/harness/context.h"

enum { MOST_N = 40, MOST_VALUES = 64, MOST_ROWS = 32 };

bool lab_data_is_small(size_t n, unsigned block) {
    return n <= MOST_N && block <= MOST_N;
}

void lab_set_elements(struct lab *lab, enum lab_elements elements) {
    lab->elements = elements;
}

void lab_set_small_blocks(struct lab *lab, const unsigned *blocks, size_t n_blocks) {
    lab->small_blocks = blocks;
    lab->n_small_blocks = n_blocks;
}

static size_t bytes_of(enum lab_elements type) {
    return type == LAB_DOUBLES ? sizeof(double) : sizeof(int32_t);
}

/* One number as text: whole numbers as they are, others short, or with all digits. */
static json_t *number(const void *from, enum lab_elements type, bool is_exact) {
    char text[40];
    int32_t whole;
    uint32_t word;
    float single;
    double value;

    if (type == LAB_INTS) {
        memcpy(&whole, from, sizeof whole);
        snprintf(text, sizeof text, "%" PRId32, whole);
        return json_string(text);
    }
    if (type == LAB_UNSIGNED) {
        memcpy(&word, from, sizeof word);
        snprintf(text, sizeof text, "%" PRIu32, word);
        return json_string(text);
    }
    if (type == LAB_FLOATS) {
        memcpy(&single, from, sizeof single);
        value = (double)single;
    } else {
        memcpy(&value, from, sizeof value);
    }
    snprintf(text, sizeof text, "%.*g",
             !is_exact            ? 7
             : type == LAB_FLOATS ? 9
                                  : 17,
             lab_printed(value));
    return json_string(text);
}

/* The numbers from `first` on, as many as are shown. */
static json_t *numbers(const void *data, enum lab_elements type, size_t first, size_t count,
                       bool is_exact) {
    json_t *values = json_array();

    for (size_t i = first; i < count && i < first + MOST_VALUES; i++)
        json_array_append_new(values,
                              number((const char *)data + i * bytes_of(type), type, is_exact));
    return values;
}

/* A row whose place is no launch: an array of the call. */
static json_t *array_row(const char *kind, const char *name, size_t first, size_t count,
                         json_t *values) {
    return json_pack("{s:s, s:s, s:n, s:n, s:n, s:I, s:I, s:o}", "kind", kind, "name", name,
                     "launch", "block", "line", "first", (json_int_t)first, "count",
                     (json_int_t)count, "values", values);
}

static void add_inputs(const struct lab *lab, json_t *rows) {
    for (size_t i = 0; i < lab->n_args; i++) {
        const struct call_arg *arg = &lab->args[i];

        if ((arg->kind == CALL_ARG_IN || arg->kind == CALL_ARG_HOST_IN) && arg->data &&
            arg->count > 0 && arg->element_bytes == bytes_of(lab->elements))
            json_array_append_new(
                rows, array_row("input", arg->name, 0, arg->count,
                                numbers(arg->data, lab->elements, 0, arg->count, false)));
    }
}

/* The words of a picture as the lab's elements; one of which a word was never written is null. */
static json_t *shared_values(const struct lab *lab, const json_t *words) {
    size_t step = bytes_of(lab->elements) / sizeof(uint32_t);
    json_t *values = json_array();

    for (size_t i = 0; i + step <= json_array_size(words) && i < MOST_VALUES; i += step) {
        uint32_t element[2] = {0, 0};
        bool is_written = true;

        for (size_t k = 0; k < step; k++) {
            const json_t *word = json_array_get(words, i + k);
            is_written &= json_is_integer(word);
            element[k] = (uint32_t)json_integer_value(word);
        }
        json_array_append_new(values,
                              is_written ? number(element, lab->elements, false) : json_null());
    }
    return values;
}

static json_t *count_of(const json_t *object, const char *key) {
    json_int_t value = json_integer_value(json_object_get(object, key));

    return json_integer(value < 0 ? 0 : value);
}

/* What the worker reported is a stranger's: whatever is missing or of another kind is left out. */
static void add_shared(const struct lab *lab, json_t *rows) {
    const json_t *launches = json_object_get(lab->report, "launches");

    for (size_t i = 0; i < json_array_size(launches); i++) {
        const json_t *pictures = json_object_get(json_array_get(launches, i), "shared");

        for (size_t k = 0; k < json_array_size(pictures); k++) {
            const json_t *picture = json_array_get(pictures, k);
            const char *name = json_string_value(json_object_get(picture, "name"));
            json_t *values = shared_values(lab, json_object_get(picture, "words"));
            size_t n = json_array_size(values);

            if (json_array_size(rows) >= MOST_ROWS || n == 0) {
                json_decref(values);
                continue;
            }
            json_array_append_new(
                rows, json_pack("{s:s, s:s, s:I, s:o, s:o, s:i, s:I, s:o}", "kind", "shared",
                                "name", name ? name : "shared", "launch", (json_int_t)i, "block",
                                count_of(picture, "block"), "line", count_of(picture, "line"),
                                "first", 0, "count", (json_int_t)n, "values", values));
        }
    }
}

/* True where the numbers that differ are the same in few digits. */
static bool needs_digits(const struct lab_compared *compared) {
    size_t i = compared->index;
    json_t *got = numbers(compared->got, compared->got_type, i, i + 1, false);
    json_auto_t *expected = numbers(compared->expected, compared->expected_type, i, i + 1, false);
    bool is_same = json_equal(got, expected);

    json_decref(got);
    return is_same;
}

/* Elements that nobody wrote have no number. */
static void leave_out_unwritten(const struct lab *lab, const struct lab_compared *compared,
                                size_t first, json_t *values) {
    struct lab_compared one = *compared;

    for (size_t i = 0; i < json_array_size(values); i++) {
        one.index = first + i;
        if (compared->is_untouched || lab_writer_of(lab, &one).kind == CALL_WRITER_NOBODY)
            json_array_set_new(values, i, json_null());
    }
}

/* What came and what was due: all, or the part around the first that differs. */
static void add_compared(const struct lab *lab, const struct lab_compared *compared, json_t *rows) {
    size_t first = compared->count > MOST_VALUES && compared->index > 3 ? compared->index - 3 : 0;
    bool is_exact = compared->count == 1 || needs_digits(compared);
    json_t *got = numbers(compared->got, compared->got_type, first, compared->count, is_exact);

    leave_out_unwritten(lab, compared, first, got);
    json_array_append_new(rows, array_row("expected", compared->what, first, compared->count,
                                          numbers(compared->expected, compared->expected_type,
                                                  first, compared->count, is_exact)));
    json_array_append_new(rows, array_row("got", compared->what, first, compared->count, got));
}

json_t *lab_data(const struct lab *lab) {
    json_t *rows, *wrong = json_null();

    if (!lab->current || !lab->has_last || !lab_data_is_small(lab->current->n, lab->current->block))
        return NULL;
    rows = json_array();
    add_inputs(lab, rows);
    add_shared(lab, rows);
    if (lab->compared) {
        add_compared(lab, lab->compared, rows);
        wrong = json_integer((json_int_t)lab->compared->index);
    }
    if (json_array_size(rows) > 0)
        return json_pack("{s:o, s:o}", "rows", rows, "wrong", wrong);
    json_decref(rows);
    json_decref(wrong);
    return NULL;
}
