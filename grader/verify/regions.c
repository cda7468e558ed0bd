/* Walks two sources at once, over the lines outside their TODO regions. */
#include "grader/verify/regions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"

/* A place in a source. */
struct walk {
    const char *path, *text;
    unsigned number;  /* of the line last taken; 0 before the first */
    const char *line; /* NULL at the end */
    size_t length;
};

/* The number of a marker's region where the line is one ("// TODO(2): …", by `word` "TODO("), or
 * 0. */
static unsigned long marker(const struct walk *walk, const char *word) {
    const char *at = walk->line, *end = walk->line + walk->length;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    size_t length = strlen(word);
    if ((size_t)(end - at) <= length || strncmp(at, word, length) != 0)
        return 0;
    char *rest;
    unsigned long number =
        isdigit((unsigned char)at[length]) ? strtoul(at + length, &rest, 10) + 1 : 0;
    return number > 0 && *rest == ')' ? number : 0;
}

static void take(struct walk *walk) {
    walk->line = text_line(walk->text, ++walk->number, &walk->length);
}

/* Passes the lines of a region, up to its end marker. False where it has none. */
static bool skip_region(struct walk *walk, unsigned long number, struct diag *diag) {
    unsigned start = walk->number;
    for (take(walk); walk->line; take(walk)) {
        if (marker(walk, "// END TODO(") == number)
            return true;
        if (marker(walk, "// TODO("))
            break;
    }
    diag_set(diag, walk->path, start, "the region has no line '// END TODO(%lu)'", number - 1);
    return false;
}

static bool is_same_line(const struct walk *a, const struct walk *b) {
    if (!a->line || !b->line)
        return a->line == b->line;
    return a->length == b->length && memcmp(a->line, b->line, a->length) == 0;
}

bool regions_agree(const char *a_path, const char *a, const char *b_path, const char *b,
                   struct diag *diag) {
    struct walk left = {.path = a_path, .text = a}, right = {.path = b_path, .text = b};
    unsigned n_regions = 0;
    for (;;) {
        take(&left);
        take(&right);
        if (!is_same_line(&left, &right)) {
            diag_set(diag, a_path, left.number, "outside the TODO regions, this differs from %s:%u",
                     b_path, right.number);
            return false;
        }
        if (!left.line)
            break;
        unsigned long number = marker(&left, "// TODO(");
        if (number == 0)
            continue;
        n_regions++;
        if (!skip_region(&left, number, diag) || !skip_region(&right, number, diag))
            return false;
    }
    if (n_regions == 0)
        diag_set(diag, a_path, 0, "there is no TODO region");
    return n_regions > 0;
}
