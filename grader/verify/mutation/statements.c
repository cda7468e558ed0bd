/* Rules that change statements. */
#include <stdlib.h>

#include "common/base/text.h"
#include "grader/verify/mutation/rules.h"

static bool has(const struct source *source, const struct statement *statement,
                const char *pattern) {
    return source_find(source, statement->first, statement->end, pattern) < statement->end;
}

/* The end of what stands in the parentheses of if, for and while. */
static size_t head_end(const struct source *source, const struct statement *statement) {
    return source->tokens[statement->head].match;
}

static bool head_has(const struct source *source, const struct statement *statement,
                     const char *pattern) {
    size_t end = head_end(source, statement);
    return !pattern || source_find(source, statement->head, end, pattern) < end;
}

static void replace(struct mutations *mutations, const struct mutation_operator *by, size_t first,
                    size_t end) {
    mutations_propose(mutations, by, first, end, text_format("%s", by->to));
}

void rule_delete(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n_statements; i++) {
        const struct statement *here = &source->statements[i];
        if (here->kind == STATEMENT_SIMPLE && has(source, here, by->from))
            replace(mutations, by, here->first, here->end);
    }
}

void rule_delete_if(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n_statements; i++) {
        const struct statement *here = &source->statements[i];
        if (here->kind == STATEMENT_IF && here->otherwise == SOURCE_NONE &&
            head_has(source, here, by->from))
            replace(mutations, by, here->first, here->end);
    }
}

void rule_delete_loop(struct mutations *mutations, const struct mutation_operator *by) {
    for (size_t i = 0; i < mutations->source->n_statements; i++) {
        const struct statement *here = &mutations->source->statements[i];
        if (here->kind >= STATEMENT_FOR)
            replace(mutations, by, here->first, here->end);
    }
}

void rule_delete_else(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n_statements; i++) {
        const struct statement *here = &source->statements[i];
        if (here->otherwise != SOURCE_NONE)
            replace(mutations, by, source->statements[here->otherwise].first - 1, here->end);
    }
}

/* B, then what stood between A and B, then A. */
static char *exchanged(const struct source *source, const struct statement *a,
                       const struct statement *b) {
    const struct source_token *a_last = &source->tokens[a->end - 1];
    const char *a_end = a_last->at + a_last->bytes, *b_start = source->tokens[b->first].at;
    char *first = source_text(source, a->first, a->end);
    char *second = source_text(source, b->first, b->end);
    char *text = text_format("%s%.*s%s", second, (int)(b_start - a_end), a_end, first);
    free(second);
    free(first);
    return text;
}

void rule_exchange(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n_statements; i++) {
        const struct statement *a = &source->statements[i];
        size_t next = a->parent == SOURCE_NONE ? SOURCE_NONE : source_next(source, i);
        if (next == SOURCE_NONE)
            continue;
        const struct statement *b = &source->statements[next];
        bool is_plain = a->kind == STATEMENT_SIMPLE || b->kind == STATEMENT_SIMPLE;
        bool declares = a->kind == STATEMENT_DECLARATION || b->kind == STATEMENT_DECLARATION;
        bool returns = source_is(source, b->first, "return");
        if (is_plain && !declares && !returns &&
            (has(source, a, by->from) || has(source, b, by->from)))
            mutations_propose(mutations, by, a->first, b->end, exchanged(source, a, b));
    }
}

void rule_into_branch(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n_statements; i++) {
        const struct statement *branch = &source->statements[i];
        size_t next = source_next(source, i);
        if (branch->kind != STATEMENT_IF || branch->otherwise != SOURCE_NONE ||
            next == SOURCE_NONE || source->statements[next].kind != STATEMENT_SIMPLE ||
            !has(source, &source->statements[next], by->from))
            continue;
        const struct statement *moved = &source->statements[next];
        size_t body = source->statements[branch->body].first;
        OWNED char *head = source_text_up_to(source, branch->first, body);
        OWNED char *inside = source_text(source, body, branch->end);
        OWNED char *statement = source_text(source, moved->first, moved->end);
        mutations_propose(mutations, by, branch->first, moved->end,
                          text_format("%s{ %s %s }", head, inside, statement));
    }
}

