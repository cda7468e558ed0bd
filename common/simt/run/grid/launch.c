/*
 * One launch: is it allowed, the multiprocessor set up for it, all ctas in order, the report.
 */
#include "common/simt/run/grid/launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/access/edited.h"
#include "common/simt/access/fast/shape.h"
#include "common/simt/report/report.h"
#include "common/simt/run/counting.h"
#include "common/simt/run/limits.h"
#include "common/simt/run/warp/call.h"
#include "common/simt/run/warp/schedule.h"
#include "common/simt/run/warp/step.h"
#include "common/simt/state/edits.h"
#include "common/simt/state/hooks.h"
#include "common/simt/state/module.h"

/* Limits of a launch beside those of the options. */
enum { MAX_BLOCK_X = 1024, MAX_BLOCK_Z = 64, MAX_GRID_YZ = 65535 };

static enum simt_status refuse(struct simt_diag *diag, enum simt_status status, const char *what,
                               uint64_t got, uint64_t limit) {
    diag->status = status;
    snprintf(diag->message, sizeof diag->message, "%s: %" PRIu64 ", the limit is %" PRIu64 ".",
             what, got, limit);
    return status;
}

static enum simt_status check_config(const struct simt *simt, const struct simt_kernel *kernel,
                                     struct simt_dim3 grid, struct simt_dim3 block,
                                     uint64_t shared_bytes, struct simt_diag *diag) {
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    uint64_t limit = simt->options.max_cta_threads, known = kernel->function->max_cta_threads;
    enum simt_status bad = SIMT_BAD_CONFIG;
    if (known && known < limit)
        limit = known;
    if (limit > SIMT_MAX_WARPS * SIMT_LANES)
        limit = SIMT_MAX_WARPS * SIMT_LANES;
    if (threads == 0 || (uint64_t)grid.x * grid.y * grid.z == 0) {
        diag->status = bad;
        snprintf(diag->message, sizeof diag->message,
                 "The launch has an empty %s: each of its dimensions must be at least 1.",
                 threads ? "grid" : "block");
        return bad;
    }
    if (block.x > MAX_BLOCK_X || block.y > MAX_BLOCK_X || threads > limit)
        return refuse(diag, bad, "Too many threads in a block", threads, limit);
    if (block.z > MAX_BLOCK_Z)
        return refuse(diag, bad, "The block is too large in z", block.z, MAX_BLOCK_Z);
    if (grid.x > INT32_MAX)
        return refuse(diag, bad, "The grid is too large in x", grid.x, INT32_MAX);
    if (grid.y > MAX_GRID_YZ || grid.z > MAX_GRID_YZ)
        return refuse(diag, bad, "The grid is too large in y or z",
                      grid.y > grid.z ? grid.y : grid.z, MAX_GRID_YZ);
    if (shared_bytes > simt->options.shared_bytes)
        return refuse(diag, bad, "Too many bytes of shared memory in a block", shared_bytes,
                      simt->options.shared_bytes);
    return SIMT_OK;
}

static enum simt_status check_supported(const struct simt_kernel *kernel, struct simt_diag *diag) {
    const struct simt_program *program = kernel->program;
    if (kernel->function->cluster_ctas > 1) {
        diag->status = SIMT_UNSUPPORTED;
        snprintf(diag->message, sizeof diag->message,
                 "%.200s asks for clusters of %" PRIu32 " blocks, which the simulator does not "
                 "have. Run this on a GPU, or write it without clusters.",
                 kernel->plain_name.text, kernel->function->cluster_ctas);
        return SIMT_UNSUPPORTED;
    }
    if (!program->unsupported)
        return SIMT_OK;
    simt_explain_unsupported(program, diag);
    return SIMT_UNSUPPORTED;
}

static void *rounded(size_t bytes, bool *ok) {
    void *memory = NULL;
    size_t size = ((bytes + 255) & ~(size_t)255) + SIMT_SHARED_SPARE_BYTES;
    if (posix_memalign(&memory, 64, size) != 0) {
        *ok = false;
        return NULL;
    }
    return memset(memory, 0, size);
}

void simt_slot_close(struct simt_sm *sm) {
    if (!sm)
        return;
    if (sm->hooks)
        sm->hooks->slot_close(sm);
    for (uint32_t w = 0; sm->warps && w < sm->n_warps; w++)
        simt_frames_close(&sm->warps[w]);
    free(sm->warps);
    free(sm->registers);
    free(sm->preds);
    free(sm->shared);
    free(sm->local);
    free(sm->params);
    free(sm->bank_rows);
    free(sm->loaded);
    free(sm);
}

