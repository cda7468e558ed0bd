/*
 * What the element that differs is made of. An input is made larger: by how much the element grows
 * then is the weight of that input in it. Inputs side by side have the same weight where all of
 * them together, each made larger by a number of its own, make the element grow as that weight
 * says; so a range is found by few calls, as long as it may be. Only where the weights say in the
 * end what comes of all inputs at once is the element a sum of them. Where it is none, one input
 * after the other is made much larger, or much smaller: does the element change?
 */
#include <string.h>

#include "common/harness/experiment/experiment.h"

enum {
    MOST_RANGES = 48,   /* of one array */
    MOST_TOLD = 8,      /* of those of a wrong weight */
    MOST_DEPENDING = 40 /* inputs that are tried alone */
};

/* How the element depends on an input: as it is, and as it should. */
struct weight {
    int64_t got, expected;
};

/* Inputs side by side of one weight. */
struct range {
    size_t first, end;
    struct weight weight;
};

struct terms {
    lab_probe_run *run;
    void *context;
    struct lab_probe base; /* the failing case as it is */
    struct part {
        struct range ranges[MOST_RANGES];
        size_t n;
    } parts[LAB_PROBE_ARRAYS];
};

/* The same modulo 2^32, between -2^31 and 2^31, where the numbers are ints. */
static int64_t wrapped(const struct terms *terms, int64_t value) {
    return terms->base.wraps ? (int64_t)(int32_t)(uint32_t)value : value;
}

/* Runs the case with a probe for the same element, and says by how much that grows, as it is and as
 * it should; false where the case does not come to it. */
static bool ask(struct terms *terms, struct lab_probe *probe, struct weight *growth) {
    probe->is_seen = false;
    terms->run(terms->context, probe);
    growth->got = wrapped(terms, probe->got - terms->base.got);
    growth->expected = wrapped(terms, probe->expected - terms->base.expected);
    return probe->is_seen;
}

/* How many inputs an array has; 0 for one that is no input. */
static size_t count_of(const struct terms *terms, unsigned array) {
    const struct lab_probe_array *one = &terms->base.arrays[array];

    return one->name[0] ? one->drawn.n : 0;
}

static size_t count_all(const struct terms *terms) {
    size_t n = 0;

    for (unsigned array = 0; array < terms->base.n_arrays; array++)
        n += count_of(terms, array);
    return n;
}

static struct lab_probe probe_of(const struct terms *terms, unsigned array, size_t first,
                                 size_t end) {
    struct lab_probe probe = terms->base;

    probe.array = array;
    probe.first = first;
    probe.end = end;
    probe.by = 1;
    return probe;
}

/* Whether the element grows by twice as much where all inputs of an array do: else it is no sum. */
static bool may_be_sum(struct terms *terms, unsigned array) {
    struct lab_probe probe = probe_of(terms, array, 0, count_of(terms, array));
    struct weight once, twice;

    probe.is_mixed = true;
    if (!ask(terms, &probe, &once))
        return false;
    probe.by = 2;
    return ask(terms, &probe, &twice) && wrapped(terms, twice.got - 2 * once.got) == 0 &&
           wrapped(terms, twice.expected - 2 * once.expected) == 0;
}

/* What the probe comes to with such a weight of all that it changes. */
static void add(const struct lab_probe *probe, const struct range *range, struct weight *sum) {
    for (size_t i = range->first; i < range->end; i++) {
        const int64_t added = lab_probe_added(probe, probe->array, i);
        sum->got += range->weight.got * added;
        sum->expected += range->weight.expected * added;
    }
}

/* Whether the element grows as these ranges say where all their inputs do. */
static bool foretells(struct terms *terms, unsigned array, const struct range *ranges, size_t n) {
    struct lab_probe probe = probe_of(terms, array, ranges[0].first, ranges[n - 1].end);
    struct weight growth, sum = {0, 0};

    probe.is_mixed = true;
    for (size_t i = 0; i < n; i++)
        add(&probe, &ranges[i], &sum);
    return ask(terms, &probe, &growth) && wrapped(terms, growth.got - sum.got) == 0 &&
           wrapped(terms, growth.expected - sum.expected) == 0;
}

static bool reaches(struct terms *terms, unsigned array, const struct range *range, size_t end) {
    const struct range longer = {range->first, end, range->weight};

    return foretells(terms, array, &longer, 1);
}

/* The range that begins with an input, as long as it is: to the array's end, or else found by steps
 * that double, and then halve. False where a call fails. */
static bool find_range(struct terms *terms, unsigned array, size_t first, struct range *range) {
    const size_t n = count_of(terms, array);
    struct lab_probe probe = probe_of(terms, array, first, first + 1);

    *range = (struct range){.first = first, .end = first + 1};
    if (!ask(terms, &probe, &range->weight))
        return false;
    if (range->end < n && reaches(terms, array, range, n))
        range->end = n;
    if (range->end == n)
        return true;
    size_t step = 1, beyond = n; /* what is known not to be reached */
    while (range->end + step < beyond && reaches(terms, array, range, range->end + step)) {
        range->end += step;
        step *= 2;
    }
    beyond = range->end + step < beyond ? range->end + step : beyond;
    while (range->end + 1 < beyond) {
        const size_t middle = range->end + (beyond - range->end) / 2;
        if (reaches(terms, array, range, middle))
            range->end = middle;
        else
            beyond = middle;
    }
    return true;
}

