/*
 * Tests of the record and of its JSON text.
 */
#include "common/simt/report/report.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A race of line `reads` with line `writes`. */
static struct simt_finding race(unsigned reads, unsigned writes) {
    return (struct simt_finding){
        .kind = SIMT_FINDING_SHARED_RACE,
        .kernel = "sum",
        .here = {.file = "a.cu", .line = reads, .thread = {5, 0, 0}, .what = "reads"},
        .other = {.file = "a.cu", .line = writes, .thread = {4, 0, 0}, .what = "writes"},
        .place = "tile + 4",
        .message = "They race.",
        .count = 1,
    };
}

static json_t *parsed(const struct simt_record *record) {
    struct simt_report report;
    struct simt_buffer_origin buffer = {.bytes = 12,
                                        .name = "sum",
                                        .by_kernels = 4,
                                        .by_host = 6,
                                        .to_host = 8,
                                        .knows_readers = true,
                                        .unread_bytes = 8,
                                        .unread = {{4, 8}},
                                        .n_unread = 1};
    struct simt_origins origins = {
        .is_sure = true, .to_host = 9, .from_host = 10, .buffers = &buffer, .n_buffers = 1};
    simt_record_view(record, &report);
    char *text = simt_record_json(&report, &origins);
    cr_assert_not_null(text);
    json_error_t error;
    json_t *json = json_loads(text, 0, &error);
    cr_assert_not_null(json, "%s: %s", error.text, text);
    free(text);
    return json;
}

Test(report, counts_a_mistake_once_for_a_pair_of_lines) {
    struct simt_record *record = simt_record_new();
    struct simt_report report;
    struct simt_finding first = race(10, 12), again = race(10, 12), swapped = race(12, 10);
    again.here.thread.x = 99;
    again.count = 5;
    simt_record_finding(record, &first);
    simt_record_finding(record, &again);
    cr_expect(simt_record_again(record, &swapped), "the sides' order is chance");
    simt_record_view(record, &report);
    cr_assert_eq(report.n_findings, 1);
    cr_expect_eq(report.findings[0].count, 7);
    cr_expect_eq(report.findings[0].here.thread.x, 5, "the first witness stays");
    simt_record_free(record);
}

Test(report, keeps_different_mistakes_apart) {
    struct simt_record *record = simt_record_new();
    struct simt_report report;
    struct simt_finding one = race(10, 12), line = race(10, 13), kind = one, kernel = one,
                        alone = one;
    kind.kind = SIMT_FINDING_GLOBAL_RACE;
    kernel.kernel = "other";
    alone.other.what = NULL;
    simt_record_finding(record, &one);
    cr_expect_not(simt_record_again(record, &line));
    simt_record_finding(record, &line);
    simt_record_finding(record, &kind);
    simt_record_finding(record, &kernel);
    simt_record_finding(record, &alone);
    simt_record_view(record, &report);
    cr_expect_eq(report.n_findings, 5);
    simt_record_free(record);
}

Test(report, is_bounded) {
    struct simt_record *record = simt_record_new();
    struct simt_report report;
    struct simt_launch_report launch = {.kernel = "sum"};
    for (unsigned i = 0; i < SIMT_MAX_LAUNCHES + 3; i++)
        simt_record_launch(record, &launch);
    for (unsigned i = 0; i < 2 * SIMT_MAX_FINDINGS; i++) {
        struct simt_finding finding = race(i, 1000);
        simt_record_finding(record, &finding);
    }
    simt_record_view(record, &report);
    cr_expect_eq(report.n_launches, SIMT_MAX_LAUNCHES);
    cr_expect_eq(report.n_launches_dropped, 3);
    cr_expect_eq(report.n_findings, SIMT_MAX_FINDINGS);
    simt_record_reset(record);
    simt_record_view(record, &report);
    cr_expect_eq(report.n_launches + report.n_launches_dropped + report.n_findings, 0);
    simt_record_free(record);
}

Test(report, outlives_what_it_was_given) {
    struct simt_record *record = simt_record_new();
    struct simt_report report;
    char kernel[] = "sum", file[] = "a.cu";
    struct simt_line line = {.file = file, .line = 7, .counters.branches = 2};
    struct simt_launch_report launch = {.kernel = kernel, .lines = &line, .n_lines = 1};
    simt_record_launch(record, &launch);
    kernel[0] = file[0] = '#';
    line.line = 0;
    simt_record_view(record, &report);
    cr_expect_str_eq(report.launches[0].kernel, "sum");
    cr_expect_str_eq(report.launches[0].lines[0].file, "a.cu");
    cr_expect_eq(report.launches[0].lines[0].line, 7);
    simt_record_free(record);
}

