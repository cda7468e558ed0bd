/* Puts the script together from what is known here and holds on all machines of the cluster. */
#include "grader/slurm/script.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/file.h"
#include "common/base/text.h"

enum { DEFAULT_JOBS = 2 };

/*
 * A task that was requeued waits until the journal's lock is free: the node that it was taken from
 * may be cut off and still at work, or its lock last on the file server a minute or two. Temporary
 * files lie on the node itself, in a folder of this start's: the start before, which has let go of
 * the lock, may be about to remove its own. Jobs' names are of this array alone, their numbers not:
 * two clusters may share a machine, or one begin anew. The grader hears a SIGTERM of Slurm's by
 * itself.
 */
static const char body[] =
    "part=$parts/$SLURM_ARRAY_TASK_ID\n"
    "echo \"task $SLURM_ARRAY_TASK_ID on $(hostname), start ${SLURM_RESTART_COUNT:-0}\"\n"
    "umask 077\n"
    "flock --wait 900 \"$part/journal-lock\" true || exit 3\n"
    "tmp=${TMPDIR:-/tmp}/$SLURM_JOB_NAME.$SLURM_ARRAY_TASK_ID\n"
    "rm -rf \"$tmp\".*\n"
    "export WARPBOOK_TMP=\"$tmp.${SLURM_RESTART_COUNT:-0}\"\n"
    "mkdir \"$WARPBOOK_TMP\" || exit 3\n"
    "trap 'rm -rf \"$WARPBOOK_TMP\"' EXIT\n"
    "trap 'exit 143' TERM INT HUP\n";

int script_jobs(const struct options *options) {
    return options->given & OPTION_JOBS ? options->jobs : DEFAULT_JOBS;
}

/* Adds "export NAME='value'". */
static char *with_export(char *text, const char *name, const char *value) {
    if (!value)
        return text;
    char *quoted = text_quote(value), *longer = text_format("%sexport %s=%s\n", text, name, quoted);
    free(quoted);
    free(text);
    return longer;
}

enum grader_status script_write(const char *folder, const char *parts,
                                const struct session *session, struct diag *diag) {
    static const char *const variables[] = {
        "PATH",          "LD_LIBRARY_PATH",          "CUDA_HOME",
        "WARPBOOK_NVCC", "WARPBOOK_COMPILE_SECONDS", "WARPBOOK_BUSY_LOAD"};
    const struct options *options = session->options;
    char *self = realpath("/proc/self/exe", NULL), *quoted_parts = text_quote(parts);
    char *program = text_quote(self ? self : "warpbook-grader");
    char *text =
        text_format("#!/bin/sh\n# Made by warpbook grade --slurm.\nparts=%s\n", quoted_parts);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        text = with_export(text, variables[i], getenv(variables[i]));
    text = with_export(text, "WARPBOOK_ROOT", session->book.root);
    text = with_export(text, "WARPBOOK_BUILD", session->book.build);
    char *whole = text_format("%s%s%s grade \"$part/class\" --journal \"$part/journal\" --backend "
                              "%s --jobs %d --color never%s\n",
                              text, body, program, session->device.is_gpu ? "gpu" : "sim",
                              script_jobs(options), options->is_unsandboxed ? " --no-sandbox" : "");
    char *path = text_format("%s/task", folder);
    enum grader_status status = file_write(path, whole, strlen(whole), diag);
    free(path);
    free(whole);
    free(text);
    free(program);
    free(quoted_parts);
    free(self);
    return status;
}
