/* One condition for all; who may go in is asked again at each change. */
#include "grader/machine/room.h"

#include <time.h>

#include "common/base/process.h"

enum {
    ENOUGH = 8,   /* that wait to measure: nobody else is let in before them */
    LOOK_MS = 20, /* for an interrupt */
    LONGER = 4,   /* measuring takes as long as so many other parts, which run beside each other */
};

static bool may_share(const struct room *room) {
    if (room->is_alone)
        return false;
    return room->measures ? room->n_want_alone == 0 : room->n_want_alone < ENOUGH;
}

static bool may_be_alone(const struct room *room) {
    if (room->is_alone || room->n_shared > 0)
        return false;
    return room->measures || room->n_want_shared == 0 || room->n_want_alone >= ENOUGH;
}

static void look_again_later(struct room *room) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&room->changed, &room->mutex, &until);
}

bool room_enter(struct room *room, bool is_alone, int interrupt_fd) {
    pthread_mutex_lock(&room->mutex);
    size_t *n_waiting = is_alone ? &room->n_want_alone : &room->n_want_shared;
    bool may = false, is_stopped = false;
    ++*n_waiting;
    while (!(may = is_alone ? may_be_alone(room) : may_share(room)) && !is_stopped) {
        look_again_later(room);
        is_stopped = process_is_interrupted(interrupt_fd);
    }
    --*n_waiting;
    if (may) {
        room->measures = room->is_alone = is_alone;
        room->n_shared += !is_alone;
    }
    pthread_cond_broadcast(&room->changed);
    pthread_mutex_unlock(&room->mutex);
    return may;
}

void room_leave(struct room *room) {
    pthread_mutex_lock(&room->mutex);
    if (room->is_alone)
        room->is_alone = false;
    else
        room->n_shared--;
    pthread_cond_broadcast(&room->changed);
    pthread_mutex_unlock(&room->mutex);
}

size_t room_load(struct room *room) {
    pthread_mutex_lock(&room->mutex);
    size_t load = room->n_shared + room->n_want_shared +
                  LONGER * (room->n_want_alone + (room->is_alone ? 1 : 0));
    pthread_mutex_unlock(&room->mutex);
    return load;
}
