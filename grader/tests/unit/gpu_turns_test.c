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

static struct gpus_turn enter(bool is_alone) {
    struct gpus_turn turn;
    cr_assert(gpus_take(&gpus, is_alone, -1, &turn));
    return turn;
}

static void *visit(void *kind) {
    struct gpus_turn turn = enter(*(const char *)kind == 'a');
    pthread_mutex_lock(&mutex);
    order[strlen(order)] = *(const char *)kind;
    pthread_mutex_unlock(&mutex);
    gpus_give(&turn);
    return NULL;
}

static size_t count_waiting(void) {
    pthread_mutex_lock(&gpus.turns.mutex);
    size_t n = gpus.turns.n_want_alone + gpus.turns.n_want_shared;
    pthread_mutex_unlock(&gpus.turns.mutex);
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

FOLDER_SUITE(turns, pretend_gpus(folder));

Test(turns, let_those_measure_back_to_back_that_wait) {
    struct gpus_turn turn = enter(true);
    let_wait("sasasa");
    gpus_give(&turn);
    await_all();
    cr_expect_str_eq(order, "aaasss");
}

Test(turns, are_shared_as_long_as_few_wait_to_measure) {
    struct gpus_turn turn = enter(false);
    let_wait("aaa");
    visit("s");
    cr_expect_str_eq(order, "s");
    gpus_give(&turn);
    await_all();
    cr_expect_str_eq(order, "saaa");
}

Test(turns, are_closed_to_others_once_enough_wait_to_measure) {
    struct gpus_turn turn = enter(false);
    let_wait("aaaaaaaas");
    gpus_give(&turn);
    await_all();
    cr_expect_str_eq(order, "aaaaaaaas");
}

Test(turns, are_closed_on_one_gpu_and_not_on_the_others) {
    gpus.n = 2;
    struct gpus_turn one = enter(false), other = enter(false);
    let_wait("a");
    for (int i = 0; i < 3; i++)
        visit("s");
    cr_expect_str_eq(order, "sss");
    gpus_give(&one);
    await_all(); /* the other GPU is shared all the time */
    cr_expect_str_eq(order, "sssa");
    gpus_give(&other);
}

Test(turns, are_closed_on_the_last_gpu_once_many_wait) {
    gpus.n = 2;
    struct gpus_turn one = enter(true), other = enter(false);
    let_wait("aaaaaaaaaaaaaaa");
    visit("s");
    cr_expect_str_eq(order, "s");
    let_wait("as");
    gpus_give(&other);
    await_all();
    cr_expect_str_eq(order, "saaaaaaaaaaaaaaaas");
    gpus_give(&one);
}

Test(turns, are_shared_by_so_many_on_each_of_several_gpus) {
    struct gpus_turn turns[8];
    gpus.n = 2;
    for (int i = 0; i < 8; i++)
        turns[i] = enter(false);
    let_wait("s");
    gpus_give(&turns[0]);
    await_all();
    for (int i = 1; i < 8; i++)
        gpus_give(&turns[i]);
}

Test(turns, are_taken_on_the_gpu_that_is_free_first) {
    gpus.n = 2;
    struct gpus_turn one = enter(true), other = enter(true);
    let_wait("aa");
    gpus_give(&other);
    await_all(); /* with the first GPU still taken */
    cr_expect_str_eq(order, "aa");
    gpus_give(&one);
}

Test(turns, are_nobodys_who_was_told_to_stop) {
    struct gpus_turn turn = enter(true), refused;
    int fds[2];
    cr_assert_eq(pipe(fds), 0);
    cr_assert_eq(write(fds[1], "", 1), 1);
    cr_expect_not(gpus_take(&gpus, false, fds[0], &refused));
    cr_expect_not(gpus_take(&gpus, true, fds[0], &refused));
    cr_expect_eq(count_waiting(), 0);
    gpus_give(&turn);
    visit("a");
    visit("s");
    cr_expect_str_eq(order, "as");
}
