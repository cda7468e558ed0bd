/*
 * Helpers of the simulator's tests. A failure of theirs ends the test.
 */
#include "common/simt/tests/run/rig.h"

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

void rig_open(struct rig *rig) {
    struct simt_options options;
    simt_default_options(&options);
    options.timeout_ms = 2000;
    rig_open_with(rig, &options);
}

void rig_open_with(struct rig *rig, const struct simt_options *options) {
    memset(rig, 0, sizeof *rig);
    rig->simt = simt_create(options);
    cr_assert_not_null(rig->simt);
    size_t bytes;
    const char *other = getenv("RIG_PTX");
    char *ptx = read_text(other ? other : RIG_PTX, &bytes);
    rig->module = simt_module_load(rig->simt, ptx, bytes, &rig->diag);
    cr_assert_not_null(rig->module, "PTX line %u: %s", rig->diag.line, rig->diag.message);
    free(ptx);
}

void rig_close(struct rig *rig) {
    simt_destroy(rig->simt);
}

uint64_t rig_buffer(struct rig *rig, const char *name, const void *bytes, size_t n_bytes,
                    size_t element_bytes) {
    uint64_t address = 0;
    cr_assert_eq(simt_malloc(rig->simt, n_bytes, &address), SIMT_OK);
    cr_assert_eq(simt_name(rig->simt, address, name, element_bytes), SIMT_OK);
    if (bytes)
        cr_assert_eq(simt_write(rig->simt, address, bytes, n_bytes), SIMT_OK);
    return address;
}

uint64_t rig_ramp(struct rig *rig, const char *name, size_t n) {
    int *values = calloc(n, sizeof *values);
    cr_assert_not_null(values);
    for (size_t i = 0; i < n; i++)
        values[i] = (int)i;
    uint64_t address = rig_buffer(rig, name, values, n * sizeof *values, sizeof *values);
    free(values);
    return address;
}

uint64_t rig_zeros(struct rig *rig, const char *name, size_t n) {
    uint64_t address = rig_unwritten(rig, name, n);
    cr_assert_eq(simt_set(rig->simt, address, 0, n * sizeof(int)), SIMT_OK);
    return address;
}

uint64_t rig_unwritten(struct rig *rig, const char *name, size_t n) {
    return rig_buffer(rig, name, NULL, n * sizeof(int), sizeof(int));
}

int rig_int(struct rig *rig, uint64_t buffer, size_t i) {
    int value = 0;
    cr_assert_eq(simt_read(rig->simt, &value, buffer + i * sizeof value, sizeof value), SIMT_OK);
    return value;
}

enum simt_status rig_run(struct rig *rig, const char *kernel, unsigned n_blocks, unsigned n_threads,
                         unsigned shared_bytes, const void *params) {
    struct simt_kernel *found = simt_kernel_find(rig->module, kernel);
    cr_assert_not_null(found, "%s", kernel);
    simt_report_reset(rig->simt);
    enum simt_status status =
        simt_launch(rig->simt, found, (struct simt_dim3){n_blocks, 1, 1},
                    (struct simt_dim3){n_threads, 1, 1}, shared_bytes, params, &rig->diag);
    simt_report(rig->simt, &rig->report);
    return status;
}

void rig_pass(struct rig *rig, const char *kernel, unsigned n_blocks, unsigned n_threads,
              unsigned shared_bytes, const void *params) {
    cr_assert_eq(rig_run(rig, kernel, n_blocks, n_threads, shared_bytes, params), SIMT_OK,
                 "%s, line %u: %s", kernel, rig->diag.line, rig->diag.message);
}

void rig_expect_quiet(const struct rig *rig) {
    cr_expect_eq(rig->report.n_findings, 0, "%s",
                 rig->report.n_findings ? rig->report.findings[0].message : "");
}

unsigned rig_line(const char *mark) {
    size_t bytes, length = strlen(mark);
    char *text = read_text(RIG_SOURCE, &bytes);
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

struct simt_counters rig_at(const struct rig *rig, const char *mark) {
    unsigned line = rig_line(mark);
    cr_assert_eq(rig->report.n_launches, 1);
    const struct simt_launch_report *launch = &rig->report.launches[0];
    for (size_t i = 0; i < launch->n_lines; i++)
        if (launch->lines[i].line == line)
            return launch->lines[i].counters;
    return (struct simt_counters){0};
}

struct simt_counters rig_total(const struct rig *rig) {
    cr_assert_eq(rig->report.n_launches, 1);
    return rig->report.launches[0].total;
}

const struct simt_finding *rig_finding(const struct rig *rig, enum simt_finding_kind kind) {
    for (size_t i = 0; i < rig->report.n_findings; i++)
        if (rig->report.findings[i].kind == kind)
            return &rig->report.findings[i];
    return NULL;
}

const struct simt_finding *rig_found(const struct rig *rig, enum simt_finding_kind kind) {
    const struct simt_finding *finding = rig_finding(rig, kind);
    cr_assert_not_null(finding, "no %s", simt_finding_word(kind));
    return finding;
}
