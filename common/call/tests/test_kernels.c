/*
 * The call with real kernels and a real runtime: the simulator's drop-in, or NVIDIA's on a GPU, as
 * CALL_TEST_BACKEND says. Both get the same shared object.
 */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/call/tests/support.h"

static bool is_on_gpu(void) {
    const char *backend = getenv("CALL_TEST_BACKEND");

    return backend && strcmp(backend, "gpu") == 0;
}

/* On a GPU the runtime is the toolkit's, wherever that lies. */
static struct call_worker *open_worker(int timeout_ms, uint64_t budget) {
    static const char *const places[] = {"lib64", "lib", "targets/x86_64-linux/lib"};
    const char *home = getenv("CUDA_HOME");
    char path[4096] = "libcudart.so.13";
    struct call_settings settings = support_settings(is_on_gpu() ? CALL_GPU : CALL_SIM);

    for (size_t i = 0; i < sizeof places / sizeof *places && access(path, R_OK) != 0; i++)
        snprintf(path, sizeof path, "%s/%s/libcudart.so.13", home ? home : "/usr/local/cuda",
                 places[i]);
    if (strcmp(settings.cudart, "toolkit") == 0)
        settings.cudart = access(path, R_OK) == 0 ? path : "libcudart.so.13";
    settings.timeout_ms = timeout_ms;
    settings.budget = budget;
    struct call_worker *worker = call_open(&settings);
    cr_assert_not_null(worker);
    return worker;
}

/* Launches in the simulator's report; -1 where there is none. */
static int count_launches(struct call_worker *worker) {
    const char *text = call_report(worker, &last);
    json_t *report = text ? json_loads(text, 0, NULL) : NULL;
    int n = report ? (int)json_array_size(json_object_get(report, "launches")) : -1;

    json_decref(report);
    return n;
}

/* Of the last call. */
static void expect(enum call_outcome outcome, const char *words) {
    cr_expect_eq(last.outcome, outcome, "%s, not %s: %s (output: %s)",
                 call_outcome_word(last.outcome), call_outcome_word(outcome), last.message,
                 last.output);
    cr_expect(strstr(last.message, words), "\"%s\" says nothing of \"%s\"", last.message, words);
}

static void add_one(const char *function, bool is_timed, size_t n) {
    struct call_worker *worker = open_worker(60000, 0);
    int *in = malloc((n + 1) * sizeof *in), *out = malloc((n + 1) * sizeof *out);

    for (int call = 0; call < 2; call++) {
        struct call_arg args[] = {support_buffer(CALL_ARG_IN, "in", in, n, sizeof *in),
                                  support_size(n),
                                  support_buffer(CALL_ARG_OUT, "out", out, n, sizeof *out)};
        for (size_t i = 0; i < n; i++)
            in[i] = (int)i * 7 + call;
        if (is_timed)
            call_run_timed(worker, function, args, 3, support_anew());
        else
            call_run(worker, function, args, 3, support_anew());
        expect(CALL_OK, "");
        cr_expect_eq(last.damage.kind, CALL_INTACT);
        cr_expect_eq(last.untouched, 0);
        /* Each call has a report of its own. */
        int n_launches = strcmp(function, "add_one") == 0 ? 1 : 100;
        int counted = count_launches(worker);
        cr_expect_eq(counted, is_on_gpu() ? -1 : n_launches, "%d launches", counted);
        cr_expect(!is_timed || (last.event_ms > 0 && last.event_ms <= last.wall_ms), "%g ms of %g",
                  last.event_ms, last.wall_ms);
        for (size_t i = 0; i < n; i++)
            cr_assert_eq(out[i], in[i] + 1, "%s: element %zu is %d", function, i, out[i]);
    }
    free(in);
    free(out);
    call_close(worker);
}

