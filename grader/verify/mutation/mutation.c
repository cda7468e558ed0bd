/* Collects what the rules propose, and applies it. */
#include "grader/verify/mutation/mutation.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/text.h"
#include "grader/verify/measure/share.h"
#include "grader/verify/mutation/rules.h"

enum { SHOWN_BYTES = 70 };

const char *const family_words[N_FAMILIES] = {
#define FAMILY(name, word, meaning) word,
#include "grader/verify/mutation/families.def"
#undef FAMILY
};

static const struct mutation_operator operators[] = {
#define OPERATOR(family, rule, from, to) {FAMILY_##family, rule_##rule, from, to},
#include "grader/verify/mutation/operators.def"
#undef OPERATOR
};

void mutations_init(struct mutations *mutations, const struct source *source) {
    *mutations = (struct mutations){.source = source};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        operators[i].rule(mutations, &operators[i]);
}

void mutations_finish(struct mutations *mutations) {
    for (size_t i = 0; i < mutations->n; i++)
        free(mutations->items[i].text);
    free(mutations->items);
}

static bool is_open(const struct source *source, size_t first, size_t end) {
    bool is_all = first < end && end <= source->n;
    for (size_t i = first; is_all && i < end; i++)
        is_all = source->tokens[i].is_open;
    return is_all;
}

void mutations_propose(struct mutations *mutations, const struct mutation_operator *by,
                       size_t first, size_t end, char *text) {
    char *there = source_text(mutations->source, first, end);
    bool is_new = is_open(mutations->source, first, end) && strcmp(there, text) != 0;
    free(there);
    for (size_t i = 0; is_new && i < mutations->n; i++) {
        const struct mutation *other = &mutations->items[i];
        is_new = other->first != first || other->end != end || strcmp(other->text, text) != 0;
    }
    if (!is_new) {
        free(text);
        return;
    }
    mutations->items = grow_list(mutations->items, mutations->n, sizeof *mutations->items);
    mutations->items[mutations->n++] =
        (struct mutation){.by = by, .first = first, .end = end, .text = text};
}

bool mutation_overlaps(const struct mutation *a, const struct mutation *b) {
    return a->first < b->end && b->first < a->end;
}

static size_t lines_in(const char *text) {
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* What stands in the place of a change, with as many lines as were there. */
static char *in_place(const struct source *source, const struct mutation *mutation) {
    OWNED char *there = source_text(source, mutation->first, mutation->end);
    size_t wanted = lines_in(there), n = lines_in(mutation->text);
    char *text = text_format("%s", mutation->text);
    for (; n < wanted; n++)
        text_add(&text, "\n");
    return text;
}

char *mutation_apply(const struct source *source, const struct mutation *mutation,
                     const struct mutation *more) {
    const struct mutation *list[] = {mutation, more};
    if (more && more->first < mutation->first)
        list[0] = more, list[1] = mutation;
    char *text = text_format("%s", "");
    const char *at = source->text;
    for (size_t i = 0; i < (more ? 2 : 1); i++) {
        const struct source_token *last = &source->tokens[list[i]->end - 1];
        const char *start = source->tokens[list[i]->first].at;
        char *replaced = in_place(source, list[i]);
        text_add(&text, "%.*s%s", (int)(start - at), at, replaced);
        free(replaced);
        at = last->at + last->bytes;
    }
    text_add(&text, "%s", at);
    return text;
}

/* Bytes of the words that fit into a line; of one that is too long, what fits of it. */
static size_t whole_words(const char *text, size_t n) {
    size_t keep = SHOWN_BYTES - 1;
    if (n <= SHOWN_BYTES)
        return n;
    while (keep > 0 && text[keep] != ' ')
        keep--;
    for (size_t length; keep < SHOWN_BYTES && !memchr(text, ' ', keep + 1); keep += length) {
        length = text_utf8_length(text + keep, n - keep);
        length = length > 0 ? length : 1;
    }
    return keep;
}

/* In one line, and cut where it is long; takes the text. */
static char *shorten(char *text) {
    size_t n = 0;
    for (const char *at = text; *at; at++) {
        bool is_blank = *at == ' ' || *at == '\n';
        if (!is_blank || (n > 0 && text[n - 1] != ' '))
            text[n++] = is_blank ? ' ' : *at;
    }
    text[n] = '\0';
    char *shown =
        text_format("%.*s%s", (int)whole_words(text, n), text, n > SHOWN_BYTES ? "…" : "");
    free(text);
    return shown;
}

char *mutation_text(const struct source *source, const struct mutation *mutation) {
    OWNED char *from = shorten(source_text(source, mutation->first, mutation->end));
    OWNED char *to = shorten(text_format("%s", mutation->text));
    char *text = text_format("%s → %s", from, *to ? to : "nothing");
    return text;
}

uint64_t mutation_rank(const struct source *source, const struct mutation *mutation,
                       uint64_t seed) {
    const struct source_token *first = &source->tokens[mutation->first];
    size_t where[] = {(size_t)(first->at - source->text), mutation->end - mutation->first};
    return share_rank(share_rank(seed, where, sizeof where), mutation->text,
                      strlen(mutation->text));
}
