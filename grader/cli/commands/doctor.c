/* `doctor`: what is installed, which GPU there is, what is missing and how to get it. */
#include "grader/cli/commands.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/config.h"
#include "grader/grade/record.h"
#include "grader/session/session.h"
#include "grader/machine/device.h"

/* How much is lost without something. */
enum need { NEED_GRADING, NEED_GPU, NEED_TESTS, NEED_SANDBOX };

enum { ASK_MS = 10000 };

static const char setup_text[] = "Run ./warpbook without --no-install: it gets what is missing.";

/* A list of items: {part, name, ok, needed_for, value, remedy}. */
static void add(json_t *items, const char *part, const char *name, enum need need,
                const char *value, const char *remedy) {
    static const char *const needs[] = {"grading", "a GPU", "the workbook's own tests",
                                        "files of others"};
    bool ok = value && *value;
    json_array_append_new(items, json_pack("{s:s, s:s, s:b, s:s, s:s, s:s*}", "part", part, "name",
                                           name, "ok", ok, "needed_for", needs[need], "value",
                                           ok ? value : "missing", "remedy", ok ? NULL : remedy));
}

/* The first line with a digit that `program --version` prints, from its first digit on; NULL where
 * the program is not there. */
static char *ask_version(const char *program, const char *option) {
    OWNED char *path = program[0] == '/' ? text_format("%s", program) : file_in_path(program);
    char *version = NULL;
    if (!path)
        return NULL;
    char *const argv[] = {path, (char *)option, NULL};
    struct process process = {.path = path, .argv = argv, .timeout_ms = ASK_MS, .interrupt_fd = -1};
    struct process_result result;
    process_run(&process, &result);
    const char *release = strstr(result.output, "release ");
    const char *start = strpbrk(release ? release : result.output, "0123456789");
    if (result.how == PROCESS_ENDED && result.exit_status == 0 && start)
        version = text_format("%.*s", (int)strcspn(start, " ,)\n"), start);
    free(result.output);
    return version;
}

static void add_program(json_t *items, const char *part, const char *program, enum need need,
                        const char *remedy) {
    char *version = ask_version(program, "--version");
    add(items, part, program, need, version, remedy);
    free(version);
}

static void compilers(json_t *items, const struct nvcc *nvcc) {
    OWNED char *version = nvcc->path ? ask_version(nvcc->path, "--version") : NULL;
    OWNED char *value = version ? text_format("%s, %s", version, nvcc->path) : NULL;
    add(items, "compilers", "nvcc", NEED_GRADING, value, nvcc_missing_text);
    add_program(items, "compilers", "cc", NEED_GRADING, setup_text);
    add_program(items, "compilers", "g++", NEED_GRADING,
                "nvcc compiles the host part of a .cu with it. Install the package g++.");
}

static void builders(json_t *items) {
    static const char *const libraries[] = {"criterion", "jansson", "libcyaml", "libffi",
                                            "nettle",    "libzstd", "liblz4",   "libseccomp"};
    add_program(items, "build", "meson", NEED_GRADING, setup_text);
    add_program(items, "build", "ninja", NEED_GRADING, setup_text);
    OWNED char *pkg_config = file_in_path("pkg-config");
    for (size_t i = 0; pkg_config && i < sizeof libraries / sizeof *libraries; i++) {
        char *const argv[] = {pkg_config, (char *)"--modversion", (char *)libraries[i], NULL};
        struct process process = {
            .path = pkg_config, .argv = argv, .timeout_ms = ASK_MS, .interrupt_fd = -1};
        struct process_result result;
        process_run(&process, &result);
        result.output[strcspn(result.output, "\n")] = '\0';
        add(items, "build", libraries[i], NEED_GRADING,
            result.exit_status == 0 ? result.output : NULL, setup_text);
        free(result.output);
    }
    add_program(items, "build", "clang-format-14", NEED_TESTS, "./warpbook test installs it.");
    add_program(items, "build", "shellcheck", NEED_TESTS, "./warpbook test installs it.");
}

/* A file of the build folder, shown relative to where we are. */
static void add_built(json_t *items, const char *name, const char *path) {
    OWNED char *shown = file_display(path);
    add(items, "workbook", name, NEED_GRADING, file_is_regular(path) ? shown : NULL,
        "It is not built. Run ./warpbook list, which builds what has changed.");
}

static void workbook_parts(json_t *items, const struct session *session) {
    const struct workbook *book = &session->book;
    OWNED char *root = file_display(book->root), *build = file_display(book->build);
    add(items, "workbook", "warpbook", NEED_GRADING, CONFIG_VERSION, "");
    add(items, "workbook", "folder", NEED_GRADING, root, "");
    add(items, "workbook", "build folder", NEED_GRADING,
        access(book->build, W_OK) == 0 ? build : NULL,
        "It is not there or may not be written. WARPBOOK_BUILD names another one.");
    add_built(items, "worker", session->device.worker);
    add_built(items, "simulator", session->device.simulator);
    add_built(items, "simulator's runtime", session->device.cudart_sim);
    for (size_t i = 0; i < book->n_labs; i++) {
        OWNED char *tests = workbook_tests(book, &book->labs[i]);
        OWNED char *name = text_format("tests of %.2s", book->labs[i].name);
        add_built(items, name, tests);
    }
}

