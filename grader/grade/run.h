/* Starts a lab's test program, which leaves one document a test in a folder. */
#pragma once

#include <stdint.h>

#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/machine/device.h"

struct run_request {
    const char *tests;      /* path of the lab's test program */
    const char *results;    /* folder for the documents */
    const char *log;        /* file for what the program prints */
    const char *submission; /* the compiled shared object */
    const char *source;     /* the student's file */
    const char *filter;     /* Criterion's pattern of tests, NULL for all */
    const char *case_text;  /* "n=513,block=256", or NULL */
    const struct device *device;
    const char *gpu;                 /* UUID of the only GPU that is to be seen; NULL for all */
    const struct process_line *line; /* by which the program asks to use it; NULL: it may */
    const char *scratch; /* folder in which runs on one GPU share how long its copies take */
    const struct sandbox_tools *sandbox;
    uint64_t seed;
    unsigned timeout_ms; /* of one call */
    unsigned patience;   /* times that by the clock, at least 1 */
    unsigned n_tests;    /* that are expected: decides how long the whole may take */
    int jobs;
    bool experiments;  /* look for the causes of failures by trying edits */
    bool is_first_try; /* what may be the machine's doing is not judged yet */
    int interrupt_fd;
};

/* Runs the tests; whether they passed is in the documents. GRADER_FAILED where the program cannot
 * run or had to be stopped, GRADER_INTERRUPTED. */
enum grader_status run_tests(const struct run_request *request, struct diag *diag);
