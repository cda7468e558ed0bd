/* Reads a file for what it says of its lab, and weighs that. */
#include "grader/class/intake/guess.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/encoding.h"
#include "common/base/system/file.h"
#include "common/base/system/folder.h"
#include "common/base/text.h"
#include "grader/class/intake/unpack/name.h"

/* What the reasons weigh, so that each is more than all below it. */
enum { PLACE = 1, NAME = 2, HEADER = 4, OWN_FOLDER = 8 };

static const char *const starts[] = {"copy of ",   "copy_of_",  "copy-of-",
                                     "kopie von ", "copia de ", "copia di "};
static const char *const ends[] = {" - copy",  "-copy",  "_copy", " copy",
                                   " - kopie", " kopie", " copia"};
static const char *const suffixes[] = {".cu",  ".txt", ".cpp",  ".cc",   ".cxx", ".c",
                                       ".bak", ".old", ".orig", ".text", "~"};

#define N_OF(list) (sizeof(list) / sizeof *(list))

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), n = strlen(end);
    return length > n && strcasecmp(text + length - n, end) == 0;
}

/* Takes the number of an attempt off the end: "-2", "_2", " (2)", "(2)". */
static bool take_attempt(char *stem, unsigned *attempt) {
    char *end = stem + strlen(stem);
    bool is_closed = end > stem && end[-1] == ')';
    char *last = end - is_closed, *digits = last;
    while (digits > stem && isdigit((unsigned char)digits[-1]))
        digits--;
    if (digits == last || last - digits > 3 || digits - stem < 2 ||
        !strchr(is_closed ? "(" : "-_", digits[-1]))
        return false;
    *attempt = (unsigned)strtoul(digits, NULL, 10);
    digits--;
    *digits = '\0';
    if (digits > stem + 1 && is_closed && digits[-1] == ' ')
        digits[-1] = '\0';
    return true;
}

/* Takes one thing off the name that is none of its own. */
static bool take_dress(char *stem, unsigned *attempt) {
    size_t length = strlen(stem);
    if (isspace((unsigned char)stem[0]) && length > 1) {
        memmove(stem, stem + 1, length);
        return true;
    }
    if (length > 1 && isspace((unsigned char)stem[length - 1])) {
        stem[length - 1] = '\0';
        return true;
    }
    for (size_t i = 0; i < N_OF(starts); i++) {
        size_t n = strlen(starts[i]);
        if (length > n && strncasecmp(stem, starts[i], n) == 0) {
            memmove(stem, stem + n, length - n + 1);
            return true;
        }
    }
    for (size_t i = 0; i < N_OF(ends) + N_OF(suffixes); i++) {
        const char *end = i < N_OF(ends) ? ends[i] : suffixes[i - N_OF(ends)];
        if (ends_with(stem, end)) {
            stem[length - strlen(end)] = '\0';
            return true;
        }
    }
    return take_attempt(stem, attempt);
}

char *guess_stem(const char *name, unsigned *attempt) {
    char *stem = text_format("%s", name);
    *attempt = 0;
    while (take_dress(stem, attempt))
        ; /* whatever there is, in any order */
    return stem;
}

bool guess_is_source_like(const char *name) {
    for (size_t i = 0; i < N_OF(suffixes); i++) {
        if (ends_with(name, suffixes[i]))
            return true;
    }
    return !strchr(name, '.');
}

/* True where, at some step, what is left of the name is the source's without its suffix. */
static bool is_dressed(const char *name, const char *source) {
    const char *dot = strrchr(source, '.');
    size_t length = dot ? (size_t)(dot - source) : strlen(source);
    OWNED char *stem = text_format("%s", name);
    unsigned attempt;
    bool is_it = false;
    while (!is_it && take_dress(stem, &attempt))
        is_it = strlen(stem) == length && strncasecmp(stem, source, length) == 0;
    return is_it;
}

/* True where a line of the text includes the header, from whatever folder. */
static bool includes(const char *text, const char *header) {
    size_t length = strlen(header);
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *at = line + strspn(line, " \t");
        if (*at++ != '#')
            continue;
        at += strspn(at, " \t");
        if (strncmp(at, "include", 7) != 0)
            continue;
        at += 7 + strspn(at + 7, " \t");
        size_t n = *at == '"' || *at == '<' ? strcspn(at + 1, "\">\n") : 0;
        const char *end = at + 1 + n;
        if (n >= length && strncmp(end - length, header, length) == 0 &&
            strchr("/\\\"<", end[-(ptrdiff_t)length - 1]))
            return true;
    }
    return false;
}

/* The same of what the lab's skeleton includes in place of the header: a .cuh of the lab's folder.
 */
