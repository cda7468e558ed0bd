/*
 * Runs an ordinary CUDA program on the simulator: compiles a source file if it is one, puts the
 * drop-in runtime in NVIDIA's place, and says afterwards what the kernels did.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct tool_options {
    const char *program;    /* a .cu file or a program */
    char *const *arguments; /* of the program, without its name; ends with NULL */
    const char *nvcc;       /* path, or NULL where there is none */
    const char *dropin;     /* path of the drop-in libcudart.so.13 */
    const char *scratch;    /* a folder for temporary files */
    const char *json;       /* file for the report, or NULL */
    const char *device;     /* word for SIMT_DEVICE, or NULL */
    const char *seed;       /* for SIMT_SEED, or NULL */
    const char *budget;     /* for SIMT_BUDGET; NULL: tool_usual_budget */
    const char *timeout_ms; /* for SIMT_TIMEOUT_MS, or NULL */
    bool no_checks;
    unsigned n_schedules; /* other orders to try as well; 0: none */
};

/* Warp instructions of a launch: what a core runs in some minutes. */
extern const char tool_usual_budget[];

/* Exit statuses of the tool itself; the program's own are passed on. */
enum { TOOL_DIFFERS = 1, TOOL_BAD_INPUT = 2, TOOL_FAILED = 3, TOOL_SIGNAL = 128 };

/* Runs it to its end, with the caller's standard streams; the summary goes to `out`. Returns the
 * program's exit status, 128 + the signal that ended it, or one of the above with a sentence on
 * `out`. */
int tool_run(const struct tool_options *options, FILE *out);

/* Compiles a source file to a program at `to`; nvcc's messages go to the caller's stderr. The
 * compiler's exit status; -1 where it can't be started. */
int tool_compile(const char *nvcc, const char *source, const char *device, const char *to);

/* Files in place of a program's standard streams; NULL leaves the caller's. */
struct tool_streams {
    const char *input, *output, *errors;
};

/* Starts a program with an environment, waits, and leaves interrupts to it. Its exit status, 128 +
 * signal, or -1 with errno set where it can't be started. `streams` may be NULL. */
int tool_spawn(const char *path, char *const *argv, char *const *envp,
               const struct tool_streams *streams);

/* One run of a program. */
struct tool_start {
    const char *path;   /* of the program */
    const char *report; /* the file that the drop-in writes */
    const char *seed;   /* for SIMT_SEED, or NULL */
    struct tool_streams streams;
    bool digests; /* of memory, in the report */
};

/* Runs a program in front of the drop-in, as tool_spawn. */
int tool_start(const struct tool_options *options, const struct tool_start *start);

/* explore.c: runs it in the usual order and in options.n_schedules others, and says on `out` what
 * they did otherwise. The program's exit status, or TOOL_DIFFERS where that is 0 and results depend
 * on the order; negative where it can't be started. Without a regular file as standard input the
 * program gets an empty one, since it has to be the same each time. */
int tool_explore(const struct tool_options *options, const char *path, FILE *out);

/* Whether the drop-in can serve a program. */
enum tool_linkage {
    TOOL_SHARED,      /* loads libcudart.so.13, or has nothing to do with CUDA itself */
    TOOL_STATIC,      /* has kernels, and the runtime within */
    TOOL_OTHER_MAJOR, /* loads the runtime of another major version */
};

/* What a program's file says of it. */
struct tool_program {
    enum tool_linkage linkage;
    char libraries[128]; /* NVIDIA's others that it is linked with: "cuBLAS, cuFFT"; "": none */
};
struct tool_program tool_inspect(const char *path);

/* What to say where a program left no report. */
extern const char tool_no_report[];

/* Prints what a report file of the drop-in says; false where it can't be read. */
bool tool_summarise(const char *report_path, FILE *out);
