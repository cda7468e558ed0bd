/* The grader: reads the command line and runs a command. */
#include <locale.h>
#include <stddef.h>
#include <string.h>

#include "grader/cli/arguments.h"
#include "grader/cli/commands.h"
#include "grader/cli/program.h"

static const struct command commands[] = {
    {"list", NULL, "the labs", 0, command_list, false},
    {"next", NULL, "the next lab to solve", OPTION_EDIT, command_next, false},
    {"check", "[LAB]", "grade your own work in labs/", OPTION_GRADING | OPTION_AGAIN, command_check,
     false},
    {"grade", "PATH", "grade a tree laid out like labs/, one file, or a class",
     OPTION_GRADING | OPTION_CLASS | OPTION_PUBLISHING | OPTION_CONTAINER, command_grade, true},
    {"report", "RECORD…", "what `grade --json` printed, as --format has it", OPTION_PUBLISHING,
     command_report, false},
    {"autograder", NULL, "for instructors: the zip that Gradescope wants",
     OPTION_OUTPUT | OPTION_COURSE, command_autograder, false},
    {"watch", "[LAB]", "check whenever the file is saved", OPTION_BACKEND | OPTION_JOBS,
     command_watch, false},
    {"hint", "LAB", "the lab's next hint", OPTION_TIER, command_hint, false},
    {"run", "FILE", "run any CUDA program on the simulator; `run --help` says more", 0,
     command_program, false},
    {"reset", "LAB", "put the skeleton back; your work is kept", 0, command_reset, false},
    {"syntax", "LAB", "syntax errors only, in a tenth of a second", 0, command_syntax, false},
    {"new", "NAME", "for authors: a lab to start from", 0, command_new, false},
    {"doctor", NULL, "what is installed, what is missing, how to get it", 0, command_doctor, false},
    {"verify", "[LAB]", "for authors: each lab is what it claims to be",
     OPTION_BACKEND | OPTION_SEED | OPTION_JOBS | OPTION_TABLE, command_verify, false},
    {NULL, NULL, NULL, 0, NULL, false},
};

int main(int argc, char **argv) {
    struct options options;
    setlocale(LC_CTYPE, "");
    if (argc > 1 && strcmp(argv[1], "run") == 0)
        return program_main(argc - 1, argv + 1);
    options_read(argc, argv, commands, &options);
    int status = options.command->run(&options);
    options_finish(&options);
    return status;
}