Test(report, writes_launches_as_documented) {
    struct simt_record *record = simt_record_new();
    struct simt_line line = {.file = "a.cu", .line = 7, .counters.branches = 2};
    struct simt_launch_report launch = {
        .kernel = "sum",
        .grid = {2048, 1, 1},
        .block = {512, 1, 1},
        .shared_bytes = 2048,
        .dynamic_bytes = 1024,
        .status = SIMT_TIMEOUT,
        .total.warp_instructions = UINT64_C(5000000000),
        .lines = &line,
        .n_lines = 1,
    };
    simt_record_launch(record, &launch);
    json_t *json = parsed(record), *counters, *line_counters, *memory;
    const char *kernel, *status, *file;
    int grid, shared, dynamic, dropped, line_number;
    json_error_t error;
    int grid_y, grid_z, block[3];
    int bad = json_unpack_ex(
        json, &error, JSON_STRICT,
        "{s: [{s: s, s: [i, i, i], s: [i, i, i], s: i, s: i, s: s, s: o,"
        "      s: [{s: s, s: i, s: o}]}], s: i, s: [], s: o}",
        "launches", "kernel", &kernel, "grid", &grid, &grid_y, &grid_z, "block", &block[0],
        &block[1], &block[2], "shared_bytes", &shared, "dynamic_bytes", &dynamic, "status", &status,
        "counters", &counters, "lines", "file", &file, "line", &line_number, "counters",
        &line_counters, "launches_dropped", &dropped, "findings", "memory", &memory);
    cr_assert_not(bad, "%s", error.text);
    cr_expect_str_eq(kernel, "sum");
    cr_expect_str_eq(status, "timeout");
    cr_expect_str_eq(file, "a.cu");
    cr_expect_eq(grid, 2048);
    cr_expect_eq(block[0], 512);
    cr_expect_eq(dynamic, 1024);
    cr_expect_eq(line_number, 7);
    cr_expect_eq(json_integer_value(json_object_get(counters, "warp_instructions")),
                 INT64_C(5000000000));
    cr_expect_eq(json_object_size(counters), sizeof(struct simt_counters) / sizeof(uint64_t));
    cr_expect_eq(json_object_size(line_counters), 1, "zeros are left out at lines");
    json_decref(json);
    simt_record_free(record);
}

Test(report, says_who_wrote_as_documented) {
    struct simt_record *record = simt_record_new();
    json_t *json = parsed(record);
    int sure, to_host, from_host, bytes, kernels, host, nobody, read, unread, first, length;
    const char *name;
    int bad = json_unpack(json,
                          "{s: {s: b, s: i, s: i, s: [{s: s, s: i, s: i, s: i, s: i, s: i, "
                          "s: {s: i, s: [[i, i !] !] !} !}] !}}",
                          "memory", "sure", &sure, "to_host", &to_host, "from_host", &from_host,
                          "buffers", "name", &name, "bytes", &bytes, "by_kernels", &kernels,
                          "by_host", &host, "by_nobody", &nobody, "to_host", &read, "unread",
                          "bytes", &unread, "spans", &first, &length);
    cr_assert_not(bad);
    cr_expect(sure);
    cr_expect_str_eq(name, "sum");
    cr_expect(to_host == 9 && from_host == 10);
    cr_expect(bytes == 12 && kernels == 4 && host == 6 && nobody == 2 && read == 8);
    cr_expect(unread == 8 && first == 4 && length == 8);
    json_decref(json);
    simt_record_free(record);
}

