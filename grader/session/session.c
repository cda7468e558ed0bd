/* Opens and closes what a grading command stands on, and has the hashes of it. */
#include "grader/session/session.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>

#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/compile/cache.h"

enum grader_status session_init(struct session *session, const struct options *options,
                                struct diag *diag) {
    memset(session, 0, sizeof *session);
    session->options = options;
    session->seed = options->seed;
    session->interrupt_fd = process_interrupts();
    /* Makes this process the parent of descendants whose own parent died, so that session_finish
     * can end them. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (!(options->given & OPTION_SEED) &&
        getrandom(&session->seed, sizeof session->seed, 0) != sizeof session->seed) {
        diag_set(diag, NULL, 0, "the system has no random numbers for a seed");
        return GRADER_FAILED;
    }
    enum grader_status status = workbook_init(&session->book, diag);
    if (status != GRADER_OK)
        return status;
    nvcc_find(&session->nvcc);
    bool is_slurms =
        options->given & OPTION_SLURM; /* other machines grade it, in their sandboxes */
    struct sandboxing_request sandbox = {
        .stranger = options->command && options->command->is_for_strangers && !is_slurms
                        ? options->argument
                        : NULL,
        .is_off = options->is_unsandboxed,
        .is_container = options->is_container,
    };
    status = sandboxing_choose(&sandbox, &session->book, &session->sandboxing, diag);
    enum device_choice choice = options->backend;
    if (is_slurms && choice == DEVICE_AUTO)
        choice = options->gres ? DEVICE_GPU : DEVICE_SIM;
    if (is_slurms && choice == DEVICE_GPU)
        device_elsewhere(&session->book, &session->device);
    else if (status == GRADER_OK)
        status = device_choose(choice, &session->book, &session->nvcc, &session->sandboxing,
                               &session->device, diag);
    if (status != GRADER_OK)
        return status;
    return scratch_make(&session->scratch, session->book.build, diag);
}

void session_finish(struct session *session) {
    process_end_strays();
    scratch_remove(&session->scratch);
    device_finish(&session->device);
    sandboxing_finish(&session->sandboxing);
    nvcc_finish(&session->nvcc);
    workbook_finish(&session->book);
}

void identity_tests(const struct session *session, const struct workbook_lab *lab,
                    char sha256[DIGEST_TEXT]) {
    char *tests = workbook_tests(&session->book, lab);
    char *manifest = text_format("%s/lab.yaml", lab->folder);
    struct headers headers;
    struct digest digest;
    headers_init(&headers, session->book.root, lab->folder);
    digest_init(&digest);
    digest_add_file(&digest, tests);
    digest_add_file(&digest, manifest);
    headers_digest(&headers, &digest);
    digest_finish(&digest, sha256);
    headers_finish(&headers);
    free(manifest);
    free(tests);
}

void identity_grader(const struct session *session, char sha256[DIGEST_TEXT]) {
    const struct device *device = &session->device;
    struct digest digest;
    digest_init(&digest);
    digest_add_file(&digest, "/proc/self/exe");
    digest_add_file(&digest, device->worker);
    digest_add_file(&digest, device->simulator);
    digest_add_file(&digest, device->is_gpu ? device->cudart_gpu : device->cudart_sim);
    digest_add_text(&digest, session->nvcc.identity ? session->nvcc.identity : "");
    digest_finish(&digest, sha256);
}

const char *identity_backend(const struct session *session) {
    return session->device.is_gpu ? session->device.gpu.name : "sim";
}

int session_fail(enum grader_status status, const struct diag *diag) {
    if (status == GRADER_INTERRUPTED) {
        fputs("warpbook: interrupted\n", stderr);
    } else {
        fputs("warpbook: ", stderr);
        diag_print(diag, stderr);
    }
    return (int)status;
}
