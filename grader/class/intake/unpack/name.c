/* Cleans names and takes them apart by patterns. */
#include "grader/class/intake/unpack/name.h"

#include <ctype.h>
#include <regex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/digest.h"
#include "common/base/text.h"

enum { HASH_DIGITS = 8, MAX_PARTS = 6 };

/* The code point of a UTF-8 character of `bytes` bytes. */
static uint32_t code_point(const char *at, size_t bytes) {
    uint32_t code = (unsigned char)at[0];
    if (bytes > 1)
        code &= 0xffu >> (bytes + 1);
    for (size_t i = 1; i < bytes; i++)
        code = code << 6 | ((unsigned char)at[i] & 0x3fu);
    return code;
}

/* Controls, and what reorders or hides the characters around it. */
static bool is_harmful(uint32_t code) {
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},      {0x61c, 0x61c},
                  {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},  {0xfe00, 0xfe0f},
                  {0xfeff, 0xfeff}, {0xfff0, 0xffff}, {0xe0000, 0xe0fff}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    }
    return code == '/' || code == '\\';
}

/* A suffix of a few letters and digits with its dot, by which a file's kind is known; else the
 * name's end. */
static const char *suffix_of(const char *name) {
    enum { MOST = 6 };
    const char *end = name + strlen(name), *dot = strrchr(name, '.');
    if (!dot || dot == name || dot + 1 == end || end - dot > MOST)
        return end;
    for (const char *at = dot + 1; at < end; at++)
        if (!isascii(*at) || !isalnum(*at))
            return end;
    return dot;
}

char *name_clean(const char *name, bool *is_changed) {
    const char *suffix = suffix_of(name);
    size_t left = (size_t)(suffix - name), n = 0;
    char clean[NAME_BYTES + 1], sha256[DIGEST_TEXT];
    bool changed = name[0] == '\0' || name[0] == '-';
    if (changed)
        clean[n++] = '_';
    for (const char *at = name; left > 0;) {
        size_t length = text_utf8_length(at, left);
        if (n + (length ? length : 1) > NAME_BYTES - HASH_DIGITS - 1 - strlen(suffix)) {
            changed = true;
            break;
        }
        if (length == 0 || is_harmful(code_point(at, length))) {
            clean[n++] = '_';
            changed = true;
        } else {
            memcpy(clean + n, at, length);
            n += length;
        }
        at += length ? length : 1;
        left -= length ? length : 1;
    }
    clean[n] = '\0';
    if (is_changed)
        *is_changed = changed;
    if (!changed)
        return text_format("%s%s", clean, suffix);
    digest_of(name, strlen(name), sha256);
    return text_format("%s~%.*s%s", clean, HASH_DIGITS, sha256, suffix);
}

static char *part(const char *name, const regmatch_t *match) {
    return match->rm_so < 0
               ? NULL
               : text_format("%.*s", (int)(match->rm_eo - match->rm_so), name + match->rm_so);
}

/* Matches an extended regular expression, byte by byte where the locale knows no better. */
static bool matches(const char *pattern, const char *name, regmatch_t matched[MAX_PARTS]) {
    regex_t regex;
    if (regcomp(&regex, pattern, REG_EXTENDED) != 0)
        abort();
    bool is_match = regexec(&regex, name, MAX_PARTS, matched, 0) == 0;
    regfree(&regex);
    return is_match;
}

/* Moodle puts its own part in front of the name that the student gave the file. So the first such
 * part counts: a student cannot hand in for another by a file name that has a second one. */
static bool read_moodle(const char *name, struct name_parts *parts) {
    static const char mark[] = "_assignsubmission_";
    regmatch_t who[MAX_PARTS], what[MAX_PARTS];
    bool is_found = false;
    for (const char *at = name; !is_found && (at = strstr(at, mark)); at++) {
        OWNED char *before = text_format("%.*s", (int)(at - name), name);
        is_found = matches("^(.+)_([0-9]+)$", before, who) &&
                   matches("^_assignsubmission_(file|onlinetext)_?(.+)?$", at, what);
        if (is_found) {
            parts->kind = NAME_MOODLE;
            parts->name = part(before, &who[1]);
            parts->id = part(before, &who[2]);
            parts->file = part(at, &what[2]);
        }
    }
    return is_found;
}

/* Canvas puts names, LATE, the user's number and the file's in front. Names may have underscores,
 * but no number between two; so the first such place counts, here too. */
static bool read_canvas(const char *name, struct name_parts *parts) {
    regmatch_t at[MAX_PARTS];
    bool is_found = false;
    if (matches("^(LATE_)?(anon_[A-Za-z0-9]+)_([0-9]+)_(.+)$", name, at)) {
        parts->id = part(name, &at[2]);
        parts->name = text_format("%s", parts->id);
        parts->is_late = at[1].rm_so >= 0;
        parts->file = part(name, &at[4]);
        is_found = true;
    }
    for (const char *rest = name; !is_found && (rest = strchr(rest + 1, '_'));) {
        is_found = matches("^_(LATE_)?([0-9]+)_([0-9]+)_(.+)$", rest, at);
        if (is_found) {
            parts->name = text_format("%.*s", (int)(rest - name), name);
            parts->is_late = at[1].rm_so >= 0;
            parts->id = part(rest, &at[2]);
            parts->file = part(rest, &at[4]);
        }
    }
    if (is_found)
        parts->kind = NAME_CANVAS;
    return is_found;
}

void name_read(const char *name, struct name_parts *parts) {
    regmatch_t at[MAX_PARTS];
    *parts = (struct name_parts){.kind = NAME_PLAIN};
    struct name_parts canvas = {0}, moodle = {0};
    bool is_canvas = read_canvas(name, &canvas), is_moodle = read_moodle(name, &moodle);
    /* What the system puts in comes before what the student chose. */
    bool is_first = is_canvas && (!is_moodle || strlen(canvas.name) < strlen(moodle.name));
    if (is_canvas || is_moodle) {
        *parts = is_first ? canvas : moodle;
        name_parts_free(is_first ? &moodle : &canvas);
    } else if (matches("^submission_([0-9]+)$", name, at)) {
        parts->kind = NAME_GRADESCOPE;
        parts->id = part(name, &at[1]);
    } else {
        parts->id = text_format("%s", name);
    }
    if (!parts->name)
        parts->name = text_format("%s", parts->id);
}

void name_parts_free(struct name_parts *parts) {
    free(parts->id);
    free(parts->name);
    free(parts->file);
}

bool name_is_source(const char *name, const char *source, unsigned *attempt) {
    const char *suffix = strrchr(source, '.');
    size_t stem = suffix ? (size_t)(suffix - source) : strlen(source), length = strlen(name);
    size_t n_suffix = strlen(source) - stem;
    char mark[8] = "", tail;
    *attempt = 0;
    if (length < stem + n_suffix || strncasecmp(name, source, stem) != 0 ||
        strcasecmp(name + length - n_suffix, source + stem) != 0)
        return false;
    size_t n_mark = length - stem - n_suffix;
    if (n_mark == 0)
        return true;
    if (n_mark >= sizeof mark)
        return false;
    memcpy(mark, name + stem, n_mark);
    return (sscanf(mark, "-%3u%c", attempt, &tail) == 1 && strchr("0123456789", mark[1])) ||
           (sscanf(mark, " (%3u%c", attempt, &tail) == 2 && mark[n_mark - 1] == ')');
}
