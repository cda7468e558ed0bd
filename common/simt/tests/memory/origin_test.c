/*
 * Who wrote a byte last: kernels, the host, or nobody.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/tests/run/fixture.h"

TestSuite(origin, .timeout = 20);

enum { N = 256, BYTES = N * 4 };

struct pair {
    uint64_t in, out;
};

/* Copies `n` ints, a multiple of 32, by a kernel. */
static void run_copy(struct fixture *fixture, uint64_t in, uint64_t out, unsigned n) {
    struct pair params = {in, out};
    struct simt_diag diag;
    enum simt_status status =
        simt_launch(fixture->simt, simt_kernel_find(fixture->module, "copy"),
                    (struct simt_dim3){1, 1, 1}, (struct simt_dim3){n, 1, 1}, 0, &params, &diag);
    cr_assert_eq(status, SIMT_OK, "%s", diag.message);
}

/* The origin of one buffer. */
static struct simt_buffer_origin origin(const struct fixture *fixture, uint64_t address) {
    struct simt_origins origins;
    struct simt_buffer_origin found = {.bytes = 0};
    simt_origins(fixture->simt, &origins);
    cr_expect(origins.is_sure);
    for (size_t i = 0; i < origins.n_buffers; i++)
        if (origins.buffers[i].address == address)
            found = origins.buffers[i];
    free(origins.buffers);
    cr_assert_gt(found.bytes, 0);
    return found;
}

static void expect(const struct fixture *fixture, uint64_t address, uint64_t kernels,
                   uint64_t host) {
    struct simt_buffer_origin found = origin(fixture, address);
    cr_expect_eq(found.by_kernels, kernels, "by kernels: %lu, not %lu", found.by_kernels, kernels);
    cr_expect_eq(found.by_host, host, "by the host: %lu, not %lu", found.by_host, host);
}

static struct pair open_pair(struct fixture *fixture) {
    fixture_open(fixture);
    struct pair pair = {fixture_ramp(fixture, "in", N), fixture_unwritten(fixture, "out", N)};
    simt_report_reset(fixture->simt);
    return pair;
}

Test(origin, is_the_last_writer) {
    struct fixture fixture;
    struct pair pair = open_pair(&fixture);
    uint32_t word = 1;
    expect(&fixture, pair.out, 0, 0);
    run_copy(&fixture, pair.in, pair.out, 64);
    expect(&fixture, pair.out, 64 * 4, 0);
    simt_set(fixture.simt, pair.out + 60 * 4 + 1, 0, 20);
    expect(&fixture, pair.out, 60 * 4 + 1, 20);
    simt_write(fixture.simt, pair.out + BYTES - 4, &word, 4);
    expect(&fixture, pair.out, 60 * 4 + 1, 24);
    run_copy(&fixture, pair.in, pair.out, N);
    expect(&fixture, pair.out, BYTES, 0);
    simt_set(fixture.simt, pair.out, 0, BYTES);
    expect(&fixture, pair.out, 0, BYTES);
    run_copy(&fixture, pair.in, pair.out, 32);
    expect(&fixture, pair.out, 32 * 4, BYTES - 32 * 4);
    fixture_close(&fixture);
}

Test(origin, is_counted_from_the_reset_on) {
    struct fixture fixture;
    struct pair pair = open_pair(&fixture);
    expect(&fixture, pair.in, 0, 0);
    run_copy(&fixture, pair.in, pair.out, N);
    simt_write(fixture.simt, pair.in, "abcd", 4);
    expect(&fixture, pair.in, 0, 4);
    simt_set(fixture.simt, pair.out, 0, BYTES);
    simt_report_reset(fixture.simt);
    expect(&fixture, pair.in, 0, 0);
    expect(&fixture, pair.out, 0, 0);
    fixture_close(&fixture);
}

Test(origin, goes_along_with_copies_on_the_device) {
    struct fixture fixture;
    struct pair pair = open_pair(&fixture);
    uint64_t temp;
    cr_assert_eq(simt_malloc(fixture.simt, BYTES, &temp), SIMT_OK);
    simt_write(fixture.simt, temp, "abcdefgh", 8);
    simt_copy(fixture.simt, pair.out, temp, 8);
    expect(&fixture, pair.out, 0, 8);
    run_copy(&fixture, pair.in, temp, 64);
    simt_copy(fixture.simt, pair.out + 3, temp + 2, 9);
    expect(&fixture, pair.out, 9, 3);
    simt_set(fixture.simt, temp, 0, BYTES);
    simt_copy(fixture.simt, pair.out, temp, BYTES);
    expect(&fixture, pair.out, 0, BYTES);
    run_copy(&fixture, pair.in, pair.out, 64);
    simt_copy(fixture.simt, pair.out + 32 * 4, pair.out, 64 * 4); /* overlaps */
    expect(&fixture, pair.out, 96 * 4, BYTES - 96 * 4);
    fixture_close(&fixture);
}

