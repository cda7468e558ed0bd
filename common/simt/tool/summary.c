/*
 * The report of a program in words: what each kernel did, what went wrong, at which line.
 */
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "common/base/owned.h"
#include "common/base/text.h"
#include "common/simt/simt.h"
#include "common/simt/tool/tool.h"

static uint64_t count(const json_t *counters, const char *name) {
    return (uint64_t)json_integer_value(json_object_get(counters, name));
}

static const char *text(const json_t *object, const char *name) {
    const char *value = json_string_value(json_object_get(object, name));
    return value ? value : "";
}

/* A number with commas: "1,728,020,480". */
struct digits {
    char text[32];
};

static struct digits grouped(uint64_t number) {
    struct digits out;
    char plain[24];
    int n = snprintf(plain, sizeof plain, "%" PRIu64, number);
    size_t at = 0;
    for (int i = 0; i < n; i++) {
        out.text[at++] = plain[i];
        if ((n - i) % 3 == 1 && i + 1 < n)
            out.text[at++] = ',';
    }
    out.text[at] = '\0';
    return out;
}

static double ratio(uint64_t a, uint64_t b) {
    return b == 0 ? 0 : (double)a / (double)b;
}

/* One side of memory: requests, and how many parts each took. */
static void show_requests(FILE *out, const char *label, uint64_t requests, uint64_t parts,
                          const char *what) {
    if (requests != 0)
        fprintf(out, "    %-22s %15s   %.2f %s each\n", label, grouped(requests).text,
                ratio(parts, requests), what);
}

static void show_count(FILE *out, const char *label, uint64_t number) {
    if (number != 0)
        fprintf(out, "    %-22s %15s\n", label, grouped(number).text);
}

/* The counters that have a row of their own. */
static void show_others(const json_t *counters, FILE *out) {
#define COUNTER_UNIT(name, unit, definition) {#name, unit},
    static const struct { const char *name, *unit; } all[] = {SIMT_COUNTERS(COUNTER_UNIT)};
#undef COUNTER_UNIT
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        OWNED char *words = *all[i].unit ? text_replace(all[i].name, "_", " ") : NULL;
        if (words)
            show_count(out, words, count(counters, all[i].name));
    }
}

static void show_kernel(const json_t *kernel, FILE *out) {
    const json_t *c = json_object_get(kernel, "counters");
    uint64_t launches = count(kernel, "launches"), failed = count(kernel, "failed");
    uint64_t warps = count(c, "warp_instructions");
    fprintf(out, "  %s: %s launch%s", text(kernel, "kernel"), grouped(launches).text,
            launches == 1 ? "" : "es");
    if (failed != 0)
        fprintf(out, ", %s failed", grouped(failed).text);
    fprintf(out, "\n    %-22s %15s   %.1f lanes each\n", "warp instructions", grouped(warps).text,
            ratio(count(c, "thread_instructions"), warps));
    if (count(c, "machine_instructions") > warps)
        show_count(out, "machine instructions", count(c, "machine_instructions"));
    if (count(c, "branches") != 0)
        fprintf(out, "    %-22s %15s   %.1f %% divergent\n", "branches",
                grouped(count(c, "branches")).text,
                100 * ratio(count(c, "divergent_branches"), count(c, "branches")));
    show_requests(out, "global loads", count(c, "global_loads"), count(c, "global_load_sectors"),
                  "sectors");
    show_requests(out, "global stores", count(c, "global_stores"), count(c, "global_store_sectors"),
                  "sectors");
    show_requests(out, "shared loads", count(c, "shared_loads"), count(c, "shared_load_wavefronts"),
                  "wavefronts");
    show_requests(out, "shared stores", count(c, "shared_stores"),
                  count(c, "shared_store_wavefronts"), "wavefronts");
    show_count(out, "bank conflicts", count(c, "bank_conflicts"));
    show_count(out, "barriers", count(c, "barriers"));
    show_others(c, out);
}

static void show_finding(const json_t *finding, FILE *out) {
    const json_t *here = json_object_get(finding, "here");
    const char *file = text(here, "file"), *slash = strrchr(file, '/');
    uint64_t line = count(here, "line"), times = count(finding, "count");
    fprintf(out, "  ");
    if (line != 0)
        fprintf(out, "%s:%" PRIu64 ": ", slash ? slash + 1 : file, line);
    fprintf(out, "%s in %s%s", text(finding, "kind"), text(finding, "kernel"),
            times > 1 ? "" : "\n");
    if (times > 1)
        fprintf(out, ", seen %s times\n", grouped(times).text);
    if (*text(finding, "message") != '\0')
        fprintf(out, "    %s\n", text(finding, "message"));
    if (*text(finding, "advice") != '\0')
        fprintf(out, "    %s\n", text(finding, "advice"));
    if (strcmp(text(finding, "kind"), "endless") == 0 ||
        strcmp(text(finding, "kind"), "costly") == 0)
        fprintf(out, "    If it needs more, --budget gives it more; with --budget 0 nothing "
                     "stops it.\n");
}

/* Whether a finding says it already. */
static bool is_known(const json_t *findings, const char *said) {
    json_t *finding;
    size_t i;
    json_array_foreach(findings, i, finding) {
        const char *message = text(finding, "message");
        if (*message != '\0' && strstr(said, message))
            return true;
    }
    return false;
}

static void show_end(const json_t *report, const json_t *findings, FILE *out) {
    const json_t *error = json_object_get(report, "error");
    const json_t *leaks = json_object_get(report, "leaks");
    if (json_is_object(error))
        fprintf(out, "%s: %s (%s)\n",
                json_is_true(json_object_get(error, "lost_context"))
                    ? "A kernel died, and the context with it"
                    : "An error that the program never asked for",
                text(error, "name"), text(error, "text"));
    if (*text(report, "said") != '\0' && !is_known(findings, text(report, "said")))
        fprintf(out, "Last said by the simulator: %s\n", text(report, "said"));
    if (count(leaks, "allocations") != 0)
        fprintf(out, "Never freed: %s bytes in %s allocation%s\n",
                grouped(count(leaks, "bytes")).text, grouped(count(leaks, "allocations")).text,
                count(leaks, "allocations") == 1 ? "" : "s");
}

bool tool_summarise(const char *report_path, FILE *out) {
    json_t *report = json_load_file(report_path, 0, NULL), *item;
    size_t i;
    if (!report)
        return false;
    const json_t *kernels = json_object_get(report, "kernels");
    const json_t *findings = json_object_get(json_object_get(report, "report"), "findings");
    fprintf(out, "\nOn %s", text(report, "name"));
    if (count(report, "seed") != 0)
        fprintf(out, ", streams in the order of seed %" PRIu64, count(report, "seed"));
    fprintf(out, "%s\n", json_array_size(kernels) == 0 ? ": no kernel ran." : ":");
    json_array_foreach(kernels, i, item) {
        show_kernel(item, out);
    }
    if (json_array_size(findings) != 0)
        fprintf(out, "Findings:\n");
    json_array_foreach(findings, i, item) {
        show_finding(item, out);
    }
    show_end(report, findings, out);
    json_decref(report);
    return true;
}
