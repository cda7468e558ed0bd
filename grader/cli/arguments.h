/* Reads the command line by argp, with suggestions for names that argp only refuses. */
#ifndef GRADER_ARGUMENTS_H
#define GRADER_ARGUMENTS_H

#include "grader/grade/options.h"

/* Reads the command line; `commands` end with one without a name. Where the line is wrong, says why
 * on stderr, with the nearest name that would have been right, and ends the program with exit code
 * 2; --help and --version end it too. */
void options_read(int argc, char **argv, const struct command *commands, struct options *options);

void options_finish(struct options *options);

#endif
