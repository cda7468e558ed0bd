#include "common/call/worker/spares.h"

#include <string.h>

enum { MOST = sizeof((struct spares *)0)->list / sizeof(struct spare) };
enum { LEAST_BYTES = 1 << 14, STEP_BYTES = 1 << 20, MOST_BYTES = 80 << 20, ALL_BYTES = 320 << 20 };

/* Sizes that few differ from: powers of two, and whole MiB. */
static uint64_t round_up(uint64_t bytes) {
    uint64_t size = LEAST_BYTES;

    if (bytes >= STEP_BYTES)
        return bytes > MOST_BYTES ? bytes : (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
    while (size < bytes)
        size *= 2;
    return size;
}

static void remove_at(struct spares *spares, size_t at) {
    spares->n--;
    spares->bytes -= spares->list[at].bytes;
    memmove(&spares->list[at], &spares->list[at + 1], (spares->n - at) * sizeof spares->list[0]);
}

static void free_oldest(struct spares *spares, const struct cuda *cuda) {
    cuda->free(spares->list[0].memory);
    remove_at(spares, 0);
}

int spares_take(struct spares *spares, const struct cuda *cuda, uint64_t bytes, void **memory,
                uint64_t *capacity) {
    int error;

    *capacity = round_up(bytes);
    for (size_t i = 0; i < spares->n; i++) {
        if (spares->list[i].bytes != *capacity)
            continue;
        *memory = spares->list[i].memory;
        remove_at(spares, i);
        return CUDA_SUCCESS;
    }
    while ((error = cuda->malloc(memory, *capacity)) != CUDA_SUCCESS && spares->n > 0) {
        cuda->get_last_error();
        free_oldest(spares, cuda);
    }
    return error;
}

void spares_give(struct spares *spares, const struct cuda *cuda, void *memory, uint64_t capacity) {
    if (capacity > MOST_BYTES) {
        cuda->free(memory);
        return;
    }
    while (spares->n == MOST || spares->bytes > ALL_BYTES - capacity)
        free_oldest(spares, cuda);
    spares->bytes += capacity;
    spares->list[spares->n++] = (struct spare){memory, capacity};
}