Test(kernels, are_known_by_what_they_have_stored) {
    enum { N = 300 };
    struct call_worker *worker = open_worker(60000, 0);
    int in[N] = {0}, out[N + 1];
    struct call_arg args[] = {support_buffer(CALL_ARG_IN, "in", in, N, sizeof *in), support_size(N),
                              support_buffer(CALL_ARG_OUT, "out", out, N + 1, sizeof *out)};

    call_run(worker, "add_one", args, 3, support_anew());
    expect(CALL_OK, "");
    struct call_writer writer = call_last_writer(worker, 2, 260 * sizeof *out);
    if (is_on_gpu()) {
        cr_expect_eq(writer.kind, CALL_WRITER_UNKNOWN);
    } else {
        cr_expect_eq(writer.kind, CALL_WRITER_KERNEL);
        cr_expect_str_eq(writer.who, "thread 4 of block 1");
        cr_expect_eq(strncmp(writer.kernel, "add_one_kernel", 14), 0, "%s", writer.kernel);
        cr_expect_eq(writer.line, 14);
        writer = call_last_writer(worker, 2, N * sizeof *out);
        cr_expect_eq(writer.kind, CALL_WRITER_NOBODY);
        writer = call_last_writer(worker, 0, 0);
        cr_expect_eq(writer.kind, CALL_WRITER_UNKNOWN);
        writer = call_last_writer(worker, 1, 0);
        cr_expect_eq(writer.kind, CALL_WRITER_UNKNOWN);
    }
    call_close(worker);
}

/* Two copies to a host output; the second ends it. */
Test(kernels, are_followed_by_copies_that_are_known) {
    struct call_worker *worker = open_worker(60000, 0);
    int in[8] = {0}, out[8] = {0};
    struct call_arg args[] = {support_buffer(CALL_ARG_IN, "in", in, 8, sizeof *in),
                              support_buffer(CALL_ARG_HOST_OUT, "out", out, 8, sizeof *out)};

    for (int call = 0; call < 2; call++) {
        call_run(worker, "copy_halves", args, 2, support_anew());
        expect(CALL_OK, "");
        cr_assert_eq(last.n_arrivals, is_on_gpu() ? 0 : 2);
        for (unsigned i = 0; i < last.n_arrivals; i++) {
            cr_expect_eq(last.arrivals[i].arg, 1);
            cr_expect_eq(last.arrivals[i].at, 16 * i);
            cr_expect_eq(last.arrivals[i].bytes, 16);
            cr_expect_gt(last.arrivals[i].sites[0], i > 0 ? last.arrivals[0].sites[0] : 0);
            cr_expect_eq(last.asked[i][0], last.arrivals[i].sites[0]);
        }
        cr_expect_eq(last.n_asked, last.n_arrivals);
        cr_expect_eq(last.failed_at[0], 0);
    }
    call_close(worker);
}

Test(kernels, may_lack_what_no_copy_has_taken) {
    struct call_worker *worker = open_worker(60000, 0);
    int in[8] = {0}, out[8] = {0};
    struct call_arg args[] = {support_buffer(CALL_ARG_HOST_IN, "in", in, 8, sizeof *in),
                              support_buffer(CALL_ARG_INOUT, "out", out, 8, sizeof *out)};

    call_run(worker, "copy_some", args, 2, support_anew());
    expect(CALL_OK, "");
    cr_assert_eq(last.knows_unsent, !is_on_gpu());
    if (last.knows_unsent) {
        cr_expect_eq(last.unsent[0].first, 0);
        cr_expect_eq(last.unsent[0].bytes, 4);
        cr_expect_eq(last.unsent[0].all, 4 + 8 + 8);
        cr_expect_eq(last.unsent[1].all, 0, "not in the host's memory");
    }
    call_close(worker);
}

/* Of functions without arrays of the host's nobody wants to know. */
Test(kernels, are_not_noted_where_all_arrays_are_the_devices) {
    struct call_worker *worker = open_worker(60000, 0);
    int in[4] = {0}, out[4];
    struct call_arg args[] = {support_buffer(CALL_ARG_IN, "in", in, 4, sizeof *in), support_size(4),
                              support_buffer(CALL_ARG_OUT, "out", out, 4, sizeof *out)};

    call_run(worker, "add_one", args, 3, support_anew());
    expect(CALL_OK, "");
    cr_expect_eq(last.n_asked, 0);
    call_close(worker);
}

Test(kernels, bring_outputs_back) {
    add_one("add_one", false, 1);
    add_one("add_one", false, 1000);
    add_one("add_one", false, 100001);
}

/* More than one part. */
Test(kernels, bring_large_outputs_back) {
    const size_t n = (33 << 19) + 5;

    add_one("add_one", false, n);
    if (is_on_gpu())
        add_one("add_one", true, n);
}

Test(kernels, are_waited_for_in_every_stream) {
    add_one("add_one_elsewhere", false, 1000);
}

