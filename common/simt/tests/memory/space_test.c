/*
 * Device memory as the host sees it.
 */
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "common/simt/memory/space.h"
#include "common/simt/shifted.h"

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

Test(space, shifts_an_allocation_behind_a_round_address) {
    struct simt *simt = open_device();
    uint64_t first, second;
    cr_assert_eq(simt_malloc_shifted(simt, 300, 4, &first), SIMT_OK);
    cr_assert_eq(simt_malloc_shifted(simt, 8, 8, &second), SIMT_OK);
    cr_expect_eq(first % 256, 4);
    cr_expect_eq(second % 256, 8);
    cr_expect_geq(second - first, 512 + 300);
    cr_expect_not(simt_is_range(simt, first - 4, 1), "what lies before belongs to nobody");
    cr_expect_not(simt_is_range(simt, first, 301));
    cr_expect_eq(simt_free(simt, first), SIMT_OK);
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

Test(space, shares_managed_memory_with_the_host) {
    struct simt *simt = open_device();
    uint64_t before, managed, after;
    cr_assert_eq(simt_malloc(simt, 16, &before), SIMT_OK);
    cr_assert_eq(simt_malloc_managed(simt, 5000, &managed), SIMT_OK);
    cr_assert_eq(simt_malloc(simt, 16, &after), SIMT_OK);
    int *host = (int *)(uintptr_t)managed, back = 0, seven = 7;
    host[3] = 42;
    cr_expect_eq(simt_read(simt, &back, managed + 12, 4), SIMT_OK);
    cr_expect_eq(back, 42);
    cr_expect_eq(simt_write(simt, managed + 16, &seven, 4), SIMT_OK);
    cr_expect_eq(host[4], 7);
    cr_expect(simt_is_device_address(simt, managed));
    cr_expect_eq(simt_read(simt, &back, managed + 4998, 4), SIMT_BAD_ADDRESS, "exact to the byte");
    cr_expect_neq(before >> 12, managed >> 12, "no other on its pages");
    cr_expect_neq(after >> 12, (managed + 4999) >> 12);
    cr_expect_eq(simt_free(simt, managed), SIMT_OK);
    simt_destroy(simt);
}

Test(space, faults_when_the_host_reads_managed_memory_after_its_end, .signal = SIGSEGV) {
    struct simt *simt = open_device();
    uint64_t managed;
    cr_assert_eq(simt_malloc_managed(simt, 64, &managed), SIMT_OK);
    volatile int *host = (int *)(uintptr_t)managed;
    host[0] = 1;
    simt_free(simt, managed);
    host[0] = 2;
}

Test(space, manages_an_allocation_that_is_there) {
    struct simt *simt = open_device();
    uint64_t address;
    int five = 5;
    cr_assert_eq(simt_malloc(simt, 4, &address), SIMT_OK);
    cr_assert_eq(simt_write(simt, address, &five, 4), SIMT_OK);
    cr_expect_eq(simt_manage(simt, address + 100), SIMT_BAD_ADDRESS);
    cr_assert_eq(simt_manage(simt, address), SIMT_OK);
    cr_expect_eq(*(int *)(uintptr_t)address, 5, "its bytes stay");
    simt_destroy(simt);
}

Test(space, lends_memory_of_the_host) {
    struct simt *simt = open_device();
    static int range[80], *words = range + 8;
    size_t bytes = 64 * sizeof(int);
    int back[2] = {0, 0}, nine = 9;
    words[0] = 3;
    cr_assert_eq(simt_map(simt, words, bytes), SIMT_OK);
    cr_expect_eq(simt_map(simt, words + 8, 4), SIMT_BAD_ADDRESS, "there already");
    cr_expect_eq(simt_map(simt, words - 1, 8), SIMT_BAD_ADDRESS, "overlaps its beginning");
    uint64_t address = (uint64_t)(uintptr_t)words;
    cr_expect_eq(simt_read(simt, back, address, 4), SIMT_OK);
    cr_expect_eq(back[0], 3);
    cr_expect_eq(simt_write(simt, address + 4, &nine, 4), SIMT_OK);
    cr_expect_eq(words[1], 9);
    cr_expect_eq(simt_read(simt, back, address + bytes, 4), SIMT_BAD_ADDRESS);
    cr_expect_not(simt_is_device_address(simt, address));
    cr_expect_eq(simt_unmap(simt, words + 32), SIMT_BAD_ADDRESS);
    cr_expect_eq(simt_unmap(simt, words), SIMT_OK);
    cr_expect_eq(simt_read(simt, back, address, 4), SIMT_BAD_ADDRESS);
    simt_destroy(simt);
}

static bool is_inside(const struct simt_space *space, uint64_t address, size_t bytes) {
    return address >= space->base && address + bytes <= space->base + space->reserved;
}

/* Memory of the host lies below and above the device's addresses, of which no fresh ones are left:
 * only gaps between the device's own allocations are free. */
Test(space, uses_addresses_of_its_own_again) {
    enum { BLOCK = 1 << 16, N_BLOCKS = 8 };
    struct simt_space space;
    uint64_t blocks[N_BLOCKS], again;
    simt_space_open(&space, 1 << 24);
    const uint64_t sides[] = {space.base / 2, space.base + 2 * space.reserved};
    for (size_t i = 0; i < 2; i++) {
        void *page = mmap((void *)(uintptr_t)sides[i], 4096, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        cr_assert_neq(page, MAP_FAILED);
        cr_assert_eq((uint64_t)(uintptr_t)page < space.base, i == 0);
        cr_assert_eq(simt_space_map(&space, (uintptr_t)page, page, 4096), SIMT_OK);
    }
    const uint64_t last = space.base + space.reserved - 2 * BLOCK;
    for (size_t i = 0; i < N_BLOCKS; i++) {
        if (i == N_BLOCKS - 1)
            space.next = last; /* as if all before it had been handed out */
        cr_assert_eq(simt_space_allocate(&space, BLOCK, &blocks[i]), SIMT_OK);
    }
    space.next = space.base + space.reserved;
    cr_assert_eq(simt_space_allocate(&space, 3 * BLOCK, &again), SIMT_OK);
    cr_expect(is_inside(&space, again, 3 * BLOCK), "behind what was used: %#llx",
              (unsigned long long)again);
    cr_assert_eq(simt_space_release(&space, blocks[3]), SIMT_OK);
    cr_assert_eq(simt_space_allocate(&space, BLOCK / 2, &again), SIMT_OK);
    cr_expect_eq(again, blocks[3], "the first gap");
    cr_assert_eq(simt_space_release(&space, again), SIMT_OK);
    simt_space_close(&space);
}

Test(space, has_a_shadow_of_two_bytes_a_byte_at_most) {
    struct simt_space space;
    uint64_t p;
    simt_space_open(&space, 1 << 26);
    space.is_watched = true;
    cr_assert_eq(simt_space_allocate(&space, 1 << 26, &p), SIMT_OK);
    cr_expect_eq(simt_shadow_bytes(&space), 0, "before it is needed");
    simt_space_define(simt_space_find(&space, p), 5, 1);
    cr_assert_not_null(simt_space_words(simt_space_find(&space, p)));
    cr_expect_leq(simt_shadow_bytes(&space), 2 << 26);
    cr_assert_not_null(simt_contexts_open(&space));
    space.contexts.n = SIMT_CONTEXTS;
    cr_expect_leq(simt_shadow_bytes(&space), (2 << 26) + (4 << 20), "and a table for all");
    simt_space_close(&space);
}
