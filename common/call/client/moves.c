/*
 * A large buffer is a row of parts, and each part a few pieces, one of which a thread does at a
 * time. Threads take the pieces in their order, and wait where a piece's place in the shared memory
 * is still another part's, or where its part has not come yet. Meanwhile the caller's thread has
 * the worker move one part after the other: so the device copies while the host writes or compares.
 */
#include "common/call/client/moves.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/parallel.h"

enum {
    PIECE_BYTES = CALL_TAKE_BYTES, /* that one thread writes or takes at a time */
    N_PLACES = 2,                  /* for parts */
    PLACE_BYTES = WIRE_PART_BYTES / N_PLACES,
    MOST_THREADS = 32,
};
_Static_assert(PLACE_BYTES % PIECE_BYTES == 0, "parts have whole pieces");

/* Elements in so many bytes, at least one. */
static size_t elements_in(size_t bytes, const struct call_arg *arg) {
    return bytes > arg->element_bytes ? bytes / arg->element_bytes : 1;
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* What the threads share. */
struct moves {
    const struct call_arg *arg;
    size_t count;                 /* elements that are moved, from the first one on */
    size_t n_of_piece, n_of_part; /* elements, the last ones apart */
    uint8_t *to;                  /* an input: where it is to lie, … */
    const uint8_t *from;          /* … an output: where it lies */
    uint8_t poison;
    size_t *parts, n_parts; /* those that are moved, in their order; NULL: all */
    atomic_bool is_written; /* not all of the output is poison */
    /* Of those in parts: how many were moved. */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t n_moved;
    bool is_stopped;
};

static void write_elements(const struct moves *moves, size_t first, size_t count, uint8_t *to) {
    const struct call_arg *arg = moves->arg;

    if (arg->make)
        arg->make(arg->context, first, count, to);
    else
        memcpy(to, (const uint8_t *)arg->data + first * arg->element_bytes,
               count * arg->element_bytes);
}

/* True when the bytes are all `value`: comparing them with themselves, one byte on, stops at the
 * first difference. */
static bool is_all(const uint8_t *bytes, size_t count, uint8_t value) {
    return count > 0 && bytes[0] == value && memcmp(bytes, bytes + 1, count - 1) == 0;
}

static void take_elements(struct moves *moves, size_t first, size_t count, const uint8_t *from) {
    const struct call_arg *arg = moves->arg;

    if (!moves->is_written && !is_all(from, count * arg->element_bytes, moves->poison))
        moves->is_written = true;
    if (arg->take)
        arg->take(arg->taker, first, count, from);
    else
        memcpy((uint8_t *)arg->data + first * arg->element_bytes, from, count * arg->element_bytes);
}

static void write_piece(void *context, size_t piece) {
    struct moves *moves = context;
    size_t first = piece * moves->n_of_piece, rest = moves->arg->count - first;

    write_elements(moves, first, smaller(rest, moves->n_of_piece),
                   moves->to + first * moves->arg->element_bytes);
}

static void take_piece(void *context, size_t piece) {
    struct moves *moves = context;
    size_t first = piece * moves->n_of_piece, rest = moves->arg->count - first;

    take_elements(moves, first, smaller(rest, moves->n_of_piece),
                  moves->from + first * moves->arg->element_bytes);
}

void move_in(const struct call_arg *arg, uint8_t *to) {
    struct moves moves = {.arg = arg, .n_of_piece = elements_in(PIECE_BYTES, arg), .to = to};

    parallel_run((arg->count + moves.n_of_piece - 1) / moves.n_of_piece, write_piece, &moves);
}

bool move_out(const struct call_arg *arg, const uint8_t *from, uint8_t poison) {
    struct moves moves = {
        .arg = arg, .n_of_piece = elements_in(PIECE_BYTES, arg), .from = from, .poison = poison};

    parallel_run((arg->count + moves.n_of_piece - 1) / moves.n_of_piece, take_piece, &moves);
    return !moves.is_written;
}

static size_t count_parts(const struct moves *moves) {
    return (moves->count + moves->n_of_part - 1) / moves->n_of_part;
}

/* The first element of the part that is moved as the `turn`-th, and how many it has. */
static size_t first_of(const struct moves *moves, size_t turn) {
    return (moves->parts ? moves->parts[turn] : turn) * moves->n_of_part;
}

static size_t count_of(const struct moves *moves, size_t turn) {
    return smaller(moves->count - first_of(moves, turn), moves->n_of_part);
}

static size_t pieces_of_part(const struct moves *moves) {
    return (moves->n_of_part + moves->n_of_piece - 1) / moves->n_of_piece;
}

/* Where a part lies, behind the beginning of the buffer's place. */
static uint32_t place_of(size_t part) {
    return (uint32_t)(part % N_PLACES * PLACE_BYTES);
}

/* Waits until so many parts were moved. False where they will not be. */
static bool await_moved(struct moves *moves, size_t n) {
    pthread_mutex_lock(&moves->mutex);
    while (moves->n_moved < n && !moves->is_stopped)
        pthread_cond_wait(&moves->changed, &moves->mutex);
    bool is_moved = moves->n_moved >= n;
    pthread_mutex_unlock(&moves->mutex);
    return is_moved;
}

/* Wakes the threads after a part was moved, or could not be. */
static void note_moved(struct moves *moves, bool is_moved) {
    pthread_mutex_lock(&moves->mutex);
    moves->n_moved += is_moved;
    moves->is_stopped |= !is_moved;
    pthread_cond_broadcast(&moves->changed);
    pthread_mutex_unlock(&moves->mutex);
}

/* One piece of a part: the number of the piece counts all parts' pieces. */
static void do_piece(void *context, size_t index) {
    struct moves *moves = context;
    size_t n_pieces = pieces_of_part(moves), turn = index / n_pieces;
    size_t within = index % n_pieces * moves->n_of_piece, first = first_of(moves, turn) + within;
    size_t end = first_of(moves, turn) + count_of(moves, turn);
    size_t at = place_of(turn) + within * moves->arg->element_bytes;
    bool is_input = moves->to != NULL;

    if (!await_moved(moves, is_input ? (turn < N_PLACES ? 0 : turn + 1 - N_PLACES) : turn + 1) ||
        first >= end)
        return;
    if (is_input)
        write_elements(moves, first, smaller(moves->n_of_piece, end - first), moves->to + at);
    else
        take_elements(moves, first, smaller(moves->n_of_piece, end - first), moves->from + at);
}

static void await_part(struct queue *queue, const struct moves *moves, size_t turn) {
    size_t n_pieces = pieces_of_part(moves);

    for (size_t i = 0; i < n_pieces; i++)
        queue_wait(queue, turn * n_pieces + i);
}

/* Has all parts moved. An input's part has to be written before, and an output's needs a place from
 * which all was taken. */
static bool move_all(struct moves *moves, move_part *move, void *context) {
    size_t n_parts = moves->parts ? moves->n_parts : count_parts(moves);
    size_t n_cores = parallel_cores();
    bool is_input = moves->to != NULL, is_good = true;

    pthread_mutex_init(&moves->mutex, NULL);
    pthread_cond_init(&moves->changed, NULL);
    struct queue *queue = queue_start(n_parts * pieces_of_part(moves),
                                      (int)smaller(n_cores, MOST_THREADS), do_piece, moves);
    for (size_t turn = 0; turn < n_parts && is_good; turn++) {
        if (is_input || turn >= N_PLACES)
            await_part(queue, moves, is_input ? turn : turn - N_PLACES);
        is_good = move(context, first_of(moves, turn) * moves->arg->element_bytes,
                       count_of(moves, turn) * moves->arg->element_bytes, place_of(turn));
        note_moved(moves, is_good);
    }
    queue_finish(queue);
    pthread_cond_destroy(&moves->changed);
    pthread_mutex_destroy(&moves->mutex);
    return is_good;
}

/* Leaves out the parts that are the same, but for one, by which the buffer is taken over. Where
 * there is no memory for the list, all are moved. */
static void choose_parts(struct moves *moves) {
    const struct call_arg *arg = moves->arg;
    size_t n = count_parts(moves);

    moves->parts = malloc(n * sizeof *moves->parts);
    for (size_t part = 0; part < n && moves->parts; part++) {
        size_t first = part * moves->n_of_part;
        size_t count = smaller(moves->count - first, moves->n_of_part);

        if ((part + 1 == n && moves->n_parts == 0) || !arg->is_same(arg->context, first, count))
            moves->parts[moves->n_parts++] = part;
    }
}

bool move_in_parts(const struct call_arg *arg, size_t count, bool has, uint8_t *place,
                   move_part *move, void *context) {
    struct moves moves = {.arg = arg,
                          .count = count,
                          .n_of_piece = elements_in(PIECE_BYTES, arg),
                          .n_of_part = elements_in(PLACE_BYTES, arg),
                          .to = place};

    if (has && arg->is_same)
        choose_parts(&moves);
    bool is_good = move_all(&moves, move, context);
    free(moves.parts);
    return is_good;
}

bool move_out_parts(const struct call_arg *arg, const uint8_t *place, uint8_t poison,
                    move_part *move, void *context, bool *is_untouched) {
    struct moves moves = {.arg = arg,
                          .count = arg->count,
                          .n_of_piece = elements_in(PIECE_BYTES, arg),
                          .n_of_part = elements_in(PLACE_BYTES, arg),
                          .from = place,
                          .poison = poison};

    bool is_good = move_all(&moves, move, context);
    *is_untouched = !moves.is_written;
    return is_good;
}
