/*
 * Messages to a simulator in a process of its own, over two SOCK_SEQPACKET sockets: one to the
 * *host*, the process with the CUDA runtime, which nobody trusts; one to the *owner*, who says what
 * is recorded and reads it. One message a packet; each request has one reply of its sequence
 * number, but for two kinds. Both ends are of one build, so structs travel as they are, without
 * pointers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/simt/program/edit/edit.h"
#include "common/simt/simt.h"

enum {
    REMOTE_HOST = 4, /* the host's descriptor of its socket */
    REMOTE_PAYLOAD_BYTES = 64 << 10,
    REMOTE_CHUNK_BYTES = 32 << 10, /* of memory that both share: with a bit for each byte */
    REMOTE_NAME_BYTES = 64,
    REMOTE_MAX_POSTED = 16, /* requests without a reply that the host may have on their way */
    REMOTE_MAX_BUFFERS = 16,
    REMOTE_MAX_MOVES = 1024,
    REMOTE_REPORT_BYTES = 16 << 20, /* of the report, at the start of the owner's memory */
};

/* A request: kind, the least and the most bytes of its payload, and what it wants. `n` are its
 * numbers, in their order. */
#define REMOTE_HOST_REQUESTS(X)                                                                     \
    X(OPEN, 0, 0)                     /* the device: → address range, its bytes */                \
    X(MALLOC, 0, 0)                   /* bytes, is managed → address; payload: why not */         \
    X(FREE, 0, 0)                     /* address */                                                 \
    X(WRITE, 1, REMOTE_PAYLOAD_BYTES) /* to; payload: the bytes */                                  \
    X(READ, 0, 0)                     /* from, bytes → payload: the bytes */                      \
    X(COPY, 0, 0)                     /* to, from, bytes */                                         \
    X(SET, 0, 0)                      /* to, value, bytes */                                        \
    X(RANGE, 0, 0)                    /* address, bytes → 1 where they lie in one allocation */   \
    X(MANAGE, 0, 0)                   /* address, bytes */                                          \
    X(MAP, 0, 0)                      /* address, bytes of the host's memory */                     \
    X(UNMAP, 0, 0)                    /* address */                                                 \
    X(PUSH, 1, REMOTE_CHUNK_BYTES)    /* address; payload: what the host has there */               \
    X(PULL, 0, 0) /* address, bytes → payload: them, and a bit for each that kernels changed */   \
    X(INFO, 0, 0) /* → bytes free, bytes in all */                                                \
    X(WORK, sizeof(struct simt_clock), sizeof(struct simt_clock)) /* queue, what; its clock */      \
    X(WORK_END, 0, 0)                                                                               \
    X(NOTE, 0, 0)   /* address, bytes, writes */                                                    \
    X(MODULE, 0, 0) /* bytes of PTX that follow */                                                  \
    X(MODULE_TEXT, 1,                                                                               \
      REMOTE_PAYLOAD_BYTES) /* payload: some of them; the last: → module, target */               \
    X(KERNEL, 1, 4096)      /* module; payload: name → struct remote_kernel, its parameters */    \
    X(SYMBOL, 1, 4096)      /* module; payload: name → address, bytes */                          \
    X(CHECK, sizeof(struct remote_launch), sizeof(struct remote_launch)) /* → struct simt_diag */ \
    X(LAUNCH, sizeof(struct remote_launch), sizeof(struct remote_launch) + 33000)                   \
    /* payload: and its parameters → struct remote_ran */                                         \
    X(OUTPUT, 0, 0) /* stream → payload: some of what kernels printed; n: how much is left */

/* The owner's. */
#define REMOTE_OWNER_REQUESTS(X)                                                                     \
    X(SHARE, 0, 0) /* brings a descriptor: memory for what is moved, and for the report */           \
    X(BEGIN, sizeof(struct remote_begin), sizeof(struct remote_begin)) /* → struct remote_begun */ \
    X(MOVE, 0, REMOTE_MAX_MOVES * sizeof(struct remote_move))          /* bytes of buffers */        \
    X(START, 0, 0)                                               /* the call goes on from BEGIN */   \
    X(END, sizeof(struct remote_end), sizeof(struct remote_end)) /* → struct remote_facts */       \
    X(REPORT, 0, 0) /* is it to list the edits that may be tried? → bytes of it */                 \
    X(WRITER, sizeof(struct remote_word), sizeof(struct remote_word)) /* → remote_writer */        \
    X(RESUME, 0, 0) /* the host is served again, outside calls */

enum remote_kind {
#define REMOTE_ENUM(name, least, most) REMOTE_##name,
    REMOTE_HOST_REQUESTS(REMOTE_ENUM) REMOTE_N_HOST, /* those below are the host's */
    REMOTE_OWNER_REQUESTS(REMOTE_ENUM)
#undef REMOTE_ENUM
        REMOTE_N_KINDS
};

enum { REMOTE_NUMBERS = 4 };

struct remote_request {
    uint32_t kind, sequence; /* number 0, of REMOTE_COPY and REMOTE_WORK_END alone: no reply */
    uint64_t n[REMOTE_NUMBERS];
};

struct remote_reply {
    uint32_t status, sequence; /* enum simt_status */
    uint64_t n[REMOTE_NUMBERS];
};

/* A kernel as the host knows it; struct remote_param for each parameter follows. */
struct remote_kernel {
    uint64_t id, param_bytes, n_params;
    uint32_t static_shared_bytes, max_threads, target, unused;
};
struct remote_param {
    uint32_t offset, bytes;
};

