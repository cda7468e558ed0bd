/* The commands, and what they have of each other. Each prints what it has to say and returns the
 * exit code. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "grader/session/options.h"
#include "grader/session/session.h"
#include "grader/terminal/page.h"
#include "grader/workbook/manifest.h"
#include "grader/workbook/target.h"

#define COMMAND(name, argument, help, takes, run, is_for_strangers)                                \
    int run(const struct options *options);
#include "grader/cli/commands.def"
#undef COMMAND

/* What a command does with the student's own files. */
typedef int with_targets(const struct options *options, const struct workbook *book,
                         const struct targets *targets);

/* commands.c: opens the workbook, finds the student's own file of the lab that is named (NULL: of
 * all labs), runs the command. */
int run_with_targets(const struct options *options, const char *lab, with_targets *run);

/* labs.c: says that no lab is left. */
void next_show_end(const struct page *page, size_t n_labs);

/* class.c: true where a path is a class: an archive, or a folder that is nobody's own work. */
bool class_is_at(const struct workbook *book, const char *path);

/* Grades it, and shows how; returns the exit code. */
int class_grade(const struct session *session, const char *path);

/* program.c: reads the words from "run" on, since what follows the program's name belongs to the
 * program, and runs it; the exit code is the program's. */
int program_main(int argc, char **argv);
