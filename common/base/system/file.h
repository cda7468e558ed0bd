/* Files: read whole and bounded, or refused with the reason; written so that no half file shows. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/base/text.h"

enum { FILE_SOURCE_BYTES = 1 << 20 }; /* the largest source file that is graded */

/* Reads a regular file of at most `limit` bytes into a NUL-terminated buffer, which the caller
 * frees. A directory, a pipe, a device, a loop of links or an unreadable file is GRADER_BAD_INPUT
 * with one sentence; a failure of the machine (file_fault) is GRADER_FAILED. Never blocks. */
enum grader_status file_read(const char *path, size_t limit, char **bytes, size_t *n_bytes,
                             struct diag *diag);

/* Whose fault an errno of opening or reading is: GRADER_FAILED where the machine lacks files,
 * memory or a working disk, GRADER_BAD_INPUT otherwise. */
enum grader_status file_fault(int error);

/* What is wrong with a student's source, as a sentence: it is empty, or holds a NUL. NULL where
 * nothing is. */
const char *file_source_problem(const char *bytes, size_t n_bytes);

/* file_read for a student's source: also refuses one that has such a problem. */
enum grader_status file_read_source(const char *path, char **bytes, size_t *n_bytes,
                                    struct diag *diag);

/* Anything at all is there, a dangling link included. */
bool file_exists(const char *path);
bool file_is_directory(const char *path);
bool file_is_regular(const char *path);
bool file_is_link(const char *path);
bool file_is_executable(const char *path);

/* A program in PATH as an absolute path, which the caller frees; NULL where there is none. */
char *file_in_path(const char *program);

/* True where it lies on a filesystem that other machines may share. */
bool file_is_remote(const char *path);

/* A file that is to be there whole: written under another name beside it, so that a kill leaves the
 * old file or the new one. */
struct file_draft {
    const char *path; /* borrowed */
    char *temporary;
    int fd; /* to write to */
};

/* Begins one, with the folders above it; false with errno. file_end either way. */
bool file_begin(struct file_draft *draft, const char *path);

/* Gives it its name where all is well (`ok`), else removes it. GRADER_FAILED with one sentence,
 * after errno where `ok` is false. */
enum grader_status file_end(struct file_draft *draft, bool ok, struct diag *diag);

/* Writes a whole file so. */
enum grader_status file_write(const char *path, const char *bytes, size_t n_bytes,
                              struct diag *diag);

/* Writes so what another file has, which may lie on another file system. */
enum grader_status file_copy(const char *from, const char *path, mode_t mode, struct diag *diag);

/* A number for a name that nobody else has, whichever container or machine he is in. */
uint32_t file_random(void);

/* Creates the folder and those above it; false, with errno set, where that fails. */
bool file_make_folders(const char *path);

/* Removes a folder and everything in it; links are removed, not followed. */
void file_remove_tree(const char *path);

/* The last part of a path: "b.cu" of "a/b.cu". */
const char *file_base(const char *path);

/* The path as somebody in the current folder would write it: relative where it lies below. The
 * caller frees it. */
char *file_display(const char *path);
