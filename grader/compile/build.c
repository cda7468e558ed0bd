/* Compiles submissions with nvcc, or finds them compiled. */
#include "grader/compile/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/system/file.h"
#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/compile/cache.h"
#include "grader/compile/compile.h"
#include "grader/machine/scratch.h"

enum { MAX_ARGUMENTS = 40 };

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

/* The compute capability that PTX is made for. Before 8.0 CUDA's headers make ordinary copies of
 * asynchronous ones: nobody would see whether they are waited for. The simulator's device follows
 * the PTX. */
static int least_arch(const struct build_result *result) {
    static const char *const copies[] = {"memcpy_async", "cp.async"};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        if (memmem(result->bytes, result->n_bytes, copies[i], strlen(copies[i])))
            return 80;
    return 75;
}

/* What each flag is for:
 * -shared, -fPIC         one object that any runtime library can be put under
 * -nodlink               no device code in several objects, that would have to be linked
 * -O1, -O3               of the host's code, which is timed on a GPU alone
 * -t 2                   host and device parts at the same time
 * -cudart shared         the runtime is NVIDIA's or the simulator's, chosen when it is loaded
 * -lineinfo, -g1         lines for the counters, names for a crash
 * --compress-mode=none   PTX as plain text
 * compute_75             PTX for the simulator and every GPU since Turing; see least_arch */
static void command_init(struct command *command, const struct build_request *request,
                         const struct compile_names *names, int arch, bool is_lean) {
    static const char *const fixed[] = {
        "-shared", "-nodlink", "-Xcompiler", "-fPIC,-g1",
        "-cudart", "shared",   "-lineinfo",  "--compress-mode=none",
    };
    memset(command, 0, sizeof *command);
    add(command, text_format("%s", request->nvcc->path));
    add(command, text_format("-std=%s", request->manifest->standard));
    add(command, text_format(request->major > 0 ? "-O3" : "-O1"));
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        add(command, text_format("%s", fixed[i]));
    add(command, text_format("-gencode"));
    add(command, text_format("arch=compute_%d,code=compute_%d", arch, arch));
    if (is_lean)
        add_lean(command);
    /* nvcc 13.0 loses its own files when it works in parallel below a name with a blank; and how
     * the programs that it runs end, which the plain way has to tell. */
    if (is_lean && (request->sandbox->bwrap || !strchr(request->scratch, ' '))) {
        add(command, text_format("-t"));
        add(command, text_format("2"));
    }
    if (request->major > 0) {
        int gpu = request->major * 10 + request->minor;
        add(command, text_format("-gencode"));
        add(command, text_format("arch=compute_%d,code=sm_%d", gpu, gpu));
    }
    add(command, text_format("-I"));
    add(command, text_format("%s", names->lab_folder));
    add(command, text_format("-I"));
    add(command, text_format("%s", names->root));
}

/* Everything that the shared object depends on; names too, because line numbers show them. */
static void cache_key(const struct build_request *request, const struct command *command,
                      const struct compile_names *names, const struct headers *headers,
                      const struct build_result *result, char key[DIGEST_TEXT]) {
    struct digest digest;
    digest_init(&digest);
    digest_add_text(&digest, request->nvcc->identity);
    for (size_t i = 0; i < command->n; i++)
        digest_add_text(&digest, command->argv[i]);
    char *real = realpath(request->source, NULL);
    digest_add_text(&digest, request->sandbox->bwrap || !real ? names->source : real);
    digest_add(&digest, result->bytes, result->n_bytes);
    headers_digest(headers, &digest);
    free(real);
    digest_finish(&digest, key);
}

/* True where the file still holds what was hashed: what is graded is what was named. */
static bool is_unchanged(const struct build_request *request, const struct build_result *result) {
    OWNED char *bytes = NULL;
    size_t n_bytes;
    return file_read_source(request->source, &bytes, &n_bytes, NULL) == GRADER_OK &&
           n_bytes == result->n_bytes && memcmp(bytes, result->bytes, n_bytes) == 0;
}

/* A submission on its way through nvcc. */
struct way {
    const struct build_request *request;
    struct compile_names names;
    struct headers headers;
    int arch;
    struct command lean;
    struct cache_entry entry;
};

