/* The table of options, and what each does to `struct options`. */
#include "grader/cli/arguments.h"

#include <argp.h>
#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/parallel.h"
#include "common/base/text.h"
#include "grader/config.h"
#include "grader/report/formats/format.h"
/* full edition: begin */
#include "grader/verify/measure/share.h"
/* full edition: end */

enum { EXIT_USAGE = 2, LONG_ONLY = 256, MAX_NAMES = 60 };

/* A number from 1 to `limit`, into the int at `member`. */
static bool parse_number(const char *text, unsigned long limit, void *member) {
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    *(int *)member = (int)number;
    return isdigit((unsigned char)text[0]) && *end == '\0' && number > 0 && number <= limit;
}

static bool parse_seed(const char *text, uint64_t *seed) {
    size_t digits = strspn(text, "0123456789abcdefABCDEF");
    *seed = strtoull(text, NULL, 16);
    return digits > 0 && digits <= 16 && text[digits] == '\0';
}

/* "a, b and c" */
static char *word_list(const char *const *words) {
    char *text = text_format("%s", words[0]);
    for (size_t i = 1; words[i]; i++)
        text_add(&text, "%s%s", words[i + 1] ? ", " : " and ", words[i]);
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

/* What an option does: sets a member of struct options, by its argument where it has one. */
typedef void option_take(struct argp_state *state, void *member, char *argument);

static void take_flag(struct argp_state *state, void *member, char *argument) {
    (void)state, (void)argument;
    *(bool *)member = true;
}

static void take_text(struct argp_state *state, void *member, char *argument) {
    (void)state;
    *(const char **)member = argument;
}

static void take_output(struct argp_state *state, void *member, char *argument) {
    take_text(state, member, strcmp(argument, "-") == 0 ? NULL : argument);
}

static void take_seed(struct argp_state *state, void *member, char *argument) {
    if (!parse_seed(argument, member))
        argp_error(state, "--seed wants 1 to 16 hexadecimal digits, such as 1f2e3d4c");
}

static void take_jobs(struct argp_state *state, void *member, char *argument) {
    if (!parse_number(argument, 1024, member))
        argp_error(state, "--jobs wants a number from 1 to 1024");
}

static void take_chunk(struct argp_state *state, void *member, char *argument) {
    if (!parse_number(argument, 100000, member))
        argp_error(state, "--chunk wants a number of students, such as 10");
}

static void take_tier(struct argp_state *state, void *member, char *argument) {
    if (!parse_number(argument, 99, member))
        argp_error(state, "--tier wants a number from 1 on, such as 2");
}

/* full edition: begin */
static void take_order(struct argp_state *state, void *member, char *argument) {
    if (!parse_number(argument, 2, member))
        argp_error(state, "--order wants 1 or 2");
}

static void take_share(struct argp_state *state, void *member, char *argument) {
    struct share share;
    take_text(state, member, argument);
    if (!share_read(argument, &share))
        argp_error(state, "--share wants a part of the whole, such as 10%% or 1/10");
}
/* full edition: end */

static void take_backend(struct argp_state *state, void *member, char *argument) {
    static const char *const words[] = {"auto", "sim", "gpu", NULL};
    *(enum device_choice *)member = (enum device_choice)choice(state, "backend", argument, words);
}

static void take_colour(struct argp_state *state, void *member, char *argument) {
    static const char *const words[] = {"auto", "always", "never", NULL};
    *(enum page_colour *)member = (enum page_colour)choice(state, "color", argument, words);
}

static void take_format(struct argp_state *state, void *member, char *argument) {
    *(int *)member = choice(state, "format", argument, format_names);
}

struct option_row {
    const char *name;
    int letter;           /* its short form, or 0 */
    uint64_t bit;         /* of enum option_bit, which is set where it is given; 0: none */
    option_take *take;    /* NULL: its bit says it all */
    size_t member;        /* where in struct options */
    const char *argument; /* as --help shows it; NULL where it takes none */
    const char *help;
};

#define MEMBER(name)                                                                  offsetof(struct options, name)
#define FORMAT(file, name, suffix, is_of_class, shows_tests, is_for_teachers, writer) " " name
static const struct option_row rows[] = {
    {"backend", 'b', OPTION_BACKEND, take_backend, MEMBER(backend), "gpu|sim|auto",
     "Where the code runs (auto: on a GPU if there is one)"},
    {"test", 't', OPTION_TEST, take_text, MEMBER(test), "NAME",
     "Only this test, or the tests of this tier"},
    {"case", 'c', OPTION_CASE, take_text, MEMBER(case_text), "n=N,block=B",
     "Only this case of each test, as a failed one names it (also n=N,block=B,seed=HEX)"},
    {"seed", 0, OPTION_SEED, take_seed, MEMBER(seed), "HEX",
     "Draw inputs from this seed instead of a fresh one"},
    {"jobs", 'j', OPTION_JOBS, take_jobs, MEMBER(jobs), "N", "Do at most N things at once"},
    {"json", 0, 0, take_flag, MEMBER(is_json), NULL, "One JSON record instead of the report"},
    {"tier", 0, OPTION_TIER, take_tier, MEMBER(tier), "N", "Hint N of the lab, not the next one"},
    {"again", 0, OPTION_AGAIN, take_flag, MEMBER(is_again), NULL,
     "Check anew what has passed and has not changed"},
    {"edit", 0, OPTION_EDIT, take_flag, MEMBER(is_edit), NULL, "Open the file in $EDITOR"},
    /* full edition: begin */
    {"table", 0, OPTION_TABLE, take_text, MEMBER(table), "FILE",
     "Write verify's mistakes and verdicts as Markdown"},
    /* full edition: end */
    {"no-sandbox", 0, OPTION_NO_SANDBOX, take_flag, MEMBER(is_unsandboxed), NULL,
     "Run what is graded without a sandbox, with all your files in its reach"},
    {"container", 0, OPTION_CONTAINER, take_flag, MEMBER(is_container), NULL,
     "This is a container for one submission: without a sandbox, a user of its own is enough"},
    {"journal", 0, OPTION_JOURNAL, take_text, MEMBER(journal), "FILE",
     "Keep a class's results here (default: beside it)"},
    {"regrade", 0, OPTION_REGRADE, take_text, MEMBER(regrade), "WHAT",
     "Grade a student, a lab or all anew; old results stay"},
    {"deadline", 0, OPTION_DEADLINE, take_text, MEMBER(deadline), "TIME",
     "Report later files as late: '2026-11-21 23:59'"},
    {"roster", 0, OPTION_ROSTER, take_text, MEMBER(roster), "FILE",
     "A CSV table of the course's people: ids, names, groups, extensions"},
    {"known", 0, OPTION_KNOWN, take_text, MEMBER(known), "PATH",
     "What earlier years handed in, as a class: who copied from it is listed"},
    {"map", 0, OPTION_MAP, take_text, MEMBER(map), "FILE",
     "A CSV table of a class's odd files: student (or *), file, lab (or -)"},
    {"format", 'f', OPTION_FORMAT, take_format, MEMBER(format), "NAME",
     "Report as one of" FORMATS(FORMAT) " (html is a page for whoever teaches)"},
    {"output", 'o', OPTION_OUTPUT, take_output, MEMBER(output), "FILE",
     "Write the report here; a folder where there are several; -: standard output"},
    {"course", 0, OPTION_COURSE, take_text, MEMBER(course), "FILE",
     "Points, visibility and late rules of a course (YAML)"},
    {"handed-in", 0, OPTION_HANDED_IN, take_text, MEMBER(handed_in), "TIME|FILE",
     "When, for late rules: '2026-11-21 23:59', or a CSV table of students and times"},
    {"causes", 0, OPTION_CAUSES, NULL, 0, NULL,
     "Once a class is graded, look for what mends the files that failed"},
    {"slurm", 0, OPTION_SLURM, NULL, 0, NULL,
     "Grade a class on a Slurm cluster, as an array of jobs"},
    {"chunk", 0, OPTION_CHUNK, take_chunk, MEMBER(chunk), "N", "Students of one job of --slurm"},
    {"gres", 0, OPTION_GRES, take_text, MEMBER(gres), "LIST",
     "What each job of --slurm wants: gpu:1 (and then --backend gpu)"},
    {"partition", 0, OPTION_PARTITION, take_text, MEMBER(partition), "NAME",
     "Where --slurm puts the jobs"},
    {"time", 0, OPTION_TIME, take_text, MEMBER(time), "TIME",
     "How long a job of --slurm may take: 2:00:00"},
    /* full edition: begin */
    {"mutants", 0, OPTION_MUTANTS, NULL, 0, NULL,
     "verify: change the answers; do they lose points?"},
    {"strangers", 0, OPTION_STRANGERS, NULL, 0, NULL,
     "verify: grade answers of people who did not see the tests"},
    {"share", 0, OPTION_SHARE, take_share, MEMBER(share), "P%|K/N",
     "Only a part of these, the same one each time"},
    {"order", 0, OPTION_ORDER, take_order, MEMBER(order), "N", "Changes of a mutant: 1 or 2"},
    {"holes", 0, OPTION_HOLES, NULL, 0, NULL,
     "Of mutants those that equivalent.yaml lists as holes: are they still?"},
    {"sealed", 0, OPTION_SEALED, NULL, 0, NULL, "The strangers' answers that were kept closed"},
    {"git", 0, OPTION_GIT, NULL, 0, NULL, "edition: as a git repository of one commit"},
    {"yes", 0, OPTION_YES, NULL, 0, NULL, "remove: what git does not have, too"},
    /* full edition: end */
    {"verbose", 'v', 0, take_flag, MEMBER(is_verbose), NULL,
     "Say more: claims, each finding, all counters"},
    {"color", 0, 0, take_colour, MEMBER(colour), "WHEN", "auto (on a terminal), always or never"},
};
#undef FORMAT
enum { N_ROWS = sizeof rows / sizeof *rows };

/* What argp calls an option. */
static int key_of(const struct option_row *row) {
    return row->letter ? row->letter : LONG_ONLY + (int)(row - rows);
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
        OWNED char *clean = text_clean(word, strnlen(word, 60), false);
        argp_error(state, "%s does not know what to do with '%s'", options->command->name, clean);
    }
}

