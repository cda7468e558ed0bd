/* `run`: an ordinary CUDA program on the simulator. Its command line is its own, since what follows
 * the program's name belongs to the program. */
#ifndef GRADER_PROGRAM_H
#define GRADER_PROGRAM_H

/* Reads the words from "run" on and runs the program; the exit code is the program's. */
int program_main(int argc, char **argv);

#endif
