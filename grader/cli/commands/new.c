/* `new NAME`: a lab to start from, out of grader/template. */
#include "grader/cli/commands.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/session/session.h"

enum { TEMPLATE_BYTES = 1 << 16 };

/* Each file of the template, and where it goes; placeholders stand in both. */
static const char *const files[][2] = {
    {"lab/lab.yaml", "labs/@NAME@/lab.yaml"},
    {"lab/meson.build", "labs/@NAME@/meson.build"},
    {"lab/ENTRY.h", "labs/@NAME@/@ENTRY@.h"},
    {"lab/ENTRY.cu", "labs/@NAME@/@ENTRY@.cu"},
    {"lab/ENTRY.cu", "solutions/@NAME@/skeleton/@ENTRY@.cu"},
    {"lab/tests/case.h", "labs/@NAME@/tests/case.h"},
    {"lab/tests/case.c", "labs/@NAME@/tests/case.c"},
    {"lab/tests/test_example.c", "labs/@NAME@/tests/test_example.c"},
    {"lab/tests/test_edge.c", "labs/@NAME@/tests/test_edge.c"},
    {"lab/tests/test_safety.c", "labs/@NAME@/tests/test_safety.c"},
    {"lab/tests/test_technique.c", "labs/@NAME@/tests/test_technique.c"},
    {"solution/ENTRY.cu", "solutions/@NAME@/@ENTRY@.cu"},
    {"solution/mistakes.yaml", "solutions/@NAME@/mistakes.yaml"},
    {"solution/mistakes/partial_block_missing.cu",
     "solutions/@NAME@/mistakes/partial_block_missing.cu"},
    {"handout.md", "handouts/@NAME@.md"},
};

/* What is filled in: "06-two-words", "06", "Two words", "two_words", "TWO_WORDS". */
struct filling {
    char *name, *number, *title, *entry, *guard;
};

/* Letters and dashes, with or without two digits before them. */
static bool is_name(const char *argument) {
    const char *words = argument;
    if (isdigit((unsigned char)words[0]) && isdigit((unsigned char)words[1]) && words[2] == '-')
        words += 3;
    size_t length = strspn(words, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return length > 0 && length < 40 && words[length] == '\0' && islower((unsigned char)words[0]) &&
           words[length - 1] != '-' && !strstr(words, "--");
}

static void filling_init(struct filling *filling, const struct workbook *book,
                         const char *argument) {
    unsigned number = 1;
    for (size_t i = 0; i < book->n_labs; i++) {
        unsigned taken = (unsigned)strtoul(book->labs[i].name, NULL, 10);
        number = taken >= number ? taken + 1 : number;
    }
    bool has_number = isdigit((unsigned char)argument[0]);
    const char *words = has_number ? argument + 3 : argument;
    filling->number = has_number ? text_format("%.2s", argument) : text_format("%02u", number);
    filling->name = text_format("%s-%s", filling->number, words);
    filling->title = text_format("%s", words);
    filling->entry = text_format("%s", words);
    filling->guard = text_format("%s", words);
    filling->title[0] = (char)toupper((unsigned char)words[0]);
    for (size_t i = 0; words[i]; i++) {
        filling->guard[i] = words[i] == '-' ? '_' : (char)toupper((unsigned char)words[i]);
        filling->entry[i] = words[i] == '-' ? '_' : words[i];
        filling->title[i] = words[i] == '-' ? ' ' : filling->title[i];
    }
}

static void filling_finish(struct filling *filling) {
    free(filling->name);
    free(filling->number);
    free(filling->title);
    free(filling->entry);
    free(filling->guard);
}

/* A text with its placeholders filled in; the caller frees it. */
static char *fill(const char *text, const struct filling *filling) {
    const char *const pairs[][2] = {
        {"@NAME@", filling->name},   {"@NUMBER@", filling->number}, {"@TITLE@", filling->title},
        {"@ENTRY@", filling->entry}, {"@GUARD@", filling->guard},
    };
    char *filled = text_format("%s", text);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *more = text_replace(filled, pairs[i][0], pairs[i][1]);
        free(filled);
        filled = more;
    }
    return filled;
}

