/*
 * Which thread stored a word last: its kernel, its line, its block.
 */
#include <criterion/criterion.h>

#include "common/simt/tests/run/fixture.h"

TestSuite(writer, .timeout = 20);

enum { N = 4096, BYTES = N * 4 };

struct pair {
    uint64_t in, out;
};

static struct pair open_pair(struct fixture *fixture) {
    struct pair pair = {fixture_ramp(fixture, "in", N), fixture_unwritten(fixture, "out", N)};
    simt_report_reset(fixture->simt);
    return pair;
}

static void expect_kind(struct fixture *fixture, uint64_t address, enum simt_writer_kind kind) {
    struct simt_writer writer;
    enum simt_writer_kind got = simt_last_writer(fixture->simt, address, &writer);
    cr_expect_eq(got, kind, "%d, not %d", got, kind);
}

static void expect_thread(struct fixture *fixture, uint64_t address, const char *mark,
                          const char *who) {
    struct simt_writer writer = {.line = 0};
    cr_assert_eq(simt_last_writer(fixture->simt, address, &writer), SIMT_WRITER_KERNEL);
    cr_expect_eq(writer.line, fixture_line(mark), "line %u", writer.line);
    cr_expect_str_eq(writer.who, who);
}

/* Copies by blocks of 32 threads. */
static void copy_by_kernel(struct fixture *fixture, struct pair pair, unsigned n) {
    fixture_pass(fixture, "copy_all", n / 32, 32, 0, &pair);
}

FIXTURE_TEST(writer, is_the_thread_of_the_last_store) {
    struct pair pair = open_pair(fixture);
    expect_kind(fixture, pair.out, SIMT_WRITER_NOBODY);
    copy_by_kernel(fixture, pair, 64);
    expect_thread(fixture, pair.out + 5 * 4, "copy_all", "thread 5 of block 0");
    expect_thread(fixture, pair.out + 40 * 4 + 3, "copy_all", "thread 8 of block 1");
    expect_kind(fixture, pair.out + 64 * 4, SIMT_WRITER_NOBODY);
    expect_kind(fixture, pair.in, SIMT_WRITER_UNKNOWN);
    copy_by_kernel(fixture, pair, 32);
    expect_thread(fixture, pair.out + 31 * 4, "copy_all", "thread 31 of block 0");
    expect_kind(fixture, pair.out + 32 * 4, SIMT_WRITER_UNKNOWN); /* before the report's reset */
}

FIXTURE_TEST(writer, is_not_told_of_what_the_host_has_written_since) {
    struct pair pair = open_pair(fixture);
    copy_by_kernel(fixture, pair, 64);
    simt_set(fixture->simt, pair.out + 8, 0, 4);
    simt_copy(fixture->simt, pair.out + 16 * 4, pair.out, 8);
    expect_thread(fixture, pair.out + 4, "copy_all", "thread 1 of block 0");
    expect_kind(fixture, pair.out + 8, SIMT_WRITER_UNKNOWN);
    expect_thread(fixture, pair.out + 12, "copy_all", "thread 3 of block 0");
    expect_kind(fixture, pair.out + 16 * 4, SIMT_WRITER_UNKNOWN);
    expect_kind(fixture, pair.out + 17 * 4, SIMT_WRITER_UNKNOWN);
    expect_thread(fixture, pair.out + 18 * 4, "copy_all", "thread 18 of block 0");
    copy_by_kernel(fixture, pair, 32);
    expect_thread(fixture, pair.out + 8, "copy_all", "thread 2 of block 0");
}

FIXTURE_TEST(writer, is_not_told_after_a_launch_that_nobody_watched) {
    struct pair pair = open_pair(fixture);
    copy_by_kernel(fixture, pair, 64);
    simt_options(fixture->simt)->checks = false;
    copy_by_kernel(fixture, pair, 32);
    expect_kind(fixture, pair.out, SIMT_WRITER_UNKNOWN);
    expect_kind(fixture, pair.out + 40 * 4, SIMT_WRITER_UNKNOWN);
}

/* More host threads than one, and more blocks than are remembered. */
FIXTURE_TEST(writer, is_known_of_many_blocks) {
    struct pair pair = {fixture_ramp(fixture, "in", 1 << 20),
                        fixture_unwritten(fixture, "out", 1 << 20)};
    simt_options(fixture->simt)->n_threads = 2;
    simt_report_reset(fixture->simt);
    copy_by_kernel(fixture, pair, 1 << 20);
    struct simt_writer writer = {.line = 0};
    for (unsigned i = 0; i < 1 << 20; i += 4099) {
        enum simt_writer_kind kind = simt_last_writer(fixture->simt, pair.out + i * 4, &writer);
        cr_expect_neq(kind, SIMT_WRITER_NOBODY);
        cr_expect(kind == SIMT_WRITER_UNKNOWN || writer.line == fixture_line("copy_all"));
    }
}

/* How many lines are nearer; n_behind where it is none of them. */
static unsigned rank_of(const struct simt_writer *writer, const char *mark) {
    unsigned i = 0;
    while (i < writer->n_behind && writer->behind[i] != fixture_line(mark))
        i++;
    return i;
}

FIXTURE_TEST(writer, has_behind_it_what_its_value_was_made_of) {
    struct pair pair = open_pair(fixture);
    struct simt_writer writer = {.line = 0};
    fixture_pass(fixture, "makes_in_steps", 1, 64, 0, &pair);
    cr_assert_eq(simt_last_writer(fixture->simt, pair.out, &writer), SIMT_WRITER_KERNEL);
    cr_expect_eq(writer.line, fixture_line("step_stored"));
    const unsigned last = rank_of(&writer, "step_last"), read = rank_of(&writer, "step_read"),
                   written = rank_of(&writer, "step_written");
    cr_expect_eq(last, 0);
    cr_expect_lt(read, written);
    cr_expect_lt(written, writer.n_behind);
    cr_expect_lt(rank_of(&writer, "step_condition"), written);
    cr_expect_gt(rank_of(&writer, "step_of_another"), read); /* which makes the address */
    cr_expect_eq(rank_of(&writer, "step_stored"), writer.n_behind);
}
