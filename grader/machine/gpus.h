/*
 * The GPUs of this host, and whose turn it is on each. Tests of correctness share a GPU; who
 * measures has it alone, also among graders of other processes and users: the turns are flock()s on
 * files named by the GPU's UUID, which the kernel gives back when their holder dies.
 */
#ifndef GRADER_GPUS_H
#define GRADER_GPUS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "grader/machine/room.h"

enum { GPUS_MAX = 16, GPUS_UUID = 48 };

struct gpus {
    char uuids[GPUS_MAX][GPUS_UUID]; /* as CUDA_VISIBLE_DEVICES takes them */
    struct room rooms[GPUS_MAX];     /* the turns within this grader */
    size_t n;
    const char *folder; /* of the locks */
    atomic_uint next;   /* the GPU whose turn it is to be taken */
};

/* Asks the driver, in a process of its own, for the GPUs that this process may use; none where it
 * does not say. */
void gpus_find(struct gpus *gpus);

struct gpus_turn {
    const char *uuid;
    struct room *room; /* NULL: no turn was taken; likewise … */
    int fd;            /* … -1 */
};

/* Waits for a turn, alone or beside others; those that wait to be alone are not overtaken for ever.
 * False where the grader is to stop, or where there are no locks to be had. */
bool gpus_take(struct gpus *gpus, bool is_alone, int interrupt_fd, struct gpus_turn *turn);
void gpus_give(struct gpus_turn *turn);

#endif
