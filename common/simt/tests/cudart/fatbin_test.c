/*
 * Tests of the fat binary reader on containers made by hand: what nvcc does not emit on request.
 */
#include "common/simt/cudart/module/fatbin.h"

#include <criterion/criterion.h>
#include <lz4.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { PTX = 1, ELF = 2, LZ4 = 0x2000, ZSTD = 0x8000, ODD = 0x4000 };

/* A container under construction, and the wrapper around it. */
struct image {
    struct {
        uint32_t magic, version;
        const void *container;
        const void *const *more;
    } wrapper;
    size_t used; /* of entries */
    _Alignas(8) struct {
        uint32_t magic;
        uint16_t version, header_bytes;
        uint64_t bytes;
        char entries[4096];
    } container;
};

struct entry {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t bytes;
    uint32_t compressed_bytes, options_offset;
    uint16_t minor, major;
    uint32_t arch, name_offset, name_bytes;
    uint64_t flags, zero, plain_bytes;
};

static void start(struct image *image) {
    *image = (struct image){0};
    image->wrapper.magic = 0x466243B1;
    image->wrapper.version = 1;
    image->wrapper.container = &image->container;
    image->container.magic = 0xBA55ED50;
    image->container.version = 1;
    image->container.header_bytes = 16;
}

/* Adds an entry and gives its header, for the tests to damage. */
static struct entry *add(struct image *image, int kind, unsigned arch, uint64_t flags,
                         const char *text) {
    struct entry *entry = (struct entry *)(image->container.entries + image->used);
    char *payload = (char *)(entry + 1);
    size_t plain = strlen(text) + 1, stored = plain;
    size_t room = sizeof(image->container.entries) - image->used - sizeof(*entry);
    if (flags & LZ4)
        stored = (size_t)LZ4_compress_default(text, payload, (int)plain, (int)room);
    else if (flags & ZSTD)
        stored = ZSTD_compress(payload, room, text, plain, 1);
    else
        memcpy(payload, text, plain);
    *entry = (struct entry){
        .kind = (uint16_t)kind,
        .header_bytes = sizeof(*entry),
        .bytes = (stored + 7) / 8 * 8,
        .compressed_bytes = flags ? (uint32_t)stored : 0,
        .arch = arch,
        .flags = flags,
        .plain_bytes = flags ? plain : 0,
    };
    image->used += sizeof(*entry) + entry->bytes;
    image->container.bytes = image->used;
    return entry;
}

/* The PTX that is found for compute_75 is `text`, and nothing else. */
static void expect_text(const struct image *image, const char *text) {
    struct fatbin_texts texts;
    cr_assert_eq(fatbin_find_ptx(&image->wrapper, 75, &texts), FATBIN_OK);
    cr_assert_eq(texts.n_texts, 1);
    cr_expect_eq(texts.texts[0].bytes, strlen(text));
    cr_expect_arr_eq(texts.texts[0].ptx, text, strlen(text));
    fatbin_free(&texts);
}

static void expect_status(const struct image *image, enum fatbin_status wanted) {
    struct fatbin_texts texts;
    cr_expect_eq(fatbin_find_ptx(&image->wrapper, 75, &texts), wanted);
    fatbin_free(&texts);
}

Test(fatbin, reads_plain_and_compressed_ptx) {
    const char *text = ".version 9.0 .version 9.0 .version 9.0 .version 9.0 .target sm_75";
    for (uint64_t flags = 0; flags <= ZSTD; flags += LZ4) {
        if (flags != 0 && flags != LZ4 && flags != ZSTD)
            continue;
        struct image image;
        start(&image);
        add(&image, ELF, 75, 0, "machine code");
        add(&image, PTX, 75, flags, text);
        expect_text(&image, text);
    }
}

Test(fatbin, takes_the_highest_architecture_up_to_the_devices) {
    struct image image;
    start(&image);
    add(&image, PTX, 90, 0, "ninety");
    add(&image, PTX, 70, 0, "seventy");
    add(&image, PTX, 75, 0, "seventy-five");
    add(&image, PTX, 80, 0, "eighty");
    expect_text(&image, "seventy-five");
}

Test(fatbin, refuses_what_is_for_newer_architectures_only) {
    struct image image;
    struct fatbin_texts texts;
    start(&image);
    add(&image, PTX, 90, 0, "ninety");
    add(&image, PTX, 80, 0, "eighty");
    add(&image, PTX, 100, 0, "hundred");
    cr_expect_eq(fatbin_find_ptx(&image.wrapper, 75, &texts), FATBIN_TOO_NEW);
    cr_expect_eq(texts.n_texts, 0);
    cr_expect_eq(texts.least_arch, 80);
    fatbin_free(&texts);
    cr_expect_eq(fatbin_find_ptx(&image.wrapper, 80, &texts), FATBIN_OK);
    fatbin_free(&texts);
}

