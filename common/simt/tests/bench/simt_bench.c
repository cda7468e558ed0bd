/*
 * Measures the simulator: launches of reduce.cu on n ints with counters only and with all checks,
 * on one host thread and on two; then one class of instructions after the other, and the kernels of
 * ordinary.cu. A benchmark of Meson's; its figures depend on the machine, so no test looks at them.
 * README.md has some.
 *
 *   simt-bench REDUCE.PTX ORDINARY.PTX [n [block [runs [kernel]]]]
 *
 * By default 2^20 ints, 512 threads, 7 runs, and all kernels whose names have `kernel` in them.
 */
#include "common/simt/simt.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct bench {
    const char *ptx_path, *ordinary_path;
    const char *wanted; /* a part of the names of the kernels that are measured */
    size_t n;
    unsigned block, n_runs;
    struct simt *simt;
    struct simt_module *module, *ordinary;
    uint64_t in, partials; /* device addresses */
    uint32_t sum;          /* expected */
};

/* The parameter block of the kernel in reduce.cu. */
struct parameters {
    uint64_t in, n, partials;
};

static double now_seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A whole text file; NULL when it can't be read. */
static char *contents(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*bytes + 1);
    if (text != NULL && fread(text, 1, *bytes, file) != *bytes) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

/* NULL, and the reason is said, when there is no module at that path. */
static struct simt_module *load(struct simt *simt, const char *path) {
    size_t bytes;
    struct simt_diag diag = {0};
    char *ptx = contents(path, &bytes);
    if (ptx == NULL) {
        fprintf(stderr, "simt-bench: %s can't be read\n", path);
        return NULL;
    }
    struct simt_module *module = simt_module_load(simt, ptx, bytes, &diag);
    free(ptx);
    if (module == NULL)
        fprintf(stderr, "simt-bench: no module: %s\n", diag.message);
    return module;
}

/* Allocates and fills the buffers. */
static bool prepare(struct bench *bench) {
    size_t n_partials = (bench->n + bench->block - 1) / bench->block;
    int *in = malloc(bench->n * sizeof(*in));
    if (in == NULL)
        return false;
    for (size_t i = 0; i < bench->n; i++) {
        in[i] = (int)(i * 2654435761u >> 7) - 5000;
        bench->sum += (uint32_t)in[i];
    }
    bool done = simt_malloc(bench->simt, bench->n * sizeof(*in), &bench->in) == SIMT_OK &&
                simt_malloc(bench->simt, n_partials * sizeof(*in), &bench->partials) == SIMT_OK &&
                simt_write(bench->simt, bench->in, in, bench->n * sizeof(*in)) == SIMT_OK;
    free(in);
    return done;
}

static bool set_up(struct bench *bench) {
    struct simt_options options;
    simt_default_options(&options);
    bench->simt = simt_create(&options);
    if (bench->simt == NULL)
        return false;
    bench->module = load(bench->simt, bench->ptx_path);
    bench->ordinary = load(bench->simt, bench->ordinary_path);
    return bench->module != NULL && bench->ordinary != NULL && prepare(bench);
}

static bool sum_is_right(const struct bench *bench, size_t n_partials) {
    uint32_t *partials = malloc(n_partials * sizeof(*partials)), sum = 0;
    bool right = partials != NULL && simt_read(bench->simt, partials, bench->partials,
                                               n_partials * sizeof(*partials)) == SIMT_OK;
    for (size_t i = 0; right && i < n_partials; i++)
        sum += partials[i];
    free(partials);
    return right && sum == bench->sum;
}

struct cost {
    double wall, cpu; /* seconds; cpu of all threads together: what other programs do costs less */
    uint64_t warp_instructions;
};

static const struct cost NO_COST = {.wall = 1e30, .cpu = 1e30};

/* What is launched. */
struct work {
    const char *name;
    struct simt_module *module;
    struct simt_dim3 grid, block;
    uint32_t shared_bytes;
    const void *parameters;
};

/* One launch, and what it took. */
static bool launch_work(const struct bench *bench, const struct work *work, struct cost *cost) {
    const char *name = work->name;
    struct simt_diag diag = {0};
    struct simt_report report;
    struct simt_kernel *kernel = simt_kernel_find(work->module, name);
    if (kernel == NULL) {
        fprintf(stderr, "simt-bench: no kernel %s\n", name);
        return false;
    }
    simt_report_reset(bench->simt);
    double start = now_seconds(CLOCK_MONOTONIC), cpu = now_seconds(CLOCK_PROCESS_CPUTIME_ID);
    enum simt_status status = simt_launch(bench->simt, kernel, work->grid, work->block,
                                          work->shared_bytes, work->parameters, &diag);
    cost->wall = now_seconds(CLOCK_MONOTONIC) - start;
    cost->cpu = now_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    if (status != SIMT_OK) {
        fprintf(stderr, "simt-bench: %s: %s\n", name, diag.message);
        return false;
    }
    simt_report(bench->simt, &report);
    cost->warp_instructions = report.launches[0].total.warp_instructions;
    return true;
}

