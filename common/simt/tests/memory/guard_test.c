/*
 * Footprints of two host threads, made by hand: which ones conflict, and what is put back. No
 * threads run here, so that nothing depends on their luck.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "common/simt/access/region/guard.h"
#include "common/simt/access/region/region.h"

enum { N_WORDS = 4096 };

/* Two guards over one space of two allocations. */
struct pair {
    struct simt_space space;
    struct simt_allocation *buffers[2];
    struct simt_guard guards[2];
    bool abandoned;
};

static void open_pair(struct pair *pair) {
    memset(pair, 0, sizeof *pair);
    simt_space_open(&pair->space, 1 << 20);
    for (size_t i = 0; i < 2; i++) {
        uint64_t address;
        cr_assert_eq(simt_space_allocate(&pair->space, N_WORDS * 4, &address), SIMT_OK);
        pair->buffers[i] = simt_space_find(&pair->space, address);
    }
    cr_assert(simt_guard_begin(&pair->space));
    for (size_t i = 0; i < 2; i++)
        cr_assert(simt_guard_open(&pair->guards[i], &pair->space, &pair->abandoned));
}

static void close_pair(struct pair *pair, bool undo) {
    simt_guard_end(&pair->space, undo);
    for (size_t i = 0; i < 2; i++)
        simt_guard_close(&pair->guards[i]);
    simt_space_close(&pair->space);
}

/* One lane of a thread's warp touches `bytes` from `offset` on. */
static void touch(struct pair *pair, size_t thread, size_t buffer, enum simt_touch how,
                  uint64_t offset, uint32_t bytes) {
    struct simt_request request = {
        .touch = how, .bytes = bytes, .offset = {offset}, .low = offset, .high = offset, .mask = 1};
    struct simt_region region = {.host = pair->buffers[buffer]->host,
                                 .space = PTX_GLOBAL,
                                 .allocation = pair->buffers[buffer]};
    cr_assert(simt_guard_note(&pair->guards[thread], &request, &region));
}

/* A whole warp touches 32 words in a row. */
static void touch_row(struct pair *pair, size_t thread, enum simt_touch how, uint64_t word) {
    struct simt_request request = {.touch = how,
                                   .bytes = 4,
                                   .low = word * 4,
                                   .high = (word + SIMT_LANES - 1) * 4,
                                   .mask = UINT32_MAX,
                                   .is_dense = true};
    for (size_t lane = 0; lane < SIMT_LANES; lane++)
        request.offset[lane] = (word + lane) * 4;
    struct simt_region region = {
        .host = pair->buffers[0]->host, .space = PTX_GLOBAL, .allocation = pair->buffers[0]};
    cr_assert(simt_guard_note(&pair->guards[thread], &request, &region));
}

static bool conflict(const struct pair *pair) {
    return simt_guard_conflict(&pair->guards[0], &pair->guards[1], &pair->space);
}

Test(guard, knows_which_kinds_of_access_depend_on_the_order) {
    for (int a = SIMT_READS; a <= SIMT_UPDATES; a++)
        for (int b = SIMT_READS; b <= SIMT_UPDATES; b++) {
            struct pair pair;
            open_pair(&pair);
            touch(&pair, 0, 1, (enum simt_touch)a, 400, 4);
            touch(&pair, 1, 1, (enum simt_touch)b, 400, 4);
            bool is_free = a == b && a != SIMT_WRITES;
            cr_expect_eq(conflict(&pair), !is_free, "%d and %d", a, b);
            close_pair(&pair, false);
        }
}

Test(guard, lets_threads_touch_words_of_their_own) {
    struct pair pair;
    open_pair(&pair);
    touch(&pair, 0, 0, SIMT_WRITES, 400, 4);
    touch(&pair, 1, 0, SIMT_WRITES, 404, 4);
    touch(&pair, 1, 1, SIMT_WRITES, 400, 4);
    touch(&pair, 0, 0, SIMT_READS, 400, 4);
    cr_expect_not(conflict(&pair));
    close_pair(&pair, false);
}