static bool weigh(struct terms *terms, unsigned array) {
    struct part *part = &terms->parts[array];

    for (size_t at = 0; at < count_of(terms, array); at = part->ranges[part->n++].end)
        if (part->n == MOST_RANGES || !find_range(terms, array, at, &part->ranges[part->n]))
            return false;
    return foretells(terms, array, part->ranges, part->n);
}

static bool is_sum(struct terms *terms) {
    for (unsigned array = 0; array < terms->base.n_arrays; array++)
        if (count_of(terms, array) > 0 && !(may_be_sum(terms, array) && weigh(terms, array)))
            return false;
    return true;
}

static int64_t input(const struct lab_drawn *drawn, size_t i) {
    int32_t word;
    float single;

    lab_drawn_make(drawn, i, 1, &word);
    memcpy(&single, &word, sizeof single);
    return lab_drawn_is_float(drawn) ? (int64_t)single : word;
}

/* Whether the element changes with no array but this one; false where not all can be changed. */
static bool is_of_one(struct terms *terms, unsigned array) {
    for (unsigned other = 0; other < terms->base.n_arrays; other++) {
        const size_t n = terms->base.arrays[other].drawn.n;
        struct lab_probe probe = probe_of(terms, other, 0, n);
        struct weight growth;
        probe.is_mixed = true;
        if (other != array && (n > LAB_PROBE_MOST || !ask(terms, &probe, &growth) ||
                               growth.got != 0 || growth.expected != 0))
            return false;
    }
    return terms->base.n_drawn == terms->base.n_arrays;
}

/* What the element of a sum has too much beside its inputs; 0 where they are of several arrays,
 * which may be multiplied. */
static int64_t off_by(struct terms *terms) {
    struct weight rest = {terms->base.got, terms->base.expected};
    unsigned array = 0;

    while (count_of(terms, array) == 0)
        array++;
    if (!is_of_one(terms, array))
        return 0;
    for (size_t k = 0; k < terms->parts[array].n; k++) {
        const struct range *range = &terms->parts[array].ranges[k];
        for (size_t i = range->first; i < range->end; i++) {
            const int64_t value = input(&terms->base.arrays[array].drawn, i);
            rest.got -= range->weight.got * value;
            rest.expected -= range->weight.expected * value;
        }
    }
    return wrapped(terms, rest.got - rest.expected);
}

/* Puts an input into the range before, where it has the same weight. */
static void append(struct part *part, size_t i, struct weight weight) {
    struct range *last = part->n > 0 ? &part->ranges[part->n - 1] : NULL;

    if (last && last->weight.got == weight.got && last->weight.expected == weight.expected)
        last->end++;
    else
        part->ranges[part->n++] = (struct range){i, i + 1, weight};
}

/* Whether the element changes with each input, where that is made larger, or smaller, than all
 * others. */
static bool depends(struct terms *terms, bool is_larger) {
    const int32_t by = terms->base.wraps ? 1 << 20 : 1 << 13;

    for (unsigned array = 0; array < terms->base.n_arrays; array++) {
        terms->parts[array].n = 0;
        for (size_t i = 0; i < count_of(terms, array); i++) {
            struct lab_probe probe = probe_of(terms, array, i, i + 1);
            struct weight growth;
            probe.by = is_larger ? by : -by;
            if (!ask(terms, &probe, &growth))
                return false;
            append(&terms->parts[array], i, (struct weight){growth.got != 0, growth.expected != 0});
        }
    }
    return true;
}

/* The ranges whose weight is not as it should be. */
static json_t *list_wrong(const struct terms *terms, size_t *n_more) {
    json_t *list = json_array();

    *n_more = 0;
    for (unsigned array = 0; array < terms->base.n_arrays; array++)
        for (size_t i = 0; i < terms->parts[array].n; i++) {
            const struct range *range = &terms->parts[array].ranges[i];
            if (range->weight.got == range->weight.expected)
                continue;
            if (json_array_size(list) == MOST_TOLD)
                *n_more += range->end - range->first;
            else
                json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:I, s:I}", "name",
                                                      terms->base.arrays[array].name, "first",
                                                      (json_int_t)range->first, "last",
                                                      (json_int_t)range->end - 1, "got",
                                                      (json_int_t)range->weight.got, "expected",
                                                      (json_int_t)range->weight.expected));
        }
    return list;
}

/* The object; NULL where nothing is wrong. */
static json_t *say(const struct terms *terms, bool is_of_sum, int64_t off) {
    size_t n_more;
    json_t *list = list_wrong(terms, &n_more);

    if (json_array_size(list) > 0 || off != 0)
        return json_pack("{s:s, s:I, s:b, s:I, s:I, s:o}", "what", terms->base.what, "index",
                         (json_int_t)terms->base.index, "is_sum", is_of_sum, "off_by",
                         (json_int_t)off, "more", (json_int_t)n_more, "list", list);
    json_decref(list);
    return NULL;
}

json_t *lab_terms(lab_probe_run *run, void *context) {
    static struct terms terms;
    struct weight none;
    json_t *said = NULL;

    terms = (struct terms){.run = run, .context = context};
    if (!ask(&terms, &terms.base, &none) || count_all(&terms) == 0)
        return NULL;
    if (is_sum(&terms))
        return say(&terms, true, off_by(&terms));
    for (int is_larger = 1; is_larger >= 0 && !said && count_all(&terms) <= MOST_DEPENDING;
         is_larger--)
        if (depends(&terms, is_larger))
            said = say(&terms, false, 0);
    return said;
}
