/* Compiles submissions with nvcc, or finds them compiled. */
#include "grader/build.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grader/compile.h"
#include "grader/file.h"
#include "grader/process.h"
#include "grader/scratch.h"
#include "grader/text.h"

enum { HEADER_BYTES = 4 << 20, MAX_ARGUMENTS = 40 };

/* nvcc and its options, without the names of files; ends with NULL, the strings are owned. */
struct command {
    char *argv[MAX_ARGUMENTS];
    size_t n;
};

static void add(struct command *command, char *argument) {
    if (command->n + 1 < MAX_ARGUMENTS)
        command->argv[command->n++] = argument;
    else
        free(argument);
}

static void command_finish(struct command *command) {
    for (size_t i = 0; i < command->n; i++)
        free(command->argv[i]);
}

/* Most files need none of what costs nvcc a third of its time, so that this is left out first; what
 * nvcc then refuses is compiled as `nvcc` alone would, and that is what counts.
 * specfun        libstdc++ from C++17 on defines the Bessel functions and their like with `cmath`,
 *                which every CUDA file includes: this is the guard of their header
 * gold           links in half the time, where binutils has it */
static void add_lean(struct command *command) {
    add(command, text_format("-D_GLIBCXX_BITS_SPECFUN_H"));
    if (file_is_executable("/usr/bin/ld.gold")) {
        add(command, text_format("-Xcompiler"));
        add(command, text_format("-fuse-ld=gold"));
    }
}

/* What each flag is for:
 * -shared, -fPIC         one object that any runtime library can be put under
 * -nodlink               no device code in several objects, that would have to be linked
 * -O1, -O3               of the host's code, which is timed on a GPU alone
 * -t 2                   host and device parts at the same time
 * -cudart shared         the runtime is NVIDIA's or the simulator's, chosen when it is loaded
 * -lineinfo, -g1         lines for the counters, names for a crash
 * --compress-mode=none   PTX as plain text
 * compute_75             PTX for the simulator and every GPU since Turing */
static void command_init(struct command *command, const struct build_request *request,
                         const struct compile_names *names, bool is_lean) {
    static const char *const fixed[] = {
        "-shared",    "-nodlink",
        "-Xcompiler", "-fPIC,-g1",
        "-cudart",    "shared",
        "-lineinfo",  "--compress-mode=none",
        "-gencode",   "arch=compute_75,code=compute_75",
    };
    memset(command, 0, sizeof *command);
    add(command, text_format("%s", request->nvcc->path));
    add(command, text_format("-std=%s", request->manifest->standard));
    add(command, text_format(request->major > 0 ? "-O3" : "-O1"));
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        add(command, text_format("%s", fixed[i]));
    if (is_lean)
        add_lean(command);
    /* nvcc 13.0 loses its own files when it works in parallel below a name with a blank. */
    if (request->sandbox->bwrap || !strchr(request->scratch, ' ')) {
        add(command, text_format("-t"));
        add(command, text_format("2"));
    }
    if (request->major > 0) {
        int arch = request->major * 10 + request->minor;
        add(command, text_format("-gencode"));
        add(command, text_format("arch=compute_%d,code=sm_%d", arch, arch));
    }
    add(command, text_format("-I"));
    add(command, text_format("%s", names->lab_folder));
    add(command, text_format("-I"));
    add(command, text_format("%s", names->root));
}

int build_is_header(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot && (strcmp(dot, ".h") == 0 || strcmp(dot, ".cuh") == 0 || strcmp(dot, ".hpp") == 0);
}

