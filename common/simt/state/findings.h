/*
 * The findings of one launch: each mistake once per pair of instructions, with its first witness,
 * and how often it was seen. Messages are written once, so a mistake that a million threads make
 * costs little.
 */
#pragma once

#include "common/simt/simt.h"

struct simt_sm;
struct simt_insn;
struct simt_region;
struct simt_record;

/* One side: a thread at an instruction. */
struct simt_side {
    uint32_t index; /* instruction */
    struct simt_dim3 cta;
    uint32_t thread;  /* in the cta */
    const char *what; /* "reads" …; NULL: there is no such side */
};

struct simt_findings;

struct simt_findings *simt_findings_new(void);
void simt_findings_free(struct simt_findings *findings);

bool simt_findings_is_empty(const struct simt_findings *findings);

/* How often one was seen, the same ones included. */
uint64_t simt_findings_seen(const struct simt_findings *findings);

/* Hands all over to the device's record, in the order in which they were first seen. */
void simt_findings_flush(struct simt_findings *findings, struct simt_record *record);

/* True, and counted, when this kind was found between these two instructions already; also when
 * there is no room for another one. */
bool simt_findings_again(struct simt_findings *findings, enum simt_finding_kind kind, uint32_t here,
                         uint32_t other);

/* Adds one; `message` is copied. `other` may be NULL. */
void simt_findings_add(struct simt_sm *sm, enum simt_finding_kind kind,
                       const struct simt_side *here, const struct simt_side *other,
                       const char *place, const char *message, const char *advice);

/* The same, of two whole sides that the caller has made; `other` tells it from others. */
void simt_findings_put(struct simt_findings *findings, uint32_t here, uint32_t other,
                       const struct simt_finding *finding);

/* This thread of the running warp. */
struct simt_side simt_side_here(const struct simt_sm *sm, uint32_t index, uint32_t lane,
                                const char *what);

/* What a finding says, as printf does; cut where a name in it is longer than anybody writes. Who
 * finds something says it, with the advice beside it. */
struct simt_sentence {
    char text[384];
};
__attribute__((format(printf, 1, 2))) struct simt_sentence simt_say(const char *format, ...);

/* "thread 5 of block 0", or "thread (5,1,0) of block (0,2,0)" where there is more than one
 * dimension; the text of a position is "line 12", or "PTX line 12" where nvcc was not given
 * -lineinfo. */
struct simt_text {
    char text[96];
};
struct simt_text simt_thread_text(struct simt_dim3 grid, struct simt_dim3 block,
                                  const struct simt_side *side);
/* "line 7", and where the file is no .cu but one that it includes, "line 7 of work.cuh". */
struct simt_text simt_line_of(const char *path, unsigned line);
struct simt_text simt_line_text(const struct simt_sm *sm, uint32_t index);
/* Of a side of this launch: "Thread 5 of block 0" at a sentence's beginning, "thread 5 of block 0"
 * within it, "line 12". */
struct simt_text simt_who(const struct simt_sm *sm, const struct simt_side *side);
struct simt_text simt_and_who(const struct simt_sm *sm, const struct simt_side *side);
struct simt_text simt_where(const struct simt_sm *sm, const struct simt_side *side);
/* "1,728,020,480" */
struct simt_text simt_number_text(uint64_t number);
/* An access by the index of its instruction in any kernel. */
struct simt_kernel;
struct simt_access simt_access_of(const struct simt_kernel *kernel, struct simt_dim3 block,
                                  const struct simt_side *side);
/* The cta of an index, and the thread. */
struct simt_dim3 simt_cta_of(struct simt_dim3 grid, uint64_t index);
struct simt_dim3 simt_thread_index(struct simt_dim3 block, uint32_t thread);
