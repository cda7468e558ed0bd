/*
 * Device memory as the host sees it.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>

#include "common/simt/simt.h"

static struct simt *open_device(void) {
    struct simt_options options;
    simt_default_options(&options);
    options.global_bytes = 1 << 20;
    struct simt *simt = simt_create(&options);
    cr_assert_not_null(simt);
    return simt;
}

Test(space, keeps_a_gap_between_allocations) {
    struct simt *simt = open_device();
    uint64_t first, second;
    cr_assert_eq(simt_malloc(simt, 1, &first), SIMT_OK);
    cr_assert_eq(simt_malloc(simt, 300, &second), SIMT_OK);
    cr_expect_eq(first % 256, 0);
    cr_expect_eq(second % 256, 0);
    cr_expect_geq(second - first, 513);
    cr_expect(simt_is_device_address(simt, first));
    cr_expect_not(simt_is_device_address(simt, (uint64_t)(uintptr_t)&first));
    simt_destroy(simt);
}

Test(space, copies_exactly_what_was_allocated) {
    struct simt *simt = open_device();
    uint64_t p, q;
    char text[8] = "";
    simt_malloc(simt, 7, &p);
    simt_malloc(simt, 7, &q);
    cr_expect_eq(simt_write(simt, p, "abcdefg", 7), SIMT_OK);
    cr_expect_eq(simt_write(simt, p, "abcdefgh", 8), SIMT_BAD_ADDRESS);
    cr_expect_eq(simt_write(simt, p + 1, "abcdefg", 7), SIMT_BAD_ADDRESS);
    cr_expect_eq(simt_copy(simt, q, p, 7), SIMT_OK);
    cr_expect_eq(simt_set(simt, q + 1, 'x', 2), SIMT_OK);
    cr_expect_eq(simt_read(simt, text, q, 7), SIMT_OK);
    cr_expect_str_eq(text, "axxdefg");
    cr_expect_eq(simt_read(simt, text, q, 8), SIMT_BAD_ADDRESS);
    cr_expect_eq(simt_read(simt, text, 0, 1), SIMT_BAD_ADDRESS);
    cr_expect_eq(simt_read(simt, text, 0, 0), SIMT_OK);
    simt_destroy(simt);
}

Test(space, refuses_what_is_not_an_allocation) {
    struct simt *simt = open_device();
    uint64_t p;
    simt_malloc(simt, 16, &p);
    cr_expect_eq(simt_free(simt, p + 1), SIMT_BAD_ADDRESS);
    cr_expect_eq(simt_free(simt, p), SIMT_OK);
    cr_expect_eq(simt_free(simt, p), SIMT_BAD_ADDRESS);
    cr_expect_eq(simt_name(simt, p, "p", 4), SIMT_BAD_ADDRESS);
    cr_expect_eq(simt_undefine(simt, p, 4), SIMT_BAD_ADDRESS);
    simt_destroy(simt);
}

Test(space, knows_its_capacity) {
    struct simt *simt = open_device();
    uint64_t p, q;
    size_t unused, total;
    cr_expect_eq(simt_malloc(simt, (1 << 20) + 1, &p), SIMT_NO_MEMORY);
    cr_expect_eq(simt_malloc(simt, SIZE_MAX - 4096, &p), SIMT_NO_MEMORY);
    cr_assert_eq(simt_malloc(simt, 1 << 20, &p), SIMT_OK);
    cr_expect_eq(simt_malloc(simt, 1, &q), SIMT_NO_MEMORY);
    simt_memory_info(simt, &unused, &total);
    cr_expect_eq(unused, 0);
    cr_expect_eq(total, 1 << 20);
    simt_free(simt, p);
    cr_expect_eq(simt_malloc(simt, 1, &q), SIMT_OK);
    simt_destroy(simt);
}

Test(space, does_not_hand_out_an_address_twice) {
    struct simt *simt = open_device();
    uint64_t before = 0, p;
    for (int i = 0; i < 1000; i++) {
        cr_assert_eq(simt_malloc(simt, 1000, &p), SIMT_OK);
        cr_assert_gt(p, before);
        before = p;
        simt_free(simt, p);
    }
    simt_destroy(simt);
}

Test(space, faults_when_the_host_reads_it, .signal = SIGSEGV) {
#ifdef __SANITIZE_ADDRESS__
    /* The sanitizer would take the signal for an error of the program. */
    signal(SIGSEGV, SIG_DFL);
#endif
    struct simt *simt = open_device();
    uint64_t p;
    simt_malloc(simt, 4, &p);
    volatile int value = *(volatile int *)(uintptr_t)p;
    (void)value;
    simt_destroy(simt);
}
