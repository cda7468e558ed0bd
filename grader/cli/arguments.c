/* The table of options, and what each does to `struct options`. */
#include "grader/cli/arguments.h"

#include <argp.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/system/parallel.h"
#include "common/base/text.h"
#include "grader/config.h"
#include "grader/report/formats/format.h"

enum { EXIT_USAGE = 2, LONG_ONLY = 256, MAX_NAMES = 48 };

enum key {
    KEY_BACKEND = 'b',
    KEY_JOBS = 'j',
    KEY_TEST = 't',
    KEY_CASE = 'c',
    KEY_VERBOSE = 'v',
    KEY_FORMAT = 'f',
    KEY_OUTPUT = 'o',
    KEY_JSON = LONG_ONLY,
    KEY_SEED,
    KEY_COLOUR,
    KEY_TIER,
    KEY_AGAIN,
    KEY_EDIT,
    KEY_TABLE,
    KEY_NO_SANDBOX,
    KEY_CONTAINER,
    KEY_JOURNAL,
    KEY_REGRADE,
    KEY_DEADLINE,
    KEY_COURSE,
    KEY_HANDED_IN,
    KEY_SLURM,
    KEY_CHUNK,
    KEY_GRES,
    KEY_PARTITION,
    KEY_TIME,
};

static const struct argp_option argp_options[] = {
    {"backend", KEY_BACKEND, "gpu|sim|auto", 0,
     "Where the code runs (auto: on a GPU if there is one)", 0},
    {"test", KEY_TEST, "NAME", 0, "Only this test, or the tests of this tier", 0},
    {"case", KEY_CASE, "n=N,block=B", 0, "Only this case of each test (also n=N,block=B,seed=HEX)",
     0},
    {"seed", KEY_SEED, "HEX", 0, "Draw inputs from this seed instead of a fresh one", 0},
    {"jobs", KEY_JOBS, "N", 0, "Do at most N things at once", 0},
    {"json", KEY_JSON, NULL, 0, "One JSON record instead of the report", 0},
    {"tier", KEY_TIER, "N", 0, "Hint N of the lab, not the next one", 0},
    {"again", KEY_AGAIN, NULL, 0, "Check anew what has passed and has not changed", 0},
    {"edit", KEY_EDIT, NULL, 0, "Open the file in $EDITOR", 0},
    {"table", KEY_TABLE, "FILE", 0, "Write verify's mistakes and verdicts as Markdown", 0},
    {"no-sandbox", KEY_NO_SANDBOX, NULL, 0,
     "Run what is graded without a sandbox, with all your files in its reach", 0},
    {"container", KEY_CONTAINER, NULL, 0,
     "This is a container for one submission: without a sandbox, a user of its own is enough", 0},
    {"journal", KEY_JOURNAL, "FILE", 0, "Keep a class's results here (default: beside it)", 0},
    {"regrade", KEY_REGRADE, "WHAT", 0, "Grade a student, a lab or all anew; old results stay", 0},
    {"deadline", KEY_DEADLINE, "TIME", 0, "Report later files as late: '2026-11-21 23:59'", 0},
    {"format", KEY_FORMAT, "NAME", 0,
     "Report as one of"
#define FORMAT(name, suffix, is_of_class, shows_tests, is_for_teachers, writer) " " name
#include "grader/report/formats/formats.def"
#undef FORMAT
     " (html is a page for whoever teaches)",
     0},
    {"output", KEY_OUTPUT, "FILE", 0,
     "Write the report here; a folder where there are several; -: standard output", 0},
    {"course", KEY_COURSE, "FILE", 0, "Points, visibility and late rules of a course (YAML)", 0},
    {"handed-in", KEY_HANDED_IN, "TIME|FILE", 0,
     "When, for late rules: '2026-11-21 23:59', or a CSV table of students and times", 0},
    {"slurm", KEY_SLURM, NULL, 0, "Grade a class on a Slurm cluster, as an array of jobs", 0},
    {"chunk", KEY_CHUNK, "N", 0, "Students of one job of --slurm", 0},
    {"gres", KEY_GRES, "LIST", 0, "What each job of --slurm wants: gpu:1 (and then --backend gpu)",
     0},
    {"partition", KEY_PARTITION, "NAME", 0, "Where --slurm puts the jobs", 0},
    {"time", KEY_TIME, "TIME", 0, "How long a job of --slurm may take: 2:00:00", 0},
    {"verbose", KEY_VERBOSE, NULL, 0, "Say more: claims, each finding, all counters", 0},
    {"color", KEY_COLOUR, "WHEN", 0, "auto (on a terminal), always or never", 0},
    {"colour", 0, NULL, OPTION_ALIAS, NULL, 0},
    {0},
};

