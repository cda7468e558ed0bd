/* Cuts texts into grams, counts in how many texts each run of tokens is, and sums the bits that
 * each two files share. Runs are counted by sorting their hashes. */
#include "grader/alike/grams.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/owned.h"

/* In how many texts each run of `width` tokens is. */
struct counts {
    size_t width;
    uint64_t *hashes;  /* of the runs, in order */
    unsigned *n_texts; /* of each hash */
    size_t n;
};

struct run {
    uint64_t hash;
    size_t text;
};

/* The run that begins at a token, as a number. */
static uint64_t counts_hash(const struct token *tokens, size_t width) {
    uint64_t hash = 14695981039346656037u; /* FNV-1a, a token at a time */
    for (size_t i = 0; i < width; i++) {
        hash = (hash ^ tokens[i].what) * 1099511628211u;
        hash ^= hash >> 32; /* its high bits would never come down */
    }
    return hash;
}

static int compare_runs(const void *a, const void *b) {
    const struct run *one = a, *other = b;
    if (one->hash != other->hash)
        return one->hash < other->hash ? -1 : 1;
    return (one->text > other->text) - (one->text < other->text);
}

static void counts_make(struct counts *counts, size_t width, const struct tokens *const *texts,
                        size_t n_texts) {
    size_t n = 0, room = 0;
    for (size_t i = 0; i < n_texts; i++)
        room += texts[i]->n;
    struct run *runs = make_zeroed(room, sizeof *runs);
    *counts = (struct counts){
        .width = width,
        .hashes = make_zeroed(room, sizeof *counts->hashes),
        .n_texts = make_zeroed(room, sizeof *counts->n_texts),
    };
    for (size_t i = 0; i < n_texts; i++) {
        for (size_t at = 0; at + width <= texts[i]->n; at++)
            runs[n++] = (struct run){counts_hash(texts[i]->items + at, width), i};
    }
    qsort(runs, n, sizeof *runs, compare_runs);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || runs[i].hash != runs[i - 1].hash)
            counts->hashes[counts->n++] = runs[i].hash;
        if (i == 0 || runs[i].hash != runs[i - 1].hash || runs[i].text != runs[i - 1].text)
            counts->n_texts[counts->n - 1]++;
    }
    free(runs);
}

static void counts_finish(struct counts *counts) {
    free(counts->hashes);
    free(counts->n_texts);
}

static unsigned counts_find(const struct counts *counts, uint64_t hash) {
    size_t from = count_below(hash, counts->hashes, counts->n, sizeof *counts->hashes);
    return from < counts->n && counts->hashes[from] == hash ? counts->n_texts[from] : 0;
}

/* A gram that more than a quarter of a large class has is worth two bits at most, and is skipped.
 */
enum { ORDERS_MAX = 4, COMMON_FILES = 60, COMMON_PART = 4 };

/* The weight of a next token that no file has had: a quarter of a file, so that what all others go
 * on with is never certain. */
static const double escape = 0.25;

/* For runs of one width, in how many texts each is: the whole run, and without its last token. */
struct order {
    struct counts whole, before;
};

struct reading {
    struct grams *grams;
    struct order orders[ORDERS_MAX];
    size_t n_orders;
    size_t n_counted; /* texts: the class's and the known */
};

static int compare_grams(const void *a, const void *b) {
    const struct gram *one = a, *other = b;
    if (one->hash != other->hash)
        return one->hash < other->hash ? -1 : 1;
    if (one->text != other->text)
        return one->text < other->text ? -1 : 1;
    return (one->at > other->at) - (one->at < other->at);
}

static void read_text(struct grams *grams, size_t index, enum tokens_kind kind,
                      const struct alike_text *from) {
    struct grams_text *text = &grams->texts[index];
    tokens_read(&text->tokens, kind, from->text, from->bytes);
    text->n = text->tokens.n >= grams->width ? text->tokens.n - grams->width + 1 : 0;
    text->in_order = make_zeroed(text->n, sizeof *text->in_order);
    text->by_hash = make_zeroed(text->n, sizeof *text->by_hash);
    text->are_own = make_zeroed(text->n, sizeof *text->are_own);
    for (size_t at = 0; at < text->n; at++)
        text->in_order[at] = (struct gram){counts_hash(text->tokens.items + at, grams->width),
                                           (unsigned)index, (unsigned)at};
    if (text->n > 0)
        memcpy(text->by_hash, text->in_order, text->n * sizeof *text->in_order);
    qsort(text->by_hash, text->n, sizeof *text->by_hash, compare_grams);
}

/* How surprising a gram is that two files have, to the others. */
static double surprise(const struct reading *reading, const struct gram *gram) {
    const struct grams *grams = reading->grams;
    const struct token *end = grams->texts[gram->text].tokens.items + gram->at + grams->width;
    double bits = 0;
    for (size_t i = 0; i < reading->n_orders; i++) {
        const struct order *order = &reading->orders[i];
        size_t width = order->whole.width;
        size_t whole = counts_find(&order->whole, counts_hash(end - width, width));
        size_t before = width > 1 ? counts_find(&order->before, counts_hash(end - width, width - 1))
                                  : reading->n_counted;
        if (before <= 2)
            continue; /* nobody else came so far */
        if (whole > 2)
            return bits - log2((double)(whole - 2) / ((double)(before - 2) + escape));
        bits -= log2(escape / ((double)(before - 2) + escape));
    }
    return bits;
}

