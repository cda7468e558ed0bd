/* A private folder for one command's temporary files, gone when the command ends. */
#ifndef GRADER_SCRATCH_H
#define GRADER_SCRATCH_H

#include "grader/diag.h"

/* Makes BUILD/tmp/PID.XXXXXX and removes those of graders that were killed. Where machines share
 * the build folder, WARPBOOK_TMP names another folder than BUILD/tmp, each machine's own. The
 * caller removes it with scratch_remove. NULL with a reason in `diag`. */
char *scratch_make(const char *build, struct diag *diag);

/* Removes the folder with all it holds, and frees the path. NULL is fine. */
void scratch_remove(char *scratch);

/* A new folder within; the caller frees the path. NULL with a reason in `diag`. */
char *scratch_folder(const char *scratch, const char *prefix, struct diag *diag);

#endif
