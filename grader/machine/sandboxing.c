/* Chooses the sandbox by what the command line says and what the machine can do. */
#include "grader/machine/sandboxing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/config.h"

const char sandboxing_remedy_text[] =
    "Install the package bubblewrap, and let ordinary users make namespaces (Ubuntu: sudo sysctl "
    "kernel.apparmor_restrict_unprivileged_userns=0; in a container: run it as root with "
    "CAP_SYS_ADMIN).";

/* Whether the path leads into this folder of the workbook. */
static bool is_within(const struct workbook *book, const char *folder, const char *real) {
    OWNED char *below = text_format("%s/%s", book->root, folder);
    OWNED char *real_below = realpath(below, NULL);
    size_t length = real_below ? strlen(real_below) : 0;
    return real_below && strncmp(real, real_below, length) == 0 &&
           (real[length] == '/' || real[length] == '\0');
}

static bool is_foreign(const char *path, const struct workbook *book) {
    OWNED char *real = path ? realpath(path, NULL) : NULL;
    bool is_own = real && (is_within(book, "labs", real) || is_within(book, "solutions", real) ||
                           is_within(book, "skeletons", real));
    return path && !is_own;
}

enum grader_status sandboxing_choose(const struct sandboxing_request *request,
                                     const struct workbook *book, struct sandboxing *sandboxing,
                                     struct diag *diag) {
    char why[512];
    *sandboxing = (struct sandboxing){
        .is_foreign = is_foreign(request->stranger, book),
        .tools.confine = text_format("%s/%s", book->build, CONFIG_CONFINE),
        /* The sandbox shows /usr. Where the checkout lies below it, solutions, tests and the
         * results of others would be seen: an empty folder is put over it. */
        .tools.hidden = {text_format("%s", book->root), text_format("%s", book->build)},
    };
    if (request->is_off) {
        sandboxing->problem = text_format("switched off by --no-sandbox");
        return GRADER_OK;
    }
    sandboxing->tools.bwrap = file_in_path("bwrap");
    if (sandbox_probe(&sandboxing->tools, why, sizeof why))
        return GRADER_OK;
    sandboxing->problem = text_clean(why, strlen(why), false);
    free((char *)sandboxing->tools.bwrap);
    sandboxing->tools.bwrap = NULL;
    sandboxing->tools.as_user = request->is_container && geteuid() == 0;
    if (!sandboxing->is_foreign || sandboxing->tools.as_user)
        return GRADER_OK;
    diag_set(diag, NULL, 0,
             "there is no sandbox on this machine (%s), and what is to be graded may be anybody's. "
             "%s --no-sandbox grades it without, with all your files in its reach.",
             sandboxing->problem, sandboxing_remedy_text);
    return GRADER_FAILED;
}

void sandboxing_finish(struct sandboxing *sandboxing) {
    free((char *)sandboxing->tools.confine);
    free((char *)sandboxing->tools.bwrap);
    for (size_t i = 0; i < SANDBOX_HIDDEN; i++)
        free((char *)sandboxing->tools.hidden[i]);
    free(sandboxing->problem);
}