bool simt_results_open(struct simt_sm *sm) {
    sm->findings = simt_findings_new();
    sm->steps = calloc(sm->program->n_insns, sizeof *sm->steps);
    sm->counters = calloc(sm->program->n_insns, sizeof *sm->counters);
    sm->shapes = aligned_alloc(64, SIMT_SHAPES * sizeof *sm->shapes);
    if (sm->shapes)
        memset(sm->shapes, 0, SIMT_SHAPES * sizeof *sm->shapes);
    /* In any case: a slot that was copied has what the first one's thread keeps, and must not close
     * that. */
    bool is_open = !sm->hooks || sm->hooks->thread_open(sm);
    return sm->findings && sm->steps && sm->counters && sm->shapes && is_open;
}

void simt_results_close(struct simt_sm *sm) {
    free(sm->steps);
    free(sm->counters);
    free(sm->shapes);
    simt_findings_free(sm->findings);
    if (sm->hooks)
        sm->hooks->thread_close(sm);
}

/* The first slot, and what all slots of the launch share. */
static void close_all(struct simt_sm *sm) {
    simt_results_close(sm);
    if (sm->hooks)
        sm->hooks->launch_close(sm);
    if (sm->traces)
        free(sm->traces->events), free(sm->traces->pictures);
    free(sm->traces);
    free(sm->schedule);
    simt_snapshot_free(sm->snapshot);
    simt_slot_close(sm);
}

static bool set_up_warps(struct simt_sm *sm) {
    size_t row_bytes = sm->program->row_file_bytes;
    uint32_t n_preds = sm->program->n_preds + 1;
    for (uint32_t w = 0; w < sm->n_warps; w++) {
        struct simt_warp *warp = &sm->warps[w];
        uint32_t rest = sm->n_threads - w * SIMT_LANES;
        warp->index = w;
        warp->born = rest >= SIMT_LANES ? SIMT_FULL_MASK : (UINT32_C(1) << rest) - 1;
        if (!simt_frames_open(sm, warp, sm->registers + w * row_bytes,
                              sm->preds + (size_t)w * n_preds))
            return false;
    }
    return true;
}

static bool open_schedule(struct simt *simt, struct simt_sm *sm) {
    if (!simt->options.seed)
        return true;
    sm->schedule = calloc(1, sizeof *sm->schedule);
    if (!sm->schedule)
        return false;
    simt_schedule_begin(sm->schedule, simt->options.seed, simt->n_scheduled++);
    return true;
}

/* Launches with one run in order. */
static bool open_trace(struct simt_sm *sm, const struct simt_options *options) {
    if (!options->trace_ctas && !options->keeps_shared && !options->keeps_readers)
        return true;
    sm->traces = calloc(1, sizeof *sm->traces);
    if (!sm->traces)
        return false;
    sm->traces->first = options->trace_first;
    sm->traces->n_ctas = options->trace_ctas;
    sm->traces->keeps_shared = options->keeps_shared;
    return true;
}

/* What the slots share. */
static bool allocate_shared(struct simt_sm *sm, uint64_t n_ctas) {
    if ((sm->hooks && !sm->hooks->launch_open(sm)) || !simt_results_open(sm))
        return false;
    bool talks = simt_steps_prepare(sm);
    return !sm->hooks || !talks || sm->hooks->ctas_open(sm, n_ctas);
}

/* What each slot has for itself. */
static bool allocate(struct simt_sm *sm, bool is_first) {
    const struct simt_program *program = sm->program;
    bool ok = true;
    sm->warps = calloc(sm->n_warps, sizeof *sm->warps);
    sm->registers = rounded((size_t)program->row_file_bytes * sm->n_warps, &ok);
    sm->preds = rounded(sizeof *sm->preds * (program->n_preds + 1) * sm->n_warps, &ok);
    sm->shared = rounded(sm->shared_bytes, &ok);
    /* Fresh pages: what no thread touches costs nothing. */
    sm->local = calloc(sm->n_warps * (size_t)SIMT_LANES, sm->local_bytes + 1);
    size_t param_bytes = sm->kernel->function->param_bytes;
    sm->params = rounded(param_bytes, &ok);
    if (sm->params && param_bytes)
        memcpy(sm->params, sm->launch_params, param_bytes);
    sm->bank_rows = calloc(sm->shared_bytes / 128 + 2, sizeof *sm->bank_rows);
    ok = ok && sm->warps && sm->local && sm->bank_rows;
    return (!sm->hooks || sm->hooks->slot_open(sm, is_first)) && ok;
}