Test(fatbin, says_which_device_it_needs) {
    struct image image;
    start(&image);
    cr_expect_eq(fatbin_least_arch(&image.wrapper), 0, "no PTX");
    add(&image, ELF, 75, 0, "machine code");
    add(&image, PTX, 90, 0, "ninety");
    cr_expect_eq(fatbin_least_arch(&image.wrapper), 90);
    add(&image, PTX, 80, 0, "eighty");
    cr_expect_eq(fatbin_least_arch(&image.wrapper), 80);
}

Test(fatbin, reads_the_list_of_relocatable_device_code) {
    struct image first, second, third;
    start(&first); /* an empty container may come first */
    start(&second);
    add(&second, PTX, 75, 0, "second");
    start(&third);
    add(&third, PTX, 75, 0, "third");
    const void *more[] = {&second.container, &third.wrapper, NULL};
    first.wrapper.version = 2;
    first.wrapper.more = more;
    struct fatbin_texts texts;
    cr_assert_eq(fatbin_find_ptx(&first.wrapper, 75, &texts), FATBIN_OK);
    cr_assert_eq(texts.n_texts, 2);
    cr_expect_str_eq(texts.texts[0].ptx, "second");
    cr_expect_str_eq(texts.texts[1].ptx, "third");
    fatbin_free(&texts);
}

Test(fatbin, tells_machine_code_without_ptx) {
    struct image image;
    start(&image);
    add(&image, ELF, 90, 0, "machine code");
    expect_status(&image, FATBIN_NO_PTX);
}

Test(fatbin, refuses_what_is_damaged) {
    struct image image;
    start(&image);
    image.wrapper.magic++;
    expect_status(&image, FATBIN_DAMAGED);

    start(&image);
    add(&image, PTX, 75, 0, "text");
    image.container.magic++;
    expect_status(&image, FATBIN_DAMAGED);

    start(&image);
    add(&image, PTX, 75, 0, "text")->bytes = UINT64_MAX;
    expect_status(&image, FATBIN_DAMAGED);

    start(&image);
    add(&image, PTX, 75, 0, "text")->header_bytes = 8;
    expect_status(&image, FATBIN_DAMAGED);
}

Test(fatbin, refuses_damaged_compressed_text) {
    struct image image;
    for (uint64_t flags = LZ4; flags <= ZSTD; flags += ZSTD - LZ4) {
        start(&image);
        struct entry *entry = add(&image, PTX, 75, flags, "some text some text some text");
        memset(entry + 1, 0xff, entry->bytes);
        expect_status(&image, FATBIN_DAMAGED);

        start(&image);
        entry = add(&image, PTX, 75, flags, "some text some text some text");
        entry->plain_bytes -= 1;
        expect_status(&image, FATBIN_DAMAGED);

        start(&image);
        entry = add(&image, PTX, 75, flags, "some text some text some text");
        entry->plain_bytes = UINT64_MAX;
        expect_status(&image, FATBIN_DAMAGED);

        start(&image);
        entry = add(&image, PTX, 75, flags, "some text some text some text");
        entry->compressed_bytes = UINT32_MAX;
        expect_status(&image, FATBIN_DAMAGED);
    }
}

Test(fatbin, names_a_compression_that_it_does_not_know) {
    struct image image;
    start(&image);
    add(&image, PTX, 75, ODD, "text");
    expect_status(&image, FATBIN_COMPRESSED);
    for (int status = FATBIN_OK; status <= FATBIN_NO_MEMORY; status++)
        cr_expect_gt(strlen(fatbin_status_text((enum fatbin_status)status)), 10);
}

Test(fatbin, reads_nothing_beyond_the_end) {
    struct image image;
    start(&image);
    add(&image, PTX, 75, 0, "a text that is cut off");
    size_t whole = image.container.header_bytes + image.container.bytes;
    for (size_t bytes = 0; bytes <= whole; bytes++) {
        struct fatbin_texts texts;
        char *part = malloc(bytes + 1); /* exact but for a byte, for the sanitizer to watch */
        cr_assert_not_null(part);
        memcpy(part, &image.container, bytes);
        enum fatbin_status wanted = bytes == whole ? FATBIN_OK
                                    : bytes < 4    ? FATBIN_OK /* some plain text */
                                                   : FATBIN_DAMAGED;
        cr_expect_eq(fatbin_find_in(part, bytes, 75, &texts), wanted, "%zu bytes", bytes);
        fatbin_free(&texts);
        free(part);
    }
}

Test(fatbin, refuses_a_container_that_leaves_its_object) {
    static struct image image; /* part of the loaded program, and so of a known size */
    start(&image);
    add(&image, PTX, 75, 0, "text");
    expect_text(&image, "text");
    image.container.bytes = (uint64_t)1 << 40;
    expect_status(&image, FATBIN_DAMAGED);
}