Test(report, writes_findings_as_documented) {
    struct simt_record *record = simt_record_new();
    struct simt_finding finding = race(10, 12), alone = race(20, 20);
    snprintf(finding.message, sizeof(finding.message), "a \"quoted\"\nline");
    alone.other.what = NULL;
    alone.here.file = "b\xff.cu";
    simt_record_finding(record, &finding);
    simt_record_finding(record, &alone);
    json_t *json = parsed(record), *findings = json_object_get(json, "findings");
    json_t *first = json_array_get(findings, 0), *second = json_array_get(findings, 1);
    cr_expect_str_eq(json_string_value(json_object_get(first, "kind")), "shared_race");
    cr_expect_str_eq(json_string_value(json_object_get(first, "message")), "a \"quoted\"\nline");
    json_t *other = json_object_get(first, "other");
    cr_expect_str_eq(json_string_value(json_object_get(other, "what")), "writes");
    cr_expect_eq(json_integer_value(json_array_get(json_object_get(other, "thread"), 0)), 4);
    cr_expect(json_is_null(json_object_get(second, "other")));
    json_t *here = json_object_get(second, "here");
    cr_expect_str_eq(json_string_value(json_object_get(here, "file")), "b?.cu",
                     "a name that is no UTF-8 does not cost the report");
    json_decref(json);
    simt_record_free(record);
}

/* Two streams, of which the second waits for the first piece of the first one. */
Test(report, says_what_works_come_after) {
    struct simt_record *record = simt_record_new();
    const struct {
        struct simt_work_report work;
        struct simt_clock clock;
    } works[] = {
        {{.queue = 3, .number = 7, .to_device = 100, .launch = -1}, {.n = {[3] = 7, [5] = 2}}},
        {{.queue = 3, .number = 8, .launch = 0, .n_waits = 4}, {.n = {[3] = 8, [5] = 2}}},
        {{.queue = 5, .number = 3, .from_device = 60, .launch = -1}, {.n = {[3] = 7, [5] = 3}}},
        {{.queue = 5, .number = 4, .launch = -1}, {.n = {[3] = 8, [5] = 4}}},
    };
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++)
        simt_record_work(record, works[i].work, &works[i].clock);
    json_t *json = parsed(record);
    char *text = json_dumps(json_object_get(json, "works"), JSON_COMPACT);
    cr_expect_str_eq(
        text,
        "[{\"queue\":3,\"to_device\":100,\"from_device\":0,\"launch\":-1,\"waits\":0,\"after\":[]},"
        "{\"queue\":3,\"to_device\":0,\"from_device\":0,\"launch\":0,\"waits\":4,\"after\":[0]},"
        "{\"queue\":5,\"to_device\":0,\"from_device\":60,\"launch\":-1,\"waits\":0,\"after\":[0]},"
        "{\"queue\":5,\"to_device\":0,\"from_device\":0,\"launch\":-1,\"waits\":0,\"after\":[2,1]}"
        "]");
    free(text);
    json_decref(json);
    simt_record_reset(record);
    json = parsed(record);
    cr_expect_null(json_object_get(json, "works"), "a report without streams has none");
    json_decref(json);
    simt_record_free(record);
}

Test(report, has_a_word_for_every_status_and_finding) {
    for (int status = SIMT_OK; status <= SIMT_TRAP; status++) {
        cr_expect_str_neq(simt_status_word(status), "unknown");
        cr_expect_gt(strlen(simt_status_text(status)), 10);
    }
    for (int kind = 0; kind < SIMT_N_FINDINGS; kind++)
        cr_expect_str_neq(simt_finding_word(kind), "unknown");
    cr_expect_str_eq(simt_finding_word(99), "unknown");
}

/* A launch that ran two lines one after the other. */
static void launch_lines(struct simt_record *record, unsigned first) {
    struct simt_line lines[] = {{.file = "a.cu", .line = first},
                                {.file = "a.cu", .line = first + 1}};
    struct simt_launch_report launch = {.kernel = "sum", .lines = lines, .n_lines = 2};
    simt_record_launch(record, &launch);
}

Test(report, tells_which_lines_ran_for_the_first_time) {
    struct simt_record *record = simt_record_new();
    launch_lines(record, 7);
    json_auto_t *before = parsed(record);
    cr_expect_null(json_object_get(before, "news"));
    simt_record_reset(record);
    launch_lines(record, 8);
    launch_lines(record, 7);
    json_auto_t *after = parsed(record);
    const json_t *news = json_object_get(after, "news"), *lines = json_object_get(news, "lines");
    cr_expect_eq(json_integer_value(json_object_get(news, "resets")), 1);
    cr_assert_eq(json_array_size(lines), 1);
    cr_expect_eq(json_integer_value(json_object_get(json_array_get(lines, 0), "line")), 9);
    cr_expect_str_eq(json_string_value(json_object_get(json_array_get(lines, 0), "file")), "a.cu");
    simt_record_free(record);
}