/* Compiles with the options that save time; where nvcc refuses the source so, once more without. */
static enum grader_status compile_either(const struct way *way, const char *folder,
                                         const char *object, struct build_result *result,
                                         struct diag *diag) {
    const struct build_request *request = way->request;
    enum grader_status status =
        compile_run(request, &way->headers, way->lean.argv, folder, object, result, diag);
    if (status != GRADER_OK || result->compiled || result->was_stopped)
        return status;
    struct command plain;
    command_init(&plain, request, &way->names, way->arch, false);
    status = compile_run(request, &way->headers, plain.argv, folder, object, result, diag);
    command_finish(&plain);
    return status;
}

/* A bound for what one submission may leave in the cache. */
static void refuse_large(const struct way *way, const char *object, struct build_result *result) {
    struct stat status;
    double mb = stat(object, &status) == 0 ? (double)status.st_size / (1 << 20) : 0;
    if (mb <= CACHE_OBJECT_MB)
        return;
    result->compiled = false;
    snprintf(result->reason, sizeof result->reason,
             "What nvcc made of the file has %.0f MiB; at most %d are kept. Arrays with initial "
             "values, and code that is unrolled, take that much.",
             mb, CACHE_OBJECT_MB);
    text_add(&result->messages, "%s: %s\n", way->names.source, result->reason);
}

/* Compiles into a folder of its own and keeps a copy. */
static enum grader_status build_fresh(const struct way *way, struct build_result *result,
                                      struct diag *diag) {
    char *folder = scratch_folder(way->request->scratch, "nvcc", diag);
    if (!folder)
        return GRADER_FAILED;
    char *object = text_format("%s/submission.so", folder);
    enum grader_status status = compile_either(way, folder, object, result, diag);
    if (status == GRADER_OK && !is_unchanged(way->request, result)) {
        diag_set(diag, way->request->source, 0,
                 "the file changed while it was compiled; try again");
        status = GRADER_BAD_INPUT;
    }
    if (status == GRADER_OK && result->compiled)
        refuse_large(way, object, result);
    if (status == GRADER_OK && result->compiled)
        status = cache_keep(&way->entry, object, result->messages, diag);
    file_remove_tree(folder);
    free(object);
    free(folder);
    return status;
}

/* nvcc sees headers beside the file only where the file is the workbook's or the user's own, not
 * where it may be a stranger's. */
static void way_init(struct way *way, const struct build_request *request,
                     const struct build_result *result) {
    *way = (struct way){.request = request, .arch = least_arch(result)};
    compile_names(request, &way->names);
    command_init(&way->lean, request, &way->names, way->arch, true);
    headers_init(&way->headers, request->root, request->lab_folder);
    OWNED char *beside = request->is_foreign ? NULL : realpath(request->source, NULL);
    if (beside) {
        *strrchr(beside, '/') = '\0';
        if (strcmp(beside, request->lab_folder) != 0)
            headers_add(&way->headers, *beside ? beside : "/", "/submission");
    }
}

static void way_finish(struct way *way) {
    cache_entry_finish(&way->entry);
    headers_finish(&way->headers);
    command_finish(&way->lean);
    compile_names_finish(&way->names);
}

/* Compiles unless an object of the same key is there. */
static enum grader_status build_cached(const struct build_request *request,
                                       struct build_result *result, struct diag *diag) {
    char key[DIGEST_TEXT], *messages;
    struct way way;
    way_init(&way, request, result);
    cache_key(request, &way.lean, &way.names, &way.headers, result, key);
    enum grader_status status = cache_entry_init(&way.entry, request->build, key, diag);
    if (status == GRADER_OK && cache_find(&way.entry, &messages)) {
        free(result->messages);
        result->messages = messages;
        result->compiled = result->from_cache = true;
    } else if (status == GRADER_OK) {
        status = build_fresh(&way, result, diag);
    }
    char *shown = compile_shown(request, result->messages);
    free(result->messages);
    result->messages = shown;
    result->object = text_format("%s", way.entry.object);
    way_finish(&way);
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
    status = build_cached(request, result, diag);
    result->ms = process_clock_ms() - start_ms;
    return status;
}

void build_finish(struct build_result *result) {
    free(result->object);
    free(result->bytes);
    free(result->messages);
}
