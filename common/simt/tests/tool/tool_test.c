/*
 * Programs on the simulator from outside: exit statuses, and what the summary says of them.
 */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/simt/tool/tool.h"

struct ran {
    int status;
    char *said;
};

static char scratch[] = "/tmp/tool-test-XXXXXX";

static struct ran run_with(struct tool_options *options) {
    struct ran ran;
    size_t bytes;
    FILE *out = open_memstream(&ran.said, &bytes);
    cr_assert(strstr(scratch, "XXXXXX") == NULL || mkdtemp(scratch) != NULL);
    options->dropin = DROPIN;
    options->scratch = scratch;
    ran.status = tool_run(options, out);
    fclose(out);
    return ran;
}

static struct ran run(const char *program, const char *first, const char *second) {
    char *arguments[] = {(char *)first, (char *)second, NULL};
    struct tool_options options = {.program = program, .arguments = arguments};
    return run_with(&options);
}

static void clean(void) {
    char command[100];
    snprintf(command, sizeof(command), "rm -rf %s", scratch);
    cr_expect_eq(system(command), 0);
}

static void expect_said(const struct ran *ran, const char *part) {
    cr_expect_not_null(strstr(ran->said, part), "\"%s\" lacks \"%s\"", ran->said, part);
}

TestSuite(tool, .fini = clean);

Test(tool, passes_the_exit_status_on) {
    cr_expect_eq(run(SHARED, "return", "0").status, 0);
    cr_expect_eq(run(SHARED, "return", "77").status, 77);
    cr_expect_eq(run(SHARED, "exit", NULL).status, 9);
}

Test(tool, counts_all_launches_of_a_kernel) {
    struct ran ran = run(SHARED, "exit", NULL);
    expect_said(&ran, "twice_kernel: 300 launches\n");
    expect_said(&ran, "global loads                       600");
    expect_said(&ran, "Never freed: 256 bytes in 1 allocation\n");
}

Test(tool, says_nothing_of_mistakes_where_there_are_none) {
    struct ran ran = run(SHARED, "return", "0");
    cr_expect_null(strstr(ran.said, "Findings"), "%s", ran.said);
    cr_expect_null(strstr(ran.said, "Never freed"));
    cr_expect_null(strstr(ran.said, "error"));
}

Test(tool, says_which_option_lets_a_launch_go_on) {
    char *arguments[] = {(char *)"endless", NULL};
    struct tool_options options = {.program = SHARED, .arguments = arguments, .budget = "500000"};
    struct ran ran = run_with(&options);
    expect_said(&ran, "endless_kernel: 1 launch, 1 failed");
    expect_said(&ran, "did not end within ");
    expect_said(&ran, "tool_test.cu:47");
    expect_said(&ran, "--budget gives it more");
}

Test(tool, reports_programs_that_abort) {
    struct ran ran = run(SHARED, "abort", NULL);
    cr_expect_eq(ran.status, TOOL_SIGNAL + 6);
    expect_said(&ran, "twice_kernel: 300 launches\n");
}

Test(tool, stops_a_kernel_of_another_thread_when_the_program_ends) {
    char *arguments[] = {(char *)"leave", NULL};
    struct tool_options options = {.program = SHARED, .arguments = arguments, .budget = "0"};
    struct ran ran = run_with(&options);
    cr_expect_eq(ran.status, 6);
    expect_said(&ran, "go_on_kernel: 1 launch, 1 failed");
    expect_said(&ran, "tool_test.cu:54: late in go_on_kernel");
    expect_said(&ran, "The program ended before the kernel did: Thread 0 of block 0 goes round");
}

Test(tool, names_findings_with_their_lines) {
    struct ran ran = run(SHARED, "hasty", NULL);
    expect_said(&ran, "tool_test.cu:16: shared_race in hasty_kernel");
}

Test(tool, tells_of_kernels_that_died) {
    struct ran ran = run(SHARED, "fault", NULL);
    expect_said(&ran, "tool_test.cu:10: out_of_bounds in twice_kernel");
    expect_said(&ran, "301 launches, 1 failed");
    expect_said(&ran, "cudaErrorIllegalAddress");
    cr_expect_null(strstr(ran.said, "Last said"), "a finding says it: %s", ran.said);
}

