/*
 * Measures the simulator: one launch of reduce.cu on n ints, with counters only and with all
 * checks. A benchmark of Meson's; its figures depend on the machine, so no test looks at them.
 *
 *   simt-bench REDUCE.PTX [n [block [runs]]]      by default 2^20 ints, 512 threads, 7 runs
 */
#include "common/simt/simt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct bench {
    const char *ptx_path;
    size_t n;
    unsigned block, n_runs;
    struct simt *simt;
    struct simt_kernel *kernel;
    uint64_t in, partials; /* device addresses */
    uint32_t sum;          /* expected */
};

/* The parameter block of the kernel in reduce.cu. */
struct parameters {
    uint64_t in, n, partials;
};

static double now_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
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

static bool load(struct bench *bench) {
    size_t bytes;
    struct simt_diag diag = {0};
    char *ptx = contents(bench->ptx_path, &bytes);
    if (ptx == NULL) {
        fprintf(stderr, "simt-bench: %s can't be read\n", bench->ptx_path);
        return false;
    }
    struct simt_module *module = simt_module_load(bench->simt, ptx, bytes, &diag);
    free(ptx);
    bench->kernel = module == NULL ? NULL : simt_kernel_find(module, "reduce");
    if (bench->kernel == NULL)
        fprintf(stderr, "simt-bench: no kernel: %s\n", diag.message);
    return bench->kernel != NULL;
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

static bool sum_is_right(const struct bench *bench, size_t n_partials) {
    uint32_t *partials = malloc(n_partials * sizeof(*partials)), sum = 0;
    bool right = partials != NULL && simt_read(bench->simt, partials, bench->partials,
                                               n_partials * sizeof(*partials)) == SIMT_OK;
    for (size_t i = 0; right && i < n_partials; i++)
        sum += partials[i];
    free(partials);
    return right && sum == bench->sum;
}

/* The best of several launches, printed. */
static bool measure(const struct bench *bench, bool checks, const char *label) {
    struct parameters parameters = {bench->in, bench->n, bench->partials};
    uint32_t n_blocks = (uint32_t)((bench->n + bench->block - 1) / bench->block);
    double best = 1e30;
    uint64_t warp_instructions = 0;
    simt_options(bench->simt)->checks = checks;
    for (unsigned run = 0; run < bench->n_runs; run++) {
        struct simt_diag diag = {0};
        struct simt_report report;
        simt_report_reset(bench->simt);
        double start = now_seconds();
        enum simt_status status =
            simt_launch(bench->simt, bench->kernel, (struct simt_dim3){n_blocks, 1, 1},
                        (struct simt_dim3){bench->block, 1, 1},
                        bench->block * (uint32_t)sizeof(int), &parameters, &diag);
        double seconds = now_seconds() - start;
        if (status != SIMT_OK) {
            fprintf(stderr, "simt-bench: %s\n", diag.message);
            return false;
        }
        simt_report(bench->simt, &report);
        warp_instructions = report.launches[0].total.warp_instructions;
        best = seconds < best ? seconds : best;
    }
    if (!sum_is_right(bench, n_blocks)) {
        fprintf(stderr, "simt-bench: the sum is wrong\n");
        return false;
    }
    printf("%-14s %8.4f s   %10llu warp instructions   %7.1f M/s\n", label, best,
           (unsigned long long)warp_instructions, (double)warp_instructions / best * 1e-6);
    return true;
}

int main(int argc, char **argv) {
    struct simt_options options;
    struct bench bench = {.n = (size_t)1 << 20, .block = 512, .n_runs = 7};
    if (argc > 1)
        bench.ptx_path = argv[1];
    if (argc > 2)
        bench.n = strtoull(argv[2], NULL, 0);
    if (argc > 3)
        bench.block = (unsigned)strtoul(argv[3], NULL, 0);
    if (argc > 4)
        bench.n_runs = (unsigned)strtoul(argv[4], NULL, 0);
    if (argc < 2 || argc > 5 || bench.n == 0 || bench.block == 0 || bench.n_runs == 0) {
        fprintf(stderr, "usage: simt-bench REDUCE.PTX [n [block [runs]]]\n");
        return 2;
    }
    simt_default_options(&options);
    bench.simt = simt_create(&options);
    if (bench.simt == NULL || !load(&bench) || !prepare(&bench)) {
        fprintf(stderr, "simt-bench: the device can't be set up\n");
        simt_destroy(bench.simt);
        return 1;
    }
    printf("reduce, %zu ints in blocks of %u, best of %u\n", bench.n, bench.block, bench.n_runs);
    bool done = measure(&bench, false, "counters only") && measure(&bench, true, "all checks");
    simt_destroy(bench.simt);
    return done ? 0 : 1;
}
