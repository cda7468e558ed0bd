/*
 * The messages between the trusted client and the untrusted worker, and how they are sent.
 *
 * Both run on one machine from one build, so the structs travel as they are, over a SOCK_SEQPACKET
 * socketpair: one message a packet, fixed sizes, no pointers. Buffers lie in one memfd that the
 * client makes, seals at its size and passes along with the first call that needs it; places in it
 * are offsets. The client believes nothing that it receives until client/validate.c has looked at
 * it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/call/call.h"

enum {
    WIRE_MAGIC = 0x57425243, /* "WBRC" */
    WIRE_VERSION = 1,
    WIRE_SOCKET = 3,           /* the worker's descriptor of the socket */
    WIRE_LINK = 4,             /* and of the one between worker and simulator */
    WIRE_GUARD_BYTES = 4096,   /* before and after each buffer */
    WIRE_MAX_PATH = 4096,      /* with its NUL */
    WIRE_VARIABLE_BYTES = 256, /* the largest variable that call_read_variable reads */
    WIRE_REPORT_BYTES =
        16 << 20, /* for the simulator's report, at the start of the shared memory */
    /* A larger input goes to the device in parts, ahead of its call, through a place of that size
     * with room for several of them, and windows alone of it are brought back to be compared; a
     * larger output comes back in such parts, after its call. The first touch of memory of the host
     * for all of it would cost more than the copy. */
    WIRE_PART_BYTES = 64 << 20,
    WIRE_WINDOW_BYTES = 1 << 16,
    WIRE_SPARSE_BYTES = CALL_SPARSE_STEP * 4,
    WIRE_WINDOW_STEP = 8 << 20, /* from one window to the next, at least */
    WIRE_MAX_WINDOWS = WIRE_PART_BYTES / WIRE_WINDOW_BYTES,
};

/* What a message is, and which member of union wire_message it fills. Requests go to the worker;
 * each is answered by one WIRE_REPLY, a timed call by WIRE_PREPARED, WIRE_RAN and WIRE_REPLY. */
#define WIRE_KINDS(X)                                                                              \
    X(OPEN, open)         /* load the CUDA runtime and make the context: no student's code yet */  \
    X(LOAD, load)         /* load the submission */                                                \
    X(PART, part)         /* copy one part of a large input to the device */                       \
    X(CALL, call)         /* call one of its functions */                                          \
    X(FETCH, part)        /* bring one part of a large output of the last call */                  \
    X(GO, signal)         /* timed call: go on with the next step */                               \
    X(VARIABLE, variable) /* read one of its variables */                                          \
    X(COPY, copy)         /* time a copy within device memory */                                   \
    X(DEVICE, signal)     /* describe the device */                                                \
    X(REPORT, signal)     /* bring the simulator's report of the last call */                      \
    X(START, signal)      /* to the fork server: fork a worker; from it: ready */                  \
    X(REPLY, reply)       /* the answer to a request */                                            \
    X(PREPARED, signal)   /* timed call: inputs are in place */                                    \
    X(RAN, signal)        /* timed call: the function returned and the device is idle */           \
    X(CRASH, crash)       /* the worker got a fatal signal and says where it was */

enum wire_kind {
    WIRE_NOTHING,
#define WIRE_KIND_ENUM(name, member) WIRE_##name,
    WIRE_KINDS(WIRE_KIND_ENUM)
#undef WIRE_KIND_ENUM
        WIRE_N_KINDS
};

/* The descriptors that go along with WIRE_START: the worker's socket, the pipe for its stdout and
 * stderr, and its life line: a stream socket, on which the fork server sends the wait status when
 * the worker has ended, and which the client closes to end the worker. Where the simulator is a
 * process of its own, each of the two has one end of a socket between them, too. */
enum {
    WIRE_STARTED_SOCKET,
    WIRE_STARTED_OUTPUT,
    WIRE_STARTED_LIFE,
    WIRE_STARTED_LINK,
    WIRE_N_STARTED,
};

/* Opens every message. `sequence` is the request's; what answers it carries the same. */
struct wire_header {
    uint32_t magic;
    uint16_t version;
    uint16_t kind;
    uint64_t sequence;
    uint64_t bytes; /* of the whole message */
};

struct wire_open {
    struct wire_header header;
    uint32_t backend; /* enum call_backend */
    char cudart[WIRE_MAX_PATH];
};

struct wire_load {
    struct wire_header header;
    char submission[WIRE_MAX_PATH];
};

