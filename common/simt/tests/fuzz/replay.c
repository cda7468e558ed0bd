/*
 * Runs a fuzz target without a fuzzer: on each file as it is, then on damaged copies of it, the
 * same ones every time.
 *
 *     replay N FILE...        N damaged copies of each file
 *     replay 0 CRASH          one input, as it is: to look into what a fuzzer found
 *
 * A crash ends the program; the input that caused it lies in the file that WARPBOOK_FUZZ_INPUT
 * names, where that is set.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/tests/fuzz/target.h"

/* A file's bytes, with room behind them for damage that makes it longer. */
struct input {
    uint8_t *data;
    size_t bytes;
};
enum { ROOM = 4096 };

/* Marsaglia, "Xorshift RNGs" (2003). */
static uint64_t draw(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static size_t below(uint64_t *state, size_t bound) {
    return bound == 0 ? 0 : draw(state) % bound;
}

static void flip(struct input *in, uint64_t *state) {
    in->data[below(state, in->bytes)] ^= (uint8_t)(1u << below(state, 8));
}

static void truncate_end(struct input *in, uint64_t *state) {
    in->bytes = 1 + below(state, in->bytes);
}

static void cut(struct input *in, uint64_t *state) {
    size_t at = below(state, in->bytes), n = below(state, 64);
    if (at + n >= in->bytes)
        return;
    memmove(in->data + at, in->data + at + n, in->bytes - at - n);
    in->bytes -= n;
}

static void copy_within(struct input *in, uint64_t *state) {
    size_t n = below(state, in->bytes < 64 ? in->bytes : 64);
    size_t from = below(state, in->bytes - n), to = below(state, in->bytes - n);
    memmove(in->data + to, in->data + from, n);
}

static void insert_word(struct input *in, uint64_t *state) {
    static const char *const words[] = {
        "{",
        "}",
        ";",
        ",",
        "[",
        "]",
        "<",
        ">",
        "@%p1 ",
        "4294967296",
        "-1",
        "0x7fffffffffffffff",
        "$L",
        ".entry x()",
        ".reg .b64 %r<2000000000>;",
        ".pred",
        ".v4",
        ".shared",
        "%r1",
        "bra ",
        "0d",
        ".global .align 8 .b8 a[1099511627776];",
        "ret;",
        "\"",
        "/*",
        "//",
        "call ",
        "\n",
        "_param_0",
        ".loc 1 1 1",
    };
    const char *word = words[below(state, sizeof(words) / sizeof(words[0]))];
    size_t n = strlen(word), at = below(state, in->bytes);
    memmove(in->data + at + n, in->data + at, in->bytes - at);
    memcpy(in->data + at, word, n);
    in->bytes += n;
}

static void set_number(struct input *in, uint64_t *state) {
    static const uint64_t numbers[] = {0,          1,          0x7f,      0xff,
                                       0x7fffffff, 0xffffffff, INT64_MAX, UINT64_MAX};
    uint64_t number = numbers[below(state, sizeof(numbers) / sizeof(numbers[0]))];
    size_t n = (size_t)1 << below(state, 4);
    if (in->bytes >= n)
        memcpy(in->data + below(state, in->bytes - n + 1), &number, n);
}

static void damage(struct input *in, uint64_t *state) {
    static void (*const ways[])(struct input *, uint64_t *) = {
        flip, truncate_end, cut, copy_within, insert_word, set_number};
    for (size_t n = 1 + below(state, 6); n > 0; n--)
        ways[below(state, sizeof(ways) / sizeof(ways[0]))](in, state);
}

static void try_input(const struct input *in) {
    const char *path = getenv("WARPBOOK_FUZZ_INPUT");
    FILE *file = path == NULL ? NULL : fopen(path, "wb");
    if (file != NULL) {
        fwrite(in->data, 1, in->bytes, file);
        fclose(file);
    }
    LLVMFuzzerTestOneInput(in->data, in->bytes);
}

static int load(const char *path, struct input *in) {
    FILE *file = fopen(path, "rb");
    long bytes = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0)
        bytes = ftell(file);
    in->data = bytes < 1 ? NULL : malloc((size_t)bytes + ROOM);
    if (in->data != NULL && fseek(file, 0, SEEK_SET) == 0)
        in->bytes = fread(in->data, 1, (size_t)bytes, file);
    if (file != NULL)
        fclose(file);
    return in->data != NULL && in->bytes == (size_t)bytes;
}

static int replay(const char *path, unsigned long n) {
    struct input whole = {0};
    uint64_t state = 0x9e3779b97f4a7c15;
    if (!load(path, &whole)) {
        fprintf(stderr, "replay: %s: %s\n", path, errno == 0 ? "empty" : strerror(errno));
        free(whole.data);
        return 0;
    }
    struct input in = {malloc(whole.bytes + ROOM), whole.bytes};
    try_input(&whole);
    for (unsigned long i = 0; in.data != NULL && i < n; i++) {
        memcpy(in.data, whole.data, whole.bytes);
        in.bytes = whole.bytes;
        damage(&in, &state);
        try_input(&in);
    }
    free(whole.data);
    free(in.data);
    return in.data != NULL;
}

int main(int argc, char **argv) {
    int good = argc > 2;
    if (!good)
        fprintf(stderr, "usage: replay N FILE...\n");
    for (int i = 2; i < argc; i++)
        good = replay(argv[i], strtoul(argv[1], NULL, 10)) && good;
    return good ? 0 : 1;
}
