/*
 * warpbook-confine [NAME=NUMBER]… -- PROGRAM [ARGUMENT]…: confines itself by the options
 * (confine.h) and becomes PROGRAM, which can't undo any of them and is killed when its parent ends.
 * Exit status 125 where an option can't be had, 127 where there is no PROGRAM.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "common/sandbox/confine.h"

enum { STATUS_NO_PROGRAM = 127 };

static int fail(const char *what, int status) {
    fprintf(stderr, "warpbook-confine: %s: %s\n", what, strerror(errno));
    return status;
}

int main(int argc, char **argv) {
    struct confine confine;
    int i = 1;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    confine_init(&confine);
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        errno = EINVAL;
        if (!confine_take(&confine, argv[i]))
            return fail(argv[i], CONFINE_REFUSED);
    }
    if (i + 1 >= argc) {
        fputs("warpbook-confine is started by Warpbook, not by hand\n", stderr);
        return CONFINE_REFUSED;
    }
    const char *failed = confine_apply(&confine);
    if (failed)
        return fail(failed, CONFINE_REFUSED);
    unsetenv("PWD"); /* bubblewrap's own */
    execv(argv[i + 1], argv + i + 1);
    return fail(argv[i + 1], STATUS_NO_PROGRAM);
}
