/*
 * Kernel launches.
 *
 * What goes wrong is told when hardware would tell it: a launch that the device refuses is an error
 * of the launch, a kernel that died is one of the next call.
 */
#include "common/simt/cudart/module/abi.h"
#include "common/simt/cudart/stream/operation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Configurations between <<< >>> and the call of the stub; arguments of a launch may launch. */
enum { MAX_CONFIGURATIONS = 16 };

struct configuration {
    dim3 grid, block;
    size_t shared_bytes;
    struct CUstream_st *stream;
};

static __thread struct configuration configurations[MAX_CONFIGURATIONS];
static __thread unsigned n_configurations;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     struct CUstream_st *stream) {
    if (n_configurations == MAX_CONFIGURATIONS)
        return 1; /* the stub is not called then */
    configurations[n_configurations++] = (struct configuration){grid, block, shared_bytes, stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes,
                                       void *stream) {
    if (n_configurations == 0)
        return cudart_note(cudaErrorMissingConfiguration);
    const struct configuration *top = &configurations[--n_configurations];
    *grid = top->grid;
    *block = top->block;
    *shared_bytes = top->shared_bytes;
    *(struct CUstream_st **)stream = top->stream;
    return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t *handle, const void *host) {
    struct cudart *rt = cudart_lock();
    struct cudart_kernel *kernel = cudart_find_kernel(rt, host);
    *handle = (cudaKernel_t)kernel;
    return cudart_leave(rt, kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaGetKernel(cudaKernel_t *handle, const void *host) {
    return __cudaGetKernel(handle, host);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *handle, const void *host) {
    return __cudaGetKernel((cudaKernel_t *)handle, host);
}

/* The arguments in one block, as the kernel's signature lays them out; NULL without memory. */
static void *pack(const struct cudart_kernel *kernel, void **arguments) {
    uint8_t *block = calloc(1, simt_kernel_param_bytes(kernel->simt) + 1);
    size_t n_params = simt_kernel_n_params(kernel->simt);
    for (size_t i = 0; block && i < n_params; i++) {
        size_t offset, bytes;
        simt_kernel_param(kernel->simt, i, &offset, &bytes);
        memcpy(block + offset, arguments[i], bytes);
    }
    return block;
}

/* What kernels printed goes to the program's own output, where hardware surely has it there: when
 * the program waits. What nobody waits for is lost. */
void cudart_show_output(struct cudart *rt) {
    FILE *const files[] = {[SIMT_STDOUT] = stdout, [SIMT_STDERR] = stderr};
    for (enum simt_stream stream = SIMT_STDOUT; stream <= SIMT_STDERR; stream++) {
        size_t bytes;
        char *text = simt_take_output(rt->simt, stream, &bytes);
        if (text)
            fwrite(text, 1, bytes, files[stream]);
        free(text);
    }
}

/* What the launch returns, or what later calls return, for how the kernel ended. */
static cudaError_t settle(struct cudart *rt, enum simt_status status,
                          const struct simt_diag *diag) {
    if (status == SIMT_OK)
        return cudaSuccess;
    cudart_say_diag(rt, diag);
    switch (status) {
    case SIMT_ILLEGAL_ADDRESS:
    case SIMT_STACK_OVERFLOW: /* beyond its stack, a thread meets what it may not touch */
        rt->sticky = cudaErrorIllegalAddress;
        return cudaSuccess;
    case SIMT_MISALIGNED:
        rt->sticky = cudaErrorMisalignedAddress;
        return cudaSuccess;
    case SIMT_TIMEOUT:
    case SIMT_DEADLOCK:
        rt->sticky = cudaErrorLaunchTimeout;
        return cudaSuccess;
    case SIMT_TRAP:
        rt->sticky = cudaErrorLaunchFailure;
        return cudaSuccess;
    case SIMT_ASSERT:
        rt->sticky = cudaErrorAssert;
        return cudaSuccess;
    case SIMT_INVALID_PC:
        rt->sticky = cudaErrorInvalidPc;
        return cudaSuccess;
    case SIMT_ILLEGAL_INSTRUCTION:
        rt->sticky = cudaErrorIllegalInstruction;
        return cudaSuccess;
    case SIMT_UNSUPPORTED:
        return cudaErrorNotSupported;
    case SIMT_BAD_PTX:
        return cudaErrorInvalidPtx;
    case SIMT_NO_MEMORY:
        return cudaErrorMemoryAllocation;
    default: /* as CUDA 13.0 on an H200 does, where older texts say InvalidConfiguration */
        return cudaErrorInvalidValue;
    }
}

/* A kernel on its way. */
struct launch {
    struct cudart_op op;
    struct simt_kernel *kernel;
    struct simt_dim3 grid, block;
    uint32_t dynamic_bytes, shared_limit;
    bool is_cooperative;
    void *params;
};

/* Where another thread ends the program, this one does nothing more. */
static void wait_for_the_end(struct cudart *rt) {
    if (!atomic_load(&rt->is_ending))
        return;
    cudart_unlock(rt);
    for (;;)
        pause();
}

static cudaError_t run_launch(struct cudart *rt, struct cudart_op *op) {
    struct launch *launch = (struct launch *)op;
    struct simt_diag diag = {0};
    struct simt_report report;
    struct simt_options *options = simt_options(rt->simt);
    options->shared_bytes = launch->shared_limit;
    options->seed = rt->seed;
    options->grid_workspace = launch->is_cooperative ? rt->grid_workspace : 0;
    cudart_touch(rt, op, NULL);
    wait_for_the_end(rt);
    enum simt_status status = simt_launch(rt->simt, launch->kernel, launch->grid, launch->block,
                                          launch->dynamic_bytes, launch->params, &diag);
    wait_for_the_end(rt);
    simt_report(rt->simt, &report);
    uint64_t n_ctas = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    op->ms = model_kernel_ms(rt->device, &report.latest, n_ctas);
    return settle(rt, status, &diag);
}

static void finish_launch(struct cudart_op *op) {
    free(((struct launch *)op)->params);
}

static const struct cudart_op_kind launch_kind = {
    .run = run_launch, .finish = finish_launch, .engine = CUDART_ENGINE_COMPUTE, .is_asked = true};

/* All blocks of a cooperative launch have to be on the device at the same time. */
static cudaError_t check_cooperative(struct cudart *rt, const struct cudart_kernel *kernel,
                                     const struct configuration *config) {
    uint64_t n_ctas = (uint64_t)config->grid.x * config->grid.y * config->grid.z;
    uint64_t n_threads = (uint64_t)config->block.x * config->block.y * config->block.z;
    if (n_threads == 0 || n_threads > INT32_MAX)
        return cudaErrorInvalidValue;
    uint64_t room =
        (uint64_t)rt->device->n_sm *
        (uint64_t)cudart_resident_blocks(rt, kernel, (int)n_threads, config->shared_bytes);
    if (n_ctas <= room)
        return cudaSuccess;
    cudart_say(rt,
               "The cooperative launch has %" PRIu64 " blocks; %" PRIu64
               " of them can be on the device at the same time.",
               n_ctas, room);
    return cudaErrorCooperativeLaunchTooLarge;
}

/* What the blocks of a cooperative launch meet at. Each meeting leaves it as it was, so one will do
 * for all launches. */
static cudaError_t open_workspace(struct cudart *rt) {
    enum { WORKSPACE_BYTES = 8 };
    if (rt->grid_workspace != 0)
        return cudaSuccess;
    enum simt_status status = simt_malloc(rt->simt, WORKSPACE_BYTES, &rt->grid_workspace);
    if (status == SIMT_OK)
        status = simt_set(rt->simt, rt->grid_workspace, 0, WORKSPACE_BYTES);
    return cudart_host_error(status);
}

static cudaError_t launch(struct cudart *rt, const void *host, const struct configuration *config,
                          bool is_cooperative, void **arguments) {
    struct cudart_kernel *kernel;
    cudaError_t error = cudart_use_kernel(rt, host, &kernel);
    if (error == cudaSuccess && !cudart_stream(rt, config->stream))
        error = cudaErrorInvalidResourceHandle;
    if (error != cudaSuccess)
        return error;
    size_t max_bytes = cudart_max_dynamic_bytes(kernel);
    if (config->shared_bytes > max_bytes) {
        cudart_say(rt, "The launch asks for %zu bytes of dynamic shared memory; %zu are left.",
                   config->shared_bytes, max_bytes);
        return cudaErrorInvalidValue;
    }
    size_t needed = simt_kernel_static_shared_bytes(kernel->simt) + max_bytes;
    struct launch launch = {
        .op.kind = &launch_kind,
        .kernel = kernel->simt,
        .grid = {config->grid.x, config->grid.y, config->grid.z},
        .block = {config->block.x, config->block.y, config->block.z},
        .dynamic_bytes = (uint32_t)config->shared_bytes,
        .shared_limit =
            needed > CUDART_SHARED_PER_BLOCK ? (uint32_t)needed : CUDART_SHARED_PER_BLOCK,
        .is_cooperative = is_cooperative,
    };
    struct simt_diag diag = {0};
    simt_options(rt->simt)->shared_bytes = launch.shared_limit;
    simt_options(rt->simt)->seed = rt->seed;
    error = settle(rt,
                   simt_launch_check(rt->simt, launch.kernel, launch.grid, launch.block,
                                     launch.dynamic_bytes, &diag),
                   &diag);
    if (error == cudaSuccess && is_cooperative)
        error = check_cooperative(rt, kernel, config);
    if (error == cudaSuccess && is_cooperative)
        error = open_workspace(rt);
    if (error != cudaSuccess)
        return error;
    error = cudart_may_refuse(rt, SIMT_LAUNCH, cudaErrorLaunchOutOfResources);
    if (error != cudaSuccess)
        return error;
    launch.params = pack(kernel, arguments);
    if (!launch.params)
        return cudaErrorMemoryAllocation;
    return cudart_submit(rt, config->stream, &launch.op, sizeof launch);
}

static cudaError_t enter_launch(const void *host, const struct configuration *config,
                                bool is_cooperative, void **arguments) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess) {
        error = launch(rt, host, config, is_cooperative, arguments);
        rt->refusal.n_failed += error != cudaSuccess;
    }
    return cudart_leave(rt, error);
}

#define LAUNCH_PARAMETERS                                                                          \
    (const void *host, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,               \
     cudaStream_t stream)
#define LAUNCH_ARGUMENTS (host, grid, block, arguments, shared_bytes, stream)

CUDART_TWIN(cudaLaunchKernel, _ptsz, LAUNCH_PARAMETERS, LAUNCH_ARGUMENTS) {
    struct configuration config = {grid, block, shared_bytes, stream};
    return enter_launch(host, &config, false, arguments);
}

CUDART_TWIN(cudaLaunchCooperativeKernel, _ptsz, LAUNCH_PARAMETERS, LAUNCH_ARGUMENTS) {
    struct configuration config = {grid, block, shared_bytes, stream};
    return enter_launch(host, &config, true, arguments);
}

CUDART_TWIN(__cudaLaunchKernel, _ptsz,
            (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
             cudaStream_t stream),
            (kernel, grid, block, arguments, shared_bytes, stream)) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

/* Whether an attribute asks for nothing that the simulator would have to do. */
static bool is_harmless(const cudaLaunchAttribute *attribute) {
    switch (attribute->id) {
    case cudaLaunchAttributeClusterDimension:
        return attribute->val.clusterDim.x * attribute->val.clusterDim.y *
                   attribute->val.clusterDim.z <=
               1;
    default:
        return attribute->id == cudaLaunchAttributeIgnore ||
               attribute->id == cudaLaunchAttributeCooperative ||
               attribute->id == cudaLaunchAttributeSynchronizationPolicy ||
               attribute->id == cudaLaunchAttributeMemSyncDomain ||
               attribute->id == cudaLaunchAttributeMemSyncDomainMap ||
               attribute->id == cudaLaunchAttributeProgrammaticStreamSerialization ||
               attribute->id == cudaLaunchAttributePriority ||
               attribute->id == cudaLaunchAttributeAccessPolicyWindow ||
               attribute->id == cudaLaunchAttributePreferredSharedMemoryCarveout;
    }
}

static void say_attribute(struct cudart *rt, cudaLaunchAttributeID id) {
    static const struct {
        cudaLaunchAttributeID id;
        const char *what;
    } known[] = {
        {cudaLaunchAttributeClusterDimension, "clusters of several blocks"},
        {cudaLaunchAttributePreferredClusterDimension, "clusters of several blocks"},
        {cudaLaunchAttributeProgrammaticEvent, "an event in the middle of a kernel"},
        {cudaLaunchAttributeLaunchCompletionEvent, "an event at the beginning of a kernel"},
        {cudaLaunchAttributeDeviceUpdatableKernelNode, "graphs"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].id == id) {
            cudart_say(rt, "The launch asks for %s, which the simulator does not have.",
                       known[i].what);
            return;
        }
    cudart_say(rt, "Launch attribute %d is not supported by the simulator.", (int)id);
}

CUDART_TWIN(cudaLaunchKernelExC, _ptsz,
            (const cudaLaunchConfig_t *given, const void *host, void **arguments),
            (given, host, arguments)) {
    struct cudart *rt;
    cudaError_t error = cudart_enter(&rt);
    if (error == cudaSuccess && !given)
        error = cudaErrorInvalidValue;
    bool is_cooperative = false;
    for (unsigned i = 0; error == cudaSuccess && i < given->numAttrs; i++) {
        if (given->attrs[i].id == cudaLaunchAttributeCooperative)
            is_cooperative = given->attrs[i].val.cooperative != 0;
        if (!is_harmless(&given->attrs[i])) {
            say_attribute(rt, given->attrs[i].id);
            error = cudaErrorNotSupported;
        }
    }
    if (error == cudaSuccess) {
        struct configuration config = {given->gridDim, given->blockDim, given->dynamicSmemBytes,
                                       given->stream};
        error = launch(rt, host, &config, is_cooperative, arguments);
    }
    return cudart_leave(rt, error);
}
