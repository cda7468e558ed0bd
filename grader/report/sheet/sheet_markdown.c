/*
 * The sheet as Markdown (CommonMark). There, any mark of ASCII after a backslash is itself; < > and
 * & are written as entities, for renderers that look for HTML first. Verbatim text stands between
 * fences that are longer than any row of backticks in it.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grader/report/formats/format.h"
#include "grader/report/sheet/sheet.h"

/* True where a mark could begin or end something: `text` is the whole line, `at` the mark. What is
 * plain to readers of the raw text stays plain: adds_one, 3.5. */
static bool is_mark(const char *text, const char *at) {
    bool is_in_word = at > text && isalnum((unsigned char)at[-1]) && isalnum((unsigned char)at[1]);
    if (strchr("\\`*#|~$", *at))
        return true;
    if (*at == '[') /* tile[2] is none; without one here there is nothing that defines a link */
        return at == text || at[1] == '[';
    if (*at == ']')
        return at[1] == '(' || at[1] == '[';
    if (strchr("-+=", *at))
        return at == text;
    if (*at == '_')
        return !is_in_word;
    if (*at == ':')
        return at[1] == '/' && at[2] == '/'; /* addresses, which some make links of themselves */
    if (*at == '.' || *at == ')')
        return (strspn(text, "0123456789") == (size_t)(at - text) && /* the number of an item */
                (at[1] == ' ' || !at[1])) ||
               (at - text >= 3 && strncasecmp(at - 3, "www", 3) == 0);
    return false;
}

/* Writes a text as one line that means nothing but itself; four blanks in front would mean code. */
static void put(FILE *out, const char *text) {
    OWNED char *line = text_replace(text, "\n", " ");
    OWNED char *clean = text_clean(line, strlen(line), false);
    const char *start = clean + strspn(clean, " ");
    for (const char *at = start; *at; at++) {
        if (*at == '<' || *at == '>' || *at == '&')
            fputs(*at == '<' ? "&lt;" : *at == '>' ? "&gt;" : "&amp;", out);
        else
            fprintf(out, is_mark(start, at) ? "\\%c" : "%c", *at);
    }
}

static void *begin(FILE *out, const char *title) {
    (void)title; /* is the first heading */
    return out;
}

static void end(void *out) {
    (void)out; /* ends by itself */
}

static void heading(void *out, unsigned level, enum sheet_tone tone, const char *text) {
    (void)tone;
    fprintf(out, "%.*s ", (int)level, "###");
    put(out, text);
    fputs("\n\n", out);
}

static void paragraph(void *out, const char *text) {
    put(out, text);
    fputs("\n\n", out);
}

static void labelled(void *out, const char *label, const char *text) {
    OWNED char *both = text_format("%s:%s%s", label, *text ? " " : "", text);
    paragraph(out, both);
}

static void points(void *out, const char *text) {
    fputs("**", out);
    put(out, text);
    fputs("**\n\n", out);
}

static void list(void *out, bool is_begin) {
    if (!is_begin)
        fputc('\n', out);
}

static void item(void *out, const char *text) {
    fputs("- ", out);
    put(out, text);
    fputc('\n', out);
}

static void verbatim(void *out, const char *text) {
    OWNED char *clean = text_clean(text, strlen(text), true);
    size_t bytes = strlen(clean), longest = 2;
    for (const char *at = clean; (at = strchr(at, '`'));) {
        size_t row = strspn(at, "`");
        longest = row > longest ? row : longest;
        at += row;
    }
    char *fence = malloc(longest + 2);
    if (!fence)
        abort();
    memset(fence, '`', longest + 1);
    fence[longest + 1] = '\0';
    fprintf(out, "%s\n%s%s%s\n\n", fence, clean, bytes && clean[bytes - 1] == '\n' ? "" : "\n",
            fence);
    free(fence);
}

/* Markdown has no folds. */
static void fold(void *out, const char *summary, bool is_begin) {
    if (is_begin)
        heading(out, 3, SHEET_PLAIN, summary);
}

const struct sheet_form sheet_markdown = {begin, end,  heading,  paragraph, labelled, points,
                                          list,  item, verbatim, verbatim,  fold};

FORMAT_WRITER(format_feedback_markdown) {
    sheet_write(&sheet_markdown, course, students, out);
    return students->is_graded ? GRADER_OK : GRADER_FAILED;
}