/* One argument. A buffer's place in the shared memory is `offset`: a guard zone, the data, a guard
 * zone (scratch buffers: the two guard zones alone; nobody asks for their contents). */
struct wire_arg {
    uint32_t kind; /* enum call_kind */
    uint32_t element_bytes;
    uint64_t count;
    uint64_t bytes; /* count × element_bytes */
    uint64_t offset;
    uint64_t value;   /* scalars: the bits of call_arg.value */
    uint64_t address; /* of a device buffer that the client has made in the simulator; 0: the worker
                         makes it */
    /* Of a sparse buffer, which lies at its place, or where it is the host's in memory that the
     * worker makes: what the bytes from set_at on hold, of which the
     * first WIRE_SPARSE_BYTES are there, repeats until set_at + set_bytes. */
    uint64_t is_sparse, set_at, set_bytes;
    uint64_t is_round, is_pinned; /* struct call_arg */
    char name[CALL_MAX_NAME];
};

/* Kinds of arguments: device memory; host memory; memory of any sort; memory that is filled before
 * the call. */
static inline bool wire_is_device(uint32_t kind) {
    return kind == CALL_ARG_IN || kind == CALL_ARG_OUT || kind == CALL_ARG_INOUT ||
           kind == CALL_ARG_SCRATCH;
}

static inline bool wire_is_host(uint32_t kind) {
    return kind == CALL_ARG_HOST_IN || kind == CALL_ARG_HOST_OUT;
}

static inline bool wire_is_buffer(uint32_t kind) {
    return wire_is_device(kind) || wire_is_host(kind);
}

static inline bool wire_is_filled(uint32_t kind) {
    return kind == CALL_ARG_IN || kind == CALL_ARG_INOUT || kind == CALL_ARG_HOST_IN;
}

/* True for a buffer of a kind that goes to the device in parts, or comes from it. */
static inline bool wire_is_large(const struct wire_arg *arg, uint32_t kind) {
    return arg->kind == kind && !arg->is_sparse && arg->bytes > WIRE_PART_BYTES &&
           arg->element_bytes <= WIRE_WINDOW_BYTES;
}

static inline bool wire_is_large_in(const struct wire_arg *arg) {
    return wire_is_large(arg, CALL_ARG_IN);
}

static inline bool wire_is_large_out(const struct wire_arg *arg) {
    return wire_is_large(arg, CALL_ARG_OUT);
}

/* Bytes between the guard zones in the shared memory: all windows fit into a part's. */
static inline uint64_t wire_place_bytes(const struct wire_arg *arg) {
    if (arg->is_sparse)
        return wire_is_host(arg->kind) ? 0 : arg->bytes;
    if (arg->kind == CALL_ARG_SCRATCH)
        return 0;
    return wire_is_large_in(arg) || wire_is_large_out(arg) ? WIRE_PART_BYTES : arg->bytes;
}

/* The index-th window of a large input: its offset and length, in whole elements; the last one lies
 * at the input's end. False where there are no more. In the shared memory they follow each other,
 * WIRE_WINDOW_BYTES apart. */
static inline bool wire_window(const struct wire_arg *arg, uint64_t index, uint64_t *offset,
                               uint64_t *bytes) {
    uint64_t even = (arg->bytes + WIRE_MAX_WINDOWS - 1) / WIRE_MAX_WINDOWS;
    uint64_t step = even > WIRE_WINDOW_STEP ? even : WIRE_WINDOW_STEP;
    uint64_t n = (arg->bytes + step - 1) / step;

    *bytes = WIRE_WINDOW_BYTES - WIRE_WINDOW_BYTES % arg->element_bytes;
    *offset = index + 1 < n ? index * step : arg->bytes - *bytes;
    *offset -= *offset % arg->element_bytes;
    return index < n;
}

/* One part of a large input or output: bytes at .. at + bytes - 1, which lie so many bytes behind
 * the beginning of the argument's place. The first part of an input makes the buffer, or takes the
 * one that the call before has left. */
struct wire_part {
    struct wire_header header;
    uint32_t index; /* of the argument */
    uint32_t place;
    uint32_t repeats; /* 1: nothing lies at the place; bytes 0 .. at - 1 repeat from `at` on */
    uint32_t keeps;   /* 1: the buffer of the call before is taken */
    uint64_t at, bytes;
    struct wire_arg arg;
};