static bool parse_number(const char *text, unsigned long limit, unsigned long *number) {
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return false;
    *number = strtoul(text, &end, 10);
    return *end == '\0' && *number > 0 && *number <= limit;
}

static bool parse_seed(const char *text, uint64_t *seed) {
    size_t digits = strspn(text, "0123456789abcdefABCDEF");
    *seed = strtoull(text, NULL, 16);
    return digits > 0 && digits <= 16 && text[digits] == '\0';
}

/* Passes `key` and a decimal number of at most `digits` digits. */
static bool skip_number(const char **text, const char *key, size_t digits) {
    size_t length = strlen(key);
    if (strncmp(*text, key, length) != 0)
        return false;
    size_t n = strspn(*text + length, "0123456789");
    *text += length + n;
    return n > 0 && n <= digits;
}

/* "n=513,block=256", perhaps with ",seed=0123456789abcdef". */
static bool is_case(const char *text) {
    uint64_t seed;
    if (!skip_number(&text, "n=", 18) || !skip_number(&text, ",block=", 9))
        return false;
    return *text == '\0' ||
           (strncmp(text, ",seed=", 6) == 0 && !text[6 + strspn(text + 6, "0123456789abcdef")] &&
            parse_seed(text + 6, &seed));
}

/* "a, b and c" */
static char *word_list(const char *const *words) {
    char *text = text_format("%s", words[0]);
    for (size_t i = 1; words[i]; i++) {
        char *longer = text_format("%s%s%s", text, words[i + 1] ? ", " : " and ", words[i]);
        free(text);
        text = longer;
    }
    return text;
}

/* Index of the word in a list that ends with NULL; ends the program where it is not there. */
static int choice(struct argp_state *state, const char *option, const char *word,
                  const char *const *words) {
    size_t n = 0;
    for (; words[n]; n++) {
        if (strcmp(word, words[n]) == 0)
            return (int)n;
    }
    int nearest = nearest_index(word, words, n);
    char *clean = text_clean(word, strnlen(word, 60), false), *all = word_list(words);
    if (nearest >= 0)
        argp_error(state, "--%s does not know '%s'; did you mean '%s'?", option, clean,
                   words[nearest]);
    else
        argp_error(state, "--%s does not know '%s'; it is one of %s", option, clean, all);
    free(all);
    free(clean);
    return 0;
}

