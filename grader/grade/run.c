/* Runs a lab's Criterion program with the environment that its tests read. */
#include "grader/grade/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"

enum { MAX_VARIABLES = 32, START_MS = 60000, CALLS_OF_A_TEST = 8 };

/* "NAME=value" strings, owned. */
struct variables {
    char *list[MAX_VARIABLES]; /* NULL after the last */
    size_t n;
};

/* Times the clock's limit: under a sanitizer the simulator takes several times as long. */
static unsigned patience_of(const struct run_request *request) {
#ifdef __SANITIZE_ADDRESS__
    enum { USUAL = 8 };
#else
    enum { USUAL = 1 };
#endif
    return request->patience * USUAL;
}

static void set(struct variables *variables, const char *name, const char *value) {
    if (value)
        variables->list[variables->n++] = text_format("WARPBOOK_%s=%s", name, value);
}

static void variables_init(struct variables *variables, const struct run_request *request) {
    /* What tests have in place of the kernel's files (common/base/system/memory.h). */
    static const char *const machine[] = {"VMSTAT", "MEMINFO", "CGROUP", "CGROUPS"};
    const struct device *device = request->device;
    char seed[17], timeout[16], patience[16], turn[16];
    snprintf(seed, sizeof seed, "%016" PRIx64, request->seed);
    snprintf(timeout, sizeof timeout, "%u", request->timeout_ms);
    snprintf(patience, sizeof patience, "%u", patience_of(request));
    snprintf(turn, sizeof turn, "%d", PROCESS_LINE);
    *variables = (struct variables){0};
    set(variables, "RESULTS", request->results);
    set(variables, "BACKEND", device->is_gpu ? "gpu" : "sim");
    set(variables, "WORKER", device->worker);
    set(variables, "CONFINE", request->sandbox->confine);
    set(variables, "BWRAP", request->sandbox->bwrap);
    set(variables, "AS_USER", request->sandbox->as_user ? "1" : NULL);
    set(variables, "HIDDEN", request->sandbox->hidden[0]);
    set(variables, "HIDDEN_BUILD", request->sandbox->hidden[1]);
    set(variables, "SIMULATOR", device->simulator);
    set(variables, "CUDART_SIM", device->cudart_sim);
    set(variables, "CUDART_GPU", device->is_gpu ? device->cudart_gpu : NULL);
    set(variables, "SUBMISSION", request->submission);
    set(variables, "SOURCE", request->source);
    set(variables, "SEED", seed);
    set(variables, "CASE", request->case_text);
    set(variables, "TIMEOUT_MS", timeout);
    set(variables, "PATIENCE", patience);
    set(variables, "EXPERIMENTS", request->experiments ? "1" : NULL);
    set(variables, "FIRST_TRY", request->is_first_try ? "1" : NULL);
    set(variables, "TURN", request->line ? turn : NULL);
    OWNED char *yardsticks =
        request->gpu ? text_format("%s/copies.%s", request->scratch, request->gpu) : NULL;
    set(variables, "YARDSTICKS", yardsticks);
    for (size_t i = 0; i < sizeof machine / sizeof *machine; i++) {
        OWNED char *name = text_format("WARPBOOK_%s", machine[i]);
        set(variables, machine[i], getenv(name));
    }
    /* Other files are graded at the same time on the other processors, so each launch gets one
     * thread: sharing a launch out costs a tenth more. */
    if (request->jobs == 1)
        variables->list[variables->n++] = text_format("SIMT_THREADS=1");
}

static enum grader_status explain(const struct run_request *request,
                                  const struct process_result *run, struct diag *diag) {
    switch (run->how) {
    case PROCESS_ENDED:
        return GRADER_OK;
    case PROCESS_INTERRUPTED:
        return GRADER_INTERRUPTED;
    case PROCESS_TIMED_OUT:
        diag_set(diag, NULL, 0, "The tests were stopped after %.0f seconds.", run->ms / 1e3);
        return GRADER_FAILED;
    default:
        diag_set(diag, request->tests, 0, "the test program cannot be started: %s",
                 strerror(run->error));
        return GRADER_FAILED;
    }
}

/* Lets the program see this GPU alone. CUDA_VISIBLE_DEVICES may be in the environment already, and
 * of two entries the first would count, so the old one is replaced. */
static void set_gpu(char **environment, char *gpu) {
    static const char name[] = "CUDA_VISIBLE_DEVICES=";
    while (*environment && strncmp(*environment, name, sizeof name - 1) != 0)
        environment++;
    *environment = gpu;
}

enum grader_status run_tests(const struct run_request *request, struct diag *diag) {
    struct variables variables;
    variables_init(&variables, request);
    /* A place more, for a variable that was not there. */
    char **environment = process_environment("WARPBOOK_", variables.list, variables.n + 1);
    OWNED char *gpu = request->gpu ? text_format("CUDA_VISIBLE_DEVICES=%s", request->gpu) : NULL;
    if (gpu)
        set_gpu(environment, gpu);
    OWNED char *jobs = text_format("-j%d", request->jobs);
    OWNED char *filter = request->filter ? text_format("--filter=%s", request->filter) : NULL;
    char *argv[] = {(char *)request->tests, "--quiet", jobs, filter, NULL};
    unsigned call_ms = request->timeout_ms * patience_of(request);
    struct process process = {
        .path = request->tests,
        .argv = argv,
        .envp = environment,
        .output_path = request->log,
        .timeout_ms = START_MS + (int)(request->n_tests * call_ms * CALLS_OF_A_TEST),
        .interrupt_fd = request->interrupt_fd,
        .line = request->line,
    };
    struct process_result run;
    process_run(&process, &run);
    enum grader_status status = explain(request, &run, diag);
    free(run.output);
    free(environment);
    for (size_t i = 0; i < variables.n; i++)
        free(variables.list[i]);
    return status;
}
