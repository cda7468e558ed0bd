/*
 * The call from a trusted test to the student's code, which runs only in a worker process.
 *
 * call_open starts a worker that loads the CUDA runtime (NVIDIA's or the simulator's drop-in), then
 * the submission. call_run sends a description of one call and the inputs' bytes through shared
 * memory, waits, and brings back outputs. Everything that comes from the worker is validated here
 * as if it came from a network: a worker that crashes, hangs, floods or lies fails its own call and
 * nothing else. No function here prints or exits.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/sandbox/sandbox.h"
#include "common/simt/cudart/simtcudart.h"
#include "common/simt/program/edit/edit.h"
#include "common/simt/simt.h"

enum call_backend { CALL_SIM, CALL_GPU };

/* How a call ended. */
#define CALL_OUTCOMES(X)                                                                           \
    X(OK, "ok")                   /* the function returned; outputs are there */                   \
    X(NOT_WRITTEN, "not_written") /* it returned cudaErrorNotYetImplemented */                     \
    X(NO_ENTRY, "no_entry")       /* the submission has no such function */                        \
    X(LOAD_FAILED, "load_failed") /* the submission could not be loaded (undefined symbol …) */  \
    X(CUDA_ERROR, "cuda_error")   /* a CUDA error was returned or pending afterwards */            \
    X(OUT_OF_MEMORY,                                                                               \
      "out_of_memory") /* the device could not hold the buffers, or cudaErrorMemoryAllocation */   \
    X(UNSUPPORTED, "unsupported") /* the simulator does not run this PTX or runtime call */        \
    X(TIMEOUT, "timeout")         /* stopped at the time limit */                                  \
    X(CRASH, "crash")             /* killed by a signal */                                         \
    X(EXITED, "exited")           /* the process ended itself: exit() in the student's code */     \
    X(PROTOCOL, "protocol")       /* the worker sent nonsense */                                   \
    X(INFRASTRUCTURE,                                                                              \
      "infrastructure") /* our own failure: no worker binary, no memory for buffers */

enum call_outcome {
#define CALL_OUTCOME_ENUM(name, word) CALL_##name,
    CALL_OUTCOMES(CALL_OUTCOME_ENUM)
#undef CALL_OUTCOME_ENUM
};
const char *call_outcome_word(enum call_outcome outcome);

/* How one argument is passed. Buffers live in device memory between guard zones. */
enum call_kind {
    /* Device buffer, filled from `data` or by `make`, must be unchanged afterwards (const). Of more
     * than 64 MiB, samples are compared: 1 MiB in 32, and the last one. */
    CALL_ARG_IN,
    CALL_ARG_OUT,     /* device buffer, poisoned before the call, copied back to `data`, or taken */
    CALL_ARG_INOUT,   /* device buffer, filled from `data`, copied back */
    CALL_ARG_SCRATCH, /* device buffer, poisoned, not copied back; guards are checked */
    CALL_ARG_U64,
    CALL_ARG_I64,
    CALL_ARG_U32,
    CALL_ARG_I32,
    CALL_ARG_F32,
    CALL_ARG_F64,
    CALL_ARG_HOST_IN,  /* host buffer, filled from `data`, must be unchanged afterwards */
    CALL_ARG_HOST_OUT, /* host buffer, poisoned, copied back (a pointer to a host result) */
};