Test(tool, tells_of_errors_that_nobody_asked_for) {
    struct ran ran = run(SHARED, "refused", NULL);
    expect_said(&ran, "never asked for: cudaErrorInvalidValue");
    expect_said(&ran, "Last said by the simulator: Too many threads in a block: 1025");
}

Test(tool, tells_of_a_host_that_follows_a_pointer_of_the_device) {
    struct ran ran = run(SHARED, "follow", NULL);
    cr_expect_eq(ran.status, TOOL_SIGNAL + 11);
    expect_said(&ran, "The host's own code touched device memory, byte 4 of 256 allocated bytes");
    expect_said(&ran, "cudaMemcpy");
}

Test(tool, tells_of_a_kernel_that_follows_a_pointer_of_the_host) {
    struct ran ran = run(SHARED, "stray", NULL);
    expect_said(&ran, "reads memory of the host, which a kernel can't reach");
    expect_said(&ran, "Pass the kernel a pointer of cudaMalloc");
}

Test(tool, goes_on_after_an_allocation_that_is_too_large) {
    struct ran ran = run(SHARED, "ask", "4");
    cr_expect_eq(ran.status, 4);
    expect_said(&ran,
                "said by the simulator: 1125899906842624 bytes of device memory can't be had");
}

Test(tool, goes_on_after_a_kernel_that_uses_up_the_memory) {
    setenv("SIMT_HOST_MIB", "64", 1);
    struct ran ran = run(SHARED, "touch", "4");
    cr_expect_eq(ran.status, 4);
    expect_said(&ran, "touch_kernel: 1 launch, 1 failed");
    expect_said(&ran, "tool_test.cu:42: The kernel touches more memory than this computer has");
    cr_expect_null(strstr(ran.said, "never asked for"), "%s", ran.said);
    unsetenv("SIMT_HOST_MIB");
}

Test(tool, says_where_there_is_no_report) {
    struct ran ran = run(SHARED, "nothing", NULL);
    cr_expect_eq(ran.status, 5);
    expect_said(&ran, "left no report");
}

Test(tool, says_how_to_link_what_is_linked_statically) {
    cr_expect_eq(tool_inspect(SHARED).linkage, TOOL_SHARED);
    cr_expect_eq(tool_inspect(STATIC).linkage, TOOL_STATIC);
    cr_expect_eq(tool_inspect("/bin/sh").linkage, TOOL_SHARED, "nothing to do with CUDA");
    struct ran ran = run(STATIC, NULL, NULL);
    cr_expect_eq(ran.status, TOOL_BAD_INPUT);
    expect_said(&ran, "-cudart shared");
}

