/*
 * Strings, diagnostics, and the optimal string alignment distance (Damerau's, without moving a
 * block) by which the nearest name is found.
 */
#include "common/base/text.h"

#include <ctype.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

char *text_vformat(const char *format, va_list args) {
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        abort();
    return text;
}

char *text_format(const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = text_vformat(format, args);
    va_end(args);
    return text;
}

void text_add(char **text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    OWNED char *more = text_vformat(format, args);
    va_end(args);
    size_t n = *text ? strlen(*text) : 0;
    char *longer = realloc(*text, n + strlen(more) + 1);
    if (!longer)
        abort();
    strcpy(longer + n, more);
    *text = longer;
}

char *text_quote(const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./+=:,@%";
    if (*word && word[strspn(word, plain)] == '\0')
        return text_format("%s", word);
    char *text = text_format("'");
    for (const char *c = word; *c; c++)
        text_add(&text, *c == '\'' ? "'\\'%c" : "%c", *c);
    text_add(&text, "'");
    return text;
}

size_t text_utf8_length(const char *from, size_t bytes) {
    const unsigned char *c = (const unsigned char *)from;
    size_t length = c[0] < 0x80                   ? 1
                    : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
                    : (c[0] & 0xf0) == 0xe0       ? 3
                    : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                                  : 0;
    if (length > bytes)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    }
    /* Overlong forms, surrogates and what lies above U+10FFFF. */
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
        (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f))
        return 0;
    return length;
}

/* C1 controls (U+0080 … U+009F), and marks that turn the direction of text around: U+061C, U+200E,
 * U+200F, U+202A … U+202E, and with them separators of lines and old marks of format. */
static bool acts_on_terminal(const char *from, size_t length) {
    const unsigned char *c = (const unsigned char *)from;
    if (length == 2)
        return (c[0] == 0xc2 && c[1] < 0xa0) || (c[0] == 0xd8 && c[1] == 0x9c);
    if (length != 3 || c[0] != 0xe2)
        return false;
    bool is_mark = c[2] == 0x8e || c[2] == 0x8f || (c[2] >= 0xa8 && c[2] <= 0xae);
    return c[1] == 0x80 ? is_mark : c[1] == 0x81 && c[2] >= 0xa6;
}

char *text_clean(const char *from, size_t bytes, bool keep_newlines) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    size_t column = 0;
    for (size_t i = 0; i < bytes;) {
        unsigned char c = (unsigned char)from[i];
        size_t length = text_utf8_length(from + i, bytes - i);
        if (c == '\n' && keep_newlines) {
            fputc(c, out);
            column = 0;
        } else if (c == '\t') {
            size_t spaces = 4 - column % 4;
            fprintf(out, "%*s", (int)spaces, "");
            column += spaces;
        } else if (length == 0 || (length == 1 && (c < 0x20 || c == 0x7f))) {
            column += (size_t)fprintf(out, "\\x%02x", c);
            length = 1;
        } else if (acts_on_terminal(from + i, length)) {
            for (size_t k = 0; k < length; k++)
                column += (size_t)fprintf(out, "\\x%02x", (unsigned char)from[i + k]);
        } else {
            fwrite(from + i, 1, length, out);
            column++;
        }
        i += length ? length : 1;
    }
    if (fclose(out) != 0)
        abort();
    return text;
}

size_t text_columns(const char *text) {
    size_t columns = 0;
    for (; *text; text++)
        columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}

static bool is_like(const char *text, const char *patterns, int flags) {
    char pattern[64];
    for (const char *at = patterns + strspn(patterns, " "); *at; at += strspn(at, " ")) {
        size_t bytes = strcspn(at, " ");
        snprintf(pattern, sizeof pattern, "%.*s", (int)bytes, at);
        if (fnmatch(pattern, text, FNM_NOESCAPE | flags) == 0)
            return true;
        at += bytes;
    }
    return false;
}

bool text_is_number(const char *text, size_t bytes) {
    return bytes > 0 && strspn(text, "0123456789") >= bytes;
}

bool text_ends_with(const char *text, const char *end) {
    size_t length = strlen(text), n = strlen(end);
    return length > n && strcmp(text + length - n, end) == 0;
}

bool text_is_like(const char *text, const char *patterns) {
    return is_like(text, patterns, 0);
}

bool text_is_like_any_case(const char *text, const char *patterns) {
    return is_like(text, patterns, FNM_CASEFOLD);
}

const char *text_line(const char *text, unsigned number, size_t *length) {
    if (number == 0)
        return NULL;
    for (unsigned line = 1; *text; line++) {
        size_t n = strcspn(text, "\n");
        if (line == number) {
            *length = n > 0 && text[n - 1] == '\r' ? n - 1 : n;
            return text;
        }
        text += n + (text[n] == '\n');
    }
    return NULL;
}

char *text_replace(const char *text, const char *from, const char *to) {
    char *replaced = NULL;
    size_t size;
    FILE *out = open_memstream(&replaced, &size);
    if (!out)
        abort();
    for (const char *next; *from && (next = strstr(text, from)); text = next + strlen(from))
        fprintf(out, "%.*s%s", (int)(next - text), text, to);
    fputs(text, out);
    if (fclose(out) != 0)
        abort();
    return replaced;
}

void diag_set(struct diag *diag, const char *file, unsigned line, const char *format, ...) {
    if (!diag)
        return;
    snprintf(diag->file, sizeof diag->file, "%s", file ? file : "");
    diag->line = line;
    va_list args;
    va_start(args, format);
    vsnprintf(diag->message, sizeof diag->message, format, args);
    va_end(args);
}

void diag_print(const struct diag *diag, FILE *out) {
    if (diag->file[0] && diag->line > 0)
        fprintf(out, "%s:%u: %s\n", diag->file, diag->line, diag->message);
    else if (diag->file[0])
        fprintf(out, "%s: %s\n", diag->file, diag->message);
    else
        fprintf(out, "%s\n", diag->message);
}

enum { LONGEST = 63 };

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

unsigned nearest_distance(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return UINT_MAX;
    unsigned rows[3][LONGEST + 1]; /* rows i - 2, i - 1 and i, taken in turn */
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i - 1) % 3], *second = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]))
                row[j] = least(row[j], second[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

int nearest_index(const char *word, const char *const *names, size_t n_names) {
    int best = -1;
    unsigned best_distance = UINT_MAX;
    size_t length = strlen(word);
    for (size_t i = 0; i < n_names; i++) {
        size_t longer = strlen(names[i]) > length ? strlen(names[i]) : length;
        unsigned distance = nearest_distance(word, names[i]);
        /* A beginning of the name is what somebody types who is in a hurry. */
        if (length >= 2 && strncasecmp(word, names[i], length) == 0)
            distance = 1;
        if (distance <= (longer + 2) / 3 && distance < best_distance) {
            best = (int)i;
            best_distance = distance;
        }
    }
    return best;
}