/* One more launch in that mode; `best` keeps the least of each time. */
static bool try_work(const struct bench *bench, const struct work *work, bool checks,
                     uint32_t n_threads, struct cost *best) {
    struct cost cost;
    simt_options(bench->simt)->checks = checks;
    simt_options(bench->simt)->n_threads = n_threads;
    if (!launch_work(bench, work, &cost))
        return false;
    best->wall = cost.wall < best->wall ? cost.wall : best->wall;
    best->cpu = cost.cpu < best->cpu ? cost.cpu : best->cpu;
    best->warp_instructions = cost.warp_instructions;
    return true;
}

/* The same of a kernel of reduce.cu. */
static bool try_again(const struct bench *bench, const char *name, uint32_t n_blocks, bool checks,
                      uint32_t n_threads, struct cost *best) {
    const struct parameters parameters = {bench->in, bench->n, bench->partials};
    const struct work work = {
        .name = name,
        .module = bench->module,
        .grid = {n_blocks, 1, 1},
        .block = {bench->block, 1, 1},
        .shared_bytes = bench->block * (uint32_t)sizeof(int),
        .parameters = &parameters,
    };
    return try_work(bench, &work, checks, n_threads, best);
}

static void print_cost(const char *name, bool checks, uint32_t n_threads, const struct cost *best) {
    double millions = (double)best->warp_instructions * 1e-6;
    printf("%-22s %-7s %7u %12.2f %9.4f %9.1f %9.1f\n", name, checks ? "all" : "none", n_threads,
           millions, best->wall, millions / best->wall, millions / best->cpu);
}

/* A launch on one thread, of a simulator of its own. */
struct twin {
    const struct bench *bench;
    const char *name;
    uint32_t n_blocks;
    bool checks, done;
    struct cost cost;
};

static void *run_twin(void *context) {
    struct twin *twin = context;
    twin->cost = NO_COST;
    twin->done = try_again(twin->bench, twin->name, twin->n_blocks, twin->checks, 1, &twin->cost);
    return NULL;
}

/* Two simulators at once, that have nothing in common: what the machine's second core is worth. */
static bool try_twins(const struct bench benches[2], const char *name, uint32_t n_blocks,
                      bool checks, double *best) {
    struct twin twins[] = {{&benches[0], name, n_blocks, checks, false, NO_COST},
                           {&benches[1], name, n_blocks, checks, false, NO_COST}};
    pthread_t thread;
    double start = now_seconds(CLOCK_MONOTONIC);
    if (pthread_create(&thread, NULL, run_twin, &twins[1]) != 0)
        return false;
    run_twin(&twins[0]);
    pthread_join(thread, NULL);
    double wall = now_seconds(CLOCK_MONOTONIC) - start;
    *best = wall < *best ? wall : *best;
    return twins[0].done && twins[1].done;
}

/* One sum, with counters only or with all checks, on one thread, on two, and in two simulators, by
 * turns: what else the machine does hits all of them. */
static bool measure_sum(const struct bench benches[2], const char *name, bool checks) {
    const struct bench *bench = &benches[0];
    uint32_t n_blocks = (uint32_t)((bench->n + bench->block - 1) / bench->block);
    struct cost one = NO_COST, two = NO_COST;
    double twins = 1e30;
    for (unsigned run = 0; run < bench->n_runs; run++)
        if (!try_again(bench, name, n_blocks, checks, 1, &one) ||
            !try_again(bench, name, n_blocks, checks, 2, &two) ||
            !try_twins(benches, name, n_blocks, checks, &twins))
            return false;
    print_cost(name, checks, 1, &one);
    print_cost(name, checks, 2, &two);
    printf("%-22s %-7s two threads are %.2f times one, two simulators %.2f times\n", name,
           checks ? "all" : "none", one.wall / two.wall, 2 * one.wall / twins);
    if (sum_is_right(bench, n_blocks))
        return true;
    fprintf(stderr, "simt-bench: %s: the sum is wrong\n", name);
    return false;
}

static bool measure_sums(const struct bench benches[2]) {
    static const char *const kernels[] = {"reduce", "reduce_sequential"};
    for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
        for (int checks = 0; checks <= 1 && strstr(kernels[i], benches->wanted); checks++)
            if (!measure_sum(benches, kernels[i], checks != 0))
                return false;
    return true;
}

/* Classes of instructions; the loop around them counts as well. */
static bool measure_classes(const struct bench *bench) {
    static const char *const classes[] = {
        "integer",        "wide_integer", "single",         "double",          "special",
        "convert",        "shared_dense", "shared_strided", "global_dense",    "global_strided",
        "shared_atomics", "shuffle",      "barrier",        "divergent_branch"};
    enum { N_BLOCKS = 64 };
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        char name[64];
        snprintf(name, sizeof(name), "class_%s", classes[i]);
        for (int checks = 0; checks <= 1 && strstr(name, bench->wanted); checks++) {
            struct cost best = NO_COST;
            for (unsigned run = 0; run < bench->n_runs; run++)
                if (!try_again(bench, name, N_BLOCKS, checks != 0, 1, &best))
                    return false;
            print_cost(name, checks != 0, 1, &best);
        }
    }
    return true;
}