/* More copies than the simulator lets a program have on their way at a time. */
Test(kernels, follow_copies_that_nobody_has_waited_for) {
    const size_t n = 500 << 14;
    struct call_worker *worker = open_worker(60000, 0);
    int *in = malloc(n * sizeof *in), *out = malloc(n * sizeof *out);
    struct call_arg args[] = {support_buffer(CALL_ARG_IN, "in", in, n, sizeof *in), support_size(n),
                              support_buffer(CALL_ARG_OUT, "out", out, n, sizeof *out)};

    for (size_t i = 0; i < n; i++)
        in[i] = (int)i + 1;
    call_run(worker, "copy_in_pieces", args, 3, support_anew());
    expect(CALL_OK, "");
    cr_expect_eq(memcmp(in, out, n * sizeof *in), 0);
    free(in);
    free(out);
    call_close(worker);
}

Test(kernels, are_timed_on_a_gpu) {
    if (!is_on_gpu())
        cr_skip("events measure time on a GPU alone");
    add_one("add_one", true, 1 << 22);
    add_one("add_one_elsewhere", true, 1 << 22);
}

/* Calls `function(int *out [, index])` and leaves the rest to the caller. */
static void call_with(const char *function, int timeout_ms, int64_t index) {
    struct call_worker *worker = open_worker(timeout_ms, 0);
    int out[8];
    struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "out", out, 8, sizeof *out),
                              {.kind = CALL_ARG_I64, .name = "index", .value.i64 = index}};

    call_run(worker, function, args, 2, support_anew());
    call_close(worker);
}

/* The simulator's first finding. */
static void expect_finding(const char *kind, const char *place) {
    json_t *report = last.report ? json_loads(last.report, 0, NULL) : NULL;
    json_t *finding = json_array_get(json_object_get(report, "findings"), 0);
    const char *got_kind = json_string_value(json_object_get(finding, "kind"));
    const char *got_place = json_string_value(json_object_get(finding, "place"));

    cr_expect(got_kind && strcmp(got_kind, kind) == 0, "%s",
              last.report ? last.report : "no report");
    cr_expect(got_place && strcmp(got_place, place) == 0, "%s", got_place ? got_place : "nowhere");
    json_decref(report);
}

Test(kernels, are_caught_beside_a_buffer) {
    call_with("store_at", 60000, 9);
    if (is_on_gpu()) {
        expect(CALL_OK, "");
        cr_expect_eq(last.damage.kind, CALL_GUARD_AFTER);
        cr_expect_eq(last.damage.element, 9);
    } else {
        expect_finding("out_of_bounds", "out[9]");
    }
    call_with("store_at", 60000, -2);
    if (is_on_gpu()) {
        expect(CALL_OK, "");
        cr_expect_eq(last.damage.kind, CALL_GUARD_BEFORE);
        cr_expect_eq(last.damage.element, -2);
    } else {
        expect_finding("out_of_bounds", "out[-2]");
    }
}

/* store_at with an experiment: the outcome. */
static enum call_outcome store_beyond(struct call_worker *worker,
                                      const struct call_experiment *experiment) {
    int out[9];
    struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "out", out, 9, sizeof *out),
                              {.kind = CALL_ARG_I64, .name = "index", .value.i64 = 9}};

    call_try(worker, experiment);
    return call_run(worker, "store_at", args, 2, support_anew());
}

/* The first edit of a kind that the report offers. */
static struct simt_edit edit_of(const char *report_text, const char *kind) {
    json_t *report = report_text ? json_loads(report_text, 0, NULL) : NULL, *item;
    struct simt_edit edit = {.kind = SIMT_EDIT_NONE};
    size_t i;

    json_array_foreach(json_object_get(report, "candidates"), i, item) {
        if (edit.kind || strcmp(json_string_value(json_object_get(item, "kind")), kind) != 0)
            continue;
        edit.kind = simt_edit_kind_of(kind);
        edit.line = (uint32_t)json_integer_value(json_object_get(item, "line"));
        edit.from = json_integer_value(json_object_get(item, "from"));
        edit.to = json_integer_value(json_object_get(item, "to"));
        snprintf(edit.place, sizeof edit.place, "%s",
                 json_string_value(json_object_get(item, "place")));
    }
    json_decref(report);
    return edit;
}

