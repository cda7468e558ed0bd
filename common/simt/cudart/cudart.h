/*
 * What the files of the drop-in runtime share: the process's one device and the way in and out of
 * every call.
 *
 * A call locks the device, does what it is for and leaves with its error, which becomes the
 * thread's last error:
 *
 *     struct cudart *rt;
 *     cudaError_t error = cudart_enter(&rt);
 *     if (error == cudaSuccess)
 *         error = ...;
 *     return cudart_leave(rt, error);
 */
#pragma once

#include "common/simt/cudart/device/devices.h"
#include "common/simt/cudart/module/fatbin.h"
#include "common/simt/cudart/simtcudart.h"
#include "common/simt/simt.h"

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

/* CUDA 13.0: the runtime that this stands in for, and the driver that it would need. */
enum { CUDART_RELEASE = 13000 };

/* Limits that all virtual devices have. */
enum {
    CUDART_SHARED_PER_BLOCK = 48 << 10,
    CUDART_CONST_BYTES = 64 << 10,
    CUDART_REGISTERS = 65536,
    CUDART_N_LIMITS = 8, /* more than enum cudaLimit has */
};

/* A kernel, as registered; cudaKernel_t and cudaFunction_t point to one. */
struct cudart_kernel {
    struct cudart_kernel *next;
    struct cudart_module *module;
    const void *host;         /* the stub that host code calls */
    int thread_limit;         /* of __launch_bounds__; 0: none */
    char *name;               /* mangled */
    struct simt_kernel *simt; /* NULL before its first use */
    size_t max_dynamic_bytes; /* 0: what static shared memory leaves of CUDART_SHARED_PER_BLOCK */
};

/* A __device__, __constant__ or __managed__ variable, as registered. */
struct cudart_variable {
    struct cudart_variable *next;
    struct cudart_module *module;
    const void *host; /* the host's shadow of it */
    void **managed;   /* the host's pointer to a managed variable; NULL: it is not managed */
    char *name;
};

/* A registered object. Its PTX is loaded at the first use of one of its kernels or variables. */
struct cudart_module {
    struct cudart_module *next;
    const void *fatbin;
    struct cudart_kernel *kernels;
    struct cudart_variable *variables;
    struct simt_module **simt;
    size_t n_simt;
    bool is_library;     /* loaded by the program itself, not registered; never loaded afresh */
    atomic_bool is_gone; /* unregistered: whoever locks the device next frees it */
};

/* An allocation: device memory, managed memory, or pinned memory of the host. */
struct cudart_block {
    struct cudart_block *next;
    uint64_t address;
    size_t bytes;
    enum cudaMemoryType type;
    unsigned flags;                  /* of pinned memory */
    bool is_registered;              /* pinned memory that the program allocated itself */
    struct CUmemPoolHandle_st *pool; /* that it came from, or NULL */
};

/* A pool of device memory. Nothing is kept in one: what is freed goes back to the device. */
struct CUmemPoolHandle_st {
    struct CUmemPoolHandle_st *next;
    int reuse[3]; /* the flags of cudaMemPoolReuse…, in their order */
    uint64_t release_threshold, used_bytes, used_high;
    uint64_t max_bytes; /* 0: no limit */
};

struct cudart {
    pthread_mutex_t mutex;
    pthread_cond_t idle;                    /* a function of the host has ended */
    struct simt *simt;                      /* NULL before the first call that needs it */
    const struct cudart_device *device;     /* what it looks like */
    struct cudart_device sampled;           /* the same with other multiprocessors: simtSample */
    const struct cudart_device *own_device; /* while it pretends to be another: simtPretend */
    bool runs_newer;                        /* PTX than the device: simtRunNewer */
    bool is_active;                         /* the program has used it, not only asked about it */
    pid_t pid;                              /* that made it */
    size_t limits[CUDART_N_LIMITS]; /* as the program set them; the heap's alone has an effect */
    cudaError_t sticky;             /* an error that the context does not survive */
    char message[1024];             /* for simtLastError */
    struct cudart_module *modules;
    atomic_bool has_gone;  /* one of them is */
    atomic_bool is_ending; /* the program: no launch returns any more */
    struct cudart_block *blocks;
    struct CUmemPoolHandle_st default_pool, *pool, *pools; /* `pool`: of cudaMallocAsync */
    struct CUevent_st *events;

    /* streams: see operation.h */
    struct CUstream_st *streams, *legacy;
    uint64_t n_streams, serial;
    uint64_t seed, random; /* seed 0: operations run at once */
    double host_ms, engine_ms[4];

    /* see operation.h; of streams that were destroyed: their work's end, and their clocks, of those
     * that blocked and of all */
    double gone_ms;
    struct simt_clock host_clock, gone_blocking_clock, gone_clock;
    uint64_t n_queued[SIMT_QUEUES];
    uint64_t n_waits; /* of the host for streams and events */