static void check_whole(struct argp_state *state, struct options *options) {
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
    if (options->given & OPTION_SLURM && options->given & OPTION_CAUSES)
        argp_error(state, "--causes means nothing with --slurm: give it to a `grade` without, "
                          "afterwards");
    for (const struct option_row *row = rows; row < rows + N_ROWS; row++) {
        if (options->given & ~options->command->takes & row->bit)
            argp_error(state, "--%s means nothing to %s", row->name, options->command->name);
        if (!(options->given & OPTION_SLURM) && options->given & OPTION_OF_SLURM & row->bit)
            argp_error(state, "--%s means nothing without --slurm", row->name);
    }
    options->is_quiet = options->is_json || (options->given & OPTION_FORMAT && !options->output);
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct options *options = state->input;
    const struct option_row *row = rows;
    while (row < rows + N_ROWS && key_of(row) != key)
        row++;
    if (key == ARGP_KEY_ARG)
        take_word(state, argument);
    else if (key == ARGP_KEY_END)
        check_whole(state, options);
    else if (row == rows + N_ROWS)
        return ARGP_ERR_UNKNOWN;
    else if (row->take)
        row->take(state, (char *)options + row->member, argument);
    options->given |= row < rows + N_ROWS ? row->bit : 0;
    return 0;
}

