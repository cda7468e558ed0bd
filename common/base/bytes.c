/* Bytes by the gigabyte: one core reads and writes far less than what the memory can bring. */
#include <stdatomic.h>
#include <string.h>

#include "common/base/parallel.h"

enum { PART_BYTES = 1 << 20 };

struct bytes {
    char *to;
    const char *from;
    size_t n;
    atomic_bool differ;
};

static size_t part_bytes(const struct bytes *bytes, size_t part) {
    size_t rest = bytes->n - part * PART_BYTES;

    return rest < PART_BYTES ? rest : PART_BYTES;
}

static void copy_part(void *context, size_t part) {
    const struct bytes *bytes = context;
    size_t at = part * PART_BYTES;

    memcpy(bytes->to + at, bytes->from + at, part_bytes(bytes, part));
}

static void compare_part(void *context, size_t part) {
    struct bytes *bytes = context;
    size_t at = part * PART_BYTES;

    if (!bytes->differ && memcmp(bytes->to + at, bytes->from + at, part_bytes(bytes, part)) != 0)
        bytes->differ = true;
}

static size_t count_parts(size_t n_bytes) {
    return (n_bytes + PART_BYTES - 1) / PART_BYTES;
}

void parallel_copy(void *to, const void *from, size_t n_bytes) {
    struct bytes bytes = {.to = to, .from = from, .n = n_bytes};

    parallel_run(count_parts(n_bytes), copy_part, &bytes);
}

bool parallel_same(const void *a, const void *b, size_t n_bytes) {
    struct bytes bytes = {.to = (char *)a, .from = b, .n = n_bytes};

    parallel_run(count_parts(n_bytes), compare_part, &bytes);
    return !bytes.differ;
}