/* Of equal grams, ordered by text, the first of its text. */
static bool is_first(const struct gram *equal, size_t index) {
    return index == 0 || equal[index].text != equal[index - 1].text;
}

/* Takes equal grams, ordered by text, into the sums. */
static void weigh(const struct reading *reading, const struct gram *equal, size_t n) {
    const struct grams *grams = reading->grams;
    size_t n_files = grams->class->n_files, n_given = n_files + grams->class->n_skeletons;
    size_t limit = n_files / COMMON_PART > COMMON_FILES ? n_files / COMMON_PART : COMMON_FILES;
    size_t n_texts = 0;
    bool is_known = equal[n - 1].text >= n_given;
    for (size_t i = 0; i < n; i++) {
        if (equal[i].text >= n_files && equal[i].text < n_given)
            return; /* nobody's own */
        n_texts += is_first(equal, i);
    }
    for (size_t i = 0; i < n && equal[i].text < n_files; i++) {
        grams->texts[equal[i].text].are_own[equal[i].at] = true;
        grams->texts[equal[i].text].n_own++;
    }
    if (is_known || n_texts < 2 || n_texts > limit)
        return;
    float bits = (float)surprise(reading, equal);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = i + 1; k < n && is_first(equal, i); k++) {
            if (is_first(equal, k))
                grams->shared[equal[i].text * n_files + equal[k].text] += bits;
        }
    }
}

static void count_orders(struct reading *reading, const size_t *widths) {
    const struct grams *grams = reading->grams;
    const struct alike_class *class = grams->class;
    const struct tokens **counted = make_zeroed(grams->n_texts, sizeof *counted);
    for (size_t i = 0; i < grams->n_texts; i++) {
        if (i < class->n_files || i >= class->n_files + class->n_skeletons)
            counted[reading->n_counted++] = &grams->texts[i].tokens;
    }
    for (; widths[reading->n_orders] > 0 && reading->n_orders < ORDERS_MAX; reading->n_orders++) {
        size_t width = widths[reading->n_orders];
        struct order *order = &reading->orders[reading->n_orders];
        counts_make(&order->whole, width, counted, reading->n_counted);
        counts_make(&order->before, width - 1, counted, width > 1 ? reading->n_counted : 0);
    }
    free(counted);
}

/* Weighs all grams, one after the other. */
static void weigh_all(const struct reading *reading) {
    const struct grams *grams = reading->grams;
    size_t n_all = 0;
    for (size_t i = 0; i < grams->n_texts; i++)
        n_all += grams->texts[i].n;
    OWNED struct gram *all = make_zeroed(n_all, sizeof *all);
    n_all = 0;
    for (size_t i = 0; i < grams->n_texts; i++) {
        memcpy(all + n_all, grams->texts[i].in_order, grams->texts[i].n * sizeof *all);
        n_all += grams->texts[i].n;
    }
    qsort(all, n_all, sizeof *all, compare_grams);
    for (size_t first = 0, end; first < n_all; first = end) {
        for (end = first + 1; end < n_all && all[end].hash == all[first].hash;)
            end++;
        weigh(reading, all + first, end - first);
    }
}

void grams_read(struct grams *grams, const struct alike_class *class, enum tokens_kind kind,
                const size_t *widths) {
    const struct alike_text *const lists[] = {class->files, class->skeletons, class->known};
    const size_t sizes[] = {class->n_files, class->n_skeletons, class->n_known};
    struct reading reading = {.grams = grams};
    *grams = (struct grams){
        .class = class, .width = widths[0], .n_texts = sizes[0] + sizes[1] + sizes[2]};
    grams->texts = make_zeroed(grams->n_texts, sizeof *grams->texts);
    grams->shared = make_zeroed(class->n_files * class->n_files, sizeof *grams->shared);
    for (size_t list = 0, index = 0; list < 3; list++) {
        for (size_t i = 0; i < sizes[list]; i++)
            read_text(grams, index++, kind, &lists[list][i]);
    }
    count_orders(&reading, widths);
    weigh_all(&reading);
    for (size_t i = 0; i < reading.n_orders; i++) {
        counts_finish(&reading.orders[i].whole);
        counts_finish(&reading.orders[i].before);
    }
}

void grams_finish(struct grams *grams) {
    for (size_t i = 0; i < grams->n_texts; i++) {
        tokens_finish(&grams->texts[i].tokens);
        free(grams->texts[i].in_order);
        free(grams->texts[i].by_hash);
        free(grams->texts[i].are_own);
    }
    free(grams->texts);
    free(grams->shared);
}

const struct gram *grams_find(const struct grams_text *text, uint64_t hash) {
    size_t from = count_below(hash, text->by_hash, text->n, sizeof *text->by_hash);
    return from < text->n && text->by_hash[from].hash == hash ? &text->by_hash[from] : NULL;
}

double grams_share(const struct grams *grams, size_t one, size_t other) {
    const struct grams_text *text = &grams->texts[one];
    size_t n = 0;
    for (size_t at = 0; at < text->n; at++)
        n += text->are_own[at] && grams_find(&grams->texts[other], text->in_order[at].hash);
    return text->n_own > 0 ? (double)n / (double)text->n_own : 0;
}
