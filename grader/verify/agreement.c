/* Compares sources that must not drift apart: skeleton and model answer line by line, outside their
 * TODO regions; each block of code in a handout with the lines of a source. */
#include "grader/verify/agreement.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
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

bool *regions_lines(const char *text) {
    bool *is_inside = NULL;
    unsigned long region = 0, n_regions = 0;
    struct walk walk = {.text = text};
    for (take(&walk); walk.line; take(&walk)) {
        if (region > 0 && marker(&walk, "// END TODO(") == region)
            region = 0;
        is_inside = grow_list(is_inside, walk.number, sizeof *is_inside);
        is_inside[walk.number] = region > 0;
        if (region == 0)
            region = marker(&walk, "// TODO(");
        n_regions += region > 0;
    }
    if (n_regions > 0)
        return is_inside;
    free(is_inside);
    return NULL;
}

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

/* True where two lines have the same text. `*shift` is how much further right the source's line
 * begins: the first pair sets it, and all others must have the same. Empty lines agree with each
 * other whatever the shift. */
static bool is_shifted_line(const char *a, size_t a_length, const char *b, size_t b_length,
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
        if (!there || !is_shifted_line(there, length, wanted, wanted_length, &shift, &has_shift))
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
    for (; (at = text_line(handout, *line, &length)) && !begins_with(at, length, "```"); ++*line)
        text_add(&block, "%.*s\n", (int)length, at);
    *line = first;
    return block;
}