Test(guard, counts_bytes_of_one_word_as_shared) {
    struct pair pair;
    open_pair(&pair);
    touch(&pair, 0, 0, SIMT_WRITES, 400, 1);
    touch(&pair, 1, 0, SIMT_WRITES, 403, 1);
    cr_expect(conflict(&pair));
    close_pair(&pair, false);
}

Test(guard, sees_every_word_of_a_vector) {
    for (uint64_t offset = 384; offset <= 416; offset += 4) {
        struct pair pair;
        open_pair(&pair);
        touch(&pair, 0, 0, SIMT_WRITES, 392, 16);
        touch(&pair, 1, 0, SIMT_READS, offset, 4);
        cr_expect_eq(conflict(&pair), offset >= 392 && offset < 408, "%d", (int)offset);
        close_pair(&pair, false);
    }
}

Test(guard, sees_every_word_of_a_row_at_any_start) {
    for (uint64_t start = 96; start < 130; start++)
        for (uint64_t word = start - 1; word <= start + SIMT_LANES; word++) {
            struct pair pair;
            open_pair(&pair);
            touch_row(&pair, 0, SIMT_WRITES, start);
            touch(&pair, 1, 0, SIMT_READS, word * 4, 4);
            cr_expect_eq(conflict(&pair), word >= start && word < start + SIMT_LANES, "%d, %d",
                         (int)start, (int)word);
            close_pair(&pair, false);
        }
}

Test(guard, puts_pages_back_as_they_were) {
    struct pair pair;
    open_pair(&pair);
    uint8_t *host = pair.buffers[0]->host;
    host[4095] = 1;
    host[4096] = 2;
    touch(&pair, 0, 0, SIMT_WRITES, 4092, 8);
    memset(host + 4092, 9, 8);
    simt_guard_end(&pair.space, true);
    cr_expect_eq(host[4095], 1);
    cr_expect_eq(host[4096], 2);
    cr_expect_eq(host[4092], 0);
    cr_assert(simt_guard_begin(&pair.space));
    touch(&pair, 1, 0, SIMT_WRITES, 4092, 8);
    host[4096] = 9;
    simt_guard_end(&pair.space, false);
    cr_expect_eq(host[4096], 9, "what counts stays");
    cr_assert(simt_guard_begin(&pair.space));
    close_pair(&pair, false);
}

/* Which words of the first buffer count as written: a bit a word from `first` on. */
static uint32_t written_words(const struct pair *pair, size_t first) {
    uint32_t bits = 0;
    for (size_t i = 0; i < 32; i++)
        bits |= (uint32_t)simt_any_written(pair->buffers[0]->words, (first + i) * 4, 4) << i;
    return bits;
}

Test(guard, puts_back_what_counted_as_written) {
    const size_t page_words = 1024, first = page_words - 16;
    for (int undo = 0; undo <= 1; undo++) {
        struct pair pair;
        open_pair(&pair);
        cr_assert_not_null(simt_space_words(pair.buffers[0]));
        cr_assert_eq(simt_space_undefine(pair.buffers[0], 0, N_WORDS * 4), SIMT_OK);
        simt_space_define(pair.buffers[0], first * 4, 4);
        simt_space_define(pair.buffers[0], (page_words + 1) * 4, 4);
        const uint32_t before = 1 | 1 << 17;
        cr_assert_eq(written_words(&pair, first), before);
        touch_row(&pair, 0, SIMT_WRITES, first); /* on both pages */
        simt_space_define(pair.buffers[0], first * 4, 32 * 4);
        cr_assert_eq(written_words(&pair, first), UINT32_MAX);
        simt_guard_end(&pair.space, undo != 0);
        cr_expect_eq(written_words(&pair, first), undo ? before : UINT32_MAX);
        cr_assert(simt_guard_begin(&pair.space));
        close_pair(&pair, false);
    }
}
