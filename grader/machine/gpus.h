/*
 * The GPUs of this host, and whose turn it is on each. Tests of correctness share a GPU; who
 * measures has it alone, also among graders of other processes and users: the turns are flock()s on
 * files named by the GPU's UUID, which the kernel gives back when their holder dies.
 */
#ifndef GRADER_MACHINE_GPUS_H
#define GRADER_MACHINE_GPUS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * A lock that threads of this grader share or hold alone, for one GPU: tests of correctness run
 * beside each other, who measures is alone. Whoever waits to measure does so back to back with the
 * others that wait, once enough of them do or nobody else wants in: each change between the two
 * kinds costs the time until the last one has left.
 */
struct gpu_lock {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t n_shared, n_want_shared, n_want_alone; /* holders; waiting */
    bool is_alone;                                /* somebody holds it alone */
    bool measures;                                /* those that measure have it, back to back */
};

/* One that nobody holds; all else is zeros. */
#define GPU_LOCK_FREE                                                                              \
    (struct gpu_lock) {                                                                            \
        .mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER                    \
    }

/* Waits to be let in. False where the grader is to stop (`interrupt_fd`, or -1). */
bool gpu_lock_take(struct gpu_lock *lock, bool is_alone, int interrupt_fd);
void gpu_lock_release(struct gpu_lock *lock);

/* How much there is to be waited for, in no unit: to choose among locks. */
size_t gpu_lock_load(struct gpu_lock *lock);

enum { GPUS_MAX = 16, GPUS_UUID = 48 };

struct gpus {
    char uuids[GPUS_MAX][GPUS_UUID]; /* as CUDA_VISIBLE_DEVICES takes them */
    struct gpu_lock locks[GPUS_MAX]; /* the turns within this grader */
    size_t n;
    const char *folder; /* of the locks */
    atomic_uint next;   /* the GPU whose turn it is to be taken */
};

/* Asks the driver, in a process of its own, for the GPUs that this process may use; none where it
 * does not say. */
void gpus_find(struct gpus *gpus);

struct gpus_turn {
    const char *uuid;
    struct gpu_lock *lock; /* NULL: no turn was taken; likewise … */
    int fd;                /* … -1 */
};

/* Waits for a turn, alone or beside others; those that wait to be alone are not overtaken for ever.
 * False where the grader is to stop, or where there are no locks to be had. */
bool gpus_take(struct gpus *gpus, bool is_alone, int interrupt_fd, struct gpus_turn *turn);
void gpus_give(struct gpus_turn *turn);

#endif