/* Options of reports for schools' systems. */
static error_t parse_publishing(int key, char *argument, struct argp_state *state,
                                struct options *options) {
    switch (key) {
    case KEY_FORMAT:
        options->given |= OPTION_FORMAT;
        options->format = choice(state, "format", argument, format_names);
        return 0;
    case KEY_OUTPUT:
        options->given |= OPTION_OUTPUT;
        options->output = strcmp(argument, "-") == 0 ? NULL : argument;
        return 0;
    case KEY_COURSE:
        options->given |= OPTION_COURSE;
        options->course = argument;
        return 0;
    case KEY_HANDED_IN:
        options->given |= OPTION_HANDED_IN;
        options->handed_in = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Options of a class. */
static error_t parse_class(int key, char *argument, struct argp_state *state,
                           struct options *options) {
    unsigned long number = 0;
    switch (key) {
    case KEY_JOURNAL:
        options->given |= OPTION_JOURNAL;
        options->journal = argument;
        return 0;
    case KEY_REGRADE:
        options->given |= OPTION_REGRADE;
        options->regrade = argument;
        return 0;
    case KEY_DEADLINE:
        options->given |= OPTION_DEADLINE;
        options->deadline = argument;
        return 0;
    case KEY_SLURM:
        options->given |= OPTION_SLURM;
        return 0;
    case KEY_CHUNK:
        options->given |= OPTION_CHUNK;
        if (!parse_number(argument, 100000, &number))
            argp_error(state, "--chunk wants a number of students, such as 10");
        options->chunk = (int)number;
        return 0;
    case KEY_GRES:
        options->given |= OPTION_GRES;
        options->gres = argument;
        return 0;
    case KEY_PARTITION:
        options->given |= OPTION_PARTITION;
        options->partition = argument;
        return 0;
    case KEY_TIME:
        options->given |= OPTION_TIME;
        options->time = argument;
        return 0;
    default:
        return parse_publishing(key, argument, state, options);
    }
}

static error_t parse_value(int key, char *argument, struct argp_state *state,
                           struct options *options) {
    unsigned long number = 0;
    switch (key) {
    case KEY_SEED:
        options->given |= OPTION_SEED;
        if (!parse_seed(argument, &options->seed))
            argp_error(state, "--seed wants 1 to 16 hexadecimal digits, such as 1f2e3d4c");
        return 0;
    case KEY_CASE:
        options->given |= OPTION_CASE;
        options->case_text = argument;
        if (!is_case(argument))
            argp_error(state, "--case wants n=N,block=B, such as n=513,block=256");
        return 0;
    case KEY_JOBS:
        options->given |= OPTION_JOBS;
        if (!parse_number(argument, 1024, &number))
            argp_error(state, "--jobs wants a number from 1 to 1024");
        options->jobs = (int)number;
        return 0;
    case KEY_AGAIN:
        options->given |= OPTION_AGAIN;
        options->is_again = true;
        return 0;
    case KEY_EDIT:
        options->given |= OPTION_EDIT;
        options->is_edit = true;
        return 0;
    case KEY_TABLE:
        options->given |= OPTION_TABLE;
        options->table = argument;
        return 0;
    case KEY_NO_SANDBOX:
        options->given |= OPTION_NO_SANDBOX;
        options->is_unsandboxed = true;
        return 0;
    case KEY_CONTAINER:
        options->given |= OPTION_CONTAINER;
        options->is_container = true;
        return 0;
    case KEY_TIER:
        options->given |= OPTION_TIER;
        if (!parse_number(argument, 99, &number))
            argp_error(state, "--tier wants a number from 1 on, such as 2");
        options->tier = (unsigned)number;
        return 0;
    default:
        return parse_class(key, argument, state, options);
    }
}

static bool takes_many(const struct command *command) {
    return strstr(command->argument, "…") != NULL;
}

static void take_word(struct argp_state *state, char *word) {
    struct options *options = state->input;
    if (!options->command) {
        options->command = command_find(state, word);
    } else if (options->command->argument && (!options->argument || takes_many(options->command))) {
        options->argument = options->argument ? options->argument : word;
        options->arguments[options->n_arguments++] = word;
    } else {
        char *clean = text_clean(word, strnlen(word, 60), false);
        argp_error(state, "%s does not know what to do with '%s'", options->command->name, clean);
        free(clean);
    }
}

static void check_whole(struct argp_state *state, const struct options *options) {
    static const char *const names[] = {
        "backend",  "test",   "case",      "seed",       "jobs",      "tier",
        "again",    "edit",   "table",     "no-sandbox", "journal",   "regrade",
        "deadline", "format", "output",    "course",     "handed-in", "slurm",
        "chunk",    "gres",   "partition", "time",       "container"};
    if (!options->command) {
        argp_state_help(state, stderr, ARGP_HELP_STD_USAGE & ~(unsigned)ARGP_HELP_EXIT_OK);
        exit(EXIT_USAGE);
    }
    if (!options->argument && options->command->argument && options->command->argument[0] != '[')
        argp_error(state, "%s wants a %s: warpbook %s %s", options->command->name,
                   options->command->argument, options->command->name, options->command->argument);
    if (options->command->takes & OPTION_FORMAT && !(options->given & OPTION_FORMAT) &&
        options->given & OPTION_PUBLISHING)
        argp_error(state, "--output, --course and --handed-in are for a report by --format");
    if (options->is_json && options->given & OPTION_FORMAT && !options->output)
        argp_error(state, "--json and --format both want standard output: give --format an "
                          "--output");
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (options->given & ~options->command->takes & (1u << i))
            argp_error(state, "--%s means nothing to %s", names[i], options->command->name);
        if (!(options->given & OPTION_SLURM) && options->given & OPTION_OF_SLURM & (1u << i))
            argp_error(state, "--%s means nothing without --slurm", names[i]);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    static const char *const backends[] = {"auto", "sim", "gpu", NULL};
    static const char *const colours[] = {"auto", "always", "never", NULL};
    struct options *options = state->input;
    switch (key) {
    case KEY_BACKEND:
        options->given |= OPTION_BACKEND;
        options->backend = (enum device_choice)choice(state, "backend", argument, backends);
        return 0;
    case KEY_TEST:
        options->given |= OPTION_TEST;
        options->test = argument;
        return 0;
    case KEY_COLOUR:
        options->colour = (enum page_colour)choice(state, "color", argument, colours);
        return 0;
    case KEY_JSON:
        options->is_json = true;
        return 0;
    case KEY_VERBOSE:
        options->is_verbose = true;
        return 0;
    case ARGP_KEY_ARG:
        take_word(state, argument);
        return 0;
    case ARGP_KEY_END:
        check_whole(state, options);
        options->is_quiet =
            options->is_json || (options->given & OPTION_FORMAT && !options->output);
        return 0;
    default:
        return parse_value(key, argument, state, options);
    }
}

/* argp only says that it does not know an option: say which one is near, first. */
static void check_names(int argc, char **argv) {
    static const char *const own[] = {"help", "usage", "version"};
    const char *names[MAX_NAMES];
    size_t n = 0;
    for (; argp_options[n].name; n++)
        names[n] = argp_options[n].name;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        names[n++] = own[i];
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *word = argv[i] + 2;
        size_t length = strcspn(argv[i] + (strncmp(argv[i], "--", 2) == 0 ? 2 : 0), "=");
        bool is_known = strncmp(argv[i], "--", 2) != 0;
        for (size_t k = 0; k < n && !is_known; k++)
            is_known = strncmp(word, names[k], length) == 0;
        if (is_known)
            continue;
        char *clean = text_clean(word, strnlen(word, length < 60 ? length : 60), false);
        int nearest = nearest_index(clean, names, n);
        fprintf(stderr, "warpbook: there is no option '--%s'", clean);
        if (nearest >= 0)
            fprintf(stderr, "; did you mean '--%s'?\n", names[nearest]);
        else
            fprintf(stderr, "; './warpbook --help' lists the options\n");
        free(clean);
        exit(EXIT_USAGE);
    }
}

void options_read(int argc, char **argv, struct options *options) {
    char *doc = commands_help();
    const struct argp argp = {argp_options, parse, "COMMAND [LAB]", doc, NULL, NULL, NULL};
    argp_err_exit_status = EXIT_USAGE;
    argp_program_version = "warpbook " CONFIG_VERSION;
    *options = (struct options){
        .jobs = (int)parallel_cores(),
        .arguments = calloc((size_t)argc + 1, sizeof *options->arguments),
    };
    if (!options->arguments)
        abort();
    check_names(argc, argv);
    argv[0] = (char *)"warpbook";
    argp_parse(&argp, argc, argv, 0, NULL, options);
    free(doc);
}

void options_finish(struct options *options) {
    free(options->arguments);
}
