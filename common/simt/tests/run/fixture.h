/*
 * What the simulator's tests share: a device with kernels.cu loaded, buffers, launches, and the
 * counters and findings at a line that kernels.cu marks with `@name`.
 *
 * Meson compiles kernels.cu to PTX with nvcc; FIXTURE_PTX and FIXTURE_SOURCE name both files.
 * FIXTURE_PTX in the environment names PTX for another architecture.
 */
#pragma once

#include "common/simt/simt.h"

struct fixture {
    struct simt *simt;
    struct simt_module *module;
    struct simt_diag diag; /* of the last launch */
    struct simt_report report;
};

void fixture_open(struct fixture *fixture);
void fixture_open_with(struct fixture *fixture, const struct simt_options *options);
void fixture_close(struct fixture *fixture);

/* A test that has an open fixture, `fixture`, which is closed after it. Options are Criterion's. */
#define FIXTURE_TEST(suite, name, ...)                                                             \
    static void suite##_##name(struct fixture *fixture);                                           \
    Test(suite, name, ##__VA_ARGS__) {                                                             \
        struct fixture own;                                                                        \
        fixture_open(&own);                                                                        \
        suite##_##name(&own);                                                                      \
        fixture_close(&own);                                                                       \
    }                                                                                              \
    static void suite##_##name(struct fixture *fixture)

/* A device buffer with these bytes; NULL leaves it as never written. */
uint64_t fixture_buffer(struct fixture *fixture, const char *name, const void *bytes,
                        size_t n_bytes, size_t element_bytes);
/* A buffer of n ints 0 … n - 1; of n zeros; of n ints that nobody wrote. */
uint64_t fixture_ramp(struct fixture *fixture, const char *name, size_t n);
uint64_t fixture_zeros(struct fixture *fixture, const char *name, size_t n);
uint64_t fixture_unwritten(struct fixture *fixture, const char *name, size_t n);
/* The i-th int of a buffer. */
int fixture_int(struct fixture *fixture, uint64_t buffer, size_t i);

/* Launches a one-dimensional grid; the report is of this launch alone. */
enum simt_status fixture_run(struct fixture *fixture, const char *kernel, unsigned n_blocks,
                             unsigned n_threads, unsigned shared_bytes, const void *params);
/* The same of a launch that has to succeed. */
void fixture_pass(struct fixture *fixture, const char *kernel, unsigned n_blocks,
                  unsigned n_threads, unsigned shared_bytes, const void *params);
/* Expects that the last launch has no finding. */
void fixture_expect_quiet(const struct fixture *fixture);

/* The line that kernels.cu marks so. */
unsigned fixture_line(const char *mark);
/* The counters of the last launch at that line, zero where nothing was counted. */
struct simt_counters fixture_at(const struct fixture *fixture, const char *mark);
/* All of the last launch. */
struct simt_counters fixture_total(const struct fixture *fixture);
/* The finding of that kind; NULL when there is none. */
const struct simt_finding *fixture_finding(const struct fixture *fixture,
                                           enum simt_finding_kind kind);
/* The same where there has to be one. */
const struct simt_finding *fixture_found(const struct fixture *fixture,
                                         enum simt_finding_kind kind);