struct call_arg {
    enum call_kind kind;
    const char *name; /* the parameter's name in the lab's header: used in messages */
    bool may_change;  /* CALL_ARG_IN: the function may overwrite it; nothing is compared */
    bool is_round;    /* device buffers: begins at a multiple of 16 bytes, always */
    bool is_pinned;   /* host buffers: in memory that is registered with the device */
    void *data;       /* buffers: the caller's memory */
    /* CALL_ARG_IN, in place of `data`: writes elements first … first + count - 1 to `to`. Called
     * for parts of the buffer by several threads at once, and again to compare after the call: it
     * makes the same each time. Elements of up to 64 bytes. For inputs of gigabytes. */
    void (*make)(const void *context, size_t first, size_t count, void *to);
    const void *context;
    /* With `make`, so that less of gigabytes is moved to a GPU. Elements repeat after so many; 0:
     * they don't. And true where these elements are what they were in the call before that had this
     * `context`: where the worker still has that call's buffer, they stay there. */
    size_t period;
    bool (*is_same)(const void *context, size_t first, size_t count);
    /* CALL_ARG_OUT, in place of a copy: gets elements first … first + count - 1 of what the call
     * left, all of them once, of parts of CALL_TAKE_BYTES from the buffer's start on, by several
     * threads at once. `from` lies where the worker can still write.
     * For outputs of gigabytes. */
    void (*take)(void *taker, size_t first, size_t count, const void *from);
    void *taker;
    /* Device buffers on the simulator of which little is touched: one of gigabytes takes memory
     * only there. It begins as zeros, but for `count` elements of 4 bytes from `first` on, which
     * hold `bits`; both are multiples of CALL_SPARSE_STEP. `data` of an output is set by the call
     * to where it lies, until the next one. Nothing is compared.
     * The same of host buffers, which are zeros; of an output only CALL_VAST_BYTES can be written,
     * and nobody gets them. */
    struct call_sparse {
        bool is_on;
        uint32_t bits;
        size_t first, count;
    } sparse;
    size_t count;         /* buffers: number of elements */
    size_t element_bytes; /* buffers */
    union {
        uint64_t u64;
        int64_t i64;
        float f32;
        double f64;
    } value; /* scalars: integers of every width in u64/i64 */
};

enum { CALL_BUDGET_PER_BYTE = 16, CALL_SPARSE_STEP = 1 << 21 };
enum { CALL_VAST_BYTES = 64 << 20 };
enum { CALL_TAKE_BYTES = 2 << 20 };               /* where the element's size divides that */
#define CALL_SIM_MEMORY_BYTES ((uint64_t)4 << 30) /* that a worker of the simulator may have */
enum { CALL_MAX_ARRIVALS = 16, CALL_MAX_ASKED = SIMT_ASKED, CALL_SITES = SIMT_CALLERS };
enum { CALL_MAX_ARGS = 16, CALL_MAX_NAME = 64, CALL_OUTPUT_BYTES = 16384 };

/* What workers are forked from, in a sandbox of its own. */
struct call_server;

struct call_settings {
    enum call_backend backend;
    const char *worker; /* path of the worker program */
    const char *cudart; /* path of libcudart: NVIDIA's or the drop-in */
    /* Simulator: path of its program, which runs beside the worker (`cudart` is the drop-in for
     * that); NULL: the runtime has it within, where student code can reach it. */
    const char *simulator;
    const char *submission;       /* path of the compiled submission */
    struct sandbox_tools sandbox; /* what to put around the worker; all NULL: nothing */
    int timeout_ms; /* of one call, by the trusted side's clock; the start of the worker apart */
    /* Simulator: warp instructions of one launch; it gets CALL_BUDGET_PER_BYTE more for each byte
     * of the call's buffers. 0: any number. */
    uint64_t budget;
    int load_ms;   /* of loading the submission, its constructors included; 0: 10,000 */
    bool checks;   /* simulator: look for races and the like */
    uint64_t seed; /* of the bytes that buffers and their guards are filled with */
    struct call_server *server; /* of the same settings; NULL: the worker has one of its own */
};

/* Starts a server, which many workers of these settings can share, one at a time, also those of
 * processes that are forked later: the sandbox and the simulator's runtime are there before a test
 * needs them. NULL where it can't be had. The thread that opens it must outlive its workers. */
struct call_server *call_server_open(const struct call_settings *settings);
/* A worker gets another one where its server has died; what it had of it is lost. */
bool call_server_is_alive(const struct call_server *server);
/* By the process that opened it alone. NULL is nothing. */
void call_server_close(struct call_server *server);

/* What the trusted side found wrong with a buffer after a call. */
struct call_damage {
    enum { CALL_INTACT, CALL_GUARD_BEFORE, CALL_GUARD_AFTER, CALL_INPUT_CHANGED } kind;
    int arg;         /* index of the argument */
    int64_t element; /* index of the first damaged element; negative before the buffer */
};

/* Who wrote what the device buffers hold after a call, and what the host has copied meanwhile: of a
 * simulator beside the worker, which student code can't make say anything else. */