static enum grader_status write_file(const struct workbook *book, const struct filling *filling,
                                     size_t index, struct diag *diag) {
    char *from = text_format("%s/grader/template/%s.in", book->root, files[index][0]);
    char *name = fill(files[index][1], filling), *to = text_format("%s/%s", book->root, name);
    char *text = NULL, *filled = NULL;
    size_t n_bytes;
    enum grader_status status = file_read(from, TEMPLATE_BYTES, &text, &n_bytes, diag);
    if (status == GRADER_OK) {
        filled = fill(text, filling);
        status = file_write(to, filled, strlen(filled), diag);
    } else {
        status = GRADER_FAILED;
    }
    free(filled);
    free(text);
    free(to);
    free(name);
    free(from);
    return status;
}

/* Adds the lab to the list in labs/meson.build. */
static enum grader_status enlist(const struct workbook *book, const struct filling *filling,
                                 struct diag *diag) {
    char *path = text_format("%s/labs/meson.build", book->root), *text = NULL, *more = NULL;
    size_t n_bytes;
    enum grader_status status = file_read(path, TEMPLATE_BYTES, &text, &n_bytes, diag);
    const char *list = text ? strstr(text, "labs = [") : NULL;
    const char *end = list ? strchr(list, ']') : NULL;
    if (end) {
        more = text_format("%.*s  '%s',\n%s", (int)(end - text), text, filling->name, end);
        status = file_write(path, more, strlen(more), diag);
    } else if (status == GRADER_OK) {
        diag_set(diag, path, 0, "there is no list of labs ('labs = [') to add '%s' to",
                 filling->name);
        status = GRADER_FAILED;
    }
    free(more);
    free(text);
    free(path);
    return status;
}

/* Fails where a folder of the lab is there already: nothing may be written over. */
static bool is_free(const struct workbook *book, const struct filling *filling, struct diag *diag) {
    static const char *const places[] = {"labs/@NAME@", "solutions/@NAME@", "handouts/@NAME@.md"};
    bool is_free = true;
    for (size_t i = 0; i < book->n_labs && is_free; i++) {
        is_free = strncmp(book->labs[i].name, filling->number, 2) != 0;
        if (!is_free)
            diag_set(diag, NULL, 0, "there is a lab %s already: %s", filling->number,
                     book->labs[i].name);
    }
    for (size_t i = 0; i < sizeof places / sizeof *places && is_free; i++) {
        OWNED char *name = fill(places[i], filling), *path = text_format("%s/%s", book->root, name);
        is_free = !file_exists(path);
        if (!is_free)
            diag_set(diag, path, 0, "this is there already");
    }
    return is_free;
}

static enum grader_status create(const struct options *options, const struct workbook *book,
                                 const struct filling *filling, struct diag *diag) {
    enum grader_status status = is_free(book, filling, diag) ? GRADER_OK : GRADER_BAD_INPUT;
    for (size_t i = 0; i < sizeof files / sizeof *files && status == GRADER_OK; i++)
        status = write_file(book, filling, i, diag);
    if (status == GRADER_OK)
        status = enlist(book, filling, diag);
    if (status != GRADER_OK)
        return status;
    struct page page;
    page_init(&page, stdout, options->colour);
    page_text(&page, 0, PAGE_STRONG, "Lab %s · %s", filling->number, filling->title);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *name = fill(files[i][1], filling);
        page_text(&page, 2, PAGE_PLAIN, "%s", name);
        free(name);
    }
    char *verify = text_format("./warpbook verify %s", filling->number);
    page_text(&page, 0, PAGE_PLAIN,
              "Fill in what is marked BLANK, and put the lab's own task in "
              "place of the example.");
    page_command(&page, 0, "then", verify);
    free(verify);
    return GRADER_OK;
}

int command_new(const struct options *options) {
    OWNED_BY(workbook_finish) struct workbook book;
    OWNED_BY(filling_finish) struct filling filling = {0};
    struct diag diag;
    enum grader_status status = workbook_init(&book, &diag);
    if (status == GRADER_OK && !is_name(options->argument)) {
        OWNED char *clean = text_clean(options->argument, strnlen(options->argument, 60), false);
        diag_set(&diag, NULL, 0,
                 "'%s' is no name for a lab: small letters, digits and dashes, such as "
                 "matrix-transpose or 06-matrix-transpose",
                 clean);
        status = GRADER_BAD_INPUT;
    }
    if (status == GRADER_OK) {
        filling_init(&filling, &book, options->argument);
        status = create(options, &book, &filling, &diag);
    }
    return status == GRADER_OK ? GRADER_OK : session_fail(status, &diag);
}