struct remote_launch {
    uint64_t kernel;
    struct simt_dim3 grid, block;
    uint32_t dynamic_shared_bytes, shared_bytes; /* the second is the option */
    uint64_t heap_bytes, grid_workspace;         /* options */
};

struct remote_ran {
    struct simt_diag diag;
    struct simt_counters counters; /* of this launch */
    uint32_t has_output, heap_is_in_use;
};

/*
 * A call begins: its buffers are made, and from START on, which may be part of it, the host is
 * served and what it does is recorded. The rules are struct simt_options'.
 */
enum { REMOTE_PIECE_BYTES = 8 << 20, REMOTE_ZEROS_BYTES = 64 << 20, REMOTE_ROUND_BYTES = 256 };
enum remote_source {
    REMOTE_FROM_OWNER, /* the bytes lie in the owner's memory */
    REMOTE_FILLED,     /* all are `fill`, and count as never written */
    REMOTE_LATER,      /* they come by MOVE */
    REMOTE_IN_PLACE,   /* the buffer is where they lie in the owner's memory (simt_malloc_at): there
                        * repeats from `repeat_at` on, for `repeat_bytes`, what the first
                        * REMOTE_PIECE_BYTES of that hold */
    REMOTE_READ_IN_PLACE, /* the same of what is only read: what lies before and behind are zeros,
                           * which repeat, too, so that reading them takes little memory */
};
struct remote_begin {
    uint32_t checks, keeps_shared, keeps_places, starts;
    int64_t timeout_ms;
    uint64_t budget, seed;
    uint32_t n_sm, unused; /* multiprocessors; 0 for as many as there are without a word of it */
    uint32_t n_edits, n_buffers;
    struct simt_sample sample;
    struct simt_edit edits[SIMT_MAX_EDITS];
    struct remote_buffer {
        uint64_t bytes, place, repeat_at, repeat_bytes;
        uint64_t shift; /* bytes that it begins behind a round address */
        uint32_t element_bytes;
        uint16_t source; /* enum remote_source */
        uint16_t fill;
        char name[REMOTE_NAME_BYTES];
    } buffers[REMOTE_MAX_BUFFERS];
};
struct remote_begun {
    uint64_t addresses[REMOTE_MAX_BUFFERS];
};

/* A call is over: from now on nobody but the owner is served. */
enum remote_want { REMOTE_NEVER, REMOTE_ALWAYS, REMOTE_IF_WRITTEN };
struct remote_end {
    uint32_t wants_report; /* enum remote_want; written: where it holds findings */
    uint32_t lists_edits;  /* with those that may be tried */
    struct {
        uint32_t want, unused;
        uint64_t place;
    } buffers[REMOTE_MAX_BUFFERS];
};

/* Bytes of a buffer, and where they lie in the owner's memory. */
struct remote_move {
    uint32_t buffer, to_owner;
    uint64_t at, bytes, place;
};

/* A word of a buffer, and which thread stored it last: struct simt_writer, texts cut. */
struct remote_word {
    uint64_t buffer, at; /* at: in bytes */
};
struct remote_writer {
    uint32_t kind, line; /* enum simt_writer_kind */
    uint32_t n_behind, behind[SIMT_MOST_BEHIND];
    char kernel[96], file[256], who[96];
};

/* What a call has left: struct simt_origins, and how much there is in the report. */
struct remote_facts {
    uint64_t n_launches, n_findings;
    uint64_t work, stores;       /* warp instructions; stores and atomics of global memory */
    uint64_t n_kept, kept_bytes; /* what the host has allocated, and not freed */
    uint64_t is_sure, to_host, from_host;
    uint64_t report_bytes; /* at the start of the owner's memory */
    struct remote_origin {
        uint32_t is_there, is_moved; /* its bytes are in the owner's memory */
        uint64_t by_kernels, by_host, to_host;
    } buffers[REMOTE_MAX_BUFFERS];
};

/* One packet: what was received, and how long its payload is. */
struct remote_packet {
    union {
        struct remote_request request;
        struct remote_reply reply;
    } head;
    uint8_t payload[REMOTE_PAYLOAD_BYTES + 4096];
    size_t bytes; /* of the payload */
    int fd;       /* that came along; -1 for none */
};

/* The bounds of a request's payload; false where there is no such kind. */
bool remote_bounds(uint32_t kind, size_t *least, size_t *most);

/* Sends a head and its payload as one packet, with a descriptor unless `fd` is negative. False
 * where the other end is gone. */
bool remote_send(int socket, const void *head, size_t head_bytes, const void *payload, size_t bytes,
                 int fd);

/* Sends requests in one go, each as a packet of its own, the last one with the payload. False where
 * the other end is gone. */
bool remote_send_all(int socket, struct remote_request *requests, size_t n, const void *payload,
                     size_t bytes);

/* Receives a packet with a head of that size; `flags` are those of recvmsg(). */
enum remote_got {
    REMOTE_GOT_IT,
    REMOTE_GOT_NOTHING, /* with MSG_DONTWAIT: none is there */
    REMOTE_GOT_NONSENSE,
    REMOTE_GOT_END, /* the other end is gone */
};
enum remote_got remote_receive(int socket, size_t head_bytes, int flags,
                               struct remote_packet *packet);

/* What the host's work is called in findings (simt_begin_work): the texts by number, so that no
 * text goes from the host to the report; NULL beyond the last one, and for launches, number 0. */
const char *remote_work_name(uint64_t number);
uint64_t remote_work_number(const char *name);
