/*
 * Helpers of the simulator's tests. A failure of theirs ends the test.
 */
#include "common/simt/tests/run/fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_text(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    char *text = calloc(1, 1 << 20);
    cr_assert_not_null(text);
    *bytes = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    return text;
}

void fixture_open(struct fixture *fixture) {
    struct simt_options options;
    simt_default_options(&options);
    options.timeout_ms = 2000;
    fixture_open_with(fixture, &options);
}

void fixture_open_with(struct fixture *fixture, const struct simt_options *options) {
    memset(fixture, 0, sizeof *fixture);
    fixture->simt = simt_create(options);
    cr_assert_not_null(fixture->simt);
    size_t bytes;
    const char *other = getenv("FIXTURE_PTX");
    char *ptx = read_text(other ? other : FIXTURE_PTX, &bytes);
    fixture->module = simt_module_load(fixture->simt, ptx, bytes, &fixture->diag);
    cr_assert_not_null(fixture->module, "PTX line %u: %s", fixture->diag.line,
                       fixture->diag.message);
    free(ptx);
}

void fixture_close(struct fixture *fixture) {
    simt_destroy(fixture->simt);
}

uint64_t fixture_buffer(struct fixture *fixture, const char *name, const void *bytes,
                        size_t n_bytes, size_t element_bytes) {
    uint64_t address = 0;
    cr_assert_eq(simt_malloc(fixture->simt, n_bytes, &address), SIMT_OK);
    cr_assert_eq(simt_name(fixture->simt, address, name, element_bytes), SIMT_OK);
    if (bytes)
        cr_assert_eq(simt_write(fixture->simt, address, bytes, n_bytes), SIMT_OK);
    return address;
}

uint64_t fixture_ramp(struct fixture *fixture, const char *name, size_t n) {
    int *values = calloc(n, sizeof *values);
    cr_assert_not_null(values);
    for (size_t i = 0; i < n; i++)
        values[i] = (int)i;
    uint64_t address = fixture_buffer(fixture, name, values, n * sizeof *values, sizeof *values);
    free(values);
    return address;
}

uint64_t fixture_zeros(struct fixture *fixture, const char *name, size_t n) {
    uint64_t address = fixture_unwritten(fixture, name, n);
    cr_assert_eq(simt_set(fixture->simt, address, 0, n * sizeof(int)), SIMT_OK);
    return address;
}

uint64_t fixture_unwritten(struct fixture *fixture, const char *name, size_t n) {
    return fixture_buffer(fixture, name, NULL, n * sizeof(int), sizeof(int));
}

int fixture_int(struct fixture *fixture, uint64_t buffer, size_t i) {
    int value = 0;
    cr_assert_eq(simt_read(fixture->simt, &value, buffer + i * sizeof value, sizeof value),
                 SIMT_OK);
    return value;
}

enum simt_status fixture_run(struct fixture *fixture, const char *kernel, unsigned n_blocks,
                             unsigned n_threads, unsigned shared_bytes, const void *params) {
    struct simt_kernel *found = simt_kernel_find(fixture->module, kernel);
    cr_assert_not_null(found, "%s", kernel);
    simt_report_reset(fixture->simt);
    enum simt_status status =
        simt_launch(fixture->simt, found, (struct simt_dim3){n_blocks, 1, 1},
                    (struct simt_dim3){n_threads, 1, 1}, shared_bytes, params, &fixture->diag);
    simt_report(fixture->simt, &fixture->report);
    return status;
}

void fixture_pass(struct fixture *fixture, const char *kernel, unsigned n_blocks,
                  unsigned n_threads, unsigned shared_bytes, const void *params) {
    cr_assert_eq(fixture_run(fixture, kernel, n_blocks, n_threads, shared_bytes, params), SIMT_OK,
                 "%s, line %u: %s", kernel, fixture->diag.line, fixture->diag.message);
}

void fixture_expect_quiet(const struct fixture *fixture) {
    cr_expect_eq(fixture->report.n_findings, 0, "%s",
                 fixture->report.n_findings ? fixture->report.findings[0].message : "");
}

unsigned fixture_line(const char *mark) {
    size_t bytes, length = strlen(mark);
    char *text = read_text(FIXTURE_SOURCE, &bytes);
    unsigned line = 1, found = 0;
    for (const char *at = text; *at && !found; at++) {
        line += *at == '\n';
        if (strncmp(at, mark, length) == 0 && (at[length] == '\n' || at[length] == ' '))
            found = line;
    }
    free(text);
    cr_assert_neq(found, 0, "kernels.cu has no %s", mark);
    return found;
}

struct simt_counters fixture_at(const struct fixture *fixture, const char *mark) {
    unsigned line = fixture_line(mark);
    cr_assert_eq(fixture->report.n_launches, 1);
    const struct simt_launch_report *launch = &fixture->report.launches[0];
    for (size_t i = 0; i < launch->n_lines; i++)
        if (launch->lines[i].line == line)
            return launch->lines[i].counters;
    return (struct simt_counters){0};
}

struct simt_counters fixture_total(const struct fixture *fixture) {
    cr_assert_eq(fixture->report.n_launches, 1);
    return fixture->report.launches[0].total;
}

const struct simt_finding *fixture_finding(const struct fixture *fixture,
                                           enum simt_finding_kind kind) {
    for (size_t i = 0; i < fixture->report.n_findings; i++)
        if (fixture->report.findings[i].kind == kind)
            return &fixture->report.findings[i];
    return NULL;
}

const struct simt_finding *fixture_found(const struct fixture *fixture,
                                         enum simt_finding_kind kind) {
    const struct simt_finding *finding = fixture_finding(fixture, kind);
    cr_assert_not_null(finding, "no %s", simt_finding_word(kind));
    return finding;
}
