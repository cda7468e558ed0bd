/*
 * Host threads that run the ctas of a launch between them, where the kernel's program does not say
 * that they have to run in order (simt_program.runs_in_order). Their outcome counts only where it
 * is that of one thread which runs the ctas in order: no fault, no finding, no cta that waits for
 * another, no word that ctas of different threads hand on (guard.h), and less spent than there was,
 * of which each thread has its share. Otherwise memory is put back, what each thread noted for
 * itself and printed is dropped, and the launch runs in order. So results and report never depend
 * on the number of threads.
 */
#include "common/simt/run/grid/launch.h"

#include <pthread.h>
#include <string.h>

#include "common/base/system/parallel.h"
#include "common/simt/access/region/guard.h"
#include "common/simt/run/counting.h"
#include "common/simt/run/grid/cta.h"
#include "common/simt/run/limits.h"
#include "common/simt/run/warp/runtime.h"

/* A launch with fewer warp instructions, counted without loops, is not worth a second thread. */
static const uint64_t LEAST_WORK = UINT64_C(1) << 17;

enum { MAX_THREADS = 64, MAX_CHUNK = 64, CACHE_LINES = 128 };

struct pool;

/* No two workers have a cache line in common: it would go back and forth between their cores with
 * all that they count. */
struct worker {
    _Alignas(CACHE_LINES) struct pool *pool;
    struct simt_sm *sm; /* NULL until its thread runs */
    struct simt_guard guard;
    struct simt_allocation *hit;
    struct simt_diag diag;
    struct simt_output output; /* only of an assertion that failed: it never counts */
    pthread_t thread;
};

struct pool {
    struct simt_sm *first;
    uint64_t n_ctas, chunk;
    uint64_t budget; /* of a worker */
    uint64_t next;   /* the first cta that nobody took */
    bool abandoned;
    uint32_t n_workers;
    struct worker workers[MAX_THREADS];
};

/* How many threads to run a launch on. */
static uint32_t choose_threads(const struct simt_sm *first, uint64_t n_ctas, uint32_t wanted) {
    uint64_t work = n_ctas * first->n_warps * first->program->n_insns;
    if (wanted == 1 || n_ctas < 2 || first->traces || first->schedule ||
        (!wanted && work < LEAST_WORK) ||
        (first->hooks && first->hooks->launch_needs_order(first)) || first->program->runs_in_order)
        return 1;
    uint64_t n = wanted ? wanted : parallel_cores();
    n = n < n_ctas ? n : n_ctas;
    return n < MAX_THREADS ? (uint32_t)n : MAX_THREADS;
}

static void abandon(struct pool *pool) {
    __atomic_store_n(&pool->abandoned, true, __ATOMIC_RELAXED);
}

static void close_worker(struct worker *worker) {
    if (worker->sm)
        simt_results_close(worker->sm);
    simt_slot_close(worker->sm);
    simt_output_close(&worker->output);
    simt_guard_close(&worker->guard);
}

/* A thread's own slot, with counts, findings and time of its own. To be called in the thread, whose
 * allocations come from an arena of its own then. */
static bool open_worker(struct worker *worker) {
    struct pool *pool = worker->pool;
    struct simt_sm *first = pool->first, *sm = worker->sm = simt_slot_open(first);
    if (!sm)
        return false;
    sm->limits.budget = pool->budget;
    sm->diag = &worker->diag;
    sm->output = &worker->output;
    sm->guard = &worker->guard;
    sm->hit = &worker->hit;
    if (sm->hooks)
        sm->hooks->thread_begins(sm, first, (uint32_t)(worker - pool->workers));
    if (!simt_results_open(sm) || !simt_guard_open(&worker->guard, first->space, &pool->abandoned))
        return false;
    memcpy(sm->steps, first->steps, first->program->n_insns * sizeof *sm->steps);
    return true;
}

static void *run_worker(void *context) {
    struct worker *worker = context;
    struct pool *pool = worker->pool;
    if (!open_worker(worker)) {
        abandon(pool);
        return NULL;
    }
    struct simt_sm *sm = worker->sm;
    while (!__atomic_load_n(&pool->abandoned, __ATOMIC_RELAXED)) {
        uint64_t from = __atomic_fetch_add(&pool->next, pool->chunk, __ATOMIC_RELAXED);
        uint64_t to = from + pool->chunk < pool->n_ctas ? from + pool->chunk : pool->n_ctas;
        if (from >= pool->n_ctas)
            break;
        for (uint64_t i = from; i < to; i++) {
            simt_cta_start(sm, i);
            if (!simt_cta_run(sm) || sm->x.fault != SIMT_OK ||
                !simt_findings_is_empty(sm->findings) ||
                (sm->hooks && sm->hooks->thread_is_late(sm))) {
                abandon(pool);
                return NULL;
            }
        }
    }
    return NULL;
}

/* All workers run; the first one in the caller's thread. A thread that can't be had is no loss. */
static void run_workers(struct pool *pool) {
    uint32_t n = 1;
    while (n < pool->n_workers &&
           pthread_create(&pool->workers[n].thread, NULL, run_worker, &pool->workers[n]) == 0)
        n++;
    pool->n_workers = n;
    run_worker(&pool->workers[0]);
    for (uint32_t i = 1; i < n; i++)
        pthread_join(pool->workers[i].thread, NULL);
}

static bool have_conflict(const struct pool *pool) {
    for (uint32_t i = 0; i < pool->n_workers; i++)
        for (uint32_t k = i + 1; k < pool->n_workers; k++)
            if (simt_guard_conflict(&pool->workers[i].guard, &pool->workers[k].guard,
                                    pool->first->space))
                return true;
    return false;
}

/* All together have then spent no more than the launch may. */
static bool have_kept_budget(const struct pool *pool) {
    for (uint32_t i = 0; i < pool->n_workers; i++)
        if (simt_is_spent(pool->workers[i].sm))
            return false;
    return true;
}

/* Runs the launch. False, and nothing has happened, when it has to run in order. */
static bool run_together(struct pool *pool) {
    struct simt_sm *first = pool->first;
    if (!simt_guard_begin(first->space))
        return false;
    for (uint32_t i = 0; i < pool->n_workers; i++)
        pool->workers[i].pool = pool;
    run_workers(pool);
    bool counts = !pool->abandoned && have_kept_budget(pool) && !have_conflict(pool);
    simt_guard_end(first->space, !counts);
    for (uint32_t i = 0; i < pool->n_workers; i++) {
        const struct simt_sm *sm = pool->workers[i].sm;
        if (counts && sm->hooks)
            sm->hooks->thread_adds(first, sm);
        if (counts)
            simt_counts_add(first, sm);
        close_worker(&pool->workers[i]);
    }
    if (first->hooks)
        first->hooks->threads_end(first, pool->n_ctas, pool->n_workers, counts);
    return counts;
}

void simt_threads_run(struct simt_sm *first, uint64_t n_ctas, uint64_t capacity,
                      uint32_t n_threads) {
    struct pool pool = {.first = first, .n_ctas = n_ctas};
    pool.n_workers = choose_threads(first, n_ctas, n_threads);
    if (pool.n_workers > 1) {
        first->spares = false;
        pool.budget = first->limits.budget / pool.n_workers;
        uint64_t share = n_ctas / (pool.n_workers * UINT64_C(8));
        pool.chunk = share < 1 ? 1 : share < MAX_CHUNK ? share : MAX_CHUNK;
        if (run_together(&pool))
            return;
    }
    simt_grid_run(first, &(struct simt_ctas){.list = NULL}, n_ctas, capacity);
}