/* The innermost loop around a statement, or SOURCE_NONE. */
static size_t loop_of(const struct source *source, size_t statement) {
    size_t at = source->statements[statement].parent;
    while (at != SOURCE_NONE && source->statements[at].kind < STATEMENT_FOR)
        at = source->statements[at].parent;
    return at;
}

void rule_out_of_loop(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n_statements; i++) {
        const struct statement *here = &source->statements[i];
        size_t loop = loop_of(source, i);
        if (here->kind != STATEMENT_SIMPLE || loop == SOURCE_NONE || !has(source, here, by->from))
            continue;
        const struct statement *around = &source->statements[loop];
        OWNED char *before = source_text_up_to(source, around->first, here->first);
        OWNED char *statement = source_text(source, here->first, here->end);
        OWNED char *behind = source_text(source, here->end - 1, around->end); /* with its ; */
        mutations_propose(mutations, by, around->first, around->end,
                          text_format("%s%s %s", before, behind, statement));
    }
}

void rule_branch(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n_statements; i++) {
        const struct statement *here = &source->statements[i];
        bool is_condition = here->kind == STATEMENT_IF || here->kind >= STATEMENT_WHILE;
        if (!is_condition || here->head == SOURCE_NONE || !head_has(source, here, by->from))
            continue;
        size_t end = head_end(source, here);
        OWNED char *there = source_text(source, here->head + 1, end);
        mutations_propose(mutations, by, here->head + 1, end, text_replace(by->to, "$", there));
    }
}

/* What stands behind the first = or sign like += between two tokens, up to a , or the end. */
static void replace_value(struct mutations *mutations, const struct mutation_operator *by,
                          size_t first, size_t end) {
    const struct source *source = mutations->source;
    size_t sign = first;
    while (sign < end && !source_is(source, sign, "=") &&
           !source_is_like(source, sign, "[+*/-]=") && !source_is(source, sign, "<<=") &&
           !source_is(source, sign, ">>="))
        sign++;
    size_t value_end = sign < end ? source_argument_end(source, sign + 1) : end;
    value_end = value_end < end ? value_end : end;
    if (sign + 1 >= value_end)
        return;
    char *there = source_text(source, sign + 1, value_end);
    mutations_propose(mutations, by, sign + 1, value_end, text_replace(by->to, "$", there));
    free(there);
}

void rule_start(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n_statements; i++) {
        const struct statement *here = &source->statements[i];
        if (here->kind == STATEMENT_FOR)
            replace_value(mutations, by, here->head,
                          source_find(source, here->head, head_end(source, here), ";"));
    }
}

void rule_step(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n_statements; i++) {
        const struct statement *here = &source->statements[i];
        if (here->kind != STATEMENT_FOR)
            continue;
        size_t end = head_end(source, here), first = source_find(source, here->head, end, ";");
        replace_value(mutations, by, source_find(source, first + 1, end, ";"), end);
    }
}

void rule_assignment(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n_statements; i++) {
        const struct statement *here = &source->statements[i];
        size_t sign = source_find(source, here->first, here->end, "=");
        if (here->kind == STATEMENT_SIMPLE && sign < here->end)
            replace(mutations, by, sign, sign + 1);
    }
}

void rule_returned(struct mutations *mutations, const struct mutation_operator *by) {
    const struct source *source = mutations->source;
    for (size_t i = 0; i < source->n_statements; i++) {
        const struct statement *here = &source->statements[i];
        if (source_is(source, here->first, "return") && has(source, here, by->from))
            replace(mutations, by, here->first + 1, here->end - 1);
    }
}
