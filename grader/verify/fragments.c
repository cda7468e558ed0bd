/* Finds blocks of code in Markdown, and their lines in sources. */
#include "grader/verify/fragments.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"

static const char elision[] = "…";

/* A line without the blanks around it. */
static const char *trimmed(const char *line, size_t *length) {
    while (*length > 0 && *line == ' ') {
        line++;
        --*length;
    }
    while (*length > 0 && line[*length - 1] == ' ')
        --*length;
    return line;
}

/* True for the same text; `*shift`, how much further right it stands in the source, is set by the
 * first pair and must be that of all others. Empty lines stand anywhere. */
static bool is_same_line(const char *a, size_t a_length, const char *b, size_t b_length,
                         long *shift, bool *has_shift) {
    const char *a_text = trimmed(a, &a_length), *b_text = trimmed(b, &b_length);
    long found = (a_text - a) - (b_text - b);
    if (a_length != b_length || memcmp(a_text, b_text, a_length) != 0)
        return false;
    if (a_length > 0 && !*has_shift) {
        *shift = found;
        *has_shift = true;
    }
    return a_length == 0 || found == *shift;
}

static bool is_elision(const char *line, size_t length) {
    const char *text = trimmed(line, &length);
    return length == strlen(elision) && memcmp(text, elision, length) == 0;
}

/* True where the block, from its line `from` on, stands in the text at line `at`; after an elision,
 * at any later line. */
static bool stands_at(const char *text, unsigned at, const char *block, unsigned from, long shift,
                      bool has_shift) {
    const char *wanted, *there;
    size_t wanted_length, length;
    for (; (wanted = text_line(block, from, &wanted_length)); from++, at++) {
        if (is_elision(wanted, wanted_length)) {
            for (; text_line(text, at, &length); at++) {
                if (stands_at(text, at, block, from + 1, shift, has_shift))
                    return true;
            }
            return false;
        }
        there = text_line(text, at, &length);
        if (!there || !is_same_line(there, length, wanted, wanted_length, &shift, &has_shift))
            return false;
    }
    return true;
}

bool fragments_has(const char *text, const char *block) {
    size_t length;
    for (unsigned at = 1; text_line(text, at, &length); at++) {
        if (stands_at(text, at, block, 1, 0, false))
            return true;
    }
    return false;
}

/* The path that a line `<!-- from PATH -->` names, or NULL. */
static char *named_source(const char *line, size_t length) {
    static const char before[] = "<!-- from ", behind[] = " -->";
    const char *text = trimmed(line, &length);
    size_t around = strlen(before) + strlen(behind);
    if (length <= around || strncmp(text, before, strlen(before)) != 0 ||
        strncmp(text + length - strlen(behind), behind, strlen(behind)) != 0)
        return NULL;
    return text_format("%.*s", (int)(length - around), text + strlen(before));
}

static bool begins_with(const char *line, size_t length, const char *start) {
    const char *text = trimmed(line, &length);
    return length >= strlen(start) && strncmp(text, start, strlen(start)) == 0;
}

char *fragments_next(const char *handout, unsigned *line, char **source) {
    const char *at;
    size_t length;
    *source = NULL;
    for (; (at = text_line(handout, *line, &length)); ++*line) {
        if (begins_with(at, length, "```cuda"))
            break;
        if (length > 0) {
            free(*source);
            *source = named_source(at, length);
        }
    }
    if (!at)
        return NULL;
    char *block = text_format("%s", "");
    unsigned first = ++*line;
    for (; (at = text_line(handout, *line, &length)) && !begins_with(at, length, "```"); ++*line) {
        char *more = text_format("%s%.*s\n", block, (int)length, at);
        free(block);
        block = more;
    }
    *line = first;
    return block;
}
