/*
 * What the files of the client share: the device as the process with the CUDA runtime has it. It is
 * simt.h's interface again, by messages. Nothing is decided here that counts for a report: the
 * server keeps what kernels did, and believes nothing of what comes.
 */
#pragma once

#include "common/simt/remote/wire.h"

/* Memory that host and device share. What the host has in it is what counts; kernels get a copy and
 * give back the bytes that they have changed. */
struct shared_range {
    struct shared_range *next;
    uint64_t address, bytes;
};

struct simt {
    struct simt_options options;
    uint64_t base, reserved; /* the device's range of addresses */
    bool is_reserved;        /* nothing else lies there in this process */
    uint32_t sequence;
    struct remote_request unsent[REMOTE_MAX_POSTED + 1];
    size_t n_unsent, n_posted; /* posted: since the latest reply */
    bool is_working;           /* a piece of work was begun */
    struct shared_range *shared;
    struct simt_counters latest;
    bool has_output, heap_is_in_use;
    char refusal[192];
    struct simt_edit edits[SIMT_MAX_EDITS]; /* for the runtime's own part in them */
    size_t n_edits;
    struct simt_module *modules;
    struct remote_packet packet; /* the latest reply */
};

struct simt_kernel {
    struct simt_kernel *next;
    char *name;
    struct simt *simt;
    struct remote_launch checked; /* the latest that would be taken, asked ahead */
    struct remote_kernel known;
    struct remote_param params[];
};

struct simt_module {
    struct simt_module *next;
    struct simt *simt;
    uint64_t id;
    unsigned target;
    struct simt_kernel *kernels;
};

/* Sends a request and waits for its reply, which lies in simt->packet afterwards; the result is its
 * status. `n`: numbers of the request, at most REMOTE_NUMBERS. Does not return where the simulator
 * is gone: then its owner ends this process. */
enum simt_status link_ask(struct simt *simt, enum remote_kind kind, const uint64_t *n,
                          size_t n_numbers, const void *payload, size_t bytes);

/* A request whose reply nobody waits for. It goes with the next one, or with a full packet. Where
 * it fails, the next launch says so. Where too many are on their way, its reply is waited for. */
enum simt_status link_post(struct simt *simt, enum remote_kind kind, const uint64_t *n,
                           size_t n_numbers);

#define LINK_ASK(simt, kind, ...)                                                                  \
    link_ask(simt, kind, (const uint64_t[]){__VA_ARGS__},                                          \
             sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), NULL, 0)

/* ask_memory.c: device memory, or managed. */
enum simt_status memory_allocate(struct simt *simt, size_t bytes, bool is_managed,
                                 uint64_t *address);

/* ask_shared.c: the range that holds all bytes; NULL where none does. */
struct shared_range *shared_find(const struct simt *simt, uint64_t address, uint64_t bytes);
/* Before a launch, and after it. */
void shared_push(struct simt *simt);
void shared_pull(struct simt *simt);
/* A managed allocation is freed. */
void shared_forget(struct simt *simt, uint64_t address);