Test(kernels, are_tried_with_edits) {
    const struct call_experiment list = {.lists = true};
    struct call_worker *worker = open_worker(60000, 0);

    if (is_on_gpu())
        cr_skip("edits are the simulator's");
    cr_expect_eq(store_beyond(worker, &list), CALL_CUDA_ERROR);
    const struct simt_edit edit = edit_of(last.report, "inside");
    cr_assert_eq(edit.kind, SIMT_EDIT_INSIDE, "%s", last.report);
    cr_expect_gt(edit.line, 0);
    const struct call_experiment mend = {.edits = &edit, .n_edits = 1};
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(store_beyond(worker, &mend), CALL_OK, "%s", last.message);
        cr_expect_gt(last.work, 0);
        cr_expect_null(last.report, "nothing is found");
    }
    const struct call_experiment poor = {.edits = &edit, .n_edits = 1, .budget = 1};
    cr_expect_eq(store_beyond(worker, &poor), CALL_OK, "it ends before the budget counts");
    cr_expect_eq(store_beyond(worker, NULL), CALL_CUDA_ERROR, "all is as ever");
    cr_expect_null(strstr(last.report, "candidates"));
    call_close(worker);
}

Test(kernels, are_caught_at_an_illegal_address) {
    call_with("store_at_null", 60000, 0);
    expect(CALL_CUDA_ERROR, "cudaErrorIllegalAddress");
    cr_expect_eq(last.cuda_error, 700);
}

Test(kernels, are_stopped_at_the_time_limit) {
    call_with("run_for_ever", 1500, 0);
    expect(CALL_TIMEOUT, is_on_gpu() ? "did not come back" : "kernels.cu:");
}

/* Warp instructions of a kernel that never ends, in a call with n ints; no clock comes into it. */
static long long count_endless(uint64_t budget, size_t n) {
    struct call_worker *worker = open_worker(600000, budget);
    int *in = calloc(n, sizeof *in);
    struct call_arg args[] = {support_buffer(CALL_ARG_IN, "in", in, n, sizeof *in)};

    call_run(worker, "run_for_ever", args, 1, support_anew());
    expect(CALL_TIMEOUT, "warp instructions");
    expect_finding("endless", "");
    json_t *report = last.report ? json_loads(last.report, 0, NULL) : NULL;
    const json_t *launch = json_array_get(json_object_get(report, "launches"), 0);
    const json_t *counters = json_object_get(launch, "counters");
    long long count = json_integer_value(json_object_get(counters, "warp_instructions"));
    json_decref(report);
    call_close(worker);
    free(in);
    return count;
}

Test(kernels, are_stopped_by_their_budget_on_the_simulator) {
    const long long budget = 1 << 20;
    const size_t n = 1 << 15;

    if (is_on_gpu())
        cr_skip("a GPU counts no instructions");
    long long few = count_endless((uint64_t)budget, 2), many = count_endless((uint64_t)budget, n);
    long long more = (long long)(n * sizeof(int)) * CALL_BUDGET_PER_BYTE;
    cr_expect(few > budget / 2 && few < budget + budget / 4, "%lld", few);
    cr_expect(many > (budget + more) / 2 && many < (budget + more) / 4 * 5, "%lld", many);
    cr_expect_eq(count_endless((uint64_t)budget, 2), few, "the same each time");
}

Test(kernels, are_refused_with_too_many_threads) {
    call_with("launch_1025_threads", 60000, 0);
    expect(CALL_CUDA_ERROR, "returned cudaErrorInvalidValue");
    cr_expect_eq(last.returned, 1);
    cr_expect_eq(last.failed_at[0] == 0, is_on_gpu(), "code at %#lx", last.failed_at[0]);
    call_with("launch_1025_threads_unchecked", 60000, 0);
    expect(CALL_CUDA_ERROR, "did not look at");
    cr_expect_eq(last.returned, 0);
    cr_expect_eq(last.cuda_error, 1);
}

Test(kernels, that_read_unwritten_scratch_are_found_on_the_simulator) {
    struct call_worker *worker = open_worker(60000, 0);
    int out = 0;
    struct call_arg args[] = {support_buffer(CALL_ARG_SCRATCH, "scratch", NULL, 4, 4),
                              support_buffer(CALL_ARG_OUT, "out", &out, 1, sizeof out)};

    call_run(worker, "read_scratch", args, 2, support_anew());
    if (is_on_gpu())
        expect(CALL_OK, "");
    else
        expect_finding("uninitialised", "scratch[0]");
    call_close(worker);
}

/* What shared memory holds at the barrier of a kernel; NULL where nobody asked. The
 * caller releases it. */
