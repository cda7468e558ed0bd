/*
 * A private folder for one command's temporary files, gone when the command ends. A file beside it
 * is locked by the command as long as it lives, so that graders that cannot see each other (in
 * containers, on several machines) can tell what is in use from what a killed one left.
 */
#pragma once

#include "common/base/text.h"

struct scratch {
    char *path; /* NULL where there is none */
    int lock_fd;
};

/* Makes BUILD/tmp/warpbook.XXXXXX and removes those of graders that were killed. Where machines
 * share the build folder, WARPBOOK_TMP names another folder than BUILD/tmp, each machine's own. The
 * caller removes it with scratch_remove, also after GRADER_FAILED, which has a reason in `diag`. */
enum grader_status scratch_make(struct scratch *scratch, const char *build, struct diag *diag);

/* Removes the folder with all it holds. One that was never made (all zero) is fine. */
void scratch_remove(struct scratch *scratch);

/* A new folder within; the caller frees the path. NULL with a reason in `diag`. */
char *scratch_folder(const char *scratch, const char *prefix, struct diag *diag);
