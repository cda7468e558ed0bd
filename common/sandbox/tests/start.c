/*
 * start bare|sandbox: runs a program that does nothing, as it is or in the sandbox, for
 * .ci/bench/sandbox, which says what that costs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "common/sandbox/sandbox.h"

int main(int argc, char **argv) {
    struct sandbox_tools tools = {.confine = getenv("SANDBOX_TEST_CONFINE"),
                                  .bwrap = file_in_path("bwrap")};
    char *const nothing[] = {(char *)"/usr/bin/true", NULL};
    char why[256];

    if (argc > 1 && strcmp(argv[1], "bare") == 0) {
        execv(nothing[0], nothing);
        return 1;
    }
    if (tools.confine && sandbox_probe(&tools, why, sizeof why))
        return 0;
    fputs("there is no sandbox here\n", stderr);
    return 1;
}