Test(origin, says_what_the_host_has_read_and_written) {
    struct fixture fixture;
    struct pair pair = open_pair(&fixture);
    struct simt_origins origins;
    fixture_int(&fixture, pair.in, 3);
    fixture_int(&fixture, pair.in, 3);
    simt_write(fixture.simt, pair.out, "abcdefgh", 8);
    simt_options(fixture.simt)->checks = false; /* as for copies that are not the program's */
    fixture_int(&fixture, pair.out, 0);
    simt_origins(fixture.simt, &origins);
    cr_expect_eq(origins.to_host, 8);
    cr_expect_eq(origins.from_host, 8);
    free(origins.buffers);
    cr_expect_eq(origin(&fixture, pair.in).to_host, 8);
    cr_expect_eq(origin(&fixture, pair.out).to_host, 0);
    fixture_close(&fixture);
}

/* The spans of a buffer that nobody has read, as "first+bytes ..."; "?" where nobody knows. */
static void expect_unread(const struct fixture *fixture, uint64_t address, const char *wanted) {
    const struct simt_buffer_origin found = origin(fixture, address);
    char text[200] = "?";
    int used = 0;
    if (found.knows_readers)
        used = snprintf(text, sizeof text, "%lu:", found.unread_bytes);
    for (unsigned i = 0; i < found.n_unread; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %lu+%lu", found.unread[i].first,
                         found.unread[i].bytes);
    cr_expect_str_eq(text, wanted);
}

Test(origin, says_what_nobody_has_read) {
    struct fixture fixture;
    struct pair pair = open_pair(&fixture);
    expect_unread(&fixture, pair.in, "1024: 0+1024");
    run_copy(&fixture, pair.in, pair.out, 32);
    expect_unread(&fixture, pair.in, "?"); /* the checks don't need to know */
    simt_options(fixture.simt)->keeps_readers = true;
    simt_report_reset(fixture.simt);
    run_copy(&fixture, pair.in, pair.out, 64);
    expect_unread(&fixture, pair.in, "768: 256+768");
    run_copy(&fixture, pair.in + 128 * 4, pair.out, 32);
    expect_unread(&fixture, pair.in, "640: 256+256 640+384");
    expect_unread(&fixture, pair.out, "1024: 0+1024");
    fixture_int(&fixture, pair.out, 3);
    expect_unread(&fixture, pair.out, "?");
    simt_report_reset(fixture.simt);
    expect_unread(&fixture, pair.in, "1024: 0+1024");
    expect_unread(&fixture, pair.out, "1024: 0+1024");
    simt_copy(fixture.simt, pair.out, pair.in, 4);
    expect_unread(&fixture, pair.in, "?");
    run_copy(&fixture, pair.out, pair.in, 32);
    expect_unread(&fixture, pair.out, "896: 128+896");
    fixture_close(&fixture);
}

Test(origin, is_not_known_of_kernels_without_checks) {
    struct fixture fixture;
    struct pair pair = open_pair(&fixture);
    struct simt_origins origins;
    simt_options(fixture.simt)->checks = false;
    run_copy(&fixture, pair.in, pair.out, 64);
    simt_origins(fixture.simt, &origins);
    cr_expect_not(origins.is_sure);
    free(origins.buffers);
    simt_report_reset(fixture.simt);
    simt_origins(fixture.simt, &origins);
    cr_expect(origins.is_sure);
    free(origins.buffers);
    fixture_close(&fixture);
}

/* What the host wrote can be read, and what it did not write can't: word by word, by rows of all
 * sorts, before and after a kernel has written some of it. */
Test(origin, leaves_what_the_host_wrote_defined) {
    struct fixture fixture;
    struct pair pair = open_pair(&fixture);
    uint64_t part = fixture_unwritten(&fixture, "part", N);
    simt_set(fixture.simt, part + 4, 7, 63 * 4);
    fixture_run(&fixture, "copy", 1, 64, 0, (uint64_t[]){part, pair.out});
    const struct simt_finding *finding = fixture_finding(&fixture, SIMT_FINDING_UNINITIALISED);
    cr_assert_not_null(finding);
    cr_expect_str_eq(finding->place, "part[0]");
    cr_expect_eq(finding->count, 1);
    run_copy(&fixture, pair.in, part, 32);
    fixture_run(&fixture, "copy", 1, 64, 0, (uint64_t[]){part, pair.out});
    cr_expect_eq(fixture.report.n_findings, 0);
    simt_set(fixture.simt, part, 7, 64 * 4);
    fixture_run(&fixture, "copy", 1, 64, 0, (uint64_t[]){part, pair.out});
    cr_expect_eq(fixture.report.n_findings, 0);
    fixture_close(&fixture);
}
