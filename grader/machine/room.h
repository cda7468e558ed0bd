/*
 * The order in which threads of this grader use one GPU: tests of correctness beside each other,
 * who measures alone. Whoever waits to measure does so back to back with the others that wait, once
 * enough of them do or nobody else wants in: each change between the two kinds costs the time until
 * the last one has left.
 */
#ifndef GRADER_ROOM_H
#define GRADER_ROOM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct room {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t n_shared, n_want_shared, n_want_alone; /* inside; waiting */
    bool is_alone;                                /* somebody is inside, alone */
    bool measures;                                /* those that measure have it, back to back */
};

/* A room that is all zeros but for this. */
#define ROOM_EMPTY                                                                                 \
    (struct room) {                                                                                \
        .mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER                    \
    }

/* Waits to be let in. False where the grader is to stop (`interrupt_fd`, or -1). */
bool room_enter(struct room *room, bool is_alone, int interrupt_fd);
void room_leave(struct room *room);

/* How much there is to be waited for, in no unit: to choose among rooms. */
size_t room_load(struct room *room);

#endif
