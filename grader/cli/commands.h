/* The commands, a file each. Each prints what it has to say and returns the exit code. */
#ifndef GRADER_COMMANDS_H
#define GRADER_COMMANDS_H

#include "grader/grade/options.h"

#define COMMAND(name, argument, help, takes, run, is_for_strangers)                                \
    int run(const struct options *options);
#include "grader/cli/commands.def"
#undef COMMAND

#endif
