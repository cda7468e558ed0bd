/* Temporary folders under the build folder, named by process so that leftovers can be told. */
#include "grader/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/file.h"
#include "grader/text.h"

/* Removes the folders of processes that are no more. */
static void sweep(const char *tmp) {
    DIR *folder = opendir(tmp);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char *end;
        long pid = strtol(entry->d_name, &end, 10);
        if (pid <= 0 || *end != '.' || kill((pid_t)pid, 0) == 0 || errno != ESRCH)
            continue;
        char *path = text_format("%s/%s", tmp, entry->d_name);
        file_remove_tree(path);
        free(path);
    }
    if (folder)
        closedir(folder);
}

char *scratch_make(const char *build, struct diag *diag) {
    const char *own = getenv("WARPBOOK_TMP");
    char *tmp = own && *own ? text_format("%s", own) : text_format("%s/tmp", build);
    char *path = text_format("%s/%ld.XXXXXX", tmp, (long)getpid());
    if (!file_make_folders(tmp) || !mkdtemp(path)) {
        diag_set(diag, tmp, 0, "no temporary folder can be made here: %s", strerror(errno));
        free(path);
        path = NULL;
    } else {
        sweep(tmp);
    }
    free(tmp);
    return path;
}

void scratch_remove(char *scratch) {
    if (scratch)
        file_remove_tree(scratch);
    free(scratch);
}

char *scratch_folder(const char *scratch, const char *prefix, struct diag *diag) {
    char *path = text_format("%s/%s.XXXXXX", scratch, prefix);
    if (mkdtemp(path))
        return path;
    diag_set(diag, path, 0, "no temporary folder can be made: %s", strerror(errno));
    free(path);
    return NULL;
}
