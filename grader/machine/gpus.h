/*
 * The GPUs of this host, each with a reader-writer lock. Tests of correctness hold it shared, a
 * measurement of speed holds it alone. This also holds among graders of other processes and users:
 * the lock is an flock() on a file named by the GPU's UUID, which the kernel releases when its
 * holder dies.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { GPUS_MAX = 16, GPUS_UUID = 48 };

/* Who holds a GPU, of the threads of this grader. */
struct gpu_use {
    size_t n_shared;
    bool is_alone; /* somebody holds it alone */
    bool measures; /* only measurements are let in, one after another, while any are wanted */
};

/*
 * The turns of the threads of this grader. A change from tests of correctness to measurements
 * leaves a GPU half idle until the last test has ended. So measurements wait until several of them
 * do, or no test of correctness wants a GPU, and then run one after another; the other GPUs go on
 * with tests of correctness. Nobody waits for a certain GPU: each takes the first that is free.
 */
struct gpu_turns {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t n_want_shared, n_want_alone; /* that wait */
    struct gpu_use uses[GPUS_MAX];
};

/* Turns that nobody holds; all else is zeros. */
#define GPU_TURNS_FREE                                                                             \
    (struct gpu_turns) {                                                                           \
        .mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER                    \
    }

struct gpus {
    char uuids[GPUS_MAX][GPUS_UUID]; /* as CUDA_VISIBLE_DEVICES takes them */
    struct gpu_turns turns;
    size_t n;
    const char *folder; /* of the locks among graders */
};

/* Asks the driver, in a process of its own, for the GPUs that this process may use; none where it
 * does not say. */
void gpus_find(struct gpus *gpus);

struct gpus_turn {
    const char *uuid;
    struct gpu_turns *turns; /* NULL: no turn was taken; likewise … */
    int fd;                  /* … -1 */
    struct gpu_use *use;
};

/* Takes the lock of a GPU, shared or alone, of the one that is used least where there is a choice;
 * who waits to have it alone is served at last, however many come later. False where the grader is
 * to stop, or where the locks' files can't be opened. */
bool gpus_take(struct gpus *gpus, bool is_alone, int interrupt_fd, struct gpus_turn *turn);
void gpus_give(struct gpus_turn *turn);
