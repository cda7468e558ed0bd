/*
 * Calls of device functions: who has called whom, and where the registers of each call are.
 *
 * An area holds the registers of one function at one depth of calls, for all lanes of the warp: a
 * lane is at that depth in one function only, so lanes that came there in different ways never get
 * into each other's way, and meet in *_sync operations. A frame is one call under way: it knows
 * where its lanes go on in the caller once all of them have returned. Frame 0 is the kernel.
 */
#pragma once

#include "common/simt/state/warp.h"

struct simt_sm;

/* A thread's calls can't be deeper, nor can its frames take more bytes. */
enum { SIMT_MAX_DEPTH = 4096, SIMT_STACK_BYTES = 64 << 10 };

/* Bytes of local memory that one thread of a kernel needs, a multiple of 16. */
uint32_t simt_stack_bytes(const struct simt_program *program);

/* registers.c: the rows of an area that stay the same for all ctas; those that don't. */
void simt_area_fill(struct simt_sm *sm, const struct simt_warp *warp, struct simt_area *area);
void simt_area_start(struct simt_sm *sm, struct simt_area *area);

/* The kernel's own frame. False when the host has no memory. */
bool simt_frames_open(struct simt_sm *sm, struct simt_warp *warp, uint8_t *rows, uint32_t *preds);
void simt_frames_close(struct simt_warp *warp);
/* A new cta: all calls are forgotten. */
void simt_frames_start(struct simt_sm *sm, struct simt_warp *warp);

/* All lanes of the split enter the function; they return behind the call. False after a fault. */
bool simt_frame_enter(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn,
                      const struct simt_call *call, const struct simt_program *callee);
/* Lanes of the split return. */
void simt_frame_return(struct simt_sm *sm, struct simt_split *split, uint32_t lanes);
/* Lanes have left the kernel. */
void simt_frames_leave(struct simt_warp *warp, uint32_t lanes);
/* Lanes that have returned go on without the others; false when there are none. */
bool simt_frames_release(struct simt_warp *warp);

/* A lane's bytes in the frame of a split. */
uint8_t *simt_frame_bytes(const struct simt_sm *sm, const struct simt_split *split, uint32_t lane,
                          uint32_t offset);

/* The instructions call, ret of a device function, brx.idx. */
bool simt_do_call(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn);
bool simt_do_return(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn);
bool simt_do_switch(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn);
