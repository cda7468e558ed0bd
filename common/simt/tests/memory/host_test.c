/*
 * Device memory against the host's: what may be allocated, and what happens when it is touched.
 */
#include "common/simt/memory/host.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/simt/tests/run/fixture.h"

enum { MIB = 1 << 20 };

/* A device that may take this much of the host's memory. */
static struct fixture open_fixture(size_t host_bytes) {
    struct simt_options options;
    struct fixture fixture;
    simt_default_options(&options);
    options.global_bytes = (size_t)1 << 40;
    options.host_bytes = host_bytes;
    fixture_open_with(&fixture, &options);
    return fixture;
}

/* Of this process alone, whatever others do at the same time. */
static size_t resident_bytes(void) {
    size_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    cr_assert(file && fscanf(file, "%*u %zu", &pages) == 1);
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

Test(host, has_room) {
    struct simt_host host;
    simt_host_open(&host, 0);
    cr_expect_gt(simt_host_room(&host), 0);
    simt_host_open(&host, 64 * MIB);
    cr_expect_leq(simt_host_room(&host), 64 * MIB);
    host.reserve = SIZE_MAX;
    cr_expect_eq(simt_host_room(&host), 0);
}

Test(host, heeds_limits_of_the_process) {
    struct rlimit limit = {(rlim_t)INT64_MAX, (rlim_t)INT64_MAX};
    struct simt_host host;
    simt_host_open(&host, 0);
    size_t before = simt_host_room(&host);
    cr_assert_eq(setrlimit(RLIMIT_DATA, &limit), 0);
    cr_expect_geq(simt_host_room(&host), before / 2);
#ifndef __SANITIZE_ADDRESS__ /* which has terabytes of data already */
    limit.rlim_cur = 1;
    cr_assert_eq(setrlimit(RLIMIT_DATA, &limit), 0);
    cr_expect_eq(simt_host_room(&host), 0);
#endif
}

Test(host, lends_all_of_its_memory_to_one_allocation) {
    struct fixture fixture = open_fixture(0);
    size_t free_bytes, total_bytes;
    uint64_t huge, more, out = fixture_zeros(&fixture, "out", 32);
    simt_memory_info(fixture.simt, &free_bytes, &total_bytes);
    size_t before = resident_bytes();
    cr_assert_eq(simt_malloc(fixture.simt, free_bytes, &huge), SIMT_OK, "%zu bytes", free_bytes);
    cr_expect_eq(simt_malloc(fixture.simt, 1, &more), SIMT_NO_MEMORY);
    int seven = 7;
    uint64_t end = huge + free_bytes / 4 * 4 - 128;
    for (int i = 0; i < 32; i++)
        cr_assert_eq(simt_write(fixture.simt, end + 4 * i, &seven, 4), SIMT_OK);
    struct {
        uint64_t in, out;
    } params = {end, out};
    fixture_pass(&fixture, "copy", 1, 32, 0, &params);
    cr_expect_eq(fixture_int(&fixture, out, 31), 7);
    cr_expect_lt(resident_bytes(), before + 64 * MIB, "what nobody touches costs nothing");
    cr_expect_eq(simt_free(fixture.simt, huge), SIMT_OK);
    cr_expect_eq(simt_malloc(fixture.simt, 1, &more), SIMT_OK);
    fixture_close(&fixture);
}

Test(host, refuses_more_than_there_is) {
    struct fixture fixture = open_fixture(64 * MIB);
    size_t free_bytes, total_bytes;
    uint64_t p;
    simt_memory_info(fixture.simt, &free_bytes, &total_bytes);
    cr_expect_leq(free_bytes, 64 * MIB);
    cr_expect_gt(total_bytes, free_bytes);
    cr_expect_eq(simt_malloc(fixture.simt, 65 * MIB, &p), SIMT_NO_MEMORY);
    cr_expect_eq(simt_malloc(fixture.simt, (size_t)1 << 50, &p), SIMT_NO_MEMORY);
    cr_expect_eq(simt_malloc_managed(fixture.simt, (size_t)1 << 50, &p), SIMT_NO_MEMORY);
    cr_expect_eq(simt_malloc(fixture.simt, MIB, &p), SIMT_OK, "and goes on");
    fixture_close(&fixture);
}

/* 4 MiB a block. */
static enum simt_status touch_pages(struct fixture *fixture, uint64_t to, unsigned n_blocks) {
    return fixture_run(fixture, "touch_pages", n_blocks, 1024, 0, &to);
}

Test(host, ends_a_kernel_that_uses_up_its_memory) {
    struct fixture fixture = open_fixture(256 * MIB);
    uint64_t out;
    cr_assert_eq(simt_malloc(fixture.simt, 240 * MIB, &out), SIMT_OK);
    size_t before = resident_bytes();
    cr_expect_eq(touch_pages(&fixture, out, 60), SIMT_NO_MEMORY,
                 "with its shadow it takes 720 MiB");
    cr_expect(strstr(fixture.diag.message, "more memory than this computer has to spare"), "%s",
              fixture.diag.message);
    cr_expect_eq(fixture.diag.line, fixture_line("@page"));
    cr_expect_lt(resident_bytes(), before + (size_t)600 * MIB);
    cr_expect_eq(touch_pages(&fixture, out, 1), SIMT_NO_MEMORY, "there is none left");
    simt_free(fixture.simt, out);
    cr_assert_eq(simt_malloc(fixture.simt, 16 * MIB, &out), SIMT_OK);
    cr_expect_eq(touch_pages(&fixture, out, 4), SIMT_OK, "what was freed can be had again");
    fixture_close(&fixture);
}

#ifndef __SANITIZE_ADDRESS__
Test(host, ends_a_kernel_whose_checks_find_no_memory) {
    struct fixture fixture = open_fixture(0);
    uint64_t out;
    cr_assert_eq(simt_malloc(fixture.simt, 256 * MIB, &out), SIMT_OK);
    struct simt_host host = {0};
    struct rlimit limit = {1, RLIM_INFINITY};
    /* The least limit that leaves room for all but the shadow, of 512 MiB. */
    while (setrlimit(RLIMIT_DATA, &limit) == 0 && simt_host_room(&host) < 300 * MIB)
        limit.rlim_cur += 64 * MIB;
    cr_expect_eq(touch_pages(&fixture, out, 1), SIMT_NO_MEMORY);
    simt_options(fixture.simt)->checks = false;
    cr_expect_eq(touch_pages(&fixture, out, 1), SIMT_OK, "%s", fixture.diag.message);
    fixture_close(&fixture);
}
#endif

Test(host, ends_a_fill_that_uses_up_its_memory) {
    struct fixture fixture = open_fixture(512 * MIB);
    uint64_t p, q;
    cr_assert_eq(simt_malloc(fixture.simt, 250 * MIB, &p), SIMT_OK);
    cr_assert_eq(simt_malloc(fixture.simt, 250 * MIB, &q), SIMT_OK);
    cr_expect_eq(touch_pages(&fixture, p, 60), SIMT_OK, "with its shadow it takes 480 MiB");
    cr_expect_eq(simt_set(fixture.simt, q, 0, 250 * MIB), SIMT_NO_MEMORY);
    fixture_close(&fixture);
}

static const struct simt_finding *read_from(struct fixture *fixture, uint64_t address) {
    struct {
        uint64_t in, out;
    } params = {address, fixture_zeros(fixture, "out", 32)};
    cr_expect_eq(fixture_run(fixture, "copy", 1, 32, 0, &params), SIMT_ILLEGAL_ADDRESS);
    return fixture_finding(fixture, SIMT_FINDING_OUT_OF_BOUNDS);
}

Test(host, is_named_where_a_kernel_follows_its_pointer) {
    struct fixture fixture = open_fixture(0);
    int mine[32] = {0};
    const struct simt_finding *finding = read_from(&fixture, (uintptr_t)mine);
    cr_assert_not_null(finding);
    cr_expect(strstr(finding->message, "reads memory of the host, which a kernel can't reach"),
              "%s", finding->message);
    cr_expect(strstr(finding->advice, "cudaMemcpy"), "%s", finding->advice);
    cr_expect_null(strstr(finding->message, "0x"), "%s is another in each run", finding->message);
    fixture_close(&fixture);
}

/* The simulator is a process of its own in grading, in which the host's memory is not there. The
 * address is of a program's data: where libraries lie, the device's own range may be. */
Test(host, is_named_where_it_is_another_process) {
    struct fixture fixture = open_fixture(0);
    const struct simt_finding *finding = read_from(&fixture, UINT64_C(0x5e303e415fd8));
    cr_assert_not_null(finding);
    cr_expect(strstr(finding->message, "reads memory of the host, which a kernel can't reach"),
              "%s", finding->message);
    cr_expect_null(strstr(finding->message, "0x"), "%s is another in each run", finding->message);
    fixture_close(&fixture);
}

Test(host, is_not_named_where_a_kernel_follows_a_null_pointer) {
    struct fixture fixture = open_fixture(0);
    const struct simt_finding *finding = read_from(&fixture, 0);
    cr_assert_not_null(finding);
    cr_expect(strstr(finding->message, "reads through a null pointer (0x0)"), "%s",
              finding->message);
    finding = read_from(&fixture, UINT64_C(0x123456789000));
    cr_assert_not_null(finding);
    cr_expect(strstr(finding->message, "an address that belongs to no allocation"), "%s",
              finding->message);
    fixture_close(&fixture);
}

#ifndef __SANITIZE_ADDRESS__
Test(host, says_which_limit_an_allocation_hit) {
    const size_t as_much = (size_t)256 * MIB;
    struct fixture fixture = open_fixture(as_much);
    uint64_t address;
    cr_expect_str_empty(simt_memory_refusal(fixture.simt));
    cr_expect_eq(simt_malloc(fixture.simt, (size_t)1 << 41, &address), SIMT_NO_MEMORY);
    cr_expect_not_null(
        strstr(simt_memory_refusal(fixture.simt), "the device has 1099511627776, of"), "%s",
        simt_memory_refusal(fixture.simt));
    cr_expect_eq(simt_malloc(fixture.simt, as_much + MIB, &address), SIMT_NO_MEMORY);
    cr_expect_not_null(
        strstr(simt_memory_refusal(fixture.simt), "this computer doesn't: of what it had"), "%s",
        simt_memory_refusal(fixture.simt));
    /* No new pages of this size, though there is room by both counts. */
    struct rlimit usual, none;
    cr_assert_eq(getrlimit(RLIMIT_AS, &usual), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = usual.rlim_max};
    setrlimit(RLIMIT_AS, &none);
    const enum simt_status status = simt_malloc(fixture.simt, as_much / 2, &address);
    setrlimit(RLIMIT_AS, &usual);
    cr_expect_eq(status, SIMT_NO_MEMORY);
    cr_expect_not_null(
        strstr(simt_memory_refusal(fixture.simt), "the operating system doesn't give"), "%s",
        simt_memory_refusal(fixture.simt));
    fixture_close(&fixture);
}
#endif