/* Where the files of others are compiled and run. */
static void sandbox(json_t *items, const struct sandboxing *sandboxing) {
    OWNED char *version = ask_version("bwrap", "--version");
    OWNED char *value =
        version && !sandboxing->problem ? text_format("%s, works here", version) : NULL;
    OWNED char *remedy =
        text_format("%s. %s", sandboxing->problem ? sandboxing->problem : "It did not start",
                    sandboxing_remedy_text);
    add(items, "sandbox", "bubblewrap", NEED_SANDBOX, value, remedy);
    add(items, "sandbox", "limits", NEED_SANDBOX,
        "memory, files, threads (rlimits); calls of the system (seccomp)", "");
}

static void gpus(json_t *items, const struct session *session) {
    struct driver driver;
    driver_ask(&driver);
    OWNED char *version = driver.version > 0 ? text_format("for CUDA %d.%d", driver.version / 1000,
                                                           driver.version % 1000 / 10)
                                             : NULL;
    add(items, "GPU", "driver", NEED_GPU, version,
        "Without it the simulator answers. For a GPU, install NVIDIA's driver, version 580 or "
        "later.");
    for (int i = 0; i < driver.n_gpus; i++) {
        const struct driver_gpu *gpu = &driver.gpus[i];
        OWNED char *name = text_format("device %d", i);
        OWNED char *value = text_format("%s, compute capability %d.%d, %.0f GiB", gpu->name,
                                        gpu->major, gpu->minor, (double)gpu->bytes / (1 << 30));
        add(items, "GPU", name, NEED_GPU, value, "");
    }
    if (driver.version > 0 && driver.n_gpus == 0)
        add(items, "GPU", "device", NEED_GPU, NULL, driver.problem);
    const char *cudart = session->nvcc.cudart_path;
    add(items, "GPU", "libcudart.so.13", NEED_GPU, cudart,
        "NVIDIA's runtime library is not beside nvcc. It is part of the CUDA Toolkit 13.");
}

static void show(const struct page *page, const json_t *items, const struct device *device) {
    const char *part = "";
    size_t index;
    json_t *item;
    json_array_foreach(items, index, item) {
        bool ok = json_is_true(json_object_get(item, "ok"));
        bool is_needed = strcmp(record_text(item, "needed_for"), "grading") == 0;
        enum page_style style = ok ? PAGE_GOOD : is_needed ? PAGE_BAD : PAGE_WAITING;
        if (strcmp(part, record_text(item, "part")) != 0) {
            part = record_text(item, "part");
            page_text(page, 0, PAGE_STRONG, "%s", part);
        }
        OWNED char *label = text_format("%-17s", record_text(item, "name"));
        struct page_span spans[] = {
            {style, ok          ? "✓ "
                    : is_needed ? "✗ "
                                : "○ "},
            {PAGE_FAINT, label},
            {PAGE_PLAIN, " "},
            {ok ? PAGE_PLAIN : style, record_text(item, "value")},
        };
        page_spans(page, 2, 22, spans, sizeof spans / sizeof *spans);
        if (!ok)
            page_text(page, 22, PAGE_PLAIN, "%s", record_text(item, "remedy"));
    }
    page_blank(page);
    if (device->is_gpu)
        page_text(page, 0, PAGE_PLAIN, "Labs run on the GPU: %s.", device->gpu.name);
    else
        page_text(page, 0, PAGE_PLAIN, "Labs run on the simulator: %s.", device->reason);
}

static int report(const struct session *session) {
    const struct options *options = session->options;
    json_auto_t *items = json_array();
    json_t *item;
    size_t index;
    int code = GRADER_OK;
    workbook_parts(items, session);
    compilers(items, &session->nvcc);
    builders(items);
    sandbox(items, &session->sandboxing);
    gpus(items, session);
    json_array_foreach(items, index, item) {
        if (!json_is_true(json_object_get(item, "ok")) &&
            strcmp(record_text(item, "needed_for"), "grading") == 0)
            code = GRADER_FAILED;
    }
    if (options->is_json) {
        record_print(json_pack("{s:s, s:i, s:b, s:s, s:s, s:O}", "schema", "warpbook-doctor",
                               "version", 1, "ok", code == GRADER_OK, "backend",
                               session->device.is_gpu ? "gpu" : "sim", "reason",
                               session->device.reason, "items", items));
    } else {
        struct page page;
        page_init(&page, stdout, options->colour);
        show(&page, items, &session->device);
    }
    return code;
}

int command_doctor(const struct options *options) {
    OWNED_BY(session_finish) struct session session;
    struct diag diag;
    enum grader_status status = session_init(&session, options, &diag);
    return status == GRADER_OK ? report(&session) : session_fail(status, &diag);
}
