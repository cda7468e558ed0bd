/*
 * A program in other legal orders of streams, blocks and warps: results that depend on the order
 * are wrong in one of them, and may be wrong on a GPU any day.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/simt/tool/outcome.h"
#include "common/simt/tool/tool.h"

struct explorer {
    const struct tool_options *options;
    const char *path;
    char *report, *output; /* files of the current run */
    bool has_input;        /* standard input is a file that can be read again */
    off_t input_start;
};

static bool open_explorer(struct explorer *explorer) {
    const char *scratch = explorer->options->scratch;
    struct stat input;
    explorer->has_input = fstat(STDIN_FILENO, &input) == 0 && S_ISREG(input.st_mode);
    explorer->input_start = explorer->has_input ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
    return asprintf(&explorer->report, "%s/report.json", scratch) >= 0 &&
           asprintf(&explorer->output, "%s/output", scratch) >= 0;
}

/* One run; seed 0 is the usual order. False, with errno, where it can't be started. */
static bool run(const struct explorer *explorer, uint64_t seed, bool is_silent,
                struct tool_outcome *outcome) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, seed);
    struct tool_start start = {
        .path = explorer->path,
        .report = explorer->report,
        .seed = digits,
        .streams = {.input = explorer->has_input ? NULL : "/dev/null",
                    .output = explorer->output,
                    .errors = is_silent ? "/dev/null" : NULL},
        .digests = true,
    };
    *outcome = (struct tool_outcome){0};
    unlink(explorer->report);
    if (explorer->has_input)
        lseek(STDIN_FILENO, explorer->input_start, SEEK_SET);
    outcome->status = tool_start(explorer->options, &start);
    return outcome->status >= 0 && tool_outcome_read(outcome, explorer->output, explorer->report);
}

/* Passes on what the program printed in the usual order. */
static void show_output(const char *path) {
    char buffer[1 << 12];
    size_t n;
    FILE *in = fopen(path, "rb");
    while (in && (n = fread(buffer, 1, sizeof buffer, in)) > 0)
        fwrite(buffer, 1, n, stdout);
    if (in)
        fclose(in);
    fflush(stdout);
}

/* A word for a shell. */
static void show_word(const char *word, FILE *out) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./-+=:,@%";
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        fprintf(out, " %s", word);
        return;
    }
    fputs(" '", out);
    for (const char *c = word; *c != '\0'; c++)
        fprintf(out, *c == '\'' ? "'\\''" : "%c", *c);
    fputc('\'', out);
}

static void show_command(const struct tool_options *options, uint64_t seed, FILE *out) {
    fprintf(out, "  again: ./warpbook run --seed %" PRIu64, seed);
    if (options->device) {
        fputs(" --device", out);
        show_word(options->device, out);
    }
    if (options->budget)
        fprintf(out, " --budget %s", options->budget);
    if (options->timeout_ms)
        fprintf(out, " --timeout %s", options->timeout_ms);
    if (options->no_checks)
        fputs(" --no-checks", out);
    show_word(options->program, out);
    for (char *const *argument = options->arguments; *argument; argument++)
        show_word(*argument, out);
    fputc('\n', out);
}

/* What the orders did otherwise: all of it for the first, the seeds of the rest. */
static void show_differences(const struct tool_options *options, const json_t *differing,
                             FILE *out) {
    size_t n = json_array_size(differing), i;
    const json_t *sentence, *order;
    if (n == 0) {
        fprintf(out, "In %u other order%s: the same results.\n", options->n_schedules,
                options->n_schedules == 1 ? "" : "s");
        return;
    }
    fprintf(out, "Results depend on the order, in %zu of %u other orders.\n", n,
            options->n_schedules);
    order = json_array_get(differing, 0);
    uint64_t seed = (uint64_t)json_integer_value(json_object_get(order, "seed"));
    fprintf(out, "  seed %" PRIu64 ":\n", seed);
    json_array_foreach(json_object_get(order, "differences"), i, sentence) {
        fprintf(out, "    %s\n", json_string_value(sentence));
    }
    show_command(options, seed, out);
    if (n > 1)
        fputs("  likewise with seeds", out);
    for (i = 1; i < n; i++)
        fprintf(
            out, " %" PRIu64,
            (uint64_t)json_integer_value(json_object_get(json_array_get(differing, i), "seed")));
    if (n > 1)
        fputc('\n', out);
}

/* Runs the other orders; a new array of those that differ. NULL where one can't be started. */
static json_t *compare_orders(const struct explorer *explorer, const struct tool_outcome *usual,
                              const struct tool_noise *noise) {
    const char *first = explorer->options->seed;
    uint64_t seed = first ? strtoull(first, NULL, 0) : 1;
    json_t *differing = json_array();
    for (unsigned i = 0; i < explorer->options->n_schedules; i++, seed++) {
        struct tool_outcome other;
        seed += seed == 0;
        if (!run(explorer, seed, true, &other)) {
            tool_outcome_free(&other);
            json_decref(differing);
            return NULL;
        }
        json_t *differences = tool_outcome_compare(usual, &other, noise);
        if (json_array_size(differences) != 0)
            json_array_append_new(differing, json_pack("{s: I, s: O}", "seed", (json_int_t)seed,
                                                       "differences", differences));
        json_decref(differences);
        tool_outcome_free(&other);
        if (other.status == TOOL_SIGNAL + 2) /* Ctrl-C */
            break;
    }
    return differing;
}

/* The usual run's report, with what the others did otherwise. */
static void write_json(const struct tool_options *options, json_t *report, json_t *differing,
                       FILE *out) {
    json_object_set_new(report, "schedules",
                        json_pack("{s: I, s: O}", "orders", (json_int_t)options->n_schedules,
                                  "differing", differing));
    if (options->json && json_dump_file(report, options->json, JSON_COMPACT) != 0)
        fprintf(out, "warpbook: %s can't be written.\n", options->json);
}

int tool_explore(const struct tool_options *options, const char *path, FILE *out) {
    struct explorer explorer = {.options = options, .path = path};
    struct tool_outcome usual = {0}, again = {0};
    struct tool_noise noise = {0};
    json_t *differing = NULL;
    int status = -1;
    errno = ENOMEM;
    if (!open_explorer(&explorer) || !run(&explorer, 0, false, &usual))
        goto out;
    show_output(explorer.output);
    if (!tool_summarise(explorer.report, out)) {
        fputs(tool_no_report, out);
        status = usual.status;
        goto out;
    }
    if (!run(&explorer, 0, true, &again) || !tool_noise_find(&noise, &usual, &again) ||
        !(differing = compare_orders(&explorer, &usual, &noise)))
        goto out;
    if (noise.all_lines)
        fputs("Its output changes from run to run in one and the same order: not compared.\n", out);
    show_differences(options, differing, out);
    write_json(options, usual.report, differing, out);
    status = usual.status == 0 && json_array_size(differing) != 0 ? TOOL_DIFFERS : usual.status;
out:
    tool_outcome_free(&usual);
    tool_outcome_free(&again);
    tool_noise_free(&noise);
    json_decref(differing);
    free(explorer.report);
    free(explorer.output);
    return status;
}
