/*
 * Edits in words.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/simt/program/edit/edit.h"

static const struct {
    const char *word, *is, *proves;
    enum simt_edit_scope scope;
} kinds[SIMT_N_EDITS] = {
#define EDIT(name, word, scope, is, change, hope, specificity, does, proves)                       \
    [SIMT_EDIT_##name] = {word, is, proves, SIMT_SCOPE_##scope},
#include "common/simt/program/edit/edits.def"
#undef EDIT
};

const char *simt_edit_kind_word(uint32_t kind) {
    return kind > SIMT_EDIT_NONE && kind < SIMT_N_EDITS ? kinds[kind].word : "none";
}

const char *simt_edit_is(uint32_t kind) {
    return kind > SIMT_EDIT_NONE && kind < SIMT_N_EDITS ? kinds[kind].is : "";
}

uint32_t simt_edit_kind_of(const char *word) {
    for (uint32_t kind = SIMT_EDIT_NONE + 1; kind < SIMT_N_EDITS; kind++)
        if (strcmp(kinds[kind].word, word) == 0)
            return kind;
    return SIMT_EDIT_NONE;
}

enum simt_edit_scope simt_edit_scope_of(uint32_t kind) {
    return kind < SIMT_N_EDITS ? kinds[kind].scope : SIMT_SCOPE_RUN;
}

/* The word for `value` in a list; NULL where it is none of it. */
static const char *word_in(const char *const *words, size_t n, int64_t value) {
    return value >= 0 && (uint64_t)value < n ? words[value] : NULL;
}

/* What a value of `from` or `to` is called; NULL: it is a number. */
static const char *word_of(uint32_t kind, int64_t value) {
    static const char *const specials[] = {
#define SIMT_EDIT_SPECIAL_TEXT(name, word, text) text,
        SIMT_EDIT_SPECIALS(SIMT_EDIT_SPECIAL_TEXT)
#undef SIMT_EDIT_SPECIAL_TEXT
    };
    static const char *const operations[SIMT_EDIT_N_OPERATIONS] = {
        [SIMT_EDIT_ADD] = "an addition",
        [SIMT_EDIT_SUB] = "a subtraction",
        [SIMT_EDIT_MUL] = "a product",
        [SIMT_EDIT_DIV] = "a quotient",
        [SIMT_EDIT_REM] = "a remainder",
        [SIMT_EDIT_SHL] = "a doubling (a shift to the left)",
        [SIMT_EDIT_SHR] = "a halving (a shift to the right)",
        [SIMT_EDIT_MIN] = "a minimum",
        [SIMT_EDIT_MAX] = "a maximum",
        [SIMT_EDIT_AND] = "an and",
        [SIMT_EDIT_OR] = "an or",
    };
    static const char *const shuffles[SIMT_EDIT_N_SHUFFLES] = {
        [SIMT_EDIT_UP] = "__shfl_up_sync",
        [SIMT_EDIT_DOWN] = "__shfl_down_sync",
        [SIMT_EDIT_BFLY] = "__shfl_xor_sync",
        [SIMT_EDIT_IDX] = "__shfl_sync",
    };
    static const char *const shapes[] = {"grid", "block"};
    static const char *const barriers[] = {"__syncthreads()", "__syncwarp()"};
    if (kind == SIMT_EDIT_SPECIAL || kind == SIMT_EDIT_ONLY_FIRST)
        return word_in(specials, SIMT_EDIT_N_SPECIALS, value);
    if (kind == SIMT_EDIT_OPERATION || kind == SIMT_EDIT_OPERANDS || kind == SIMT_EDIT_LEFT_OUT)
        return word_in(operations, SIMT_EDIT_N_OPERATIONS, value);
    if (kind == SIMT_EDIT_TURNED)
        return word_in(shapes, 2, value);
    if (kind == SIMT_EDIT_SHUFFLE || kind == SIMT_EDIT_SHUFFLES)
        return word_in(shuffles, SIMT_EDIT_N_SHUFFLES, value);
    if (kind == SIMT_EDIT_BARRIER_BEFORE || kind == SIMT_EDIT_BARRIER_AFTER ||
        kind == SIMT_EDIT_BARRIER_BETWEEN)
        return word_in(barriers, 2, value);
    return NULL;
}

