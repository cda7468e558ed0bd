/* What the command line asked for: one command, its argument, and options. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "grader/machine/device.h"
#include "grader/terminal/page.h"

/* Options that mean something to some commands only. */
enum option_bit {
    OPTION_BACKEND = 1 << 0,
    OPTION_TEST = 1 << 1,
    OPTION_CASE = 1 << 2,
    OPTION_SEED = 1 << 3,
    OPTION_JOBS = 1 << 4,
    OPTION_TIER = 1 << 5,
    OPTION_AGAIN = 1 << 6,
    OPTION_EDIT = 1 << 7,
    OPTION_TABLE = 1 << 8,
    OPTION_NO_SANDBOX = 1 << 9,
    OPTION_JOURNAL = 1 << 10,
    OPTION_REGRADE = 1 << 11,
    OPTION_DEADLINE = 1 << 12,
    OPTION_FORMAT = 1 << 13,
    OPTION_OUTPUT = 1 << 14,
    OPTION_COURSE = 1 << 15,
    OPTION_HANDED_IN = 1 << 16,
    OPTION_PUBLISHING = OPTION_FORMAT | OPTION_OUTPUT | OPTION_COURSE | OPTION_HANDED_IN,
    OPTION_SLURM = 1 << 17,
    OPTION_CHUNK = 1 << 18,
    OPTION_GRES = 1 << 19,
    OPTION_PARTITION = 1 << 20,
    OPTION_TIME = 1 << 21,
    OPTION_CONTAINER = 1 << 22,
    OPTION_MUTANTS = 1 << 23,
    OPTION_STRANGERS = 1 << 24,
    OPTION_SHARE = 1 << 25,
    OPTION_ORDER = 1 << 26,
    OPTION_SEALED = 1 << 27,
    OPTION_CAUSES = 1 << 28,
    OPTION_MAP = 1 << 29,
    OPTION_ROSTER = 1 << 30,
    OPTION_GIT = 1u << 31,
    OPTION_KNOWN = UINT64_C(1) << 32,
    OPTION_YES = UINT64_C(1) << 33,
    OPTION_HOLES = UINT64_C(1) << 34,
    OPTION_MEASURING = OPTION_MUTANTS | OPTION_STRANGERS | OPTION_SHARE | OPTION_ORDER |
                       OPTION_SEALED | OPTION_HOLES,
    OPTION_OF_SLURM = OPTION_CHUNK | OPTION_GRES | OPTION_PARTITION | OPTION_TIME,
    OPTION_CLASS = OPTION_JOURNAL | OPTION_REGRADE | OPTION_DEADLINE | OPTION_CAUSES |
                   OPTION_SLURM | OPTION_OF_SLURM | OPTION_MAP | OPTION_ROSTER | OPTION_KNOWN,
    OPTION_GRADING =
        OPTION_BACKEND | OPTION_TEST | OPTION_CASE | OPTION_SEED | OPTION_JOBS | OPTION_NO_SANDBOX,
};

struct options;

/* Runs a command; returns the program's exit code. */
typedef int command_run(const struct options *options);

struct command {
    const char *name;
    const char *argument; /* "LAB", "[LAB]", "FILE…" (several), or NULL where it takes none */
    const char *help;     /* one line */
    uint64_t takes;       /* the options that mean something to it */
    command_run *run;
    bool is_for_strangers; /* what it grades may be anybody's */
};

struct options {
    const struct command *command;
    const char *argument; /* the first one; NULL where none was given */
    char **arguments;     /* all of them, for a command that takes several */
    size_t n_arguments;
    uint64_t given; /* options that were given */
    enum device_choice backend;
    enum page_colour colour;
    bool is_json, is_verbose;
    bool is_again;       /* check also what has passed and has not changed */
    bool is_edit;        /* open the editor */
    bool is_unsandboxed; /* run what is graded without a sandbox */
    bool is_container;   /* this machine is for one submission alone */
    const char *table;   /* file for verify's table, or NULL */
    uint64_t seed;
    const char *test;      /* as given: a test's name, a tier, or NULL */
    const char *case_text; /* "n=513,block=256" in the lab's names, or NULL */
    int jobs;
    const char *journal;   /* of a class; NULL: beside it */
    const char *regrade;   /* a student's id, a lab or "all"; NULL: nothing */
    const char *deadline;  /* as given, or NULL */
    const char *roster;    /* the table of people, or NULL */
    const char *known;     /* what was handed in in earlier years: a folder or archive, or NULL */
    const char *map;       /* the table of files that no name gives to a lab, or NULL */
    int format;            /* index in `formats`, where OPTION_FORMAT was given */
    const char *output;    /* file or folder for it; NULL: stdout, as for "-" */
    const char *course;    /* file of the instructor's settings, or NULL */
    const char *handed_in; /* when, as given, or NULL */
    bool is_quiet;         /* stdout is for a document: --json, or --format without --output */
    int chunk;             /* students of a task of Slurm's; 0: as it sees fit */
    const char *share;     /* of mutants or strangers' answers: "10%", "1/10"; NULL: all */
    int order;             /* changes of a mutant */
    const char *gres, *partition, *time; /* for sbatch, or NULL */
    int tier;                            /* of a hint, from 1; 0 where none was asked for */
};
