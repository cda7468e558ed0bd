/*
 * The operations of the fastest instruction set of this machine, found by their keys: a hash table
 * with open addressing, made anew for each kernel (some thousand rows, tens of microseconds).
 */
#include <stdlib.h>
#include <string.h>

#include "common/simt/program/isa/variants.h"

#define FAMILIES(X, isa)                                                                           \
    X(integer, isa)                                                                                \
    X(divide, isa)                                                                                 \
    X(logic, isa)                                                                                  \
    X(bits, isa)                                                                                   \
    X(compare, isa)                                                                                \
    X(move, isa)                                                                                   \
    X(convert, isa)                                                                                \
    X(single, isa)                                                                                 \
    X(double, isa)                                                                                 \
    X(approx, isa)                                                                                 \
    X(half, isa)                                                                                   \
    X(half_compare, isa)                                                                           \
    X(collective, isa)                                                                             \
    X(pairs, isa)

#define DECLARE(name, isa) extern const struct exec_family exec_##name##_##isa;
#define ADDRESS(name, isa) &exec_##name##_##isa,

FAMILIES(DECLARE, portable)
static const struct exec_family *const portable[] = {FAMILIES(ADDRESS, portable)};
enum { N_FAMILIES = sizeof(portable) / sizeof(portable[0]) };

#ifdef EXEC_HAS_AVX2
FAMILIES(DECLARE, avx2)
static const struct exec_family *const avx2[] = {FAMILIES(ADDRESS, avx2)};
#endif

struct exec_index {
    uint32_t n_slots; /* a power of two, at least twice the rows */
    const struct exec_variant *slots[];
};

bool exec_isa_runs(enum exec_isa isa) {
#ifdef EXEC_HAS_AVX2
    if (isa == EXEC_ISA_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    return isa == EXEC_ISA_PORTABLE;
}

enum exec_isa exec_isa_choose(void) {
    const char *wanted = getenv("SIMT_ISA");
    if (wanted && strcmp(wanted, "portable") == 0)
        return EXEC_ISA_PORTABLE;
    return exec_isa_runs(EXEC_ISA_AVX2) ? EXEC_ISA_AVX2 : EXEC_ISA_PORTABLE;
}

static const struct exec_family *const *families(enum exec_isa isa) {
#ifdef EXEC_HAS_AVX2
    if (isa == EXEC_ISA_AVX2)
        return avx2;
#endif
    (void)isa;
    return portable;
}

/* FNV-1a. */
static uint32_t hash(const char *key) {
    uint32_t h = UINT32_C(2166136261);
    for (; *key; key++)
        h = (h ^ (uint8_t)*key) * UINT32_C(16777619);
    return h ^ h >> 15;
}

static const struct exec_variant **slot(const struct exec_index *index, const char *key) {
    uint32_t at = hash(key) & (index->n_slots - 1);
    while (index->slots[at] && strcmp(index->slots[at]->key, key) != 0)
        at = (at + 1) & (index->n_slots - 1);
    return (const struct exec_variant **)&index->slots[at];
}

struct exec_index *exec_index_create(enum exec_isa isa) {
    const struct exec_family *const *all = families(isa);
    size_t n_rows = 0;
    for (size_t f = 0; f < N_FAMILIES; f++)
        n_rows += all[f]->n_variants;
    uint32_t n_slots = 64;
    while (n_slots < 2 * n_rows)
        n_slots *= 2;
    struct exec_index *index = calloc(1, sizeof(*index) + n_slots * sizeof(index->slots[0]));
    if (!index)
        return NULL;
    index->n_slots = n_slots;
    for (size_t f = 0; f < N_FAMILIES; f++) {
        for (size_t i = 0; i < all[f]->n_variants; i++)
            *slot(index, all[f]->variants[i].key) = &all[f]->variants[i];
    }
    return index;
}

void exec_index_free(struct exec_index *index) {
    free(index);
}

const struct exec_variant *exec_index_find(const struct exec_index *index, const char *key) {
    return *slot(index, key);
}