/* A sentence that grows; what does not fit is cut. */
struct sentence {
    char *text;
    size_t bytes, used;
};

static void add(struct sentence *sentence, const char *text, size_t length) {
    const size_t room = sentence->bytes - sentence->used - 1;
    if (length > room)
        length = room;
    memcpy(sentence->text + sentence->used, text, length);
    sentence->used += length;
    sentence->text[sentence->used] = '\0';
}

static void add_value(struct sentence *sentence, uint32_t kind, int64_t value) {
    char number[32];
    double real;
    const char *word = word_of(kind, value);
    memcpy(&real, &value, sizeof real);
    if (!word && kind == SIMT_EDIT_REAL)
        snprintf(number, sizeof number, "%g", real);
    else if (!word)
        snprintf(number, sizeof number, "%" PRId64, value);
    word = word ? word : number;
    add(sentence, word, strlen(word));
}

enum placeholder { LINE, KERNEL, FROM, TO, N_PLACEHOLDERS };

/* Which placeholder begins here, and how long it is; N_PLACEHOLDERS: none. */
static enum placeholder placeholder_at(const char *at, size_t *length) {
    static const char *const names[] = {"{line}", "{kernel}", "{from}", "{to}"};
    for (int i = 0; i < N_PLACEHOLDERS; i++) {
        *length = strlen(names[i]);
        if (strncmp(at, names[i], *length) == 0)
            return (enum placeholder)i;
    }
    *length = 1;
    return N_PLACEHOLDERS;
}

/* Fills the placeholder that begins at `at`, or copies the brace; gives what stands behind it. */
static const char *add_placeholder(struct sentence *sentence, const struct simt_edit *edit,
                                   const char *at) {
    size_t length;
    switch (placeholder_at(at, &length)) {
    case LINE:
        add_value(sentence, SIMT_EDIT_NONE, edit->line);
        break;
    case KERNEL:
        add(sentence, edit->place, strnlen(edit->place, sizeof edit->place));
        break;
    case FROM:
        add_value(sentence, edit->kind, edit->from);
        break;
    case TO:
        add_value(sentence, edit->kind, edit->to);
        break;
    case N_PLACEHOLDERS:
        add(sentence, at, length);
        break;
    }
    return at + length;
}

const char *simt_edit_misfit(uint32_t kind, const char *words) {
    const enum simt_edit_scope scope = simt_edit_scope_of(kind);
    size_t length;
    for (const char *at = strchr(words, '{'); at; at = strchr(at + 1, '{')) {
        const enum placeholder placeholder = placeholder_at(at, &length);
        if (placeholder == N_PLACEHOLDERS || (placeholder == LINE && scope != SIMT_SCOPE_LINE) ||
            (placeholder == KERNEL && scope != SIMT_SCOPE_KERNEL))
            return at;
    }
    return NULL;
}

char *simt_edit_fill(const struct simt_edit *edit, const char *words, char *text, size_t bytes) {
    struct sentence sentence = {text, bytes, 0};
    if (bytes == 0)
        return text;
    text[0] = '\0';
    for (const char *at = words; *at;) {
        const size_t plain = strcspn(at, "{");
        add(&sentence, at, plain);
        at += plain;
        if (*at)
            at = add_placeholder(&sentence, edit, at);
    }
    return text;
}

char *simt_edit_sentence(const struct simt_edit *edit, char *text, size_t bytes) {
    const char *proves = edit->kind < SIMT_N_EDITS ? kinds[edit->kind].proves : NULL;
    return simt_edit_fill(edit, proves ? proves : "", text, bytes);
}