struct call_memory {
    bool is_known;               /* false: not of this backend, or a kernel ran without checks */
    uint64_t n_launches;         /* of kernels that ran */
    uint64_t to_host, from_host; /* bytes that were copied, in all */
    struct call_origin {
        /* Bytes of the argument that were written last by a kernel and by the host (a copy, a
         * fill); nobody has written the others during the call. */
        uint64_t by_kernels, by_host;
        uint64_t to_host; /* bytes that were copied from it to the host, each time counted */
    } args[CALL_MAX_ARGS];
};

struct call_result {
    enum call_outcome outcome;
    int returned;             /* the function's return value (cudaError_t) */
    int cuda_error;           /* first CUDA error seen: returned or pending; 0 for none */
    char cuda_error_name[64]; /* "cudaErrorInvalidConfiguration" */
    int signal;               /* CALL_CRASH: the signal */
    int exit_status;          /* CALL_EXITED: the status */
    bool is_loading;          /* CALL_TIMEOUT: before any call, while the submission was loaded */
    char where[512];          /* crash: "sum_divergent+0x1f", a frame of the submission; or empty */
    /* Code of the submission, as addresses of its file, by the worker's account, each called by the
     * next; 0: not known. Where it crashed; simulator: the first call to the CUDA runtime that
     * failed, and the last copies to host outputs, the latest at the end. */
    uint64_t crashed_at[CALL_SITES], failed_at[CALL_SITES];
    struct call_arrival {
        uint32_t arg, unused;
        uint64_t at, bytes; /* of the argument */
        uint64_t sites[CALL_SITES];
    } arrivals[CALL_MAX_ARRIVALS];
    unsigned n_arrivals;
    /* Simulator, of a function with arrays in the host's memory, by the worker's account: of each
     * input there the first bytes side by side that no copy has taken to the device, and how many
     * there are in all. */
    bool knows_unsent;
    struct call_unsent {
        uint64_t first, bytes, all;
    } unsent[CALL_MAX_ARGS];
    /* Simulator, of a function with arrays in the host's memory: how many kernels, copies, fills,
     * records and waits it has put into streams, and who did so, of the first ones. */
    unsigned n_asked;
    uint64_t asked[CALL_MAX_ASKED][CALL_SITES];
    char message[1024]; /* one sentence on what happened; "" for CALL_OK */
    struct call_damage damage;
    uint64_t untouched; /* bit i: output argument i still holds nothing but poison */
    struct call_memory memory;
    char *output; /* what student code printed, at most CALL_OUTPUT_BYTES, NUL-terminated */
    size_t output_dropped; /* bytes beyond that */
    /* Simulator: the report as JSON (common/simt/report/README.md) where something is wrong or has
     * been found, else NULL: call_report brings it then. */
    char *report;
    bool is_report_kept; /* there is a report to be brought */
    uint64_t work;       /* simulator: warp instructions of all launches, by the worker's account */
    /* Simulator: device memory that the function allocated, and has not freed. */
    unsigned kept_allocations;
    uint64_t kept_bytes;
    unsigned kept_objects;    /* the same of streams, events and pieces of pinned memory … */
    uint64_t kept_host_bytes; /* … and of memory of the host, of which the runtime has a part */
    struct simt_refusal refusal; /* simulator: of call_conditions.refused */
    bool is_idle;                /* simulator: no kernel stored anything in global memory */
    double event_ms;             /* timed calls: between the worker's events, NAN otherwise */
    double wall_ms;              /* by the trusted side's clock, from request to reply */
};

struct call_worker;

/* Multiprocessors of the simulator's other device: those of an H200. */
enum { CALL_OTHER_SM = 132 };

/* How a call is made, and how the simulator runs it. */
struct call_conditions {
    bool same_places;  /* a buffer that is as large as that of the call before lies where it lay */
    bool other_device; /* simulator: it is another device, with CALL_OTHER_SM multiprocessors */
    bool shifts; /* simulator: device buffers begin behind a round address, by one element: where an
                  * array may begin that is a part of a larger one */
    uint64_t schedule; /* 0: streams, blocks and warps in their usual order, else in one that is
                        * drawn from this number, of those that CUDA allows */
    unsigned refused;  /* the device refuses the launch, allocation, copy or fill of this number of
                        * those that the function asks for, from 1; 0: none */
    enum simt_refuses refuses; /* which of the calls that may be refused count */
    /* A sample of the blocks runs where its n is not 0. Nothing is checked then but bounds. */
    struct simt_sample sample;
};
/* Of later calls; all 0 at first. A GPU knows of the places alone. */
void call_under(struct call_worker *worker, const struct call_conditions *conditions);

