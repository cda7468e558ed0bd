/* Who goes in next, where many threads wait: entries are written down in the order they happen. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "grader/machine/gpus.h"
#include "grader/tests/support.h"

enum { MAX_GUESTS = 32 };

static struct gpus gpus;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char order[MAX_GUESTS + 1]; /* 's' and 'a', in the order of going in */
static size_t n_guests;
static pthread_t threads[MAX_GUESTS];

static void pretend_gpus(const char *locks) {
    gpus = (struct gpus){
        .n = 1, .folder = locks, .uuids = {"GPU-1", "GPU-2"}, .turns = GPU_TURNS_FREE};
}

static struct gpus_turn enter(enum gpus_kind kind) {
    struct gpus_turn turn;
    cr_assert(gpus_take(&gpus, kind, -1, &turn));
    return turn;
}

static struct gpus_turn come(enum gpus_kind kind) {
    struct gpus_turn turn;
    cr_assert(gpus_come(&gpus, kind, -1, &turn));
    return turn;
}

/* Those of big letters go in from a place. */
static void *visit(void *letter) {
    char guest = *(const char *)letter;
    enum gpus_kind kind = guest == 'a' || guest == 'A' ? GPUS_ALONE : GPUS_SHARED;
    struct gpus_turn turn = guest < 'a' ? come(kind) : enter(kind);
    if (guest < 'a')
        cr_assert(gpus_enter(&turn, -1));
    pthread_mutex_lock(&mutex);
    order[strlen(order)] = guest;
    pthread_mutex_unlock(&mutex);
    gpus_give(&turn);
    return NULL;
}

static size_t count_waiting(void) {
    pthread_mutex_lock(&gpus.turns.mutex);
    size_t n = gpus.turns.n_waiting;
    pthread_mutex_unlock(&gpus.turns.mutex);
    return n;
}

/* They come one after the other, and all have to wait. */
static void let_wait(const char *guests) {
    for (; *guests; guests++) {
        size_t n_waiting = count_waiting();
        cr_assert_eq(pthread_create(&threads[n_guests++], NULL, visit, (void *)guests), 0);
        while (count_waiting() == n_waiting)
            usleep(100);
    }
}

static void await_all(void) {
    for (size_t i = 0; i < n_guests; i++)
        pthread_join(threads[i], NULL);
}

FOLDER_SUITE(turns, pretend_gpus(folder));

Test(turns, are_shared_until_enough_wait_to_measure) {
    struct gpus_turn turn = enter(GPUS_SHARED);
    let_wait("aa");
    visit("s");
    let_wait("as");
    cr_expect_str_eq(order, "s");
    gpus_give(&turn);
    await_all();
    cr_expect_eq(strncmp(order, "sa", 2), 0, "%s", order);
    cr_expect_eq(strlen(order), 5);
}

Test(turns, are_shared_by_so_many) {
    struct gpus_turn turns[4];
    for (int i = 0; i < 4; i++)
        turns[i] = enter(GPUS_SHARED);
    let_wait("s");
    gpus_give(&turns[0]);
    await_all();
    for (int i = 1; i < 4; i++)
        gpus_give(&turns[i]);
}

Test(turns, have_places_for_few_who_make_ready_meanwhile) {
    struct gpus_turn turn = enter(GPUS_ALONE);
    let_wait("AAAAA"); /* to go in, and the last one for a place */
    cr_expect_eq(gpus.turns.uses[0].n_here[GPUS_ALONE], 5);
    cr_expect_eq(gpus.turns.uses[0].n_want_alone, 4);
    gpus_give(&turn);
    await_all();
    cr_expect_str_eq(order, "AAAAA");
}

Test(turns, have_no_place_to_test_where_many_wait_to_measure) {
    struct gpus_turn turns[5];
    for (int i = 0; i < 5; i++) {
        turns[i] = come(GPUS_SHARED);
        cr_assert(gpus_enter(&turns[i], -1));
        gpus_change(&turns[i], GPUS_ALONE);
    }
    let_wait("S");
    cr_expect_str_eq(order, "");
    gpus_give(&turns[0]);
    await_all();
    cr_expect_str_eq(order, "S");
    for (int i = 1; i < 5; i++)
        gpus_give(&turns[i]);
    cr_expect_eq(gpus.turns.uses[0].n_here[GPUS_ALONE], 0);
}

/* A file that failed: the simulator runs it then, for longer than the GPU did. */
Test(turns, leave_no_place_taken_by_who_left) {
    struct gpus_turn turns[5];
    for (int i = 0; i < 5; i++) {
        turns[i] = come(GPUS_ALONE);
        if (i < 4)
            cr_assert(gpus_enter(&turns[i], -1));
        gpus_leave(&turns[i]);
    }
    cr_expect_eq(gpus.turns.n_preparing, 0, "one left that had not gone in");
    visit("A");
    cr_expect_str_eq(order, "A");
    cr_assert(gpus_enter(&turns[0], -1), "one may come back");
    cr_expect_eq(gpus.turns.uses[0].n_here[GPUS_ALONE], 1);
    for (int i = 0; i < 5; i++)
        gpus_give(&turns[i]);
    cr_expect_eq(gpus.turns.uses[0].n_here[GPUS_ALONE], 0);
}

Test(turns, have_few_make_ready_at_once) {
    gpus.n = 2;
    struct gpus_turn turns[4];
    for (int i = 0; i < 4; i++)
        turns[i] = come(i % 2 == 0 ? GPUS_ALONE : GPUS_SHARED);
    let_wait("S");
    cr_expect_str_eq(order, "");
    cr_assert(gpus_enter(&turns[1], -1)); /* its context is made */
    await_all();
    cr_expect_str_eq(order, "S");
    for (int i = 0; i < 4; i++)
        gpus_give(&turns[i]);
    cr_expect_eq(gpus.turns.n_preparing, 0);
}

Test(turns, are_taken_on_the_gpu_that_has_the_fewest) {
    gpus.n = 2;
    struct gpus_turn one = come(GPUS_ALONE), other = come(GPUS_ALONE);
    cr_expect_str_neq(one.uuid, other.uuid);
    gpus_give(&other);
    struct gpus_turn next = come(GPUS_ALONE);
    cr_expect_str_neq(one.uuid, next.uuid);
    gpus_give(&one);
    gpus_give(&next);
}

Test(turns, of_one_gpu_are_not_held_up_by_another) {
    gpus.n = 2;
    struct gpus_turn one = enter(GPUS_ALONE);
    visit("A"); /* on the other GPU, as the next ones */
    visit("s");
    cr_expect_str_eq(order, "As");
    gpus_give(&one);
}

Test(turns, are_nobodys_who_was_told_to_stop) {
    struct gpus_turn turn = enter(GPUS_ALONE), place = come(GPUS_ALONE), refused;
    int fds[2];
    cr_assert_eq(pipe(fds), 0);
    cr_assert_eq(write(fds[1], "", 1), 1);
    cr_expect_not(gpus_take(&gpus, GPUS_SHARED, fds[0], &refused));
    cr_expect_not(gpus_take(&gpus, GPUS_ALONE, fds[0], &refused));
    cr_expect_not(gpus_enter(&place, fds[0]));
    gpus_give(&place);
    gpus_give(&turn);
    visit("a");
    visit("s");
    cr_expect_str_eq(order, "as");
    cr_expect_eq(gpus.turns.uses[0].n_here[GPUS_ALONE], 0);
    cr_expect_eq(gpus.turns.uses[0].n_here[GPUS_SHARED], 0);
}