static json_t *shared_words(struct call_worker *worker, bool keeps) {
    int out[4];
    struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "out", out, 4, sizeof *out)};

    call_keep_shared(worker, keeps);
    call_run(worker, "share", args, 1, support_anew());
    expect(CALL_OK, "");
    const char *text = call_report(worker, &last);
    json_t *report = text ? json_loads(text, 0, NULL) : NULL;
    json_t *launch = json_array_get(json_object_get(report, "launches"), 0);
    json_t *at_barrier = json_array_get(json_object_get(launch, "shared"), 0);
    json_t *words = json_incref(json_object_get(at_barrier, "words"));
    json_decref(report);
    return words;
}

Test(kernels, show_their_shared_memory_to_who_asks_on_the_simulator) {
    struct call_worker *worker = open_worker(60000, 0);

    cr_expect_null(shared_words(worker, false));
    json_t *words = shared_words(worker, true);
    cr_expect_eq(words != NULL, !is_on_gpu());
    if (words) {
        cr_expect_eq(json_array_size(words), 4);
        cr_expect_eq(json_integer_value(json_array_get(words, 0)), UINT32_MAX);
        cr_expect_eq(json_integer_value(json_array_get(words, 2)), 1);
        cr_expect(json_is_null(json_array_get(words, 3)));
    }
    json_decref(words);
    cr_expect_null(shared_words(worker, false));
    call_close(worker);
}

Test(kernels, device_memory_is_not_the_host_s) {
    call_with("touch_on_host", 60000, 0);
    expect(CALL_CRASH, "\"out\", which is device memory, in touch_on_host");
    cr_expect_gt(last.crashed_at[0], 0);
}

Test(kernels, buffers_beyond_the_device_s_memory_are_out_of_memory) {
    struct call_worker *worker = open_worker(60000, 0);
    struct call_arg args[] = {
        support_buffer(CALL_ARG_SCRATCH, "scratch", NULL, (size_t)1 << 40, 4)};

    call_run(worker, "touch_on_host", args, 1, support_anew());
    expect(CALL_OUT_OF_MEMORY, "cudaErrorMemoryAllocation");
    call_close(worker);
}

Test(kernels, file_s_variables_can_be_read) {
    struct call_worker *worker = open_worker(60000, 0);
    int value = 0;

    call_read_variable(worker, "exported", &value, sizeof value, support_anew());
    expect(CALL_OK, "");
    cr_expect_eq(value, 42);
    call_close(worker);
}

Test(kernels, device_is_described) {
    struct call_worker *worker = open_worker(60000, 0);
    struct call_device device;

    call_device(worker, &device, support_anew());
    expect(CALL_OK, "");
    cr_expect_gt(strlen(device.name), 3);
    cr_expect_gt(device.major, 6);
    cr_expect_gt(device.n_sm, 0);
    cr_expect_gt(device.global_bytes, 1 << 30);
    cr_expect_geq(device.runtime_version, 13000);
    call_close(worker);
}

Test(kernels, copies_to_the_device_and_back_run_at_once) {
    if (!is_on_gpu())
        cr_skip("a copy is timed on a GPU alone");
    enum { BYTES = 1 << 26 };
    struct call_worker *worker = open_worker(60000, 0);
    double within = NAN, with_host = NAN;

    call_time_copy(worker, BYTES, false, 15, &within, support_anew());
    expect(CALL_OK, "");
    call_time_copy(worker, BYTES, true, 15, &with_host, support_anew());
    expect(CALL_OK, "");
    fprintf(stderr, "%d MiB in and as many out: %.4f ms, %.1f GB/s each\n", BYTES >> 20, with_host,
            BYTES / with_host * 1e-6);
    cr_expect_gt(with_host, within);
    call_close(worker);
}

Test(kernels, copies_are_slower_than_the_peak) {
    if (!is_on_gpu())
        cr_skip("a copy is timed on a GPU alone");
    struct call_worker *worker = open_worker(60000, 0);
    struct call_device device;
    double ms = NAN;

    call_device(worker, &device, support_anew());
    expect(CALL_OK, "");
    for (size_t bytes = 1 << 24; bytes <= 1 << 30; bytes <<= 3) {
        call_time_copy(worker, bytes, false, 15, &ms, support_anew());
        expect(CALL_OK, "");
        double gbps = 2 * (double)bytes / ms * 1e-6;
        fprintf(stderr, "%s: copy of %zu MiB: %.4f ms, %.0f GB/s of %.0f\n", device.name,
                bytes >> 20, ms, gbps, device.peak_gbps);
        cr_expect(gbps > 10, "%g GB/s", gbps);
        cr_expect(device.peak_gbps <= 0 || gbps < device.peak_gbps, "%g GB/s of %g", gbps,
                  device.peak_gbps);
    }
    call_close(worker);
}
