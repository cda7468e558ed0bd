/*
 * nvcc on a file that is not trusted. In the sandbox it sees the toolkit, the lab's headers, what
 * the labs share, and the one file, all under names of their own:
 *
 *     /submission/NAME.cu     a copy of what was read (and of the workbook's own files, the headers
 *                             beside them)
 *     /workbook/labs/…        headers
 *     /output/submission.so   the only file that it can write
 *
 * Without a sandbox it works where the files are.
 */
#pragma once

#include "grader/compile/build.h"
#include "grader/compile/cache.h"

/* The names that nvcc is to use; they decide what comes out. */
struct compile_names {
    char *source, *lab_folder, *root;
};
void compile_names(const struct build_request *request, struct compile_names *names);
void compile_names_finish(struct compile_names *names);

/* Runs nvcc with its options `flags` (argv[0] first, then up to a NULL) so that `object`, a file in
 * the empty folder `folder`, holds what it made; the rest as for build_run. nvcc's messages name
 * files as compile_names does. */
enum grader_status compile_run(const struct build_request *request, const struct headers *headers,
                               char *const *flags, const char *folder, const char *object,
                               struct build_result *result, struct diag *diag);

/* A copy of nvcc's messages for the student, with the names that the student knows. */
char *compile_shown(const struct build_request *request, const char *messages);

/* Leaves out, in place, what was said before: nvcc reads a file once for the host and once for each
 * device, and each time gcc or cudafe++ says the same of it. A message goes from a line that is not
 * indented to the next such line; files that it was included from belong to what follows them. */
void messages_say_once(char *text);
