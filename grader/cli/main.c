/* The grader: reads the command line and runs a command. */
#include <locale.h>
#include <string.h>

#include "grader/cli/arguments.h"
#include "grader/cli/commands.h"

int main(int argc, char **argv) {
    setlocale(LC_CTYPE, "");
    if (argc > 1 && strcmp(argv[1], "run") == 0)
        return program_main(argc - 1, argv + 1);
    OWNED_BY(options_finish) struct options options;
    options_read(argc, argv, &options);
    return options.command->run(&options);
}
