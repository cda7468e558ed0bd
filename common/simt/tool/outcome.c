/*
 * Two runs of one program side by side: how they ended, what they printed, what they left in device
 * memory, and what the simulator found.
 */
#include "common/simt/tool/outcome.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file as text; "" where there is none. */
static char *contents(const char *path) {
    char *text = NULL;
    size_t n, size = 0;
    char buffer[1 << 12];
    FILE *in = fopen(path, "rb"), *out = open_memstream(&text, &size);
    while (in && out && (n = fread(buffer, 1, sizeof buffer, in)) > 0)
        fwrite(buffer, 1, n, out);
    if (in)
        fclose(in);
    if (out && fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

bool tool_outcome_read(struct tool_outcome *outcome, const char *output, const char *report) {
    size_t n = 0;
    outcome->report = json_load_file(report, 0, NULL);
    outcome->text = contents(output);
    if (!outcome->text)
        return false;
    for (const char *c = outcome->text; *c != '\0'; c++)
        n += *c == '\n';
    outcome->lines = calloc(n + 1, sizeof *outcome->lines);
    if (!outcome->lines)
        return false;
    for (char *line = outcome->text, *end; *line != '\0'; line = end) {
        end = line + strcspn(line, "\n");
        if (*end != '\0')
            *end++ = '\0';
        outcome->lines[outcome->n_lines++] = line;
    }
    return true;
}

void tool_outcome_free(struct tool_outcome *outcome) {
    free(outcome->text);
    free(outcome->lines);
    json_decref(outcome->report);
}

static const char *text(const json_t *object, const char *name) {
    const char *value = json_string_value(json_object_get(object, name));
    return value ? value : "";
}

static json_int_t number(const json_t *object, const char *name) {
    return json_integer_value(json_object_get(object, name));
}

__attribute__((format(printf, 2, 3))) static void add(json_t *list, const char *format, ...) {
    char sentence[500];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    json_t *json = json_string(sentence);
    json_array_append_new(list, json ? json : json_string("the output differs"));
}

/* True where two allocations of the same number hold the same. */
static bool holds_the_same(const json_t *a, const json_t *b) {
    return strcmp(text(a, "digest"), text(b, "digest")) == 0;
}

static const json_t *memory_of(const struct tool_outcome *outcome) {
    return json_object_get(outcome->report, "memory");
}

bool tool_noise_find(struct tool_noise *noise, const struct tool_outcome *usual,
                     const struct tool_outcome *again) {
    json_t *allocation;
    size_t i;
    noise->all_lines = usual->n_lines != again->n_lines;
    noise->lines = calloc(usual->n_lines + 1, sizeof *noise->lines);
    noise->memory = json_object();
    if (!noise->lines || !noise->memory)
        return false;
    for (i = 0; !noise->all_lines && i < usual->n_lines; i++)
        noise->lines[i] = strcmp(usual->lines[i], again->lines[i]) != 0;
    json_array_foreach(memory_of(usual), i, allocation) {
        char key[24];
        snprintf(key, sizeof key, "%zu", i);
        if (!holds_the_same(allocation, json_array_get(memory_of(again), i)))
            json_object_set_new(noise->memory, key, json_true());
    }
    return true;
}

void tool_noise_free(struct tool_noise *noise) {
    free(noise->lines);
    json_decref(noise->memory);
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines that are worth comparing, sorted. */
static char **sorted(const struct tool_outcome *outcome, const struct tool_noise *noise,
                     size_t *n) {
    char **lines = calloc(outcome->n_lines + 1, sizeof *lines);
    *n = 0;
    for (size_t i = 0; lines && i < outcome->n_lines; i++)
        if (!noise->lines[i])
            lines[(*n)++] = outcome->lines[i];
    if (lines)
        qsort(lines, *n, sizeof *lines, by_text);
    return lines;
}

static bool has_the_same_lines(const struct tool_outcome *usual, const struct tool_outcome *other,
                               const struct tool_noise *noise) {
    size_t n, k, i = 0;
    char **a = sorted(usual, noise, &n), **b = sorted(other, noise, &k);
    while (a && b && i < n && strcmp(a[i], b[i]) == 0)
        i++;
    free(a);
    free(b);
    return i == n;
}

static void compare_output(json_t *list, const struct tool_outcome *usual,
                           const struct tool_outcome *other, const struct tool_noise *noise) {
    if (noise->all_lines)
        return;
    if (usual->n_lines != other->n_lines) {
        add(list, "it prints %zu lines, in the usual order %zu", other->n_lines, usual->n_lines);
        return;
    }
    if (has_the_same_lines(usual, other, noise))
        return;
    for (size_t i = 0; i < usual->n_lines; i++)
        if (!noise->lines[i] && strcmp(usual->lines[i], other->lines[i]) != 0) {
            add(list, "line %zu of its output is \"%.150s\", in the usual order \"%.150s\"", i + 1,
                other->lines[i], usual->lines[i]);
            return;
        }
}

static void compare_memory(json_t *list, const struct tool_outcome *usual,
                           const struct tool_outcome *other, const struct tool_noise *noise) {
    const json_t *a = memory_of(usual), *b = memory_of(other), *first = NULL;
    size_t n = 0;
    if (json_array_size(a) != json_array_size(b)) {
        add(list, "it allocates device memory %zu times, in the usual order %zu times",
            json_array_size(b), json_array_size(a));
        return;
    }
    for (size_t i = 0; i < json_array_size(a); i++) {
        char key[24];
        snprintf(key, sizeof key, "%zu", i);
        if (holds_the_same(json_array_get(a, i), json_array_get(b, i)) ||
            json_object_get(noise->memory, key))
            continue;
        first = n++ == 0 ? json_array_get(a, i) : first;
    }
    if (n == 0)
        return;
    const char *name = text(first, "name");
    add(list,
        "device memory ends with other contents: allocation %" PRIu64 " (%s%s%" PRIu64 " bytes)%s",
        (uint64_t)number(first, "allocation"), name, *name != '\0' ? ", " : "",
        (uint64_t)number(first, "bytes"), n > 1 ? " and others" : "");
}

/* A finding by kind, kernel and pair of lines, whichever side came first. */
struct mistake {
    const char *kind, *kernel;
    json_int_t low, high;
};

static struct mistake mistake_of(const json_t *finding) {
    json_int_t here = number(json_object_get(finding, "here"), "line");
    json_int_t other = number(json_object_get(finding, "other"), "line");
    return (struct mistake){text(finding, "kind"), text(finding, "kernel"),
                            here < other ? here : other, here < other ? other : here};
}

static const json_t *findings_of(const struct tool_outcome *outcome) {
    return json_object_get(json_object_get(outcome->report, "report"), "findings");
}

/* Findings of `a` that `b` lacks. */
static void compare_findings(json_t *list, const struct tool_outcome *a,
                             const struct tool_outcome *b, const char *what) {
    const json_t *finding, *known;
    size_t i, k;
    json_array_foreach(findings_of(a), i, finding) {
        struct mistake x = mistake_of(finding);
        bool is_known = false;
        json_array_foreach(findings_of(b), k, known) {
            struct mistake y = mistake_of(known);
            is_known |= strcmp(x.kind, y.kind) == 0 && strcmp(x.kernel, y.kernel) == 0 &&
                        x.low == y.low && x.high == y.high;
        }
        if (!is_known)
            add(list, "%s: %s in %s, line %" PRIu64, what, x.kind, x.kernel,
                (uint64_t)(x.high != 0 ? x.high : x.low));
    }
}

static const char *error_of(const struct tool_outcome *outcome) {
    const char *name = text(json_object_get(outcome->report, "error"), "name");
    return *name != '\0' ? name : "none";
}

json_t *tool_outcome_compare(const struct tool_outcome *usual, const struct tool_outcome *other,
                             const struct tool_noise *noise) {
    json_t *list = json_array();
    if (usual->status != other->status)
        add(list, "it ends with status %d, in the usual order with %d", other->status,
            usual->status);
    if (strcmp(error_of(usual), error_of(other)) != 0)
        add(list, "the error that nobody asked for is %s, in the usual order %s", error_of(other),
            error_of(usual));
    compare_output(list, usual, other, noise);
    compare_memory(list, usual, other, noise);
    compare_findings(list, other, usual, "found in this order alone");
    compare_findings(list, usual, other, "found in the usual order, not in this one");
    return list;
}
