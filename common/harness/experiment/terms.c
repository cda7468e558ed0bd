/*
 * What the element that differs is made of. One input after the other is made larger: by how much
 * the element grows then is the weight of that input in it. Then all inputs are changed at once,
 * and only where the weights say what comes of that is the element a sum of them.
 */
#include <inttypes.h>
#include <string.h>

#include "common/harness/experiment/experiment.h"

/* Ranges of inputs that are told. */
enum { MOST_RANGES = 8 };

/* How the element depends on an input: as it is, and as it should. */
struct weight {
    int64_t got, expected;
};

struct terms {
    lab_probe_run *run;
    void *context;
    struct lab_probe base; /* the failing case as it is */
    struct weight rest;    /* of no input */
    struct weight weights[LAB_PROBE_ARRAYS][LAB_PROBE_MOST];
};

/* The same modulo 2^32, between -2^31 and 2^31, where the numbers are ints. */
static int64_t wrapped(const struct terms *terms, int64_t value) {
    return terms->base.wraps ? (int64_t)(int32_t)(uint32_t)value : value;
}

/* Runs the case with a probe for the same element; false where it does not come to it. */
static bool ask(struct terms *terms, struct lab_probe *probe) {
    probe->is_seen = false;
    terms->run(terms->context, probe);
    return probe->is_seen;
}

/* The lowest digit of a number that is made of n of them, which may be negative; takes it off. */
static int64_t take_digit(const struct terms *terms, int64_t *number, bool is_last) {
    const int64_t base = 1 << LAB_PROBE_BITS;
    int64_t digit = *number;

    if (!is_last) {
        digit = ((*number % base) + base) % base;
        digit -= digit >= base / 2 ? base : 0;
    }
    *number = wrapped(terms, *number - digit) / base;
    return digit;
}

/* The weights of elements first … first + n - 1 of an array. */
static bool weigh(struct terms *terms, unsigned array, size_t first, unsigned n) {
    struct lab_probe probe = terms->base;
    int64_t got, expected;

    probe.array = array;
    probe.first = first;
    probe.n_changed = n;
    if (!ask(terms, &probe))
        return false;
    got = wrapped(terms, probe.got - terms->base.got);
    expected = wrapped(terms, probe.expected - terms->base.expected);
    for (unsigned i = 0; i < n; i++) {
        struct weight *weight = &terms->weights[array][first + i];
        weight->got = take_digit(terms, &got, i + 1 == n);
        weight->expected = take_digit(terms, &expected, i + 1 == n);
    }
    return true;
}

static size_t count_of(const struct terms *terms, unsigned array) {
    const struct lab_probe_array *one = &terms->base.arrays[array];

    return one->name[0] ? one->drawn.n : 0;
}

/* Three digits of ten bits fit in an int, two in what floats hold exactly. */
static bool weigh_all(struct terms *terms) {
    const size_t most = terms->base.wraps ? 3 : 2;

    for (unsigned array = 0; array < terms->base.n_arrays; array++) {
        const size_t n = count_of(terms, array);
        for (size_t i = 0; i < n; i += most)
            if (!weigh(terms, array, i, (unsigned)(n - i < most ? n - i : most)))
                return false;
    }
    return true;
}

static int64_t input(const struct lab_drawn *drawn, size_t i) {
    int32_t word;
    float single;

    lab_drawn_make(drawn, i, 1, &word);
    memcpy(&single, &word, sizeof single);
    return drawn->type == LAB_F32 || drawn->type == LAB_F32_WHOLE ? (int64_t)single : word;
}

/* The sum of what the inputs come to with their weights, where the probe changes them. */
static struct weight add_up(const struct terms *terms, const struct lab_probe *probe) {
    struct weight sum = {0, 0};

    for (unsigned array = 0; array < terms->base.n_arrays; array++) {
        struct lab_drawn drawn = terms->base.arrays[array].drawn;
        drawn.probe = probe;
        for (size_t i = 0; i < count_of(terms, array); i++) {
            const int64_t value = input(&drawn, i);
            sum.got += terms->weights[array][i].got * value;
            sum.expected += terms->weights[array][i].expected * value;
        }
    }
    return sum;
}

/* True where the weights say what comes of other inputs. */
static bool foretell(struct terms *terms) {
    struct lab_probe probe = terms->base;
    struct weight now = add_up(terms, &terms->base), then;

    terms->rest.got = wrapped(terms, terms->base.got - now.got);
    terms->rest.expected = wrapped(terms, terms->base.expected - now.expected);
    probe.salt = 1;
    then = add_up(terms, &probe);
    return ask(terms, &probe) && wrapped(terms, probe.got - then.got - terms->rest.got) == 0 &&
           wrapped(terms, probe.expected - then.expected - terms->rest.expected) == 0;
}

static bool are_same(const struct weight *a, const struct weight *b) {
    return a->got == b->got && a->expected == b->expected;
}

/* Inputs side by side of the same weights, which are not as they should be. */
static json_t *list_wrong(const struct terms *terms, size_t *n_more) {
    json_t *list = json_array();

    *n_more = 0;
    for (unsigned array = 0; array < terms->base.n_arrays; array++) {
        const struct weight *weights = terms->weights[array];
        const size_t n = count_of(terms, array);
        for (size_t i = 0, end; i < n; i = end) {
            for (end = i + 1; end < n && are_same(&weights[i], &weights[end]);)
                end++;
            if (weights[i].got == weights[i].expected)
                continue;
            if (json_array_size(list) == MOST_RANGES)
                *n_more += end - i;
            else
                json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:I, s:I}", "name",
                                                      terms->base.arrays[array].name, "first",
                                                      (json_int_t)i, "last", (json_int_t)end - 1,
                                                      "got", (json_int_t)weights[i].got, "expected",
                                                      (json_int_t)weights[i].expected));
        }
    }
    return list;
}

json_t *lab_terms(lab_probe_run *run, void *context) {
    static struct terms terms;
    size_t n_more;
    json_t *list;

    terms = (struct terms){.run = run, .context = context};
    if (!ask(&terms, &terms.base) || !weigh_all(&terms) || !foretell(&terms))
        return NULL;
    list = list_wrong(&terms, &n_more);
    return json_pack("{s:s, s:I, s:I, s:I, s:o}", "what", terms.base.what, "index",
                     (json_int_t)terms.base.index, "off_by",
                     (json_int_t)wrapped(&terms, terms.rest.got - terms.rest.expected), "more",
                     (json_int_t)n_more, "list", list);
}