/* argp only says that it does not know an option: say which one is near, first. */
static void check_names(int argc, char **argv) {
    static const char *const own[] = {"colour", "help", "usage", "version"};
    const char *names[MAX_NAMES];
    size_t n = 0;
    for (; n < N_ROWS; n++)
        names[n] = rows[n].name;
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
        OWNED char *clean = text_clean(word, strnlen(word, length < 60 ? length : 60), false);
        int nearest = nearest_index(clean, names, n);
        fprintf(stderr, "warpbook: there is no option '--%s'", clean);
        if (nearest >= 0)
            fprintf(stderr, "; did you mean '--%s'?\n", names[nearest]);
        else
            fprintf(stderr, "; './warpbook --help' lists the options\n");
        exit(EXIT_USAGE);
    }
}

void options_read(int argc, char **argv, struct options *options) {
    struct argp_option list[N_ROWS + 2] = {[N_ROWS] = {.name = "colour", .flags = OPTION_ALIAS}};
    for (size_t i = 0; i < N_ROWS; i++)
        list[i] = (struct argp_option){.name = rows[i].name,
                                       .key = key_of(&rows[i]),
                                       .arg = rows[i].argument,
                                       .doc = rows[i].help};
    OWNED char *doc = commands_help();
    const struct argp argp = {list, parse, "COMMAND [LAB]", doc, NULL, NULL, NULL};
    argp_err_exit_status = EXIT_USAGE;
    argp_program_version = "warpbook " CONFIG_VERSION;
    *options = (struct options){
        .jobs = (int)parallel_cores(),
        .order = 1,
        .arguments = make_zeroed((size_t)argc + 1, sizeof *options->arguments),
    };
    check_names(argc, argv);
    argv[0] = (char *)"warpbook";
    argp_parse(&argp, argc, argv, 0, NULL, options);
}

void options_finish(struct options *options) {
    free(options->arguments);
}
