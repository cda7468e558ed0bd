/* `syntax LAB`: syntax errors only, in a tenth of a second, where NVRTC is there. */
#include "grader/cli/commands.h"

#include <stdlib.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "grader/compile/nvrtc.h"
#include "grader/session/session.h"
#include "grader/workbook/target.h"

static enum grader_status look(const struct workbook *book, const struct target *target,
                               struct diag *diag) {
    struct nvcc nvcc;
    char *bytes = NULL, *messages = NULL;
    size_t n_bytes;
    if (!target->manifest) {
        *diag = target->diag;
        return GRADER_FAILED;
    }
    enum grader_status status = file_read_source(target->source, &bytes, &n_bytes, diag);
    if (status != GRADER_OK)
        return status;
    nvcc_find(&nvcc);
    struct nvrtc_request request = {
        .nvcc = &nvcc,
        .source = target->source,
        .text = bytes,
        .standard = target->manifest->standard,
        .lab_folder = target->lab->folder,
        .root = book->root,
    };
    enum nvrtc_answer answer = nvrtc_check(&request, &messages);
    if (answer == NVRTC_SYNTAX) {
        fputs(messages, stdout);
        status = GRADER_NOT_PASSED;
    } else if (answer == NVRTC_MISSING) {
        diag_set(diag, NULL, 0,
                 "there is no NVRTC (libnvrtc.so.13) beside the CUDA runtime of nvcc");
        status = GRADER_FAILED;
    }
    free(messages);
    free(bytes);
    nvcc_finish(&nvcc);
    return status;
}

static int look_at_target(const struct options *options, const struct workbook *book,
                          const struct targets *targets) {
    struct diag diag = {0};
    enum grader_status status = look(book, &targets->items[0], &diag);
    (void)options;
    return status == GRADER_OK || status == GRADER_NOT_PASSED ? (int)status
                                                              : session_fail(status, &diag);
}

int command_syntax(const struct options *options) {
    int code = run_with_targets(options, options->argument, look_at_target);
    fflush(stdout);
    _exit(code); /* without waiting for NVRTC's threads */
}
