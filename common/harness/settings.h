/* What the grader tells a lab's test program, through the environment. */
#pragma once

#include "common/harness/lab.h"

/* An experiment that the calls of a test take part in, see experiment/experiment.h. */
struct lab_trial;

struct lab_settings {
    enum call_backend backend;
    const char *results;          /* folder of the results; NULL: nothing is written */
    const char *worker;           /* the worker program */
    struct sandbox_tools sandbox; /* what is put around it */
    const char *simulator;        /* the simulator's program … */
    const char *cudart_sim;       /* … and the drop-in runtime that talks to it */
    const char *cudart_gpu;       /* NVIDIA's runtime, NULL where there is none */
    const char *submission;       /* the student's compiled file */
    uint64_t seed;
    int timeout_ms;      /* of one call; by the clock, what lab_settings_limit_ms makes of it */
    int patience;        /* times the clock's limit */
    bool is_first_try;   /* what may be the machine's doing is tried again, alone */
    bool is_short;       /* a test before this one hung */
    bool never_loads;    /* in a test before this one, loading the submission did not end */
    bool has_idle_calls; /* in a test before this one, no kernel did the work, so that it failed */
    struct call_server *server;  /* for workers of the simulator; NULL for none */
    struct lab_workers *workers; /* that the tests of this process reuse */
    int turn_fd;                 /* where a turn on the GPU is asked for; -1: it is ours */
    const char *yardsticks;      /* file of the GPU's copies; NULL: each run times its own */
    bool experiments;            /* look for the cause of failures by trying edits */
    bool is_brief;               /* how a test fails will be looked at elsewhere: no smaller case is
                                    looked for, and nothing is run again */
    struct lab_trial *trial;     /* NULL: none is made just now */
    bool has_case, has_case_seed;
    struct lab_case only; /* the case that the command line named */
};

/* Reads the WARPBOOK_* variables. The strings are the environment's. False, with one sentence in
 * `why`, when one is missing or makes no sense. */
bool lab_settings_read(struct lab_settings *settings, char *why, size_t why_bytes);

/* Where the tests of a tier run: safety and technique always on the simulator. */
enum call_backend lab_settings_backend(const struct lab_settings *settings, const char *tier);

/* The settings of a test's workers on this backend. A call may take `timeout_ms`. On the simulator
 * that time also gives the budget of warp instructions, which is the same on every machine. */
struct call_settings lab_call_settings(const struct lab_settings *settings,
                                       enum call_backend backend, int timeout_ms);

/* The clock's limit for what may take so long: times the patience, and shorter where another test
 * of this run hung, since what hangs once hangs in many tests. */
int lab_settings_limit_ms(const struct lab_settings *settings, int timeout_ms);

/* Waits until the grader lets this process use the GPU, alone or beside others. False where it does
 * not. And tells it that nothing of this process runs on it any more. */
bool lab_settings_take_turn(const struct lab_settings *settings, bool is_alone);
void lab_settings_give_turn(const struct lab_settings *settings);

/* Leave a file for the tests that follow, in the folder of the results: that a test hung; that
 * loading the submission did not end, which no other test tries again then; that a test failed
 * since no kernel did the work of its calls. */
void lab_settings_note_timeout(const struct lab_settings *settings);
void lab_settings_note_never_loads(const struct lab_settings *settings);
void lab_settings_note_idle_calls(const struct lab_settings *settings);

/* Parses "n=513,block=256,seed=0123456789abcdef"; the seed may be absent. */
bool lab_settings_case(struct lab_settings *settings, const char *text);
