/* The commands, a file each. Each prints what it has to say and returns the exit code. */
#ifndef GRADER_COMMANDS_H
#define GRADER_COMMANDS_H

#include "grader/grade/options.h"

int command_list(const struct options *options);
int command_check(const struct options *options);
int command_grade(const struct options *options);
int command_autograder(const struct options *options);
int command_report(const struct options *options);
int command_next(const struct options *options);
int command_reset(const struct options *options);
int command_watch(const struct options *options);
int command_syntax(const struct options *options);
int command_new(const struct options *options);
int command_hint(const struct options *options);
int command_doctor(const struct options *options);
int command_verify(const struct options *options);

#endif
