/*
 * NVIDIA's compiler as a library: it has nvcc's front end and messages and is done in a tenth of a
 * second, but it takes no host code. Good for one thing: to say at once where a file breaks the
 * grammar.
 */
#pragma once

#include "grader/machine/nvcc.h"

enum nvrtc_answer {
    NVRTC_MISSING, /* there is no NVRTC beside nvcc */
    NVRTC_NOTHING, /* no syntax error was found; nvcc may still find other ones */
    NVRTC_SYNTAX,  /* syntax errors */
};

struct nvrtc_request {
    const struct nvcc *nvcc;
    const char *source;     /* path, as messages show it */
    const char *text;       /* of the source */
    const char *standard;   /* "c++14" */
    const char *lab_folder; /* have the headers that the source includes */
    const char *root;
};

/* Looks for syntax errors. `*messages` becomes the compiler's own words about them, or NULL; the
 * caller frees it. Runs NVIDIA's code in this process, on somebody's text: not for a process that
 * must live. */
enum nvrtc_answer nvrtc_check(const struct nvrtc_request *request, char **messages);

/* What of a compiler's log is about syntax errors in `source`, for certain; NULL where nothing is.
 * The caller frees it. */
char *nvrtc_syntax_errors(const char *log, const char *source);
