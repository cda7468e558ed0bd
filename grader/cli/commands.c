/* The table of commands, made of commands.def; a command by its name; the part of --help on them;
 * what several commands start with. */
#include "grader/cli/commands.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/cli/arguments.h"

enum { MAX_NAMES = 64 };

static const struct command commands[] = {
#define COMMAND(name, argument, help, takes, run, is_for_strangers)                                \
    {name, argument, help, takes, run, is_for_strangers},
#include "grader/cli/commands.def"
#undef COMMAND
    {0},
};

const struct command *command_find(struct argp_state *state, const char *word) {
    const char *names[MAX_NAMES];
    size_t n = 0;
    for (; commands[n].name && n < MAX_NAMES; n++) {
        if (strcmp(word, commands[n].name) == 0)
            return &commands[n];
        names[n] = commands[n].name;
    }
    int nearest = nearest_index(word, names, n);
    OWNED char *clean = text_clean(word, strnlen(word, 60), false);
    if (nearest >= 0)
        argp_error(state, "there is no command '%s'; did you mean '%s'?", clean, names[nearest]);
    else
        argp_error(state, "there is no command '%s'", clean);
    return NULL;
}

char *commands_help(void) {
    char *text = text_format("A workbook of CUDA labs that grades itself.\n\nCommands:\n");
    for (const struct command *command = commands; command->name; command++) {
        OWNED char *usage =
            text_format("%s %s", command->name, command->argument ? command->argument : "");
        text_add(&text, "  %-14s %s\n", usage, command->help);
    }
    text_add(
        &text,
        "  test           All tests of the workbook itself\n"
        "A LAB is a number, a name or a part of one: 1, 01-divergent-reduction, divergent.\n\n"
        "Options:\v"
        "Exit code: 0 all that was graded passed; 1 something did not pass; 2 the command line "
        "or a file named on it is wrong; 3 the grader or the machine failed; 130 interrupted. Of a "
        "class, and with --format, 0 says that all was graded, whoever passed.");
    return text;
}

int run_with_targets(const struct options *options, const char *lab, with_targets *run) {
    OWNED_BY(workbook_finish) struct workbook book;
    OWNED_BY(targets_finish) struct targets targets = {0};
    struct diag diag;
    enum grader_status status = workbook_init(&book, &diag);
    if (status == GRADER_OK)
        status = targets_own(&book, lab, &targets, &diag);
    return status == GRADER_OK ? run(options, &book, &targets) : session_fail(status, &diag);
}