/* Starts nothing yet; the worker starts with the first call and again after each failure.
 * NULL when the host has no memory. The strings in `settings` are copied. The thread that makes the
 * first call must outlive the worker: its end is the worker's. */
struct call_worker *call_open(const struct call_settings *settings);
void call_close(struct call_worker *worker);
/* Another limit for one call, from the next one on: settings' timeout_ms. */
void call_limit(struct call_worker *worker, int timeout_ms);

/* An experiment on the simulator: calls from the next one on happen with these edits (at most
 * SIMT_MAX_EDITS; they are copied), and each launch within this budget, 0 for the settings' own.
 * With `lists` the report comes with each call, and its "candidates" are the edits that may be
 * tried, as struct simt_edit has them: [{kind, line, place, from, to}]. NULL: no more of that. */
struct call_experiment {
    const struct simt_edit *edits;
    size_t n_edits;
    uint64_t budget;
    bool lists;
};
void call_try(struct call_worker *worker, const struct call_experiment *experiment);

/* Whether the report of later calls has what shared memory held at each barrier, and what nobody
 * has read: for a small call that is looked at. Simulator only. */
void call_keep_shared(struct call_worker *worker, bool keeps);

/* Calls `function(args…)` returning int. Fills `result` always; the caller frees its strings with
 * call_result_clear. Returns result->outcome. */
enum call_outcome call_run(struct call_worker *worker, const char *function, struct call_arg *args,
                           size_t n_args, struct call_result *result);

/* The same with the device's caches cold and the time between two events around the call.
 * GPU only. Flushes at least twice the L2 before the first event. Inputs are not compared after a
 * timed call. The first one after the worker's start warms up: take later ones for figures. */
enum call_outcome call_run_timed(struct call_worker *worker, const char *function,
                                 struct call_arg *args, size_t n_args, struct call_result *result);

/* The report of the last call, which is most often not looked at: the result's own, or brought now.
 * NULL where there is none; the result's outcome and message say so where one was expected. */
const char *call_report(struct call_worker *worker, struct call_result *result);

/* Which thread stored a word last, and the line of its store; or that nobody has written it. Behind
 * it are lines of the same file whose results may have gone into it, the nearest first. */
enum { CALL_MOST_BEHIND = 16 };
struct call_writer {
    enum { CALL_WRITER_UNKNOWN, CALL_WRITER_NOBODY, CALL_WRITER_KERNEL } kind;
    char kernel[96], file[256], who[96]; /* who: "thread 5 of block 2" */
    unsigned line, n_behind, behind[CALL_MOST_BEHIND];
};

/* Of the last call: who stored the byte `at` of the device buffer that is argument `arg` last.
 * Unknown where it was the host, or nobody knows; on a GPU always. */
struct call_writer call_last_writer(struct call_worker *worker, size_t arg, uint64_t at);

/* Reads a variable that the submission exports (`extern "C" const int x`) into `data`. */
enum call_outcome call_read_variable(struct call_worker *worker, const char *name, void *data,
                                     size_t bytes, struct call_result *result);

/* Time in milliseconds that the device needs to copy `bytes` within its memory, or `with_host`, to
 * copy as many from pinned memory of the host and as many to it at once; caches cold, median of
 * `repeats`; from a worker without any submission (settings->submission NULL). GPU only. */
enum call_outcome call_time_copy(struct call_worker *worker, size_t bytes, bool with_host,
                                 int repeats, double *ms, struct call_result *result);

/* The device that the backend offers. */
struct call_device {
    char name[128];
    int major, minor; /* compute capability */
    int n_sm;
    size_t global_bytes, free_bytes, l2_bytes;
    double peak_gbps; /* memory clock × bus width × 2, or 0 where the driver does not say */
    double sm_clock_mhz, memory_clock_mhz; /* their highest, 0 where the driver does not say */
    int driver_version, runtime_version;
};
enum call_outcome call_device(struct call_worker *worker, struct call_device *device,
                              struct call_result *result);

void call_result_clear(struct call_result *result);
