/* Who goes in next, where many threads wait: entries are written down in the order they happen. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "grader/machine/gpus.h"

enum { MAX_GUESTS = 32 };

static struct gpu_lock lock;
static char order[MAX_GUESTS + 1]; /* 's' and 'a', in the order of going in */
static size_t n_guests;
static pthread_t threads[MAX_GUESTS];

static void set_up(void) {
    lock = GPU_LOCK_FREE;
}

static void *visit(void *kind) {
    cr_assert(gpu_lock_take(&lock, *(const char *)kind == 'a', -1));
    pthread_mutex_lock(&lock.mutex);
    order[strlen(order)] = *(const char *)kind;
    pthread_mutex_unlock(&lock.mutex);
    gpu_lock_release(&lock);
    return NULL;
}

static size_t count_waiting(void) {
    pthread_mutex_lock(&lock.mutex);
    size_t n = lock.n_want_alone + lock.n_want_shared;
    pthread_mutex_unlock(&lock.mutex);
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

TestSuite(lock, .init = set_up, .timeout = 60);

Test(lock, lets_those_measure_back_to_back_that_wait) {
    cr_assert(gpu_lock_take(&lock, true, -1));
    let_wait("sasasa");
    gpu_lock_release(&lock);
    await_all();
    cr_expect_str_eq(order, "aaasss");
}

Test(lock, is_shared_as_long_as_few_wait_to_measure) {
    cr_assert(gpu_lock_take(&lock, false, -1));
    let_wait("aaa");
    visit("s");
    cr_expect_str_eq(order, "s");
    gpu_lock_release(&lock);
    await_all();
    cr_expect_str_eq(order, "saaa");
}

Test(lock, is_closed_to_others_once_enough_wait_to_measure) {
    cr_assert(gpu_lock_take(&lock, false, -1));
    let_wait("aaaaaaaas");
    gpu_lock_release(&lock);
    await_all();
    cr_expect_str_eq(order, "aaaaaaaas");
}

Test(lock, is_nobodys_who_was_told_to_stop) {
    int fds[2];
    cr_assert_eq(pipe(fds), 0);
    cr_assert_eq(write(fds[1], "", 1), 1);
    cr_assert(gpu_lock_take(&lock, true, -1));
    cr_expect_not(gpu_lock_take(&lock, false, fds[0]));
    cr_expect_not(gpu_lock_take(&lock, true, fds[0]));
    cr_expect_eq(count_waiting(), 0);
    cr_expect_gt(gpu_lock_load(&lock), 0);
    gpu_lock_release(&lock);
    cr_expect_eq(gpu_lock_load(&lock), 0);
}
