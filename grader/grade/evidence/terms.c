#include "grader/grade/evidence/terms.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "grader/grade/record.h"

/* Ranges of inputs that are told, and the largest number of times that a sum counts one: a product
 * has others for its inputs. */
enum { MOST_TERMS = 3, MOST_TIMES = 1024 };

/* "in[3]", "in[3] and in[4]", "in[3] to in[9]" */
static char *range_of(const json_t *term) {
    const char *name = record_text(term, "name");
    const json_int_t first = record_count(term, "first"), last = record_count(term, "last");
    char *text = text_format("%s[%" JSON_INTEGER_FORMAT "]", name, first);
    if (last > first)
        text_add(&text, " %s %s[%" JSON_INTEGER_FORMAT "]", last == first + 1 ? "and" : "to", name,
                 last);
    return text;
}

static json_int_t weight(const json_t *term, const char *key) {
    return json_integer_value(json_object_get(term, key));
}

/* "in[3] is missing", "in[3] counts 32 times, and must once", "a[2] counts with the factor 3, and
 * must with 5" */
static char *say_term(const json_t *term) {
    const json_int_t got = weight(term, "got"), expected = weight(term, "expected");
    const bool is_one = record_count(term, "first") == record_count(term, "last");
    OWNED char *range = range_of(term);
    const char *s = is_one ? "s" : "";
    if (got == 0)
        return text_format("%s %s missing", range, is_one ? "is" : "are");
    if (expected == 0 && (got < 2 || got > MOST_TIMES))
        return text_format("%s %s in it, and must not be", range, is_one ? "is" : "are");
    if (expected == 0)
        return text_format("%s count%s %" JSON_INTEGER_FORMAT " times, and must not", range, s,
                           got);
    if (expected == 1 && got > 1 && got <= MOST_TIMES)
        return text_format("%s count%s %" JSON_INTEGER_FORMAT " times, and must once", range, s,
                           got);
    return text_format("%s count%s with the factor %" JSON_INTEGER_FORMAT
                       ", and must with %" JSON_INTEGER_FORMAT,
                       range, s, got, expected);
}

/* The same of what is no sum. */
static char *say_dependence(const json_t *term) {
    OWNED char *range = range_of(term);
    return weight(term, "got") == 0
               ? text_format("with another %s it stays the same, and must not", range)
               : text_format("with another %s it changes, and must not", range);
}

static const char *kind_of_terms(const json_t *list) {
    bool is_missing = false, is_beside = false;
    size_t index;
    const json_t *term;
    json_array_foreach(list, index, term) {
        is_missing |= weight(term, "got") == 0;
        is_beside |= weight(term, "expected") == 0;
    }
    if (is_missing && is_beside)
        return "terms_exchanged";
    if (is_missing || is_beside)
        return is_missing ? "terms_missing" : "terms_beside";
    return json_array_size(list) > 0 ? "terms_weighted" : "always_off";
}

json_t *terms_diagnosis(const json_t *test) {
    const json_t *terms = json_object_get(json_object_get(test, "experiment"), "terms"),
                 *list = json_object_get(terms, "list"), *term;
    const json_int_t off_by = weight(terms, "off_by");
    const bool is_sum = json_is_true(json_object_get(terms, "is_sum"));
    json_int_t n_more = record_count(terms, "more");
    size_t index;
    if (!json_is_object(terms))
        return NULL;
    OWNED char *text =
        text_format("Calls with other numbers show what %s[%" JSON_INTEGER_FORMAT "] %s: ",
                    record_text(terms, "what"), record_count(terms, "index"),
                    is_sum ? "is made of" : "depends on");
    json_array_foreach(list, index, term) {
        OWNED char *said = is_sum ? say_term(term) : say_dependence(term);
        if (index < MOST_TERMS)
            text_add(&text, "%s%s", index ? "; " : "", said);
        else
            n_more += record_count(term, "last") - record_count(term, "first") + 1;
    }
    if (n_more > 0)
        text_add(&text, "; of %" JSON_INTEGER_FORMAT " more it is not as it should be", n_more);
    if (off_by != 0)
        text_add(&text, "%swhatever the numbers are, it is %lld too %s", index ? "; " : "",
                 llabs(off_by), off_by > 0 ? "large" : "small");
    text_add(&text, ".");
    return json_pack("{s:s, s:s, s:s, s:[]}", "id", kind_of_terms(list), "text", text, "hint",
                     "Follow one of these numbers by hand: who reads it, and where does it go?",
                     "lines");
}