static bool includes_part(const char *text, const struct workbook_lab *lab) {
    OWNED_BY(folder_finish) struct folder entries;
    bool found = false;
    folder_read(&entries, lab->folder);
    for (size_t i = 0; i < entries.n && !found; i++)
        found = ends_with(entries.names[i], ".cuh") && includes(text, entries.names[i]);
    return found;
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++) {
        if ((at == text || !is_word(at[-1])) && !is_word(at[length]))
            return true;
    }
    return false;
}

/* True where a name (of a file or folder, `length` bytes) says a lab: its own name, with or without
 * the number, or that number first of all numbers. */
static bool says_lab(const char *name, size_t length, const char *lab) {
    const char *dash = strchr(lab, '-');
    for (const char *own = lab; own; own = own == lab && dash ? dash + 1 : NULL) {
        if (length == strlen(own) && strncasecmp(name, own, length) == 0)
            return true;
    }
    size_t at = 0;
    while (at < length && !isdigit((unsigned char)name[at]))
        at++;
    return at < length && isdigit((unsigned char)lab[0]) &&
           strtoul(name + at, NULL, 10) == strtoul(lab, NULL, 10);
}

/* The next folder in a path from the student's own on, and its length; NULL after the last. */
static const char *next_folder(const char *at, size_t *length) {
    const char *folder = strchr(at, '/');
    const char *end = folder ? strchr(folder + 1, '/') : NULL;
    *length = end ? (size_t)(end - folder - 1) : 0;
    return end ? folder + 1 : NULL;
}

/* True where a folder around the file has exactly the lab's name. */
static bool lies_in(const char *shown, const char *lab) {
    size_t length;
    bool is_in = false;
    for (const char *at = shown; (at = next_folder(at, &length));)
        is_in |= length == strlen(lab) && strncmp(at, lab, length) == 0;
    return is_in;
}

/* Whether the file's own name, or one of its folders', says the lab. */
static bool is_placed(const char *shown, const char *name, const char *lab) {
    unsigned attempt;
    size_t length;
    OWNED char *stem = guess_stem(name, &attempt);
    bool found = says_lab(stem, strlen(stem), lab) || says_lab(name, strlen(name), lab);
    for (const char *at = shown; (at = next_folder(at, &length));)
        found |= says_lab(at, length, lab);
    return found;
}

/* The text of the file in UTF-8; NULL where it has none. */
static char *text_of(const char *path, const char **was) {
    char *bytes = NULL;
    size_t n_bytes = 0;
    if (file_read(path, FILE_SOURCE_BYTES, &bytes, &n_bytes, NULL) != GRADER_OK)
        return NULL;
    char *text = encoding_to_utf8(bytes, n_bytes, &n_bytes, was);
    if (!text) {
        *was = NULL;
        return bytes;
    }
    free(bytes);
    return text;
}

/* The reasons for a lab. */
static unsigned weigh(const char *text, const char *shown, const char *name,
                      const struct target *lab, bool *is_exact, unsigned *attempt) {
    const struct manifest *manifest = lab->manifest;
    if (!manifest)
        return 0;
    bool is_placed_here = is_placed(shown, name, lab->lab->name);
    bool has_header = text && (includes(text, manifest->header) || includes_part(text, lab->lab));
    bool has_entry = text && has_word(text, manifest->entry);
    *is_exact = name_is_source(name, manifest->source, attempt);
    bool is_source = *is_exact || (is_dressed(name, manifest->source) &&
                                   (strcasestr(name, ".cu") || has_header || has_entry));
    return (*is_exact && lies_in(shown, lab->lab->name) ? OWN_FOLDER : 0) |
           (has_header ? HEADER : 0) | (is_source ? NAME : 0) |
           (is_placed_here && (has_entry || has_header) ? PLACE : 0);
}

struct guess guess_lab(const char *path, const char *shown, const char *name, bool is_regular,
                       const struct targets *labs) {
    struct guess guess = {0};
    unsigned most = 0;
    OWNED char *text = is_regular && guess_is_source_like(name) ? text_of(path, &guess.was) : NULL;
    for (size_t i = 0; i < labs->n; i++) {
        bool is_exact = false;
        unsigned attempt = 0;
        unsigned weight = weigh(text, shown, name, &labs->items[i], &is_exact, &attempt);
        if (weight < most || weight == 0)
            continue;
        if (weight == most) {
            guess.by = GUESS_SEVERAL;
            guess.other = i;
            continue;
        }
        most = weight;
        guess.lab = i;
        guess.attempt = attempt;
        guess.by = is_exact          ? GUESS_EXACT
                   : weight & NAME   ? GUESS_NAME
                   : weight & HEADER ? GUESS_TEXT
                                     : GUESS_PLACE;
    }
    if (guess.by != GUESS_EXACT && guess.by != GUESS_SEVERAL)
        free(guess_stem(name, &guess.attempt));
    for (size_t i = 0; i < labs->n; i++)
        guess.is_elsewhere |= i != guess.lab && lies_in(shown, labs->items[i].lab->name);
    return guess;
}