struct wire_call {
    struct wire_header header;
    char function[CALL_MAX_NAME * 2];
    uint32_t timed;
    uint32_t is_apart; /* the simulator is a process of its own, which the client looks after … */
    uint32_t checks;   /* … and where it is not: look for races and the like */
    int32_t launch_ms; /* simulator: what one launch may take … */
    uint8_t poison, guard; /* bytes that fill outputs and guard zones, new for each call */
    uint16_t n_args;
    uint32_t keeps_shared; /* simulator: report what shared memory holds at each barrier */
    uint32_t unused;
    uint64_t launch_budget; /* … and in warp instructions; 0: any number */
    uint64_t schedule;      /* simulator: struct call_conditions */
    uint32_t refused, same_places;
    uint32_t shifts, refuses, other_device, unused_too;
    struct simt_sample sample;
    uint64_t shared_bytes; /* of the memfd */
    uint32_t lists_edits;  /* simulator: the report lists the edits that may be tried … */
    uint32_t n_edits;      /* … and these are set for the call */
    struct simt_edit edits[SIMT_MAX_EDITS];
    struct wire_arg args[CALL_MAX_ARGS];
};

struct wire_variable {
    struct wire_header header;
    uint64_t bytes; /* at most WIRE_VARIABLE_BYTES */
    char name[CALL_MAX_NAME * 2];
};

struct wire_copy {
    struct wire_header header;
    uint64_t bytes;
    uint32_t repeats;
    uint32_t with_host;
};

/* A message that is a header and nothing else. */
struct wire_signal {
    struct wire_header header;
};

/* struct call_device as it travels. */
struct wire_device {
    char name[128];
    int32_t major, minor, n_sm, driver_version, runtime_version, unused;
    uint64_t global_bytes, free_bytes, l2_bytes;
    double peak_gbps, sm_clock_mhz, memory_clock_mhz;
};

struct wire_reply {
    struct wire_header header;
    uint32_t outcome; /* enum call_outcome */
    int32_t returned;
    int32_t cuda_error;
    uint32_t keeps_report; /* 1: there is a report without findings, for who asks by WIRE_REPORT */
    double event_ms;       /* timed calls and copies; NAN otherwise */
    uint64_t report_bytes; /* in the shared memory; 0 for none */
    uint64_t work;         /* call_result.work */
    uint64_t kept_bytes;   /* of device memory that the function has left allocated … */
    uint32_t kept_allocations; /* … in so many pieces */
    uint32_t is_idle;          /* 1: no kernel stored anything */
    uint64_t kept_host_bytes;  /* of the host's memory that the function has left allocated */
    uint32_t kept_objects;     /* streams, events, pieces of pinned memory */
    uint32_t n_arrivals;
    uint64_t failed_at[CALL_SITES]; /* call_result.failed_at */
    struct call_arrival arrivals[CALL_MAX_ARRIVALS];
    uint32_t n_asked, knows_unsent; /* these and what follows: of call_result */
    struct call_unsent unsent[CALL_MAX_ARGS];
    uint64_t asked[CALL_MAX_ASKED][CALL_SITES];
    struct simt_refusal refusal;
    char cuda_error_name[64];
    char message[1024];
    uint8_t variable[WIRE_VARIABLE_BYTES];
    struct wire_device device;
};

struct wire_crash {
    struct wire_header header;
    int32_t signal;
    int32_t argument; /* of the call whose device memory host code touched; -1 for none */
    uint64_t address;
    uint32_t in_stack;       /* 1: the address lies at the end of the stack: it overflowed */
    uint32_t no_memory;      /* 1: the process has used up the memory that it may have */
    uint64_t at[CALL_SITES]; /* call_result.crashed_at */
    char where[512];
};

/* Room for any message. */
union wire_message {
    struct wire_header header;
    struct wire_open open;
    struct wire_load load;
    struct wire_part part;
    struct wire_call call;
    struct wire_variable variable;
    struct wire_copy copy;
    struct wire_signal signal;
    struct wire_reply reply;
    struct wire_crash crash;
};

/* Bytes of a message of this kind; 0 where there is no such kind. */
size_t wire_bytes(uint32_t kind);

/* The header of a message. */
struct wire_header wire_header_of(uint32_t kind, uint64_t sequence);

/* Sends one packet with `n_fds` descriptors, at most WIRE_N_STARTED. Never raises SIGPIPE. Returns
 * what sendmsg does; a signal handler may call it. */
ssize_t wire_send(int socket, const void *message, size_t bytes, const int *fds, size_t n_fds,
                  int flags);

/* Waits for one packet with up to `n_fds` descriptors; those that did not come are -1. Returns what
 * recvmsg does. */
ssize_t wire_receive(int socket, void *message, size_t bytes, int *fds, size_t n_fds);
