/* `run`: an ordinary CUDA program on the simulator. Its command line is its own, since what follows
 * the program's name belongs to the program. */
#ifndef GRADER_PROGRAM_H
#define GRADER_PROGRAM_H

#include "grader/grade/options.h"

/* Reads the words from "run" on and runs the program; the exit code is the program's. */
int program_main(int argc, char **argv);

/* For the table of commands: reached only with options in front of "run". */
int command_program(const struct options *options);

#endif