    struct simt_refusal refusal; /* of one of the calls to come: simtRefuse */
    enum simt_refuses refuses;
    bool is_callers;         /* what is put into streams: simtCallers */
    uint64_t grid_workspace; /* of cooperative launches; 0 before the first */
};

/* Greater than 0 while a call runs whose default stream is the thread's own. */
extern __thread unsigned cudart_per_thread;

/* Locks the device and makes it if need be. The sticky error if there is one; cudart_leave has to
 * follow in any case. */
cudaError_t cudart_enter(struct cudart **rt);
/* The same for a question about the device, which makes no context of it on hardware. */
cudaError_t cudart_enter_query(struct cudart **rt);
/* The same without a look at errors or the device's existence: for registration and reports. */
struct cudart *cudart_lock(void);
/* The same, or NULL where another thread has the lock: a launch keeps it as long as its kernel
 * runs. */
struct cudart *cudart_try_lock(void);
void cudart_unlock(struct cudart *rt);
/* Unlocks, notes an error as the thread's last one, and returns it. */
cudaError_t cudart_leave(struct cudart *rt, cudaError_t error);
/* Notes an error of a call that needs no device. */
cudaError_t cudart_note(cudaError_t error);

/* A call that the device may refuse is about to be made, and nothing is wrong with it: `error`
 * where it is to be refused. */
cudaError_t cudart_may_refuse(struct cudart *rt, enum simt_refusable what, cudaError_t error);

/* Sets what simtLastError says. */
void cudart_say(struct cudart *rt, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for a diagnostic of the simulator: "sum.cu:31: …". */
void cudart_say_diag(struct cudart *rt, const struct simt_diag *diag);

/* Has the program's report written when it ends: to be called once, when the device is made, since
 * it is this process that writes it. */
void cudart_report_at_the_end(struct cudart *rt);
/* The process's runtime, without its lock. */
struct cudart *cudart_process(void);

/* What an entry point returns that is there in name only. */
cudaError_t cudart_unsupported(const char *name);

/* The error of a call on the host's side (allocation, copy) for the simulator's status. */
cudaError_t cudart_host_error(enum simt_status status);

/* A kernel by the stub that host code has for it, or by its handle; NULL when there is none. */
struct cudart_kernel *cudart_find_kernel(struct cudart *rt, const void *host);
/* The same, its module loaded and its `simt` set. */
cudaError_t cudart_use_kernel(struct cudart *rt, const void *host, struct cudart_kernel **kernel);
/* Dynamic shared memory that a launch of a loaded kernel may ask for. */
size_t cudart_max_dynamic_bytes(const struct cudart_kernel *kernel);
/* Blocks of a kernel that one multiprocessor holds at a time; 0: not even one. Registers are no
 * limit, since PTX does not say how many a kernel has. */
int cudart_resident_blocks(const struct cudart *rt, const struct cudart_kernel *kernel, int block,
                           size_t dynamic_bytes);
/* Address and size of a variable by its shadow; cudaErrorInvalidSymbol when there is none. */
cudaError_t cudart_symbol(struct cudart *rt, const void *host, uint64_t *address, size_t *bytes);

/* Loads a module's PTX if that was not done yet. */
cudaError_t cudart_load(struct cudart *rt, struct cudart_module *module);
/* The least architecture that can run each object of the program that carries PTX. */
unsigned cudart_least_arch(const struct cudart *rt);
/* Shows what kernels have printed: where the program has waited for them. */
void cudart_show_output(struct cudart *rt);
/* Frees the modules that are gone. */
void cudart_sweep(struct cudart *rt);
/* Takes a module off the list once all operations are done, and frees it. */
cudaError_t cudart_forget(struct cudart *rt, struct cudart_module *module);
/* Forgets what was loaded: PTX is loaded afresh, variables get their initial values. */
void cudart_unload_all(struct cudart *rt);

/* The allocation that an address lies in; NULL when it lies in none. */
struct cudart_block *cudart_block(const struct cudart *rt, const void *address);
/* True when all bytes lie in one allocation, which may be a variable. */
bool cudart_is_range(const struct cudart *rt, const void *address, size_t bytes);
/* Notes an allocation; false without memory for it. */
bool cudart_add_block(struct cudart *rt, const struct cudart_block *block);
/* Forgets an allocation that was noted, and frees the note. */
void cudart_drop_block(struct cudart *rt, struct cudart_block *block);
/* Frees all device memory that the program allocated. */
void cudart_free_all(struct cudart *rt);

/* The head of a call that has a second entry point, for code that was compiled for a default stream
 * per thread: cudaMemcpyAsync_ptsz takes stream 0 for cudaStreamPerThread. */
#define CUDART_TWIN(name, suffix, parameters, arguments)                                           \
    extern __typeof__(name) name##suffix;                                                          \
    cudaError_t name##suffix parameters {                                                          \
        cudart_per_thread++;                                                                       \
        cudaError_t error = name arguments;                                                        \
        cudart_per_thread--;                                                                       \
        return error;                                                                              \
    }                                                                                              \
    cudaError_t name parameters
