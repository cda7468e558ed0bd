#include "grader/grade/source/literals.h"

#include <ctype.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/alike/lexer.h"

/* True for FLT_MAX and M_PI. */
static bool is_in_capitals(const struct lexeme *word) {
    unsigned n_capitals = 0;
    for (size_t i = 0; i < word->bytes; i++) {
        if (islower((unsigned char)word->at[i]))
            return false;
        n_capitals += isupper((unsigned char)word->at[i]) != 0;
    }
    return n_capitals > 1;
}

bool literals_lack(const char *text, const json_t *proven) {
    const json_int_t number = json_integer_value(json_object_get(proven, "line"));
    const char *edit = json_string_value(json_object_get(proven, "edit"));
    size_t bytes;
    const char *line = number > 0 ? text_line(text, (unsigned)number, &bytes) : NULL;
    if (!line || !edit || strcmp(edit, "real") != 0)
        return false;
    struct lexer lexer;
    struct lexeme lexeme;
    lexer_init(&lexer, line, bytes);
    while (lexer_next(&lexer, &lexeme)) {
        if (lexeme.kind == LEXEME_NUMBER || (lexeme.kind == LEXEME_NAME && is_in_capitals(&lexeme)))
            return false;
    }
    return true;
}
