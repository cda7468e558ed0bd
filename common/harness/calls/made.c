/*
 * Outputs of gigabytes, compared as they come back with elements that are made meanwhile: neither
 * of the two lies in memory as a whole.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/harness/context.h"

/* The first element that differs, and what it must be; -1 for none. */
static int64_t first_wrong(const int32_t *got, const int32_t *right, size_t count) {
    if (memcmp(got, right, count * sizeof *got) == 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (got[i] != right[i])
            return (int64_t)i;
    return -1;
}

/* Notes how many were compared, and the wrong one that comes first of all. */
static void note(struct lab_made *made, size_t count, int64_t at, int32_t got, int32_t right) {
    pthread_mutex_lock(&made->mutex);
    made->n_compared += count;
    if (at >= 0 && (made->wrong < 0 || at < made->wrong)) {
        made->wrong = at;
        made->got = got;
        made->expected = right;
    }
    pthread_mutex_unlock(&made->mutex);
}

/* Compares one piece. The worker can still write to `from`, so it is copied first. */
static void compare_piece(struct lab_made *made, size_t first, size_t count, const int32_t *from,
                          int32_t *got, int32_t *right) {
    memcpy(got, from, count * sizeof *got);
    made->make(made->context, first, count, right);
    int64_t wrong = first_wrong(got, right, count);
    if (wrong < 0)
        note(made, count, -1, 0, 0);
    else
        note(made, count, (int64_t)first + wrong, got[wrong], right[wrong]);
}

/* Where the host has no memory, what was not compared is missed at the end. */
static void take(void *taker, size_t first, size_t count, const void *from) {
    int32_t *got = malloc(2 * LAB_PIECE * sizeof *got);

    for (size_t at = 0; got && at < count; at += LAB_PIECE) {
        size_t n = count - at < LAB_PIECE ? count - at : LAB_PIECE;

        compare_piece(taker, first + at, n, (const int32_t *)from + at, got, got + LAB_PIECE);
    }
    free(got);
}

void lab_made_begin(struct lab_made *made) {
    made->n_compared = 0;
    made->wrong = -1;
}

bool lab_made_is_right(const struct lab_made *made) {
    return made->wrong < 0 && made->n_compared == made->n;
}

struct call_arg lab_out_made(const char *name, struct lab_made *made) {
    _Static_assert(CALL_TAKE_BYTES % (LAB_PIECE * sizeof(int32_t)) == 0, "parts have whole pieces");
    pthread_mutex_init(&made->mutex, NULL);
    lab_made_begin(made);
    return (struct call_arg){.kind = CALL_ARG_OUT,
                             .name = name,
                             .take = take,
                             .taker = made,
                             .count = made->n,
                             .element_bytes = sizeof(int32_t)};
}
