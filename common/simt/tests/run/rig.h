/*
 * What the simulator's tests share: a device with kernels.cu loaded, buffers, launches, and the
 * counters and findings at a line that kernels.cu marks with `@name`.
 *
 * Meson compiles kernels.cu to PTX with nvcc; RIG_PTX and RIG_SOURCE name both files. RIG_PTX in
 * the environment names PTX for another architecture.
 */
#ifndef SIMT_TESTS_RUN_RIG_H
#define SIMT_TESTS_RUN_RIG_H

#include "common/simt/simt.h"

struct rig {
    struct simt *simt;
    struct simt_module *module;
    struct simt_diag diag; /* of the last launch */
    struct simt_report report;
};

void rig_open(struct rig *rig);
void rig_open_with(struct rig *rig, const struct simt_options *options);
void rig_close(struct rig *rig);

/* A test that has an open rig, `rig`, which is closed after it. Options are Criterion's. */
#define RIG_TEST(suite, name, ...)                                                                 \
    static void suite##_##name(struct rig *rig);                                                   \
    Test(suite, name, ##__VA_ARGS__) {                                                             \
        struct rig own;                                                                            \
        rig_open(&own);                                                                            \
        suite##_##name(&own);                                                                      \
        rig_close(&own);                                                                           \
    }                                                                                              \
    static void suite##_##name(struct rig *rig)

/* A device buffer with these bytes; NULL leaves it as never written. */
uint64_t rig_buffer(struct rig *rig, const char *name, const void *bytes, size_t n_bytes,
                    size_t element_bytes);
/* A buffer of n ints 0 … n - 1; of n zeros; of n ints that nobody wrote. */
uint64_t rig_ramp(struct rig *rig, const char *name, size_t n);
uint64_t rig_zeros(struct rig *rig, const char *name, size_t n);
uint64_t rig_unwritten(struct rig *rig, const char *name, size_t n);
/* The i-th int of a buffer. */
int rig_int(struct rig *rig, uint64_t buffer, size_t i);

/* Launches a one-dimensional grid; the report is of this launch alone. */
enum simt_status rig_run(struct rig *rig, const char *kernel, unsigned n_blocks, unsigned n_threads,
                         unsigned shared_bytes, const void *params);
/* The same of a launch that has to succeed. */
void rig_pass(struct rig *rig, const char *kernel, unsigned n_blocks, unsigned n_threads,
              unsigned shared_bytes, const void *params);
/* Expects that the last launch has no finding. */
void rig_expect_quiet(const struct rig *rig);

/* The line that kernels.cu marks so. */
unsigned rig_line(const char *mark);
/* The counters of the last launch at that line, zero where nothing was counted. */
struct simt_counters rig_at(const struct rig *rig, const char *mark);
/* All of the last launch. */
struct simt_counters rig_total(const struct rig *rig);
/* The finding of that kind; NULL when there is none. */
const struct simt_finding *rig_finding(const struct rig *rig, enum simt_finding_kind kind);
/* The same where there has to be one. */
const struct simt_finding *rig_found(const struct rig *rig, enum simt_finding_kind kind);

#endif
