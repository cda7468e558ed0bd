/*
 * The GPUs of this host, each with a reader-writer lock. Tests of correctness hold it shared, a
 * measurement of speed holds it alone. This also holds among graders of other processes and users:
 * the lock is an flock() on a file named by the GPU's UUID, which the kernel releases when its
 * holder dies.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The lock of one GPU among the threads of this grader. A change from tests of correctness to
 * measurements leaves the GPU half idle until the last test has ended. So measurements wait until
 * several of them do, or no test of correctness wants the lock, and then run one after another.
 */
struct gpu_lock {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t n_shared, n_want_shared, n_want_alone; /* holders; waiting */
    bool is_alone;                                /* somebody holds it alone */
    bool measures; /* measurements run one after another; tests of correctness wait */
};

/* One that nobody holds; all else is zeros. */
#define GPU_LOCK_FREE                                                                              \
    (struct gpu_lock) {                                                                            \
        .mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER                    \
    }

/* Waits to be let in. False where the grader is to stop (`interrupt_fd`, or -1). */
bool gpu_lock_take(struct gpu_lock *lock, bool is_alone, int interrupt_fd);
void gpu_lock_release(struct gpu_lock *lock);

/* How much work holds the lock or waits for it; comparable between locks, but not a time. */
size_t gpu_lock_load(struct gpu_lock *lock);

enum { GPUS_MAX = 16, GPUS_UUID = 48 };

struct gpus {
    char uuids[GPUS_MAX][GPUS_UUID]; /* as CUDA_VISIBLE_DEVICES takes them */
    struct gpu_lock locks[GPUS_MAX]; /* the turns within this grader */
    size_t n;
    const char *folder; /* of the locks */
    atomic_uint next;   /* where the search for the least loaded GPU begins: each time at another */
};

/* Asks the driver, in a process of its own, for the GPUs that this process may use; none where it
 * does not say. */
void gpus_find(struct gpus *gpus);

struct gpus_turn {
    const char *uuid;
    struct gpu_lock *lock; /* NULL: no turn was taken; likewise … */
    int fd;                /* … -1 */
};

/* Takes the lock of the least loaded GPU, shared or alone; who waits to have it alone is served at
 * last, however many come later. False where the grader is to stop, or where the locks' files can't
 * be opened. */
bool gpus_take(struct gpus *gpus, bool is_alone, int interrupt_fd, struct gpus_turn *turn);
void gpus_give(struct gpus_turn *turn);