/* Headers that the source can name in quotes: those of a folder, names and contents. */
static void digest_headers(struct digest *digest, const char *folder) {
    struct dirent **entries;
    int n = scandir(folder, &entries, build_is_header, alphasort);
    for (int i = 0; i < n; i++) {
        char *path = text_format("%s/%s", folder, entries[i]->d_name), *bytes = NULL;
        size_t n_bytes;
        if (file_read(path, HEADER_BYTES, &bytes, &n_bytes, NULL) == GRADER_OK) {
            digest_add_text(digest, entries[i]->d_name);
            digest_add(digest, bytes, n_bytes);
        }
        free(bytes);
        free(path);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

/* Everything that the shared object depends on; names too, because line numbers show them. */
static void cache_key(const struct build_request *request, const struct command *command,
                      const struct compile_names *names, const struct build_result *result,
                      char key[DIGEST_TEXT]) {
    struct digest digest;
    digest_init(&digest);
    digest_add_text(&digest, request->nvcc->identity);
    for (size_t i = 0; i < command->n; i++)
        digest_add_text(&digest, command->argv[i]);
    char *real = realpath(request->source, NULL);
    digest_add_text(&digest, request->sandbox->bwrap || !real ? names->source : real);
    digest_add(&digest, result->bytes, result->n_bytes);
    digest_headers(&digest, request->lab_folder);
    if (real && !request->is_foreign) {
        char *slash = strrchr(real, '/');
        *slash = '\0';
        digest_headers(&digest, *real ? real : "/");
    }
    free(real);
    digest_finish(&digest, key);
}

/* True where the file still holds what was hashed: what is graded is what was named. */
static bool is_unchanged(const struct build_request *request, const struct build_result *result) {
    char *bytes = NULL;
    size_t n_bytes;
    bool same = file_read_source(request->source, &bytes, &n_bytes, NULL) == GRADER_OK &&
                n_bytes == result->n_bytes && memcmp(bytes, result->bytes, n_bytes) == 0;
    free(bytes);
    return same;
}

/* Puts the compiled object, and what the compiler said of it, under their final names. */
static enum grader_status keep(const char *temporary, const char *messages_path,
                               struct build_result *result, struct diag *diag) {
    char *log = text_format("%s.log", temporary);
    FILE *out = fopen(log, "w");
    bool ok = out && fputs(result->messages, out) >= 0;
    ok = out && fclose(out) == 0 && ok;
    ok = ok && rename(log, messages_path) == 0 && chmod(temporary, 0755) == 0 &&
         rename(temporary, result->object) == 0;
    if (!ok)
        diag_set(diag, result->object, 0, "the compiled file cannot be kept: %s", strerror(errno));
    free(log);
    return ok ? GRADER_OK : GRADER_FAILED;
}

/* The lean way where that goes, else the plain one. */
static enum grader_status compile_either(const struct build_request *request,
                                         const struct command *lean,
                                         const struct compile_names *names, const char *folder,
                                         const char *object, struct build_result *result,
                                         struct diag *diag) {
    enum grader_status status = compile_run(request, lean->argv, folder, object, result, diag);
    if (status != GRADER_OK || result->compiled || result->was_stopped)
        return status;
    struct command plain;
    command_init(&plain, request, names, false);
    status = compile_run(request, plain.argv, folder, object, result, diag);
    command_finish(&plain);
    return status;
}

/* Compiles into a folder of its own and moves the result to its name. */
static enum grader_status build_fresh(const struct build_request *request,
                                      const struct command *lean, const struct compile_names *names,
                                      const char *messages_path, struct build_result *result,
                                      struct diag *diag) {
    char *folder = scratch_folder(request->scratch, "nvcc", diag);
    if (!folder)
        return GRADER_FAILED;
    char *temporary = text_format("%s/submission.so", folder);
    enum grader_status status =
        compile_either(request, lean, names, folder, temporary, result, diag);
    if (status == GRADER_OK && !is_unchanged(request, result)) {
        diag_set(diag, request->source, 0, "the file changed while it was compiled; try again");
        status = GRADER_BAD_INPUT;
    }
    if (status == GRADER_OK && result->compiled)
        status = keep(temporary, messages_path, result, diag);
    file_remove_tree(folder);
    free(temporary);
    free(folder);
    return status;
}

/* Compiles unless an object of the same key is there. */
static enum grader_status build_cached(const struct build_request *request, const char *cache,
                                       struct build_result *result, struct diag *diag) {
    char key[DIGEST_TEXT];
    struct command lean;
    struct compile_names names;
    compile_names(request, &names);
    command_init(&lean, request, &names, true);
    cache_key(request, &lean, &names, result, key);
    result->object = text_format("%s/%s.so", cache, key);
    char *messages_path = text_format("%s/%s.txt", cache, key), *messages = NULL;
    size_t n_messages;
    enum grader_status status = GRADER_OK;
    if (file_is_regular(result->object) &&
        file_read(messages_path, HEADER_BYTES, &messages, &n_messages, NULL) == GRADER_OK) {
        free(result->messages);
        result->messages = messages;
        result->compiled = result->from_cache = true;
    } else {
        status = build_fresh(request, &lean, &names, messages_path, result, diag);
    }
    char *shown = compile_shown(request, result->messages);
    free(result->messages);
    result->messages = shown;
    command_finish(&lean);
    compile_names_finish(&names);
    free(messages_path);
    return status;
}

enum grader_status build_run(const struct build_request *request, struct build_result *result,
                             struct diag *diag) {
    *result = (struct build_result){.messages = text_format("%s", "")};
    double start_ms = process_clock_ms();
    enum grader_status status =
        file_read_source(request->source, &result->bytes, &result->n_bytes, diag);
    if (status == GRADER_OK && request->is_foreign && file_is_link(request->source)) {
        diag_set(diag, request->source, 0, "this is a link; the file itself is needed");
        status = GRADER_BAD_INPUT;
    }
    if (status != GRADER_OK)
        return status;
    digest_of(result->bytes, result->n_bytes, result->sha256);
    if (!request->nvcc->path) {
        diag_set(diag, NULL, 0, "%s", nvcc_missing_text);
        return GRADER_FAILED;
    }
    char *cache = text_format("%s/cache", request->build);
    if (file_make_folders(cache)) {
        status = build_cached(request, cache, result, diag);
    } else {
        diag_set(diag, cache, 0, "the folder for compiled files cannot be made: %s",
                 strerror(errno));
        status = GRADER_FAILED;
    }
    free(cache);
    result->ms = process_clock_ms() - start_ms;
    return status;
}

void build_finish(struct build_result *result) {
    free(result->object);
    free(result->bytes);
    free(result->messages);
}