Test(tool, names_libraries_of_nvidia_that_it_does_not_have) {
#ifndef LIBRARIES
    cr_skip_test("the CUDA toolkit here lacks one of cuBLAS, cuFFT, cuRAND, cuSOLVER, cuSPARSE");
#else
    cr_expect_str_empty(tool_inspect(SHARED).libraries);
    struct ran ran = run(LIBRARIES, NULL, NULL);
    static const char *const names[] = {"cuBLAS", "cuFFT", "cuRAND", "cuSOLVER", "cuSPARSE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_said(&ran, names[i]);
    expect_said(&ran, "which the simulator does not have");
#endif
}

Test(tool, names_libraries_of_nvidia_that_are_linked_statically) {
    struct ran ran = run(BLAS_WITHIN, NULL, NULL);
    cr_expect_eq(ran.status, 3);
    expect_said(&ran, "is linked with NVIDIA's cuBLAS, which the simulator does not have");
}

Test(tool, refuses_what_is_not_there) {
    struct ran ran = run("/nowhere/program", NULL, NULL);
    cr_expect_eq(ran.status, TOOL_BAD_INPUT);
    expect_said(&ran, "there is no file /nowhere/program");
    ran = run("/nowhere/x.cu", NULL, NULL);
    cr_expect_eq(ran.status, TOOL_BAD_INPUT);
}

#ifndef __SANITIZE_ADDRESS__ /* whose library nvcc can't bear before its own */
Test(tool, compiles_sources) {
    char *arguments[] = {(char *)"return", (char *)"3", NULL}, path[100];
    struct tool_options options = {
        .program = SOURCE, .arguments = arguments, .nvcc = NVCC, .device = "t4", .seed = "5"};
    cr_assert(mkdtemp(scratch) != NULL);
    snprintf(path, sizeof(path), "%s/copy.json", scratch);
    options.json = path;
    struct ran ran = run_with(&options);
    cr_expect_eq(ran.status, 3);
    expect_said(&ran, "On Tesla T4");
    expect_said(&ran, "seed 5");
    json_t *report = json_load_file(path, 0, NULL);
    cr_assert_not_null(report);
    cr_expect_eq(json_array_size(json_object_get(report, "kernels")), 1);
}
#endif

/* Runs a program in other orders as well, its standard output aside. */
static struct ran explore(const char *first, const char *seed, const char *json) {
    char *arguments[] = {(char *)first, NULL};
    struct tool_options options = {
        .program = SHARED, .arguments = arguments, .seed = seed, .json = json, .n_schedules = 6};
    cr_redirect_stdout();
    return run_with(&options);
}

/* The seed in "--seed N" of the command that shows it again. */
static const char *seed_to_repeat(const struct ran *ran) {
    char *seed = strstr(ran->said, "--seed ");
    cr_assert_not_null(seed, "%s", ran->said);
    return strtok(strdup(seed + strlen("--seed ")), " ");
}

Test(schedules, reports_who_comes_last, .fini = clean) {
    struct ran ran = explore("last", NULL, NULL);
    cr_expect_eq(ran.status, TOOL_DIFFERS);
    expect_said(&ran, "Results depend on the order");
    expect_said(&ran, "other contents: allocation 1 (256 bytes)\n");
    expect_said(&ran, SHARED " last\n");
}

Test(schedules, reports_sums_without_atomics_and_repeats_them, .fini = clean) {
    struct ran ran = explore("forget", NULL, NULL);
    expect_said(&ran, "line 1 of its output is \"sum ");
    char *wrong = strtok(strdup(strstr(ran.said, "output is \"") + strlen("output is \"")), "\"");
    char *arguments[] = {(char *)"forget", NULL};
    struct tool_options options = {
        .program = SHARED, .arguments = arguments, .seed = seed_to_repeat(&ran)};
    run_with(&options);
    fflush(stdout);
    char said[2000] = "";
    FILE *output = cr_get_redirected_stdout();
    said[fread(said, 1, sizeof(said) - 1, output)] = '\0';
    cr_expect_not_null(strstr(said, wrong), "\"%s\" lacks \"%s\"", said, wrong);
}

Test(schedules, reports_nothing_of_atomic_sums, .fini = clean) {
    struct ran ran = explore("add", NULL, NULL);
    cr_expect_eq(ran.status, 0, "%s", ran.said);
    expect_said(&ran, "In 6 other orders: the same results.\n");
}

Test(schedules, leaves_the_order_of_lines_and_times_of_day_alone, .fini = clean) {
    struct ran ran = explore("greet", "100", NULL);
    cr_expect_eq(ran.status, 0, "%s", ran.said);
    expect_said(&ran, "the same results");
}

Test(schedules, tells_them_in_json, .fini = clean) {
    char path[] = "/tmp/tool-test-schedules-XXXXXX";
    close(mkstemp(path));
    explore("last", "100", path);
    json_t *report = json_load_file(path, 0, NULL);
    const json_t *schedules = json_object_get(report, "schedules");
    cr_expect_eq(json_integer_value(json_object_get(schedules, "orders")), 6);
    const json_t *first = json_array_get(json_object_get(schedules, "differing"), 0);
    cr_expect_geq(json_integer_value(json_object_get(first, "seed")), 100);
    cr_expect_gt(json_array_size(json_object_get(first, "differences")), 0);
    unlink(path);
}
