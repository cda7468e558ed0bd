#include "grader/compile/sites.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/system/process.h"
#include "common/base/text.h"

enum { LIMIT_MS = 10000, N_OPTIONS = 4 };

static const char program[] = "/usr/bin/addr2line";
static const char inside[] = "/submission.so";

/* The line in "FOLDER/NAME.cu:41" or "…:41 (discriminator 2)", of this file; 0 where it is
 * another's. */
static unsigned line_in(const char *text, const char *source) {
    OWNED char *wanted = text_format("%s:", file_base(source));
    const size_t bytes = strlen(wanted);
    for (const char *at = text; (at = strstr(at, wanted)) != NULL; at += bytes)
        if (at == text || at[-1] == '/')
            return (unsigned)strtoul(at + bytes, NULL, 10);
    return 0;
}

/* What is read of addr2line's output: of each address a line with the address, then for each
 * function that it was inlined into, the innermost first, its name and its place. */
struct reading {
    size_t n;             /* addresses so far */
    const char *function; /* its name, whose place comes next; or NULL */
    const char *stub;     /* the kernel that the function before launches; or NULL */
};

/* A launch goes by two functions that nvcc has made of the kernel, which it says stand where the
 * kernel does: __device_stub_KERNEL, and one that has the kernel's name, mangled or not. */
static bool is_of_launch(struct reading *reading) {
    static const char prefix[] = "__device_stub_";
    const char *name = reading->function, *stub = strstr(name, prefix);
    if (stub)
        reading->stub = stub + sizeof prefix - 1;
    if (stub || !reading->stub)
        return stub != NULL;
    OWNED char *plain = text_format("%zu%.*s", strcspn(name, "<("), (int)strcspn(name, "<("), name);
    return strncmp(reading->stub, name, strlen(name)) == 0 || strstr(reading->stub, plain);
}

static void add_line(struct site *site, unsigned line) {
    if (line > 0 && site->n_lines < sizeof site->lines / sizeof *site->lines)
        site->lines[site->n_lines++] = line;
}

void sites_read(char *output, const char *source, size_t n, struct site *sites) {
    struct reading reading = {.n = 0};
    char *rest = NULL;
    for (char *line = strtok_r(output, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "0x", 2) == 0) {
            reading.n++;
            reading.function = NULL;
        } else if (!reading.function) {
            reading.function = line;
        } else {
            if (reading.n <= n && !is_of_launch(&reading))
                add_line(&sites[reading.n - 1], line_in(line, source));
            reading.function = NULL;
        }
    }
}

void sites_find(const struct sites_request *request, const uint64_t *addresses, size_t n,
                struct site *sites) {
    const bool is_sandboxed = request->sandbox->bwrap != NULL;
    const struct sandbox_file file = {request->object, inside, false};
    char *const none[] = {NULL};
    const struct sandbox sandbox = {.files = &file,
                                    .n_files = 1,
                                    .environment = none,
                                    .n_processes = 4,
                                    .n_open_files = 64,
                                    .memory_bytes = (uint64_t)1 << 30,
                                    .file_bytes = 1 << 20,
                                    .tmp_bytes = 1 << 20};
    memset(sites, 0, n * sizeof *sites);
    if (n == 0 || !file_exists(program))
        return;
    char **argv = make_zeroed(N_OPTIONS + n + 1, sizeof *argv);
    argv[0] = (char *)program;
    argv[1] = (char *)"-afie";
    argv[2] = is_sandboxed ? (char *)inside : (char *)request->object;
    for (size_t i = 0; i < n; i++)
        argv[3 + i] = text_format("0x%" PRIx64, addresses[i]);
    char **command = sandbox_command(request->sandbox, &sandbox, argv);
    struct process process = {
        .path = command ? command[0] : program,
        .argv = command,
        .envp = (char **)sandbox_environment(request->sandbox, &sandbox),
        .timeout_ms = LIMIT_MS,
        .interrupt_fd = request->interrupt_fd,
    };
    struct process_result run = {.output = NULL};
    if (command)
        process_run(&process, &run);
    if (command && run.how == PROCESS_ENDED && run.exit_status == 0)
        sites_read(run.output, request->source, n, sites);
    free(run.output);
    sandbox_command_free(command);
    for (size_t i = 0; i < n; i++)
        free(argv[3 + i]);
    free(argv);
}
