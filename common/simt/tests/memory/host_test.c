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

#include "common/simt/tests/run/rig.h"

enum { MIB = 1 << 20 };

/* A device that may take this much of the host's memory. */
static struct rig open_rig(size_t host_bytes) {
    struct simt_options options;
    struct rig rig;
    simt_default_options(&options);
    options.global_bytes = (size_t)1 << 40;
    options.host_bytes = host_bytes;
    rig_open_with(&rig, &options);
    return rig;
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
    struct rig rig = open_rig(0);
    size_t free_bytes, total_bytes;
    uint64_t huge, more, out = rig_zeros(&rig, "out", 32);
    simt_memory_info(rig.simt, &free_bytes, &total_bytes);
    size_t before = resident_bytes();
    cr_assert_eq(simt_malloc(rig.simt, free_bytes, &huge), SIMT_OK, "%zu bytes", free_bytes);
    cr_expect_eq(simt_malloc(rig.simt, 1, &more), SIMT_NO_MEMORY);
    int seven = 7;
    uint64_t end = huge + free_bytes / 4 * 4 - 128;
    for (int i = 0; i < 32; i++)
        cr_assert_eq(simt_write(rig.simt, end + 4 * i, &seven, 4), SIMT_OK);
    struct {
        uint64_t in, out;
    } params = {end, out};
    rig_pass(&rig, "copy", 1, 32, 0, &params);
    cr_expect_eq(rig_int(&rig, out, 31), 7);
    cr_expect_lt(resident_bytes(), before + 64 * MIB, "what nobody touches costs nothing");
    cr_expect_eq(simt_free(rig.simt, huge), SIMT_OK);
    cr_expect_eq(simt_malloc(rig.simt, 1, &more), SIMT_OK);
    rig_close(&rig);
}

Test(host, refuses_more_than_there_is) {
    struct rig rig = open_rig(64 * MIB);
    size_t free_bytes, total_bytes;
    uint64_t p;
    simt_memory_info(rig.simt, &free_bytes, &total_bytes);
    cr_expect_leq(free_bytes, 64 * MIB);
    cr_expect_gt(total_bytes, free_bytes);
    cr_expect_eq(simt_malloc(rig.simt, 65 * MIB, &p), SIMT_NO_MEMORY);
    cr_expect_eq(simt_malloc(rig.simt, (size_t)1 << 50, &p), SIMT_NO_MEMORY);
    cr_expect_eq(simt_malloc_managed(rig.simt, (size_t)1 << 50, &p), SIMT_NO_MEMORY);
    cr_expect_eq(simt_malloc(rig.simt, MIB, &p), SIMT_OK, "and goes on");
    rig_close(&rig);
}

/* 4 MiB a block. */
static enum simt_status touch_pages(struct rig *rig, uint64_t to, unsigned n_blocks) {
    return rig_run(rig, "touch_pages", n_blocks, 1024, 0, &to);
}

Test(host, ends_a_kernel_that_uses_up_its_memory) {
    struct rig rig = open_rig(256 * MIB);
    uint64_t out;
    cr_assert_eq(simt_malloc(rig.simt, 240 * MIB, &out), SIMT_OK);
    size_t before = resident_bytes();
    cr_expect_eq(touch_pages(&rig, out, 60), SIMT_NO_MEMORY, "with its shadow it takes 720 MiB");
    cr_expect(strstr(rig.diag.message, "more memory than this computer has to spare"), "%s",
              rig.diag.message);
    cr_expect_eq(rig.diag.line, rig_line("@page"));
    cr_expect_lt(resident_bytes(), before + (size_t)600 * MIB);
    cr_expect_eq(touch_pages(&rig, out, 1), SIMT_NO_MEMORY, "there is none left");
    simt_free(rig.simt, out);
    cr_assert_eq(simt_malloc(rig.simt, 16 * MIB, &out), SIMT_OK);
    cr_expect_eq(touch_pages(&rig, out, 4), SIMT_OK, "what was freed can be had again");
    rig_close(&rig);
}

