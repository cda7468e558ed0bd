/* What every command that grades needs: the workbook, the compiler, the device, a place for
 * temporary files, and an ear for Ctrl-C. */
#pragma once

#include <stdint.h>

#include "common/base/digest.h"
#include "grader/session/options.h"
#include "grader/machine/device.h"
#include "grader/machine/nvcc.h"
#include "grader/machine/sandboxing.h"
#include "grader/machine/scratch.h"
#include "grader/workbook/workbook.h"

struct session {
    const struct options *options;
    struct workbook book;
    struct nvcc nvcc;
    struct sandboxing sandboxing;
    struct device device;
    struct scratch scratch;
    int interrupt_fd;
    uint64_t seed; /* that inputs are drawn from: the one asked for, or a fresh one */
};

/* Finds the workbook, the compiler and the device. On failure `diag` says why; session_finish
 * either way. */
enum grader_status session_init(struct session *session, const struct options *options,
                                struct diag *diag);
/* Removes the temporary files, and whatever processes were left behind. */
void session_finish(struct session *session);

/* Hashes of what a result depends on beside the student's file: of contents, not of times, so that
 * after a build that made the same bytes earlier results still hold. */

/* Of a lab's tests: the test program, the manifest, the headers that a submission is compiled with.
 */
void identity_tests(const struct session *session, const struct workbook_lab *lab,
                    char sha256[DIGEST_TEXT]);

/* Of the grader: this program, the worker, the runtime under the submission, the compiler. */
void identity_grader(const struct session *session, char sha256[DIGEST_TEXT]);

/* "sim", or the GPU's name. */
const char *identity_backend(const struct session *session);

/* Prints what went wrong to stderr; returns the exit code that belongs to it. */
int session_fail(enum grader_status status, const struct diag *diag);
