/* What instructors hand out: `autograder`, the zip for Gradescope's own machines, and `edition`,
 * the workbook for students. */
#include <stdlib.h>

#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/cli/commands.h"
#include "grader/report/autograder/autograder.h"
#include "grader/report/edition/edition.h"
#include "grader/report/scoring/course.h"
#include "grader/session/session.h"

static int write_autograder(const struct options *options, const struct workbook *book,
                            const struct targets *targets) {
    const char *path = options->output ? options->output : "autograder.zip";
    struct diag diag = {0};
    /* An error in it is told now, not by Gradescope. */
    struct course *course = course_load(options->course, targets, &diag);
    enum grader_status status = course ? GRADER_OK : GRADER_BAD_INPUT;
    course_free(course);
    if (status == GRADER_OK && options->given & OPTION_OUTPUT && !options->output) {
        diag_set(&diag, NULL, 0, "autograder writes a file: --output FILE");
        status = GRADER_BAD_INPUT;
    }
    if (status == GRADER_OK)
        status = autograder_write(book, path, options->course, process_interrupts(), &diag);
    if (status != GRADER_OK)
        return session_fail(status, &diag);
    printf("%s is ready; choose Ubuntu 24.04 as its base image.\n", path);
    return GRADER_OK;
}

int command_autograder(const struct options *options) {
    return run_with_targets(options, NULL, write_autograder);
}

/* What is wrong with the folder is told before the machine is looked at, and minutes are spent. */
static enum grader_status check_folder(const struct options *options, struct diag *diag) {
    OWNED_BY(workbook_finish) struct workbook book;
    enum grader_status status = workbook_init(&book, diag);
    return status == GRADER_OK ? edition_check(&book, options->argument, diag) : status;
}

int command_edition(const struct options *options) {
    struct diag diag;
    enum grader_status status = check_folder(options, &diag);
    if (status != GRADER_OK)
        return session_fail(status, &diag);
    OWNED_BY(session_finish) struct session session;
    struct edition edition;
    struct options own = *options;
    own.backend = DEVICE_SIM; /* which counts the same on every machine */
    bool is_git = options->given & OPTION_GIT;
    status = session_init(&session, &own, &diag);
    if (status == GRADER_OK)
        status = edition_write(&session, options->argument, is_git, &edition, &diag);
    if (status != GRADER_OK)
        return session_fail(status, &diag);
    printf("%s is ready: %zu labs, %zu files%s. Nothing in it is like an answer of solutions/.\n",
           options->argument, edition.n_labs, edition.n_files, is_git ? ", one commit" : "");
    return GRADER_OK;
}
