/*
 * What the files of the drop-in runtime share: the process's one device and the way in and out of
 * every call.
 *
 * A call locks the device, does its work and leaves with its error, which becomes the thread's last
 * error:
 *
 *     struct cudart *rt;
 *     cudaError_t error = cudart_enter(&rt);
 *     if (error == cudaSuccess)
 *         error = ...;
 *     return cudart_leave(rt, error);
 */
#ifndef CUDART_CUDART_H
#define CUDART_CUDART_H

#include "common/simt/cudart/fatbin.h"
#include "common/simt/simt.h"

#include <cuda_runtime_api.h>
#include <pthread.h>

/* The virtual device's limits that simt_options does not name. It is a small Turing (compute
 * capability 7.5), the oldest architecture that nvcc 13 compiles for. */
enum {
    CUDART_ARCH = 75,
    CUDART_MAX_THREADS_PER_SM = 1024,
    CUDART_MAX_BLOCKS_PER_SM = 16,
    CUDART_SHARED_PER_SM = 64 << 10,
    CUDART_SHARED_PER_BLOCK = 48 << 10,
    CUDART_SHARED_OPTIN = 64 << 10, /* after cudaFuncSetAttribute */
    CUDART_CONST_BYTES = 64 << 10,
    CUDART_REGISTERS = 65536,
    CUDART_N_LIMITS = 8, /* more than enum cudaLimit has */
};

/* A kernel, as registered; cudaKernel_t and cudaFunction_t point to one. */
struct cudart_kernel {
    struct cudart_kernel *next;
    struct cudart_module *module;
    const void *host;         /* the stub that host code calls */
    char *name;               /* mangled */
    struct simt_kernel *simt; /* NULL before its first use */
    size_t max_dynamic_bytes; /* 0: what static shared memory leaves of CUDART_SHARED_PER_BLOCK */
};

/* A __device__ or __constant__ variable, as registered. */
struct cudart_variable {
    struct cudart_variable *next;
    struct cudart_module *module;
    const void *host; /* the host's shadow of it */
    char *name;
};

/* A registered object. Its PTX is loaded at the first use of one of its kernels or variables. */
struct cudart_module {
    struct cudart_module *next;
    const void *fatbin;
    struct cudart_kernel *kernels;
    struct cudart_variable *variables;
    bool has_managed;
    struct simt_module **simt;
    size_t n_simt;
};

/* An allocation in device memory or in pinned host memory. */
struct cudart_block {
    struct cudart_block *next;
    uint64_t address;
    size_t bytes;
    unsigned flags;     /* of pinned memory */
    bool is_registered; /* pinned memory that the program allocated itself */
};

struct cudart {
    pthread_mutex_t mutex;
    struct simt *simt;              /* NULL before the first call that needs it */
    size_t limits[CUDART_N_LIMITS]; /* as the program set them; nothing here is bound by them */
    cudaError_t sticky;             /* an error that the context does not survive */
    char message[1024];             /* for simtLastError */
    struct cudart_module *modules;
    struct cudart_block *device_blocks, *host_blocks;
    struct CUstream_st *streams;
    struct CUevent_st *events;
};

/* Locks the device and makes it if need be. The sticky error if there is one; cudart_leave has to
 * follow in any case. */
cudaError_t cudart_enter(struct cudart **rt);
/* The same without a look at errors or the device's existence: for registration and reports. */
struct cudart *cudart_lock(void);
void cudart_unlock(struct cudart *rt);
/* Unlocks, notes an error as the thread's last one, and returns it. */
cudaError_t cudart_leave(struct cudart *rt, cudaError_t error);
/* Notes an error of a call that needs no device. */
cudaError_t cudart_note(cudaError_t error);

/* Sets what simtLastError says. */
void cudart_say(struct cudart *rt, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for a diagnostic of the simulator: "sum.cu:31: …". */
void cudart_say_diag(struct cudart *rt, const struct simt_diag *diag);

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
/* Address and size of a variable by its shadow; cudaErrorInvalidSymbol when there is none. */
cudaError_t cudart_symbol(struct cudart *rt, const void *host, uint64_t *address, size_t *bytes);

/* Forgets what was loaded: PTX is loaded afresh, variables get their initial values. */
void cudart_unload_all(struct cudart *rt);

/* True for the default streams and those that the program made. */
bool cudart_stream_exists(const struct cudart *rt, cudaStream_t stream);
/* cudart_enter for a call with a stream: cudaErrorInvalidResourceHandle where there is no such. */
cudaError_t cudart_enter_stream(struct cudart **rt, cudaStream_t stream);

/* Copies between any two places; the direction has to agree with them. */
cudaError_t cudart_copy(struct cudart *rt, void *to, const void *from, size_t bytes,
                        enum cudaMemcpyKind kind);
/* The allocation that an address lies in; NULL when it lies in none. */
const struct cudart_block *cudart_device_block(const struct cudart *rt, const void *address);
const struct cudart_block *cudart_host_block(const struct cudart *rt, const void *address);
/* Frees all device memory that the program allocated. */
void cudart_free_all(struct cudart *rt);

/* Gives a second, identical entry point its name: code compiled for a default stream per thread
 * calls cudaMemcpy_ptds. Here every stream does its work at once, so the two are the same. */
#define CUDART_TWIN(name, suffix) extern __typeof__(name) name##suffix __attribute__((alias(#name)))

#endif
