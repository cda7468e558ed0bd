/*
 * Who wrote a byte last: kernels, the host, or nobody.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/tests/run/rig.h"

TestSuite(origin, .timeout = 20);

enum { N = 256, BYTES = N * 4 };

struct pair {
    uint64_t in, out;
};

/* Copies `n` ints, a multiple of 32, by a kernel. */
static void run_copy(struct rig *rig, uint64_t in, uint64_t out, unsigned n) {
    struct pair params = {in, out};
    struct simt_diag diag;
    enum simt_status status =
        simt_launch(rig->simt, simt_kernel_find(rig->module, "copy"), (struct simt_dim3){1, 1, 1},
                    (struct simt_dim3){n, 1, 1}, 0, &params, &diag);
    cr_assert_eq(status, SIMT_OK, "%s", diag.message);
}

/* The origin of one buffer. */
static struct simt_buffer_origin origin(const struct rig *rig, uint64_t address) {
    struct simt_origins origins;
    struct simt_buffer_origin found = {.bytes = 0};
    simt_origins(rig->simt, &origins);
    cr_expect(origins.is_sure);
    for (size_t i = 0; i < origins.n_buffers; i++)
        if (origins.buffers[i].address == address)
            found = origins.buffers[i];
    free(origins.buffers);
    cr_assert_gt(found.bytes, 0);
    return found;
}

static void expect(const struct rig *rig, uint64_t address, uint64_t kernels, uint64_t host) {
    struct simt_buffer_origin found = origin(rig, address);
    cr_expect_eq(found.by_kernels, kernels, "by kernels: %lu, not %lu", found.by_kernels, kernels);
    cr_expect_eq(found.by_host, host, "by the host: %lu, not %lu", found.by_host, host);
}

static struct pair open_pair(struct rig *rig) {
    rig_open(rig);
    struct pair pair = {rig_ramp(rig, "in", N), rig_unwritten(rig, "out", N)};
    simt_report_reset(rig->simt);
    return pair;
}

Test(origin, is_the_last_writer) {
    struct rig rig;
    struct pair pair = open_pair(&rig);
    uint32_t word = 1;
    expect(&rig, pair.out, 0, 0);
    run_copy(&rig, pair.in, pair.out, 64);
    expect(&rig, pair.out, 64 * 4, 0);
    simt_set(rig.simt, pair.out + 60 * 4 + 1, 0, 20);
    expect(&rig, pair.out, 60 * 4 + 1, 20);
    simt_write(rig.simt, pair.out + BYTES - 4, &word, 4);
    expect(&rig, pair.out, 60 * 4 + 1, 24);
    run_copy(&rig, pair.in, pair.out, N);
    expect(&rig, pair.out, BYTES, 0);
    simt_set(rig.simt, pair.out, 0, BYTES);
    expect(&rig, pair.out, 0, BYTES);
    run_copy(&rig, pair.in, pair.out, 32);
    expect(&rig, pair.out, 32 * 4, BYTES - 32 * 4);
    rig_close(&rig);
}

Test(origin, is_counted_from_the_reset_on) {
    struct rig rig;
    struct pair pair = open_pair(&rig);
    expect(&rig, pair.in, 0, 0);
    run_copy(&rig, pair.in, pair.out, N);
    simt_write(rig.simt, pair.in, "abcd", 4);
    expect(&rig, pair.in, 0, 4);
    simt_set(rig.simt, pair.out, 0, BYTES);
    simt_report_reset(rig.simt);
    expect(&rig, pair.in, 0, 0);
    expect(&rig, pair.out, 0, 0);
    rig_close(&rig);
}

Test(origin, goes_along_with_copies_on_the_device) {
    struct rig rig;
    struct pair pair = open_pair(&rig);
    uint64_t temp;
    cr_assert_eq(simt_malloc(rig.simt, BYTES, &temp), SIMT_OK);
    simt_write(rig.simt, temp, "abcdefgh", 8);
    simt_copy(rig.simt, pair.out, temp, 8);
    expect(&rig, pair.out, 0, 8);
    run_copy(&rig, pair.in, temp, 64);
    simt_copy(rig.simt, pair.out + 3, temp + 2, 9);
    expect(&rig, pair.out, 9, 3);
    simt_set(rig.simt, temp, 0, BYTES);
    simt_copy(rig.simt, pair.out, temp, BYTES);
    expect(&rig, pair.out, 0, BYTES);
    run_copy(&rig, pair.in, pair.out, 64);
    simt_copy(rig.simt, pair.out + 32 * 4, pair.out, 64 * 4); /* overlaps */
    expect(&rig, pair.out, 96 * 4, BYTES - 96 * 4);
    rig_close(&rig);
}

Test(origin, says_what_the_host_has_read_and_written) {
    struct rig rig;
    struct pair pair = open_pair(&rig);
    struct simt_origins origins;
    rig_int(&rig, pair.in, 3);
    rig_int(&rig, pair.in, 3);
    simt_write(rig.simt, pair.out, "abcdefgh", 8);
    simt_options(rig.simt)->checks = false; /* as for copies that are not the program's */
    rig_int(&rig, pair.out, 0);
    simt_origins(rig.simt, &origins);
    cr_expect_eq(origins.to_host, 8);
    cr_expect_eq(origins.from_host, 8);
    free(origins.buffers);
    cr_expect_eq(origin(&rig, pair.in).to_host, 8);
    cr_expect_eq(origin(&rig, pair.out).to_host, 0);
    rig_close(&rig);
}

Test(origin, is_not_known_of_kernels_without_checks) {
    struct rig rig;
    struct pair pair = open_pair(&rig);
    struct simt_origins origins;
    simt_options(rig.simt)->checks = false;
    run_copy(&rig, pair.in, pair.out, 64);
    simt_origins(rig.simt, &origins);
    cr_expect_not(origins.is_sure);
    free(origins.buffers);
    simt_report_reset(rig.simt);
    simt_origins(rig.simt, &origins);
    cr_expect(origins.is_sure);
    free(origins.buffers);
    rig_close(&rig);
}

/* What the host wrote can be read, and what it did not write can't: word by word, by rows of all
 * sorts, before and after a kernel has written some of it. */
Test(origin, leaves_what_the_host_wrote_defined) {
    struct rig rig;
    struct pair pair = open_pair(&rig);
    uint64_t part = rig_unwritten(&rig, "part", N);
    simt_set(rig.simt, part + 4, 7, 63 * 4);
    rig_run(&rig, "copy", 1, 64, 0, (uint64_t[]){part, pair.out});
    const struct simt_finding *finding = rig_finding(&rig, SIMT_FINDING_UNINITIALISED);
    cr_assert_not_null(finding);
    cr_expect_str_eq(finding->place, "part[0]");
    cr_expect_eq(finding->count, 1);
    run_copy(&rig, pair.in, part, 32);
    rig_run(&rig, "copy", 1, 64, 0, (uint64_t[]){part, pair.out});
    cr_expect_eq(rig.report.n_findings, 0);
    simt_set(rig.simt, part, 7, 64 * 4);
    rig_run(&rig, "copy", 1, 64, 0, (uint64_t[]){part, pair.out});
    cr_expect_eq(rig.report.n_findings, 0);
    rig_close(&rig);
}
