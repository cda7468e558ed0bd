/* Who may use the processors and a GPU when: for each run of a lab's test program, a turn. */
#pragma once

#include "grader/grade/grading.h"
#include "grader/grade/run.h"

struct turn_wish {
    bool wants_gpu;
    bool is_speed;    /* timed: nothing else may use what it is timed on */
    bool is_last_try; /* alone on the machine */
    int jobs;         /* tests at once: more than one use all processors */
};

struct turn {
    struct grading *grading;
    struct gpus_turn gpu;
    int interrupt_fd;
    int fds[2]; /* between us and the program; -1 for none */
    struct process_line line;
    bool is_refused; /* the program asked, and could not go in */
};

/* Waits until the program may be started, and notes in `request` which GPU it gets. With that GPU
 * comes a line, by which the program says that its context is made, waits until it may use it, and
 * says when it needs it no more. What runs several tests at once has the GPU from its start; what
 * is run for the last time has it to its end, and no line. GRADER_INTERRUPTED, and GRADER_FAILED
 * where the GPU can't be had; then nothing is held. */
enum grader_status turn_take(struct grading *grading, const struct turn_wish *wish,
                             struct run_request *request, struct turn *turn, struct diag *diag);

/* To be called after each turn that was taken, when the program has ended. GRADER_FAILED where it
 * could not go in. */
enum grader_status turn_give(struct turn *turn, struct diag *diag);
