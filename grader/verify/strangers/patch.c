/* Reads a diff hunk by hunk, finds where each belongs, and makes its changes. */
#include "grader/verify/strangers/patch.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"

enum { FARTHEST = 200 }; /* lines from where a hunk says it stands */

/* The diff's lines, and the next line of the old file that is not in the new one yet. */
struct patching {
    struct patch *patch;
    const char *old, *diff;
    unsigned at;   /* line of the diff */
    unsigned done; /* lines of the old file that were taken */
};

static void take_old(struct patching *patching) {
    size_t bytes;
    const char *line = text_line(patching->old, ++patching->done, &bytes);
    if (line)
        text_add(&patching->patch->text, "%.*s\n", (int)bytes, line);
}

static bool has_line(const struct patch *patch, unsigned number) {
    for (unsigned i = 0; i < patch->n_lines; i++) {
        if (patch->lines[i] == number)
            return true;
    }
    return false;
}

static void add_line(struct patch *patch, unsigned number) {
    if (has_line(patch, number))
        return;
    patch->lines = grow_list(patch->lines, patch->n_lines, sizeof *patch->lines);
    patch->lines[patch->n_lines++] = number;
}

/* A line of the hunk that begins at line `first` of the diff; false at its end. */
static bool hunk_line(const struct patching *patching, unsigned at, char *sign, const char **line,
                      size_t *bytes) {
    *line = text_line(patching->diff, at, bytes);
    if (!*line || strncmp(*line, "@@", 2) == 0 || strncmp(*line, "--- ", 4) == 0 ||
        strncmp(*line, "diff ", 5) == 0)
        return false;
    *sign = *bytes > 0 ? **line : ' '; /* an empty line of context that lost its blank */
    *line += *bytes > 0;
    *bytes -= *bytes > 0;
    return strchr(" +-\\", *sign) != NULL;
}

static bool is_line(const char *text, unsigned number, const char *line, size_t bytes) {
    size_t there;
    const char *old = text_line(text, number, &there);
    return old && there == bytes && memcmp(old, line, bytes) == 0;
}

/* True where the hunk's old lines stand from line `number` on. */
static bool stands_at(const struct patching *patching, unsigned number) {
    const char *line;
    size_t bytes;
    char sign;
    if (number <= patching->done)
        return false;
    for (unsigned i = patching->at; hunk_line(patching, i, &sign, &line, &bytes); i++) {
        if ((sign == ' ' || sign == '-') && !is_line(patching->old, number++, line, bytes))
            return false;
    }
    return true;
}

/* The line where the hunk stands, near `wanted`; 0 where it stands nowhere. */
static unsigned find_place(const struct patching *patching, unsigned wanted) {
    for (unsigned away = 0; away <= FARTHEST; away++) {
        if (stands_at(patching, wanted + away))
            return wanted + away;
        if (away < wanted && stands_at(patching, wanted - away))
            return wanted - away;
    }
    return 0;
}

/* Ends a run of lines that came or went; `came` is the line behind which some did, and some went
 * beside them. */
static void end_run(struct patch *patch, bool has_come, bool has_gone, unsigned came) {
    if (!has_come || has_gone)
        return;
    patch->gaps = grow_list(patch->gaps, patch->n_gaps, sizeof *patch->gaps);
    patch->gaps[patch->n_gaps++] = came;
}

/* Makes the changes of the hunk that stands at line `number`. */
static void apply_hunk(struct patching *patching, unsigned number) {
    const char *line;
    size_t bytes;
    char sign;
    struct patch *patch = patching->patch;
    bool has_come = false, has_gone = false;
    unsigned came = 0;
    while (patching->done + 1 < number)
        take_old(patching);
    for (; hunk_line(patching, patching->at, &sign, &line, &bytes); patching->at++) {
        if (sign == ' ') {
            end_run(patch, has_come, has_gone, came);
            has_come = has_gone = false;
            take_old(patching);
        }
        if (sign == '-') {
            has_gone = true;
            add_line(patch, ++patching->done);
        }
        if (sign == '+') {
            came = has_come ? came : patching->done;
            has_come = true;
            if (!has_line(patch, patching->done)) {
                add_line(patch, patching->done);
                add_line(patch, patching->done + 1);
            }
            text_add(&patch->text, "%.*s\n", (int)bytes, line);
        }
        if (sign == '+' || sign == '-')
            text_add(&patch->changed, "%.*s\n", (int)bytes, line);
    }
    end_run(patch, has_come, has_gone, came);
}

/* True for the head of a hunk, "@@ -12,7 +12,8 @@"; the number of its first old line. */
static bool is_head(const char *line, size_t bytes, unsigned *number) {
    if (bytes < 4 || strncmp(line, "@@ -", 4) != 0)
        return false;
    *number = (unsigned)strtoul(line + 4, NULL, 10);
    return true;
}

bool patch_apply(struct patch *patch, const char *text, const char *diff, const char *name,
                 struct diag *diag) {
    struct patching patching = {.patch = patch, .old = text, .diff = diff, .at = 1};
    unsigned wanted, n_hunks = 0;
    size_t bytes;
    const char *line;
    *patch = (struct patch){.text = text_format("%s", ""), .changed = text_format("%s", "")};
    while ((line = text_line(diff, patching.at, &bytes))) {
        patching.at++;
        if (!is_head(line, bytes, &wanted))
            continue;
        unsigned place = find_place(&patching, wanted);
        if (place == 0) {
            diag_set(diag, name, patching.at - 1, "this hunk does not fit the file");
            return false;
        }
        apply_hunk(&patching, place);
        n_hunks++;
    }
    while (text_line(text, patching.done + 1, &bytes))
        take_old(&patching);
    if (n_hunks == 0)
        diag_set(diag, name, 0, "there is no hunk (@@ … @@) in it");
    return n_hunks > 0;
}

void patch_finish(struct patch *patch) {
    free(patch->text);
    free(patch->changed);
    free(patch->lines);
    free(patch->gaps);
}
