/*
 * What the drop-in runtime offers beyond CUDA's API, for the program that loads it. NVIDIA's
 * runtime has none of these, so look them up with dlsym.
 *
 * All may be called from any thread. Addresses are device pointers of cudaMalloc; the functions
 * that take one return 0, or -1 where it lies in no allocation.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct simt_edit;

/* Names an allocation in findings: "in[513]" where element_bytes is 4. The name is copied. */
int simtName(const void *device_pointer, const char *name, size_t element_bytes);

/* Device memory that another process has allocated in the simulator that both use (../remote): from
 * now on it counts as the program's own, which may free it, until it is disowned. -1 without memory
 * to note it. */
int simtAdopt(const void *device_pointer, size_t bytes);
void simtDisown(const void *device_pointer);

/* Marks bytes as never written (their values stay): a kernel that reads them is reported. */
int simtUndefine(const void *device_pointer, size_t bytes);

/* For later launches: whether to look for races and their like, and what one launch may take in
 * milliseconds and in warp instructions (0: no limit). A launch that takes more is stopped and
 * fails as on hardware with a watchdog; by its instructions, at the same place each time. */
void simtConfigure(int checks, long timeout_ms, uint64_t budget);

/* For later launches: whether the report has what shared memory held at each barrier. */
void simtKeepShared(int keeps);

/* In which order later operations of streams, blocks and warps run: 0, as it is called for; else
 * one drawn from the seed, of those that CUDA allows, and no earlier than the program waits for it.
 * Waits for earlier operations first. */
void simtSchedule(uint64_t seed);

/* PTX for newer devices runs, too, from now on: the device was there before the program. */
void simtRunNewer(void);

/* Whether a sample of the blocks runs of later launches, which the simulator's owner sees to: while
 * it does, the device says that it has 16,384 multiprocessors, so that of a grid as large as the
 * device each block has little to do, and ints still hold what they do on every device. */
void simtSample(int is_on);

/* Whether the device says from now on that it is another one, with 132 multiprocessors and more of
 * all that limits the blocks of one: as for a program that goes on on another device. Its memory
 * and its code are the same; that it holds more blocks, too, is struct remote_begin's n_sm. */
void simtPretend(int is_other);

/* Later calls and launches happen with these edits (common/simt/program/edit/edit.h); n = 0 takes
 * them back. 0, or -1 where there are too many. Waits for earlier operations first. */
int simtSetEdits(const struct simt_edit *edits, size_t n);

/* The report, with the edits that may be tried for the kernels launched since its last reset, as
 * JSON; the caller frees it. NULL when there is no memory for it. Asked while no edits are set. */
char *simtReportEditsJson(void);

/* Whether what is put into streams from now on is the work of who calls the program's functions,
 * and not theirs: findings name it so. */
void simtCallers(int is_on);

/* Calls that a device may refuse though nothing is wrong with them. */
enum simt_refusable {
    SIMT_NO_CALL,
    SIMT_LAUNCH,
    SIMT_ALLOCATION,
    SIMT_COPY,
    SIMT_FILL,
    SIMT_OBJECT,   /* a stream or an event is made */
    SIMT_QUESTION, /* about the device or a kernel */
    SIMT_WAIT,     /* of the host; or an event is recorded, or waited for by a stream */
};

/* Which of them count: what makes, moves and launches, and none of the others; or one of those. */
enum simt_refuses {
    SIMT_REFUSES_WORK,
    SIMT_REFUSES_QUESTIONS,
    SIMT_REFUSES_WAITS,
};

struct simt_refusal {
    uint32_t number;    /* of the call that is to be refused, from 1; 0: none */
    uint32_t n_calls;   /* that could have been refused, since simtRefuse */
    uint32_t what;      /* the refused one, enum simt_refusable; SIMT_NO_CALL: none has been … */
    int32_t error;      /* … and what it returned */
    uint32_t n_failed;  /* launches since simtRefuse that were refused, for whatever reason */
    uint32_t n_unknown; /* calls since simtRefuse with a stream or an event that is not there, of
                           which a device may say nothing, or crash */
};

/* The device refuses the call of this number, from 1, of the launches, allocations, copies,
 * fills, streams and events to come in which nothing is wrong: cudaErrorLaunchOutOfResources,
 * cudaErrorMemoryAllocation, cudaErrorInvalidValue. 0: none. Of SIMT_REFUSES_QUESTIONS others
 * count: cudaGetDeviceProperties, cudaDeviceGetAttribute, cudaFuncGetAttributes and that about
 * occupancy; of SIMT_REFUSES_WAITS cudaDeviceSynchronize, cudaStreamSynchronize,
 * cudaEventSynchronize, which wait all the same, and count where the host has not waited for as
 * much before, cudaEventRecord and cudaStreamWaitEvent. What is
 * refused of these returns cudaErrorUnknown. */
void simtRefuse(unsigned number, int refuses);
/* What has come of that. */
void simtRefused(struct simt_refusal *refusal);

/* Code of the program that made calls: addresses within the instructions of the calls. */
enum { SIMT_ARRIVALS = 32, SIMT_CALLERS = 4, SIMT_ASKED = 16 };
struct simt_calls {
    uint64_t failed[SIMT_CALLERS]; /* the first call that failed, and the calls that led there, as
                                      far as they are known; 0: no more */
    uint32_t n_arrivals;
    struct simt_arrival {
        uint64_t to, bytes, callers[SIMT_CALLERS]; /* as above */
    } arrivals[SIMT_ARRIVALS]; /* the last copies to the host's memory, the latest at the end */
    uint32_t n_departures;     /* copies from the host's memory to the device … */
    struct simt_departure {
        uint64_t from, bytes;
    } departures[SIMT_ARRIVALS]; /* … and the first of them; of a row each */
    uint32_t n_asked; /* kernels, copies, fills, records and waits that were put into streams … */
    uint64_t asked[SIMT_ASKED][SIMT_CALLERS]; /* … and who did the first ones, in their order */
};

enum simt_watch {
    SIMT_WATCH_NOTHING,
    SIMT_WATCH_CALLS, /* that failed, and arrivals */
    SIMT_WATCH_ASKED, /* these, and what is asked of streams, and departures */
};

/* From now on it is noted who makes such calls; what was noted before is forgotten. */
void simtWatchCalls(enum simt_watch watch);
/* What was noted. */
void simtCalls(struct simt_calls *calls);

/* Allocations of device and managed memory by the program that it has not freed, and their bytes.
 */
size_t simtAllocations(uint64_t *bytes);

/* Streams, events and pieces of pinned memory that the program has made, and not given back. */
size_t simtObjects(void);

/* Stores and atomics of global memory that kernels have made since the last reset, by warps. */
uint64_t simtStores(void);

/* 1 once the program has used the device, by more than questions about it. */
int simtIsActive(void);

/* For what is there in name only: simtLastError says so. Returns 801, the number of "not supported"
 * in both of CUDA's interfaces. */
int simtUnsupported(const char *name);

/* Warp instructions of all launches since the last reset. */
uint64_t simtWork(void);

/* Distinct findings since the last reset. */
size_t simtFindings(void);

/* The report since the last reset as JSON (common/simt/report/README.md); the caller frees it. NULL
 * when there is no memory for it. */
char *simtReportJson(void);

/* Forgets launches, findings and the text of simtLastError. */
void simtReportReset(void);

/* A sentence on the last failed launch or unsupported call since the reset, with the source line
 * where there is one: "sum.cu:31: ..."; "" when there was none. Belongs to the library; valid until
 * the next call of any function. */
const char *simtLastError(void);
