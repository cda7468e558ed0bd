/* Reads the command line by argp, with suggestions for names that argp only refuses. */
#pragma once

#include <argp.h>

#include "grader/session/options.h"

/* Reads the command line. Where it is wrong, says why on stderr, with the nearest name that would
 * have been right, and ends the program with exit code 2; --help and --version end it too. */
void options_read(int argc, char **argv, struct options *options);

void options_finish(struct options *options);

/* commands.c: the command of a name, or an end of the program with the nearest name. The text above
 * and below the options in --help; the caller frees it. */
const struct command *command_find(struct argp_state *state, const char *word);
char *commands_help(void);
