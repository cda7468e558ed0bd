/* What the files of this folder share: processes that run a lab's tests, and what they know. */
#pragma once

#include <stdatomic.h>
#include <sys/types.h>

#include "common/harness/context.h"

enum { MAX_JOBS = 64, MAX_TESTS = 128, MAX_GPU_PROCESSES = 2 };

/* A place for a process that runs tests, one at a time. */
struct slot {
    pid_t pid;                  /* 0: free */
    const char *suite, *name;   /* of its test, for messages */
    bool is_on_gpu;             /* its process takes tests of the queue */
    struct call_server *server; /* of the simulator; NULL for none */
};

/* What the processes of a queue share. */
struct shared {
    atomic_size_t n_taken;
    /* Of the examples: how many have ended, and with which verdicts, as bits. */
    atomic_size_t n_examples;
    atomic_uint verdicts;
    atomic_bool is_broken; /* a process was killed, perhaps in an example */
    /* Of each test: it failed, or was not run since others left no worker alive; the simulator has
     * not failed it. */
    atomic_bool is_doubted[MAX_TESTS];
};

/* Tests on a GPU. Each process takes the next one as long as there is one. */
struct gpu_queue {
    const struct criterion_test *tests[MAX_TESTS];
    size_t n;
    size_t n_examples; /* these come first */
    size_t n_shared;   /* these come before those for which nobody else may use the GPU */
    bool is_again;     /* its tests failed there before, and the simulator found nothing wrong */
    bool has_helper;   /* a second process may take tests of it */
    struct shared *shared;
};

struct runner {
    const char *filter; /* NULL: all */
    bool is_list;
    int jobs;
    bool is_gpu; /* the settings could be read, and say so */
    struct lab_settings settings;
    struct slot slots[MAX_JOBS];
    struct gpu_queue queue;
    size_t n_judged; /* tests that were started, but for those of speed */
    int n_failed;
};

/* Of the process that runs a test. A test takes no argument and returns nothing, hence the global
 * variable. */
struct run_here {
    struct call_server *server; /* of its slot */
    struct lab_workers workers;
    struct lab_experiments *experiments; /* tests that are called don't run, but are added */
    struct gpu_queue *queue;             /* of tests on a GPU; NULL for none */
    bool is_alone;                       /* on the GPU */
    bool looks_again;                    /* on the simulator, at a test that ran on the GPU */
    atomic_bool *is_doubted;             /* of the test in hand, of a queue; NULL for none */
    int n_failed;
};
extern struct run_here run_here;

/* slots.c */

/* Makes sure that the slot has a fork server for its tests on the simulator. Where none can be had,
 * the test starts its own, and reports what fails. */
void slot_have_server(struct slot *slot, const char *tier);
/* Forks. True in the new process; where fork fails the slot stays free. */
bool slot_start(struct slot *slot, const char *suite, const char *name);
/* Ends a process that slot_start made. */
_Noreturn void run_end(void);
/* Waits for one process to end, and counts it. After the last one on a GPU, others may have that.
 */
void slots_await_one(struct runner *runner);
/* A slot without a process, once there is one. */
struct slot *slots_free(struct runner *runner);
bool slots_are_busy(const struct runner *runner);

/* gpu_queue.c */

/* Room for what its processes share. False when the host has no memory. */
bool gpu_queue_init(struct gpu_queue *queue);
/* Examples come first, tests of speed last. */
void gpu_queue_add(struct gpu_queue *queue, const struct criterion_test *test);
/* Starts at most so many processes that take tests of the queue. */
void gpu_queue_start(struct runner *runner, int most);
/* Waits for all processes, of the queue or not. Where one of the queue was killed, another one
 * takes what is left of it. */
void run_finish(struct runner *runner);
/* After a queue has been run: the simulator runs the tests that failed on the GPU, which then
 * serves others. What fails on the GPU alone runs there once more, each test in a new worker. The
 * queue is empty then. */
void gpu_queue_look_again(struct runner *runner);
void gpu_queue_empty(struct gpu_queue *queue);
/* Starts a process that runs a test on the simulator after the GPU did; `is_doubted` is the queue's
 * word of it, NULL where the test is in no queue. */
void look_start(struct runner *runner, const struct criterion_test *test, atomic_bool *is_doubted);
