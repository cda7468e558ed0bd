/* The command line of `run`, and what the simulator's tool needs of the workbook. */
#include "grader/cli/commands.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/simt/tool/tool.h"
#include "grader/config.h"
#include "grader/session/session.h"
#include "grader/machine/nvcc.h"
#include "grader/machine/scratch.h"
#include "grader/workbook/workbook.h"

enum {
    EXIT_USAGE = 2,
    KEY_JSON = 256,
    KEY_DEVICE,
    KEY_SEED,
    KEY_BUDGET,
    KEY_TIMEOUT,
    KEY_NO_CHECKS,
    KEY_SCHEDULES
};

static const struct argp_option argp_options[] = {
    {"json", KEY_JSON, "FILE", 0, "Write the whole report to FILE, too", 0},
    {"device", KEY_DEVICE, "NAME", 0,
     "The virtual GPU: turing, ada, hopper, t4, a100, h100 or h200; else it follows the program",
     0},
    {"seed", KEY_SEED, "NUMBER", 0, "Do the work of streams late, in an order drawn from NUMBER",
     0},
    {"schedules", KEY_SCHEDULES, "N", 0,
     "Run it in N other legal orders, too, and say what depends on the order", 0},
    {"budget", KEY_BUDGET, "N", 0,
     "Stop a launch that executes more than N warp instructions, by default 68,719,476,736; 0: "
     "none is too many",
     0},
    {"timeout", KEY_TIMEOUT, "MS", 0, "Stop a launch that takes longer", 0},
    {"no-checks", KEY_NO_CHECKS, NULL, 0, "Look for no races, uninitialised reads and the like", 0},
    {0},
};

static const char doc[] =
    "Runs any CUDA program with a main on the simulator, and says on stderr what its kernels did "
    "and what they did wrong.\v"
    "A source file is compiled first; NVCC_APPEND_FLAGS adds to nvcc's options. A program has to "
    "be linked with the shared CUDA runtime: nvcc -cudart shared -lineinfo. Exit code: the "
    "program's; 1 also where it is 0 and --schedules finds differences; 2 there is no such "
    "program; "
    "3 the machine failed.";

/* True where the text is a decimal or 0x number. */
static bool is_number(const char *text) {
    char *end;
    strtoull(text, &end, 0);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0';
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct tool_options *tool = state->input;
    switch (key) {
    case KEY_JSON:
        tool->json = argument;
        return 0;
    case KEY_DEVICE:
        tool->device = argument;
        return 0;
    case KEY_SEED:
        tool->seed = argument;
        if (!is_number(argument))
            argp_error(state, "--seed wants a number, such as 7 or 0x1f2e");
        return 0;
    case KEY_SCHEDULES:
        tool->n_schedules = (unsigned)strtoul(argument, NULL, 0);
        if (!is_number(argument) || tool->n_schedules == 0)
            argp_error(state, "--schedules wants how many orders, such as 8");
        return 0;
    case KEY_BUDGET:
        tool->budget = argument;
        if (!is_number(argument))
            argp_error(state, "--budget wants a number of warp instructions, such as 1000000000");
        return 0;
    case KEY_TIMEOUT:
        tool->timeout_ms = argument;
        if (!is_number(argument))
            argp_error(state, "--timeout wants milliseconds");
        return 0;
    case KEY_NO_CHECKS:
        tool->no_checks = true;
        return 0;
    case ARGP_KEY_ARG:
        tool->program = argument;
        tool->arguments = state->argv + state->next;
        state->next = state->argc; /* the rest is the program's */
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "run wants a FILE.cu or a program");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int program_main(int argc, char **argv) {
    const struct argp argp = {argp_options, parse, "FILE.cu|PROGRAM [ARGUMENT...]", doc, NULL,
                              NULL,         NULL};
    struct tool_options tool = {0};
    OWNED_BY(workbook_finish) struct workbook book = {0};
    OWNED_BY(nvcc_finish) struct nvcc nvcc;
    struct diag diag;
    argp_err_exit_status = EXIT_USAGE;
    argv[0] = (char *)"warpbook run";
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &tool);
    bool has_nvcc = nvcc_find(&nvcc);
    enum grader_status status = workbook_init(&book, &diag);
    struct scratch scratch = {.path = NULL};
    if (status == GRADER_OK)
        status = scratch_make(&scratch, book.build, &diag);
    OWNED char *dropin = text_format("%s/%s", book.build ? book.build : "", CONFIG_CUDART_SIM);
    int code;
    if (status != GRADER_OK) {
        code = session_fail(status, &diag);
    } else {
        tool.nvcc = has_nvcc ? nvcc.path : NULL;
        tool.dropin = dropin;
        tool.scratch = scratch.path;
        if (!has_nvcc && text_ends_with(tool.program, ".cu"))
            fprintf(stderr, "warpbook: %s\n", nvcc_missing_text);
        code = tool_run(&tool, stderr);
    }
    scratch_remove(&scratch);
    return code;
}

/* For the table of commands: reached only with options in front of "run". */
int command_program(const struct options *options) {
    (void)options;
    fprintf(stderr, "warpbook: options of run come behind it: ./warpbook run --json FILE x.cu\n");
    return EXIT_USAGE;
}
