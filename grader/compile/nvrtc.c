/*
 * The few calls of NVRTC, found at run time. Host functions are compiled as if they were device
 * functions, and the host's own headers as if they were empty; what goes wrong for these reasons is
 * left out.
 */
#include "grader/compile/nvrtc.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"

typedef void *nvrtc_program;

struct calls {
    int (*create)(nvrtc_program *program, const char *text, const char *name, int n_headers,
                  const char *const *headers, const char *const *header_names);
    int (*compile)(nvrtc_program program, int n_options, const char *const *options);
    int (*log_size)(nvrtc_program program, size_t *bytes);
    int (*log)(nvrtc_program program, char *log);
};

static bool find(void *library, const char *name, void *call) {
    void *found = dlsym(library, name);
    memcpy(call, &found, sizeof found); /* POSIX: a function's address fits a pointer to void */
    return found != NULL;
}

static bool find_all(void *library, struct calls *calls) {
    return find(library, "nvrtcCreateProgram", &calls->create) &&
           find(library, "nvrtcCompileProgram", &calls->compile) &&
           find(library, "nvrtcGetProgramLogSize", &calls->log_size) &&
           find(library, "nvrtcGetProgramLog", &calls->log);
}

/* Messages that are about the grammar, whatever a name in them means. */
static bool is_of_syntax(const char *message) {
    static const char *const starts[] = {
        "expected ",  "missing closing quote", "unrecognized token",
        "the #endif", "invalid character",
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (strncmp(message, starts[i], strlen(starts[i])) == 0)
            return true;
    }
    return false;
}

/* The text behind "FILE(LINE): error: " of a line, or NULL. `*is_own` tells whether FILE is
 * `source`. */
static const char *error_of_line(const char *line, size_t length, const char *source,
                                 bool *is_own) {
    static const char mark[] = ": error: ", worse[] = ": catastrophic error: ";
    size_t name = strlen(source);
    char *copy = text_format("%.*s", (int)length, line);
    const char *at = strstr(copy, mark), *found = NULL;
    *is_own = strncmp(copy, source, name) == 0 && copy[name] == '(';
    if (at)
        found = line + (at - copy) + strlen(mark);
    else if ((at = strstr(copy, worse)))
        found = line + (at - copy) + strlen(worse);
    free(copy);
    return found;
}

/* "2 errors detected in the compilation of …" */
static bool is_sum(const char *line) {
    const char *behind = line + strspn(line, "0123456789");
    return behind > line && strncmp(behind, " error", strlen(" error")) == 0;
}

/* After an error that is not about the grammar, later ones may follow from it: only the errors
 * before it are certain. */
char *nvrtc_syntax_errors(const char *log, const char *source) {
    static const char runtime[] = "identifier \"cuda";
    char *errors = NULL;
    bool is_shown = false;
    const char *line;
    size_t length;
    for (unsigned number = 1; (line = text_line(log, number, &length)); number++) {
        bool is_own;
        const char *message = error_of_line(line, length, source, &is_own);
        if (message)
            is_shown = is_own && is_of_syntax(message);
        if (message && !is_shown && strncmp(message, runtime, sizeof runtime - 1) != 0)
            break;
        if (!is_shown || is_sum(line))
            continue;
        text_add(&errors, "%.*s\n", (int)length, line);
    }
    return errors;
}

/* Compiles up to the end of the front end; returns the log, or NULL. */
static char *compile(const struct calls *calls, const struct nvrtc_request *request,
                     const char *cuda_include) {
    static const char *const names[] = {
        "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h", "math.h", "assert.h",
        "cstddef",  "cstdint",  "cstdio",  "cstdlib",  "cstring",  "cmath",  "cassert",
    };
    const char *texts[sizeof names / sizeof *names];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        texts[i] = strstr(names[i], "stdint")
                       ? "typedef signed char int8_t; typedef unsigned char uint8_t;"
                         "typedef short int16_t; typedef unsigned short uint16_t;"
                         "typedef int int32_t; typedef unsigned uint32_t;"
                         "typedef long long int64_t; typedef unsigned long long uint64_t;\n"
                       : "\n";
    char *options[] = {
        text_format("-std=%s", request->standard),
        text_format("-default-device"),
        text_format("-rdc=true"),
        text_format("--fdevice-syntax-only"),
        text_format("-w"),
        text_format("-I%s", request->lab_folder),
        text_format("-I%s", request->root),
        text_format("-I%s", cuda_include),
    };
    enum { N_OPTIONS = sizeof options / sizeof *options };
    nvrtc_program program;
    size_t bytes = 0;
    char *log = NULL;
    if (calls->create(&program, request->text, request->source, sizeof names / sizeof *names, texts,
                      names) == 0) {
        calls->compile(program, N_OPTIONS, (const char *const *)options);
        if (calls->log_size(program, &bytes) == 0 && (log = calloc(1, bytes + 1)))
            calls->log(program, log);
    }
    for (size_t i = 0; i < N_OPTIONS; i++)
        free(options[i]);
    return log;
}

enum nvrtc_answer nvrtc_check(const struct nvrtc_request *request, char **messages) {
    const char *cudart = request->nvcc->cudart_path;
    const char *slash = cudart ? strrchr(cudart, '/') : NULL;
    struct calls calls;
    *messages = NULL;
    if (!slash)
        return NVRTC_MISSING;
    OWNED char *path = text_format("%.*s/libnvrtc.so.13", (int)(slash - cudart), cudart);
    OWNED char *include = text_format("%.*s/../include", (int)(slash - cudart), cudart);
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    OWNED char *log =
        library && find_all(library, &calls) ? compile(&calls, request, include) : NULL;
    enum nvrtc_answer answer = log ? NVRTC_NOTHING : NVRTC_MISSING;
    if (log && (*messages = nvrtc_syntax_errors(log, request->source)))
        answer = NVRTC_SYNTAX;
    return answer;
}
