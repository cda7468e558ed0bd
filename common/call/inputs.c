/*
 * Inputs, in parts and by several threads. Those that are made (call_arg.make) never lie on the
 * trusted side; they are made again to be compared.
 */
#include "common/call/inputs.h"

#include <string.h>

#include "common/base/parallel.h"

enum { PART_BYTES = 4 << 20, CHUNK_BYTES = 1 << 14 };

/* What the threads of one fill share. */
struct fill {
    const struct call_arg *arg;
    size_t first, count, part_count; /* elements: in all, and of a part */
    uint8_t *to;
};

static void fill_part(void *context, size_t part) {
    const struct fill *fill = context;
    const struct call_arg *arg = fill->arg;
    size_t skipped = part * fill->part_count, rest = fill->count - skipped;
    size_t count = rest < fill->part_count ? rest : fill->part_count;
    uint8_t *to = fill->to + skipped * arg->element_bytes;

    if (arg->make)
        arg->make(arg->context, fill->first + skipped, count, to);
    else
        memcpy(to, (const uint8_t *)arg->data + (fill->first + skipped) * arg->element_bytes,
               count * arg->element_bytes);
}

/* Elements in so many bytes, at least one. */
static size_t elements_in(size_t bytes, const struct call_arg *arg) {
    return bytes > arg->element_bytes ? bytes / arg->element_bytes : 1;
}

void inputs_fill(const struct call_arg *arg, size_t first, size_t count, uint8_t *to) {
    struct fill fill = {.arg = arg,
                        .first = first,
                        .count = count,
                        .part_count = elements_in(PART_BYTES, arg),
                        .to = to};

    parallel_run((count + fill.part_count - 1) / fill.part_count, fill_part, &fill);
}

/* The first of `count` elements that differs from those from `first` on, or -1. */
static int64_t compare(const struct call_arg *arg, size_t first, size_t count, const uint8_t *now) {
    size_t chunk = elements_in(CHUNK_BYTES, arg);
    uint8_t made[CHUNK_BYTES];

    for (size_t at = 0; at < count; at += chunk) {
        size_t n = count - at < chunk ? count - at : chunk;
        const uint8_t *is = now + at * arg->element_bytes, *right = made;

        if (arg->make)
            arg->make(arg->context, first + at, n, made);
        else
            right = (const uint8_t *)arg->data + (first + at) * arg->element_bytes;
        if (memcmp(is, right, n * arg->element_bytes) == 0)
            continue;
        for (size_t i = 0; i < n * arg->element_bytes; i++)
            if (is[i] != right[i])
                return (int64_t)(first + at + i / arg->element_bytes);
    }
    return -1;
}

int64_t inputs_changed(const struct call_arg *arg, const struct wire_arg *wire,
                       const uint8_t *now) {
    uint64_t offset, bytes;

    if (!wire_is_large(wire))
        return compare(arg, 0, arg->count, now);
    for (uint64_t i = 0; wire_window(wire, i, &offset, &bytes); i++) {
        int64_t at = compare(arg, offset / arg->element_bytes, bytes / arg->element_bytes,
                             now + i * WIRE_WINDOW_BYTES);
        if (at >= 0)
            return at;
    }
    return -1;
}