#ifndef __SANITIZE_ADDRESS__
Test(host, ends_a_kernel_whose_checks_find_no_memory) {
    struct rig rig = open_rig(0);
    uint64_t out;
    cr_assert_eq(simt_malloc(rig.simt, 256 * MIB, &out), SIMT_OK);
    struct simt_host host = {0};
    struct rlimit limit = {1, RLIM_INFINITY};
    /* The least limit that leaves room for all but the shadow, of 512 MiB. */
    while (setrlimit(RLIMIT_DATA, &limit) == 0 && simt_host_room(&host) < 300 * MIB)
        limit.rlim_cur += 64 * MIB;
    cr_expect_eq(touch_pages(&rig, out, 1), SIMT_NO_MEMORY);
    simt_options(rig.simt)->checks = false;
    cr_expect_eq(touch_pages(&rig, out, 1), SIMT_OK, "%s", rig.diag.message);
    rig_close(&rig);
}
#endif

Test(host, ends_a_fill_that_uses_up_its_memory) {
    struct rig rig = open_rig(512 * MIB);
    uint64_t p, q;
    cr_assert_eq(simt_malloc(rig.simt, 250 * MIB, &p), SIMT_OK);
    cr_assert_eq(simt_malloc(rig.simt, 250 * MIB, &q), SIMT_OK);
    cr_expect_eq(touch_pages(&rig, p, 60), SIMT_OK, "with its shadow it takes 480 MiB");
    cr_expect_eq(simt_set(rig.simt, q, 0, 250 * MIB), SIMT_NO_MEMORY);
    rig_close(&rig);
}

static const struct simt_finding *read_from(struct rig *rig, uint64_t address) {
    struct {
        uint64_t in, out;
    } params = {address, rig_zeros(rig, "out", 32)};
    cr_expect_eq(rig_run(rig, "copy", 1, 32, 0, &params), SIMT_ILLEGAL_ADDRESS);
    return rig_finding(rig, SIMT_FINDING_OUT_OF_BOUNDS);
}

Test(host, is_named_where_a_kernel_follows_its_pointer) {
    struct rig rig = open_rig(0);
    int mine[32] = {0};
    const struct simt_finding *finding = read_from(&rig, (uintptr_t)mine);
    cr_assert_not_null(finding);
    cr_expect(strstr(finding->message, "reads memory of the host, which a kernel can't reach"),
              "%s", finding->message);
    cr_expect(strstr(finding->advice, "cudaMemcpy"), "%s", finding->advice);
    rig_close(&rig);
}

Test(host, is_not_named_where_a_kernel_follows_a_null_pointer) {
    struct rig rig = open_rig(0);
    const struct simt_finding *finding = read_from(&rig, 0);
    cr_assert_not_null(finding);
    cr_expect(strstr(finding->message, "reads through a null pointer (0x0)"), "%s",
              finding->message);
    finding = read_from(&rig, UINT64_C(0x123456789000));
    cr_assert_not_null(finding);
    cr_expect(strstr(finding->message, "an address that belongs to no allocation"), "%s",
              finding->message);
    rig_close(&rig);
}

#ifndef __SANITIZE_ADDRESS__
Test(host, says_which_limit_an_allocation_hit) {
    const size_t as_much = (size_t)256 * MIB;
    struct rig rig = open_rig(as_much);
    uint64_t address;
    cr_expect_str_empty(simt_memory_refusal(rig.simt));
    cr_expect_eq(simt_malloc(rig.simt, (size_t)1 << 41, &address), SIMT_NO_MEMORY);
    cr_expect_not_null(strstr(simt_memory_refusal(rig.simt), "the device has 1099511627776, of"),
                       "%s", simt_memory_refusal(rig.simt));
    cr_expect_eq(simt_malloc(rig.simt, as_much + MIB, &address), SIMT_NO_MEMORY);
    cr_expect_not_null(
        strstr(simt_memory_refusal(rig.simt), "this computer doesn't: of what it had"), "%s",
        simt_memory_refusal(rig.simt));
    /* No new pages of this size, though there is room by both counts. */
    struct rlimit usual, none;
    cr_assert_eq(getrlimit(RLIMIT_AS, &usual), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = usual.rlim_max};
    setrlimit(RLIMIT_AS, &none);
    const enum simt_status status = simt_malloc(rig.simt, as_much / 2, &address);
    setrlimit(RLIMIT_AS, &usual);
    cr_expect_eq(status, SIMT_NO_MEMORY);
    cr_expect_not_null(strstr(simt_memory_refusal(rig.simt), "the operating system doesn't give"),
                       "%s", simt_memory_refusal(rig.simt));
    rig_close(&rig);
}
#endif
