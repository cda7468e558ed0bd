/*
 * Programs of a first course, each with a main and a check of its own (programs/), through the tool
 * with all checks on: they return 0, and there is nothing to say of them.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/tool/tool.h"

struct program {
    char path[256];
};

static void run_on(const char *path, const char *device) {
    char scratch[] = "/tmp/programs-test-XXXXXX", *said = NULL;
    char *const no_arguments[] = {NULL};
    size_t bytes;
    cr_assert_not_null(mkdtemp(scratch));
    struct tool_options options = {.program = path,
                                   .arguments = no_arguments,
                                   .dropin = DROPIN,
                                   .scratch = scratch,
                                   .device = device};
    FILE *out = open_memstream(&said, &bytes);
    int status = tool_run(&options, out);
    fclose(out);
    cr_expect_eq(status, 0, "%s on %s: status %d\n%s", path, device, status, said);
    cr_expect_not_null(strstr(said, "warp instructions"), "%s on %s: %s", path, device, said);
    static const char *const complaints[] = {"Findings:", "Never freed", "never asked for",
                                             "context with it"};
    for (size_t i = 0; i < sizeof(complaints) / sizeof(complaints[0]); i++)
        cr_expect_null(strstr(said, complaints[i]), "%s on %s: %s", path, device, said);
    free(said);
    char command[64];
    snprintf(command, sizeof(command), "rm -rf %s", scratch);
    cr_expect_eq(system(command), 0);
}

/* PROGRAMS is a list of paths, with a space between them. */
ParameterizedTestParameters(programs, return_0_and_nothing_is_found) {
    static struct program programs[64];
    static char list[] = PROGRAMS;
    size_t n = 0;
    for (char *path = strtok(list, " "); path != NULL && n < 64; path = strtok(NULL, " "))
        snprintf(programs[n++].path, sizeof(programs[0].path), "%s", path);
    return cr_make_param_array(struct program, programs, n);
}

ParameterizedTest(struct program *program, programs, return_0_and_nothing_is_found) {
    run_on(program->path, NULL);
    run_on(program->path, "ada");
    run_on(program->path, "hopper");
}
