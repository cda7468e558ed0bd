/* Finds the calls by the lexer of alike/: they stand in C as clang-format leaves it, one a
 * statement. */
#include "grader/report/edition/sources.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/seal.h"
#include "grader/alike/lexer.h"
#include "grader/grade/record.h"

enum { PIECE = 72 }; /* bytes of a sealed text on a line */

static bool has_words(const char *line, size_t length, const char *words) {
    return memmem(line, length, words, strlen(words)) != NULL;
}

char *sources_strip(const char *text, const char *name, struct diag *diag) {
    char *kept = make_zeroed(strlen(text) + 1, 1);
    size_t length, n = 0;
    unsigned begin = 0, number = 1;
    const char *line;
    for (; (line = text_line(text, number, &length)); number++) {
        bool is_begin = has_words(line, length, "full edition: begin");
        bool is_end = has_words(line, length, "full edition: end");
        if ((is_begin && begin) || (is_end && !begin))
            break;
        if (!begin && !is_begin) {
            size_t whole = length + (line[length] == '\n');
            memcpy(kept + n, line, whole);
            n += whole;
        }
        begin = is_begin ? number : is_end ? 0 : begin;
    }
    if (!line && begin == 0)
        return kept;
    diag_set(diag, name, line ? number : begin,
             "'full edition: begin' and 'full edition: end' don't come in pairs here");
    free(kept);
    return NULL;
}

/* A call of lab_predict. */
struct call {
    const char *variable; /* its second argument, in quotes */
    size_t n_variable;
    const char *last, *end; /* its last argument: from the first lexeme to the end of the last */
    bool is_text;           /* that is nothing but a text, maybe in pieces */
};

static bool is_sign(const struct lexeme *lexeme, const char *sign) {
    return lexeme->kind == LEXEME_SIGN && lexeme->bytes == strlen(sign) &&
           memcmp(lexeme->at, sign, lexeme->bytes) == 0;
}

/* Reads from behind the name on; false where the call doesn't end. */
static bool read_call(struct lexer *lexer, struct call *call) {
    struct lexeme lexeme;
    unsigned depth = 0, argument = 1;
    *call = (struct call){.variable = NULL};
    while (lexer_next(lexer, &lexeme)) {
        if (lexeme.kind == LEXEME_BLANK || lexeme.kind == LEXEME_COMMENT)
            continue;
        depth += is_sign(&lexeme, "(");
        if (is_sign(&lexeme, ")") && --depth == 0)
            return true;
        if (depth == 1 && is_sign(&lexeme, ",")) {
            argument++;
            call->last = NULL;
            continue;
        }
        if (argument == 2 && lexeme.kind == LEXEME_TEXT && lexeme.bytes > 2) {
            call->variable = lexeme.at + 1;
            call->n_variable = lexeme.bytes - 2;
        }
        call->is_text = lexeme.kind == LEXEME_TEXT && (!call->last || call->is_text);
        call->last = call->last ? call->last : lexeme.at;
        call->end = lexeme.at + lexeme.bytes;
    }
    return false;
}

/* Adds a sealed text as a literal of C. */
static void add_literal(char **text, const char *sealed) {
    for (size_t at = 0, n = strlen(sealed); at < n; at += PIECE)
        text_add(text, "%s\"%.*s\"", at > 0 ? "\n        " : "", PIECE, sealed + at);
}

/* Adds what the call's explanation becomes. */
static bool add_sealed(char **text, const struct call *call, const char *name, unsigned line,
                       const json_t *answers, struct diag *diag) {
    if (!call->variable || !call->last || !call->is_text) {
        diag_set(diag, name, line,
                 "this lab_predict cannot be sealed: its variable and its explanation have to be "
                 "texts in quotes");
        return false;
    }
    OWNED char *variable = text_format("%.*s", (int)call->n_variable, call->variable);
    const json_t *answer = json_object_get(answers, variable);
    if (!answer) {
        diag_set(
            diag, name, line,
            "'%.100s' was not counted when the model answer ran the tests of the tiers example "
            "and technique, so its explanation cannot be sealed",
            variable);
        return false;
    }
    OWNED char *secret =
        text_format("%s %" JSON_INTEGER_FORMAT, variable, record_count(answer, "counted"));
    OWNED char *sealed = seal_close(record_text(answer, "explanation"), secret, SEAL_SLOW);
    if (!sealed)
        diag_set(diag, NULL, 0, "this system gives no random bytes");
    else
        add_literal(text, sealed);
    return sealed != NULL;
}

char *sources_seal(const char *text, const char *name, const json_t *answers, struct diag *diag) {
    struct lexer lexer;
    struct lexeme lexeme;
    char *out = text_format("%s", "");
    const char *done = text;
    bool is_good = true;
    lexer_init(&lexer, text, strlen(text));
    while (is_good && lexer_next(&lexer, &lexeme)) {
        static const char called[] = "lab_predict";
        struct call call;
        if (lexeme.kind != LEXEME_NAME || lexeme.bytes != strlen(called) ||
            memcmp(lexeme.at, called, lexeme.bytes) != 0)
            continue;
        if (!read_call(&lexer, &call))
            call.last = NULL;
        text_add(&out, "%.*s", call.last ? (int)(call.last - done) : 0, done);
        is_good = add_sealed(&out, &call, name, lexeme.line, answers, diag);
        done = call.last ? call.end : done;
    }
    text_add(&out, "%s", done);
    if (is_good)
        return out;
    free(out);
    return NULL;
}