static struct simt_sm *new_slot(void) {
    struct simt_sm *sm = NULL;
    if (posix_memalign((void **)&sm, 64, sizeof *sm) != 0)
        return NULL;
    return memset(sm, 0, sizeof *sm);
}

struct simt_sm *simt_slot_open(const struct simt_sm *first) {
    struct simt_sm *sm = new_slot();
    if (!sm)
        return NULL;
    *sm = *first;
    sm->warps = NULL; /* what a slot has for itself: see allocate */
    sm->registers = sm->shared = sm->local = sm->params = NULL;
    sm->preds = sm->bank_rows = NULL;
    sm->loaded = NULL;
    if (!allocate(sm, false) || !set_up_warps(sm)) {
        simt_slot_close(sm);
        return NULL;
    }
    return sm;
}

/* The first slot of a launch; NULL when the host has no memory. */
static struct simt_sm *open_first(struct simt *simt, const struct simt_kernel *kernel,
                                  const struct simt_launch_report *launch, const void *params,
                                  struct simt_diag *diag) {
    struct simt_sm *sm = new_slot();
    if (!sm)
        return NULL;
    sm->space = &simt->space;
    sm->hit = &simt->space.last_hit;
    sm->kernel = kernel;
    sm->program = kernel->program;
    sm->launch_params = params;
    sm->diag = diag;
    sm->grid = launch->grid;
    sm->block = launch->block;
    sm->hooks = simt->options.checks ? &simt_checks : NULL;
    sm->now = &simt->now;
    sm->n_sm = simt->options.n_sm;
    sm->grid_workspace = simt->options.grid_workspace;
    sm->n_threads = launch->block.x * launch->block.y * launch->block.z;
    sm->n_warps = (sm->n_threads + SIMT_LANES - 1) / SIMT_LANES;
    sm->all_shared_bytes = launch->shared_bytes;
    sm->shared_bytes = simt_has_dynamic_array(kernel->program)
                           ? launch->shared_bytes
                           : kernel->program->static_shared_bytes;
    sm->local_bytes = simt_stack_bytes(kernel->program);
    sm->local_used = kernel->program->local_bytes;
    sm->output = &simt->output;
    sm->limits.interrupted = &simt->interrupted;
    for (size_t i = 0; i < simt->n_edits; i++)
        if (simt->edits[i].kind == SIMT_EDIT_BELOW)
            sm->below = &simt->edits[i];
    for (size_t i = 0; i < simt->n_edits && !sm->snapshot; i++)
        if (simt->edits[i].kind == SIMT_EDIT_SNAPSHOT)
            sm->snapshot = simt_snapshot_take(&simt->space);
    simt->space.heap_bytes = simt->options.heap_bytes;
    uint64_t n_ctas = (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z;
    if (!open_schedule(simt, sm) || !open_trace(sm, &simt->options) ||
        !allocate_shared(sm, n_ctas) || !allocate(sm, true) || !set_up_warps(sm)) {
        close_all(sm);
        return NULL;
    }
    uint64_t budget = simt->options.budget;
    simt_budget_begin(sm, budget ? budget : UINT64_MAX, simt->options.timeout_ms);
    simt->space.is_watched = sm->hooks != NULL;
    if (sm->hooks)
        sm->hooks->launch_begins(simt, sm);
    simt_host_memory_begin(sm, simt->options.sample.n ? simt->options.sample.bytes : 0);
    return sm;
}

/* How many ctas the device holds at a time. */
static uint64_t find_capacity(const struct simt_options *options, const struct simt_sm *sm) {
    uint64_t per_sm = options->sm_threads / (sm->n_warps * SIMT_LANES);
    if (sm->all_shared_bytes && options->sm_shared_bytes / sm->all_shared_bytes < per_sm)
        per_sm = options->sm_shared_bytes / sm->all_shared_bytes;
    if (options->sm_ctas < per_sm)
        per_sm = options->sm_ctas;
    uint64_t capacity = per_sm * options->n_sm;
    return capacity ? capacity : 1;
}

/* Bytes of shared memory of one cta; the dynamic part begins at a multiple of 16. */
static uint64_t shared_bytes_of(const struct simt_program *program, uint32_t dynamic_bytes) {
    uint32_t static_bytes = program->static_shared_bytes;
    return dynamic_bytes ? ((static_bytes + 15) & ~UINT64_C(15)) + dynamic_bytes : static_bytes;
}

/* A launch as the edits that are set make it. */
static enum simt_status check(struct simt *simt, struct simt_kernel **launched, const void *params,
                              struct simt_dim3 *grid, struct simt_dim3 *block,
                              uint32_t *dynamic_bytes, struct simt_diag *diag) {
    memset(diag, 0, sizeof *diag);
    struct simt_kernel *kernel = *launched = simt_kernel_to_run(simt, *launched);
    if (!kernel)
        return diag->status = SIMT_NO_MEMORY;
    simt_edit_launch(simt, kernel, params, grid, block, dynamic_bytes);
    enum simt_status status = simt_kernel_decode(kernel, diag);
    if (status != SIMT_OK)
        return status;
    uint64_t shared_bytes = shared_bytes_of(kernel->program, *dynamic_bytes);
    status = check_config(simt, kernel, *grid, *block, shared_bytes, diag);
    return status == SIMT_OK ? check_supported(kernel, diag) : status;
}

enum simt_status simt_launch_check(struct simt *simt, struct simt_kernel *kernel,
                                   struct simt_dim3 grid, struct simt_dim3 block,
                                   uint32_t dynamic_shared_bytes, struct simt_diag *diag) {
    return check(simt, &kernel, NULL, &grid, &block, &dynamic_shared_bytes, diag);
}

/* All ctas, or a sample of them: false where some have not run. */
static bool run(struct simt *simt, struct simt_sm *sm, uint64_t n_ctas) {
    const struct simt_options *options = &simt->options;
    uint64_t capacity = find_capacity(options, sm);
    struct simt_ctas ctas;
    if (options->sample.n == 0) {
        simt_threads_run(sm, n_ctas, capacity, simt->n_edits ? 1 : options->n_threads);
    } else if (simt_sample_open(&ctas, &options->sample, n_ctas)) {
        const uint64_t n_begun = simt_grid_run(sm, &ctas, n_ctas, capacity);
        simt_sample_close(&ctas);
        return n_begun == n_ctas;
    } else {
        sm->x.fault = SIMT_NO_MEMORY;
    }
    return true;
}

/* Runs a launch to its end, or to where it starts over. NULL when the host has no memory. */
static struct simt_sm *run_kernel(struct simt *simt, const struct simt_kernel *kernel,
                                  struct simt_launch_report *launch, const void *params,
                                  struct simt_diag *diag) {
    struct simt_sm *sm = open_first(simt, kernel, launch, params, diag);
    if (!sm)
        return NULL;
    launch->is_sampled = !run(simt, sm, (uint64_t)launch->grid.x * launch->grid.y * launch->grid.z);
    if (sm->hooks)
        sm->hooks->launch_ends(simt, sm);
    else
        simt_space_define_all(&simt->space);
    return sm;
}

enum simt_status simt_launch(struct simt *simt, struct simt_kernel *kernel, struct simt_dim3 grid,
                             struct simt_dim3 block, uint32_t dynamic_shared_bytes,
                             const void *params, struct simt_diag *diag) {
    struct simt_kernel *const own = kernel;
    enum simt_status status =
        check(simt, &kernel, params, &grid, &block, &dynamic_shared_bytes, diag);
    if (status != SIMT_OK || simt_skips_launch(simt, own))
        return status;
    struct simt_launch_report report = {
        .kernel = kernel->plain_name.text,
        .grid = grid,
        .block = block,
        .shared_bytes = (uint32_t)shared_bytes_of(kernel->program, dynamic_shared_bytes),
        .dynamic_bytes = dynamic_shared_bytes,
    };
    struct simt_sm *sm = run_kernel(simt, kernel, &report, params, diag);
    if (sm && sm->x.fault == SIMT_STARTS_OVER) {
        close_all(sm);
        kernel->program->may_start_over = false;
        sm = run_kernel(simt, kernel, &report, params, diag);
    }
    if (!sm)
        return diag->status = SIMT_NO_MEMORY;
    report.status = sm->x.fault;
    if (sm->traces) {
        report.events = sm->traces->events;
        report.n_events = sm->traces->n;
        report.n_events_dropped = sm->traces->n_dropped;
        report.pictures = sm->traces->pictures;
        report.n_pictures = sm->traces->n_pictures;
    }
    if (simt_collect(sm, &report) == SIMT_OK)
        simt_record_launch(simt->record, &report);
    simt_findings_flush(sm->findings, simt->record);
    free(report.lines);
    close_all(sm);
    return diag->status = report.status;
}
