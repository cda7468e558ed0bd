/*
 * The GPUs of this host, each with a reader-writer lock. Tests of correctness hold it shared, a
 * measurement of speed holds it alone. This also holds among graders of other processes and users:
 * the lock is an flock() on a file named by the GPU's UUID, which the kernel releases when its
 * holder dies.
 *
 * To make a context takes a process longer than most of what it then does on the GPU. So whoever
 * wants a GPU first takes a place before it, starts its process, has the context made while others
 * hold the lock, and then goes in. A context in which nothing runs does not disturb a measurement
 * (grader/README.md has the figures).
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { GPUS_MAX = 16, GPUS_UUID = 48 };

enum gpus_kind { GPUS_SHARED, GPUS_ALONE, GPUS_N_KINDS };

/* Who has what of a GPU, of the threads of this grader. */
struct gpu_use {
    size_t n_here[GPUS_N_KINDS]; /* that have a place before it, or have gone in */
    size_t n_want_alone;         /* that wait to go in, with all ready */
    size_t n_shared;             /* that have gone in */
    bool is_alone;               /* somebody has gone in alone */
};

/* Before somebody measures, tests of correctness have to end, the last of them alone on the GPU. So
 * these go in, a few at once, until several wait to measure, who then do so one after the other. */
struct gpu_turns {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t n_waiting;   /* for a place, or to go in */
    size_t n_preparing; /* that have a place, and make their contexts */
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
    struct gpus *gpus; /* NULL: no place was taken */
    struct gpu_use *use;
    const char *uuid;
    enum gpus_kind kind;
    bool has_place, is_preparing;
    int fd; /* -1: has not gone in */
};

/* A turn that is nobody's. */
#define GPUS_NO_TURN                                                                               \
    (struct gpus_turn) {                                                                           \
        .fd = -1                                                                                   \
    }

/* Takes a place before the GPU that has the fewest there, once there is one with room, and few make
 * a context. False where the grader is to stop. */
bool gpus_come(struct gpus *gpus, enum gpus_kind kind, int interrupt_fd, struct gpus_turn *turn);

/* Goes in from a place. False where the grader is to stop, or where the locks' files can't be
 * opened. */
bool gpus_enter(struct gpus_turn *turn, int interrupt_fd);

/* Makes the place one of the other kind. The lock is given back where it is held. */
void gpus_change(struct gpus_turn *turn, enum gpus_kind kind);

/* Both, without a look at how many are before the GPU. On failure nothing is held. */
bool gpus_take(struct gpus *gpus, enum gpus_kind kind, int interrupt_fd, struct gpus_turn *turn);

/* Gives the lock back where it is held, and the place. One may go in again, without a look at how
 * many are before the GPU by then. */
void gpus_leave(struct gpus_turn *turn);

/* The same for good. What is nobody's stays so. */
void gpus_give(struct gpus_turn *turn);
