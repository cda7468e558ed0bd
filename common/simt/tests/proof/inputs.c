/*
 * Edge values and random values, kind by kind.
 */
#include <string.h>

#include "common/base/splitmix.h"
#include "common/simt/tests/proof/inputs.h"

enum { N_EDGES = 16 };

/* Low and high halves are edge values alike: a kernel may use either width. */
static const uint64_t int_edges[N_EDGES] = {
    0,
    1,
    UINT64_MAX,
    2,
    UINT64_MAX - 1,
    0x000000007fffffff,
    0xffffffff80000000,
    0x7fffffffffffffff,
    0x8000000000000000,
    0x00000000ffffffff,
    0x0000000100000000,
    0x0000000000007fff,
    0xffffffffffff8000,
    0x000000000000007f,
    0xffffffffffffff80,
    0x0123456789abcdef,
};

/* Zeros, units, ties, extremes, denormals, infinities, NaN; the bounds of the integer types. */
static const uint32_t f32_edges[N_EDGES] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3fc00000, 0x00000001, 0x807fffff, 0x00800000,
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x4f000000, 0xcf000000, 0x3f000001,
};

static const uint64_t f64_edges[N_EDGES] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
    0x3ff8000000000000, 0x0000000000000001, 0x800fffffffffffff, 0x0010000000000000,
    0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
    0x7ff8000000000000, 0x43e0000000000000, 0xc1e0000000000000, 0x3fe0000000000001,
};

static const uint16_t f16_edges[N_EDGES] = {
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x3e00, 0x0001, 0x83ff, 0x0400,
    0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x3801, 0xb800, 0x5640,
};

static const uint32_t nan32_edges[N_EDGES] = {
    0x7fc00000, 0xffc00000, 0x7fffffff, 0xffffffff, 0x7f800001, 0xff800001, 0x7fc12345, 0xffabcdef,
    0x7f801000, 0xff9fffff, 0x7fc02000, 0x7f800000, 0xff800000, 0x00000000, 0x80000000, 0x3f800000,
};

static const uint64_t nan64_edges[N_EDGES] = {
    0x7ff8000000000000, 0xfff8000000000000, 0x7fffffffffffffff, 0xffffffffffffffff,
    0x7ff0000000000001, 0xfff0000000000001, 0x7ff8123456789abc, 0xfff5a5a5a5a5a5a5,
    0x7ff0000020000000, 0xfff7ffffffffffff, 0x7ff8000040000000, 0x7ff0000000000000,
    0xfff0000000000000, 0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000,
};

uint64_t proof_digest(uint64_t digest, const void *data, size_t bytes) {
    const uint8_t *const at = data;
    for (size_t i = 0; i < bytes; i++)
        digest = (digest ^ at[i]) * UINT64_C(0x100000001b3);
    return digest;
}

enum proof_fill proof_fill_find(const char *word) {
    static const char *const words[PROOF_N_FILLS] = {"int",  "f32",   "f64",  "f16",
                                                     "unit", "nan32", "nan64"};
    enum proof_fill fill = 0;
    while (fill < PROOF_N_FILLS && strcmp(words[fill], word) != 0)
        fill++;
    return fill;
}

static uint64_t edge(enum proof_fill fill, size_t i) {
    switch (fill) {
    case PROOF_FILL_F32:
        return f32_edges[i % N_EDGES];
    case PROOF_FILL_F64:
        return f64_edges[i % N_EDGES];
    case PROOF_FILL_F16:
        return f16_edges[i % N_EDGES] | (uint32_t)f16_edges[i * 5 % N_EDGES] << 16;
    case PROOF_FILL_NAN32:
        return nan32_edges[i % N_EDGES];
    case PROOF_FILL_NAN64:
        return nan64_edges[i % N_EDGES];
    case PROOF_FILL_UNIT:
        return i % 2 << 31 | (0x3f800000 + ((uint64_t)(i % N_EDGES) << 20));
    default:
        return int_edges[i % N_EDGES];
    }
}

/* Half of the floating-point numbers have exponents near 0, so that sums and products of two of
 * them round rather than overflow. */
static uint64_t random_value(enum proof_fill fill, uint64_t *state) {
    const uint64_t bits = splitmix_next(state), how = splitmix_next(state);
    const uint64_t near = how >> 8 & 31;
    switch (fill) {
    case PROOF_FILL_F32:
        return how & 1 ? (bits & 0x807fffff) | (111 + near) << 23 : bits & UINT32_MAX;
    case PROOF_FILL_F64:
        return how & 1 ? (bits & 0x800fffffffffffff) | (1007 + near) << 52 : bits;
    case PROOF_FILL_F16:
        return bits & UINT32_MAX;
    case PROOF_FILL_NAN32:
        return (bits & UINT32_MAX) | 0x7f800000;
    case PROOF_FILL_NAN64:
        return bits | 0x7ff0000000000000;
    case PROOF_FILL_UNIT:
        return (bits & 0x807fffff) | (122 + near % 8) << 23;
    default:
        return bits >> (how & 1 ? how >> 8 & 63 : 0);
    }
}

void proof_fill(enum proof_fill fill, const char *kernel, uint64_t *cells, size_t n_threads) {
    uint64_t state = proof_digest(PROOF_DIGEST_START, kernel, strlen(kernel));
    for (size_t i = 0; i < n_threads; i++) {
        const uint64_t a = random_value(fill, &state), b = random_value(fill, &state),
                       c = random_value(fill, &state), how = splitmix_next(&state);
        const int has_edges = i < N_EDGES * N_EDGES;
        cells[i] = has_edges ? edge(fill, i) : a;
        cells[n_threads + i] = has_edges ? edge(fill, i / N_EDGES) : b;
        cells[2 * n_threads + i] = how & 1 ? edge(fill, how >> 8 & 15) : c;
    }
}