/* A kernel of ordinary.cu: its blocks, and the length that it is launched for. */
struct ordinary {
    const char *label, *name;
    struct simt_dim3 grid, block;
    uint32_t n;
};

/* With counters only and with all checks by turns, on one thread. */
static bool measure_ordinary(const struct bench *bench, const struct ordinary *ordinary) {
    enum { BUFFER_BYTES = 16 << 20 };
    struct {
        uint64_t a, b, out;
        uint32_t n;
    } parameters = {.n = ordinary->n};
    if (simt_malloc(bench->simt, BUFFER_BYTES, &parameters.a) != SIMT_OK ||
        simt_malloc(bench->simt, BUFFER_BYTES, &parameters.b) != SIMT_OK ||
        simt_malloc(bench->simt, BUFFER_BYTES, &parameters.out) != SIMT_OK)
        return false;
    const struct work work = {.name = ordinary->name,
                              .module = bench->ordinary,
                              .grid = ordinary->grid,
                              .block = ordinary->block,
                              .parameters = &parameters};
    unsigned *values = malloc(BUFFER_BYTES);
    struct cost best[] = {NO_COST, NO_COST};
    bool done = values != NULL;
    for (unsigned i = 0; done && i < BUFFER_BYTES / sizeof(*values); i++)
        values[i] = i * 2654435761u >> 16;
    done = done && simt_write(bench->simt, parameters.a, values, BUFFER_BYTES) == SIMT_OK &&
           simt_write(bench->simt, parameters.b, values, BUFFER_BYTES) == SIMT_OK &&
           simt_set(bench->simt, parameters.out, 0, BUFFER_BYTES) == SIMT_OK;
    for (unsigned run = 0; done && run < 2 * bench->n_runs; run++)
        done = try_work(bench, &work, run % 2, 1, &best[run % 2]);
    for (int checks = 0; done && checks <= 1; checks++)
        print_cost(ordinary->label, checks, 1, &best[checks]);
    free(values);
    simt_free(bench->simt, parameters.a);
    simt_free(bench->simt, parameters.b);
    simt_free(bench->simt, parameters.out);
    return done;
}

static bool measure_ordinaries(const struct bench *bench) {
    static const struct ordinary ordinaries[] = {
        {"nbody", "nbody", {16, 1, 1}, {128, 1, 1}, 2048},
        {"stencil_32x8", "stencil", {4, 16, 64}, {32, 8, 1}, 128},
        {"stencil_8x8x8", "stencil", {16, 16, 16}, {8, 8, 8}, 128},
        {"matrix_vector", "matrix_vector", {8, 1, 1}, {256, 1, 1}, 2048},
        {"histogram", "histogram", {64, 1, 1}, {256, 1, 1}, 1 << 22},
        {"matrix_product_16", "matrix_product_16", {16, 16, 1}, {16, 16, 1}, 256},
        {"matrix_product_32", "matrix_product_32", {8, 8, 1}, {32, 32, 1}, 256},
    };
    for (size_t i = 0; i < sizeof(ordinaries) / sizeof(ordinaries[0]); i++)
        if (strstr(ordinaries[i].label, bench->wanted) && !measure_ordinary(bench, &ordinaries[i]))
            return false;
    return true;
}

int main(int argc, char **argv) {
    struct bench bench = {.n = (size_t)1 << 20, .block = 512, .n_runs = 7, .wanted = ""};
    if (argc > 1)
        bench.ptx_path = argv[1];
    if (argc > 2)
        bench.ordinary_path = argv[2];
    if (argc > 3)
        bench.n = strtoull(argv[3], NULL, 0);
    if (argc > 4)
        bench.block = (unsigned)strtoul(argv[4], NULL, 0);
    if (argc > 5)
        bench.n_runs = (unsigned)strtoul(argv[5], NULL, 0);
    if (argc > 6)
        bench.wanted = argv[6];
    if (argc < 3 || argc > 7 || bench.n == 0 || bench.block == 0 || bench.n_runs == 0) {
        fprintf(stderr, "usage: simt-bench REDUCE.PTX ORDINARY.PTX [n [block [runs [kernel]]]]\n");
        return 2;
    }
    struct bench benches[] = {bench, bench};
    bool done = true;
    for (size_t i = 0; i < 2; i++)
        done = set_up(&benches[i]) && done;
    if (!done) {
        fprintf(stderr, "simt-bench: the device can't be set up\n");
    } else {
        printf("%zu ints in blocks of %u, best of %u\n", bench.n, bench.block, bench.n_runs);
        printf("%-22s %-7s %7s %12s %9s %9s %9s\n", "kernel", "checks", "threads", "millions",
               "seconds", "M/s", "M/cpu s");
        done = measure_sums(benches) && measure_classes(&benches[0]) &&
               measure_ordinaries(&benches[0]);
    }
    for (size_t i = 0; i < 2; i++)
        simt_destroy(benches[i].simt);
    return done ? 0 : 1;
}
