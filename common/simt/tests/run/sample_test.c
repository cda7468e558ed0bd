/*
 * Launches of which a sample of the ctas runs, on buffers that are larger than the host's memory.
 */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>

#include "common/simt/tests/run/fixture.h"

TestSuite(sample, .timeout = 60);

/* 2^33 words in blocks of 256. */
enum { N_BLOCKS = 1 << 25, N_THREADS = 256, MIB = 1 << 20 };
static const uint64_t n_words = (uint64_t)N_BLOCKS * N_THREADS;

/* Addresses without memory: pages that cost nothing until they are touched. */
static void *open_pages(uint64_t bytes) {
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    cr_assert_neq(pages, MAP_FAILED);
    return pages;
}

struct scene {
    struct fixture fixture;
    int *in, *out;
    struct {
        uint64_t in, out;
    } params;
};

/* `out` lacks so many words. */
static void open_scene(struct scene *scene, uint64_t n_lacking) {
    const uint64_t bytes = n_words * sizeof(int), out_bytes = bytes - n_lacking * sizeof(int);
    fixture_open(&scene->fixture);
    struct simt_options *options = simt_options(scene->fixture.simt);
    options->checks = false;
    options->sample = (struct simt_sample){.n = 2, .at = {1U << 31, 3U << 30}};
    scene->in = open_pages(bytes);
    scene->out = open_pages(bytes);
    cr_assert_eq(simt_malloc_at(scene->fixture.simt, scene->in, bytes, &scene->params.in), SIMT_OK);
    cr_assert_eq(simt_malloc_at(scene->fixture.simt, scene->out, out_bytes, &scene->params.out),
                 SIMT_OK);
    simt_name(scene->fixture.simt, scene->params.out, "out", sizeof(int));
}

static void close_scene(struct scene *scene) {
    fixture_close(&scene->fixture);
    munmap(scene->in, n_words * sizeof(int));
    munmap(scene->out, n_words * sizeof(int));
}

static enum simt_status number_blocks(struct scene *scene, unsigned n_blocks) {
    return fixture_run(&scene->fixture, "number_blocks", n_blocks, N_THREADS, 0, &scene->params);
}

static bool has_run(const struct scene *scene, uint64_t block) {
    return (unsigned)scene->out[block * N_THREADS + 7] == block + 1;
}

Test(sample, runs_both_ends_and_three_pairs_at_each_place) {
    static const uint64_t blocks[] = {0,
                                      N_BLOCKS / 4 - 1,
                                      N_BLOCKS / 4,
                                      N_BLOCKS / 4 + 1,
                                      N_BLOCKS / 8 * 3 - 1,
                                      N_BLOCKS / 8 * 3,
                                      N_BLOCKS / 8 * 3 + 1};
    struct scene scene;
    open_scene(&scene, 0);
    cr_assert_eq(number_blocks(&scene, N_BLOCKS), SIMT_OK, "%s", scene.fixture.diag.message);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        cr_expect(has_run(&scene, blocks[i]), "block %zu", (size_t)blocks[i]);
        cr_expect(has_run(&scene, N_BLOCKS - 1 - blocks[i]), "its partner");
    }
    cr_expect(!has_run(&scene, 1));
    cr_expect(!has_run(&scene, N_BLOCKS / 2));
    cr_expect_eq(fixture_total(&scene.fixture).global_stores, 14 * N_THREADS / 32);
    close_scene(&scene);
}

Test(sample, runs_a_small_grid_as_a_whole_and_no_block_twice) {
    static const unsigned sizes[] = {1, 2, 3, 7, SIMT_SAMPLE_WHOLE};
    struct scene scene;
    open_scene(&scene, 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memset(scene.out, 0, sizeof(int) * N_THREADS * SIMT_SAMPLE_WHOLE);
        cr_expect_eq(number_blocks(&scene, sizes[i]), SIMT_OK);
        for (unsigned block = 0; block < sizes[i]; block++)
            cr_expect(has_run(&scene, block), "block %u of %u", block, sizes[i]);
        cr_expect_eq(fixture_total(&scene.fixture).global_stores, sizes[i] * N_THREADS / 32);
    }
    close_scene(&scene);
}

Test(sample, ends_between_pairs_where_its_budget_does) {
    struct scene scene;
    open_scene(&scene, 0);
    simt_options(scene.fixture.simt)->sample.budget = 1;
    cr_assert_eq(number_blocks(&scene, N_BLOCKS), SIMT_OK);
    cr_expect(has_run(&scene, 0) && has_run(&scene, N_BLOCKS - 1));
    cr_expect_eq(fixture_total(&scene.fixture).global_stores, 2 * N_THREADS / 32);
    close_scene(&scene);
}

Test(sample, finds_the_first_word_past_an_end_beyond_32_bits) {
    struct scene scene;
    open_scene(&scene, 1);
    cr_assert_eq(number_blocks(&scene, N_BLOCKS), SIMT_ILLEGAL_ADDRESS);
    const struct simt_finding *finding = fixture_found(&scene.fixture, SIMT_FINDING_OUT_OF_BOUNDS);
    cr_expect_str_eq(finding->place, "out[8589934591]");
    close_scene(&scene);
}

Test(sample, ends_a_launch_that_touches_too_much) {
    struct scene scene;
    open_scene(&scene, 0);
    simt_options(scene.fixture.simt)->sample.bytes = 64 * MIB;
    cr_expect_eq(fixture_run(&scene.fixture, "touch_pages", 1000, 1024, 0, &scene.params.out),
                 SIMT_NO_MEMORY, "it would touch 4 GiB: %s", scene.fixture.diag.message);
    close_scene(&scene);
}

Test(sample, moves_a_part_of_what_is_lent_but_no_gigabytes) {
    struct scene scene;
    int one = 1, got = 0;
    open_scene(&scene, 0);
    uint64_t last = scene.params.in + (n_words - 1) * sizeof(int);
    cr_expect_eq(simt_write(scene.fixture.simt, last, &one, sizeof one), SIMT_OK);
    cr_expect_eq(simt_read(scene.fixture.simt, &got, last, sizeof got), SIMT_OK);
    cr_expect_eq(got, 1);
    cr_expect_eq(simt_set(scene.fixture.simt, scene.params.out, 0, 512 * MIB), SIMT_NO_MEMORY);
    cr_expect_eq(simt_copy(scene.fixture.simt, scene.params.out, scene.params.in, 512 * MIB),
                 SIMT_NO_MEMORY);
    cr_expect_eq(simt_free(scene.fixture.simt, scene.params.in), SIMT_OK);
    cr_expect_eq(scene.in[n_words - 1], 1, "the memory is still its owner's");
    close_scene(&scene);
}
