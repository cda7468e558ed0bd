/*
 * Pieces of work of several queues (streams): launches, and what the host lets the device do to
 * memory. The last ones are remembered with their first stamps, and which of them have no order
 * with the one that runs now: what those left in shadow memory is not past, whenever they ran.
 */
#pragma once

#include "common/simt/checks/checker.h"
#include "common/simt/simt.h"

struct simt_sm;
struct simt_kernel;
struct simt_region;
struct simt_allocation;
struct simt_request;

struct simt_work {
    uint64_t first; /* stamp; the next piece of work's first one ends it */
    uint64_t number;
    uint32_t queue;
    bool is_unordered;                /* with the work that runs now */
    const struct simt_kernel *kernel; /* NULL: the host's */
    const char *what;                 /* of the host's: "the copy (cudaMemcpyAsync)" */
    struct simt_dim3 grid, block;
    struct simt_turns turns; /* of a launch that is not too large */
};

enum { SIMT_WORKS = 1024 };

struct simt_works {
    struct simt_work *list; /* first stamps rise */
    size_t n;
    bool is_active; /* the last one runs now: its clock, and what had happened before it */
    struct simt_clock clock;
    uint64_t to_host, from_host; /* bytes */
    size_t n_launches;
    uint64_t foreign; /* first stamp of the oldest one that is not ordered; UINT64_MAX: all are */
};

/* Forgets all work. NULL is allowed. */
void simt_works_forget(struct simt_works *works);

/* A lane's access and one of another queue's work clash. */
void simt_suspect_work(struct simt_sm *sm, const struct simt_request *request,
                       const struct simt_region *region, uint32_t lane, uint64_t offset,
                       uint64_t mine, uint64_t other, bool other_wrote);

/* The host's work reads or writes these bytes: compared with what other queues' work did, and left
 * in shadow memory. Nothing where no work is active. */
void simt_work_touches(struct simt *simt, struct simt_allocation *allocation, uint64_t offset,
                       uint64_t bytes, bool writes);
