/*
 * The entries of an archive, or of a folder read as if it were one: one after the other, each with
 * a name that is made into a path below one folder or refused, and counted against what its student
 * may unpack.
 */
#pragma once

#include <archive_entry.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/base/text.h"

/* Opens it, to be closed by archive_read_free. Where it is no archive, the first read fails. */
struct archive *entry_reader(const char *path, bool is_folder);

/* The next entry; libarchive's code. Of a folder, `n_above` is the length of its path and a slash,
 * which are taken off the names; 0 for an archive. */
int entry_next(struct archive *archive, size_t n_above, struct archive_entry **entry);

/* The folders that contain all files of it and whose names are not a student's: "export/", or ""
 * where there is none. The caller frees it. */
char *entry_wrapping(const char *path, bool is_folder);

/* The name as bytes, whatever they are; "" where there is none. */
const char *entry_name(struct archive_entry *entry);

/* The relative path for a name, each part clean (name_clean); NULL, with a sentence, for one that
 * is absolute, leads upwards, is empty or deeper than `max_depth`. The caller frees it. */
char *entry_path(const char *name, unsigned max_depth, bool *is_changed, struct diag *diag);

/* The paths that an archive had so far. */
struct entry_names {
    void *tree;
};

/* Remembers a path; false where it was there. */
bool entry_is_first(struct entry_names *names, const char *path);
void entry_names_finish(struct entry_names *names);

/* Make the folders of a path below `folder_fd`, and a new file there: its descriptor, or -1. */
bool entry_make_folders(int folder_fd, const char *path);
int entry_create(int folder_fd, const char *path);

/* What the archives of each student may fill, so that none takes the room of others. */
enum {
    BUDGET_FILES = 5000, /* of one student, in all archives together */
    BUDGET_MIB = 256,    /* unpacked */
};

struct budget {
    char *key; /* the student, as far as a name says */
    size_t files_left;
    long long bytes_left;
    bool is_spent; /* nothing more is unpacked, and a note says so */
};

/* The budget of the student whom a file or folder belongs to, by its name beside those of other
 * students. All files without an owner share one budget. `*budgets` begins as NULL. */
struct budget *budget_of(void **budgets, const char *name, bool is_folder);
void budget_finish(void *budgets);
