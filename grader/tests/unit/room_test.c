/* Who goes in next, where many threads wait: entries are written down in the order they happen. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "grader/machine/room.h"

enum { MAX_GUESTS = 32 };

static struct room room;
static char order[MAX_GUESTS + 1]; /* 's' and 'a', in the order of going in */
static size_t n_guests;
static pthread_t threads[MAX_GUESTS];

static void set_up(void) {
    room = ROOM_EMPTY;
}

static void *visit(void *kind) {
    cr_assert(room_enter(&room, *(const char *)kind == 'a', -1));
    pthread_mutex_lock(&room.mutex);
    order[strlen(order)] = *(const char *)kind;
    pthread_mutex_unlock(&room.mutex);
    room_leave(&room);
    return NULL;
}

static size_t count_waiting(void) {
    pthread_mutex_lock(&room.mutex);
    size_t n = room.n_want_alone + room.n_want_shared;
    pthread_mutex_unlock(&room.mutex);
    return n;
}

/* They come one after the other, and all have to wait. */
static void let_wait(const char *kinds) {
    for (; *kinds; kinds++) {
        size_t n_waiting = count_waiting();
        cr_assert_eq(pthread_create(&threads[n_guests++], NULL, visit, (void *)kinds), 0);
        while (count_waiting() == n_waiting)
            usleep(100);
    }
}

static void await_all(void) {
    for (size_t i = 0; i < n_guests; i++)
        pthread_join(threads[i], NULL);
}

TestSuite(room, .init = set_up, .timeout = 60);

Test(room, lets_those_measure_back_to_back_that_wait) {
    cr_assert(room_enter(&room, true, -1));
    let_wait("sasasa");
    room_leave(&room);
    await_all();
    cr_expect_str_eq(order, "aaasss");
}

Test(room, is_shared_as_long_as_few_wait_to_measure) {
    cr_assert(room_enter(&room, false, -1));
    let_wait("aaa");
    visit("s");
    cr_expect_str_eq(order, "s");
    room_leave(&room);
    await_all();
    cr_expect_str_eq(order, "saaa");
}

Test(room, is_closed_to_others_once_enough_wait_to_measure) {
    cr_assert(room_enter(&room, false, -1));
    let_wait("aaaaaaaas");
    room_leave(&room);
    await_all();
    cr_expect_str_eq(order, "aaaaaaaas");
}

Test(room, is_nobodys_who_was_told_to_stop) {
    int fds[2];
    cr_assert_eq(pipe(fds), 0);
    cr_assert_eq(write(fds[1], "", 1), 1);
    cr_assert(room_enter(&room, true, -1));
    cr_expect_not(room_enter(&room, false, fds[0]));
    cr_expect_not(room_enter(&room, true, fds[0]));
    cr_expect_eq(count_waiting(), 0);
    cr_expect_gt(room_load(&room), 0);
    room_leave(&room);
    cr_expect_eq(room_load(&room), 0);
}
