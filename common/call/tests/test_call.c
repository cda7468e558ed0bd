/*
 * The call when all goes as it should, and what is noticed about buffers.
 */
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/call/tests/fakes/submission.h"
#include "common/call/tests/support.h"
#include "common/call/wire.h"

static void run(struct call_worker *worker, const char *function, struct call_arg *args, size_t n,
                enum call_outcome outcome) {
    call_run(worker, function, args, n, support_anew());
    support_expect(outcome);
}

Test(call, brings_outputs_back_on_both_backends) {
    for (int backend = CALL_SIM; backend <= CALL_GPU; backend++) {
        struct call_worker *worker = support_open(backend);
        int in[100], out[100];
        for (int i = 0; i < 100; i++)
            in[i] = i * 3;
        struct call_arg args[] = {support_buffer(CALL_ARG_IN, "in", in, 100, sizeof *in),
                                  support_size(100),
                                  support_buffer(CALL_ARG_OUT, "out", out, 100, sizeof *out)};
        run(worker, "add_one", args, 3, CALL_OK);
        for (int i = 0; i < 100; i++)
            cr_assert_eq(out[i], i * 3 + 1);
        cr_assert_eq(last.damage.kind, CALL_INTACT);
        cr_assert_eq(last.untouched, 0);
        cr_assert(isnan(last.event_ms) && last.wall_ms > 0);
        call_close(worker);
    }
}

Test(call, passes_every_kind_of_argument) {
    for (int backend = CALL_SIM; backend <= CALL_GPU; backend++) {
        struct call_worker *worker = support_open(backend);
        int16_t in[3] = {1, -5, 2};
        double inout = 0.25;
        int host = 0;
        struct call_arg args[] = {
            {.kind = CALL_ARG_U64, .value.u64 = 3},
            {.kind = CALL_ARG_I64, .value.i64 = -4},
            {.kind = CALL_ARG_U32, .value.u64 = 4000000000u},
            {.kind = CALL_ARG_I32, .value.i64 = -2000000000},
            {.kind = CALL_ARG_F32, .value.f32 = 1.5f},
            {.kind = CALL_ARG_F64, .value.f64 = 0.125},
            support_buffer(CALL_ARG_IN, "in", in, 3, sizeof *in),
            support_buffer(CALL_ARG_INOUT, "inout", &inout, 1, sizeof inout),
            support_buffer(CALL_ARG_SCRATCH, "scratch", NULL, 8, 1),
            support_buffer(CALL_ARG_HOST_OUT, "host", &host, 1, sizeof host),
        };
        run(worker, "every_kind", args, 10, CALL_OK);
        cr_assert_float_eq(inout, 0.25 + 3 - 4 + 2e9 + 1.5 + 0.125 - 5, 1e-9, "%f", inout);
        cr_assert_eq(host, 0);

        args[0].value.u64 = UINT64_MAX;
        args[1].value.i64 = INT64_MIN;
        args[2].value.u64 = UINT32_MAX;
        args[3].value.i64 = INT32_MIN;
        run(worker, "every_kind", args, 10, CALL_OK);
        cr_assert_eq(host, 4);
        call_close(worker);
    }
}

Test(call, passes_as_many_arguments_as_it_promises) {
    struct call_worker *worker = support_open(CALL_SIM);
    int host = 0;
    struct call_arg args[CALL_MAX_ARGS + 1];

    for (int i = 0; i < 8; i++)
        args[i] = (struct call_arg){.kind = CALL_ARG_U32, .value.u64 = (uint64_t)i + 1};
    for (int i = 8; i < 15; i++)
        args[i] = (struct call_arg){.kind = CALL_ARG_F64, .value.f64 = i};
    args[15] = support_buffer(CALL_ARG_HOST_OUT, "host", &host, 1, sizeof host);
    args[16] = support_i32(1);
    run(worker, "sixteen", args, 16, CALL_OK);
    cr_assert_eq(host, 204 + 77);
    run(worker, "sixteen", args, 17, CALL_INFRASTRUCTURE);
    call_close(worker);
}

Test(call, passes_empty_buffers) {
    for (int backend = CALL_SIM; backend <= CALL_GPU; backend++) {
        struct call_worker *worker = support_open(backend);
        struct call_arg args[] = {support_buffer(CALL_ARG_IN, "in", NULL, 0, 4), support_size(0),
                                  support_buffer(CALL_ARG_OUT, "out", NULL, 0, 4)};
        run(worker, "add_one", args, 3, CALL_OK);
        cr_assert_eq(last.damage.kind, CALL_INTACT);
        call_close(worker);
    }
}

Test(call, passes_buffers_larger_than_those_before) {
    struct call_worker *worker = support_open(CALL_GPU);
    enum { LARGE = 9 << 20 };
    char *in = malloc(LARGE), *inout = malloc(LARGE);

    memset(in, 3, LARGE);
    for (size_t n = 1000; n <= LARGE; n *= 30) {
        struct call_arg args[] = {support_buffer(CALL_ARG_IN, "in", in, n, 1), support_size(0),
                                  support_buffer(CALL_ARG_INOUT, "inout", inout, n, 1)};
        memset(inout, 9, n);
        run(worker, "add_one", args, 3, CALL_OK);
        cr_assert(inout[0] == 9 && inout[n - 1] == 9);
        cr_assert_eq(last.damage.kind, CALL_INTACT);
    }
    free(in);
    free(inout);
    call_close(worker);
}

Test(call, notices_untouched_outputs) {
    struct call_worker *worker = support_open(CALL_SIM);
    int a[3] = {1, 2, 3};
    struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "a", a, 3, sizeof *a)};

    run(worker, "do_nothing", args, 1, CALL_OK);
    cr_assert_eq(last.untouched, 1);
    cr_assert(a[0] != 1 && a[0] == a[1], "poison came back");
    call_close(worker);
}

/* What a worker's first calls leave in an output that nobody writes. */
static void take_poison(uint64_t seed, int poison[3]) {
    struct call_settings settings = support_settings(CALL_SIM);
    struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "a", poison, 1, sizeof *poison)};

    settings.seed = seed;
    struct call_worker *worker = call_open(&settings);
    cr_assert_not_null(worker);
    for (int i = 0; i < 3; i++) {
        args[0].data = &poison[i];
        run(worker, "do_nothing", args, 1, CALL_OK);
    }
    call_close(worker);
}

Test(call, poisons_alike_for_the_same_seed) {
    int first[3], same[3], other[3];

    take_poison(1, first);
    take_poison(1, same);
    take_poison(2, other);
    cr_assert_arr_eq(first, same, sizeof first);
    cr_assert_arr_neq(first, other, sizeof first);
    cr_assert(first[0] != first[1] || first[1] != first[2], "each call has its own");
}

static void expect_damage_on(enum call_backend backend, const char *function, enum call_kind kind,
                             int wanted, int64_t element) {
    struct call_worker *worker = support_open(backend);
    int data[10] = {5, 6, 7, 8, 9, 10, 11, 12, 13, 14}, other[1];
    struct call_arg args[] = {support_buffer(kind, "data", data, 10, sizeof *data),
                              support_size(10),
                              support_buffer(CALL_ARG_OUT, "other", other, 1, sizeof *other)};

    run(worker, function, args, 3, CALL_OK);
    cr_expect_eq((int)last.damage.kind, wanted, "%s: damage %d", function, (int)last.damage.kind);
    cr_expect_eq(last.damage.arg, 0);
    cr_expect_eq(last.damage.element, element, "%s: element %ld", function,
                 (long)last.damage.element);
    call_close(worker);
}

static void expect_damage(const char *function, enum call_kind kind, int wanted, int64_t element) {
    expect_damage_on(CALL_GPU, function, kind, wanted, element);
}

Test(call, notices_writes_after_a_buffer) {
    expect_damage("write_after", CALL_ARG_OUT, CALL_GUARD_AFTER, 12);
    expect_damage("write_after", CALL_ARG_IN, CALL_GUARD_AFTER, 12);
    expect_damage("write_after", CALL_ARG_SCRATCH, CALL_GUARD_AFTER, 12);
}

Test(call, notices_writes_before_a_buffer) {
    expect_damage("write_before", CALL_ARG_INOUT, CALL_GUARD_BEFORE, -3);
}

Test(call, notices_writes_after_a_host_result) {
    expect_damage_on(CALL_GPU, "write_host_after", CALL_ARG_HOST_OUT, CALL_GUARD_AFTER, 10);
}

/* What lies behind can't be touched, nor read. */
Test(call, ends_an_array_of_the_host_where_it_ends) {
    struct call_worker *worker = support_open(CALL_SIM);
    int data[10] = {0};
    struct call_arg args[] = {support_buffer(CALL_ARG_HOST_OUT, "data", data, 10, sizeof *data),
                              support_size(10)};

    run(worker, "write_host_after", args, 2, CALL_CRASH);
    cr_expect(strstr(last.message, "behind the end of \"data\""), "%s", last.message);
    call_close(worker);
}

Test(call, passes_inputs_of_the_host) {
    for (int backend = CALL_SIM; backend <= CALL_GPU; backend++) {
        struct call_worker *worker = support_open(backend);
        int in[5] = {3, 1, -4, 1, -5}, sum = 0;
        struct call_arg args[] = {support_buffer(CALL_ARG_HOST_IN, "in", in, 5, sizeof *in),
                                  support_size(5),
                                  support_buffer(CALL_ARG_HOST_OUT, "sum", &sum, 1, sizeof sum)};
        run(worker, "sum_host", args, 3, CALL_OK);
        cr_assert_eq(sum, -4);
        cr_assert_eq(last.damage.kind, CALL_INTACT);
        call_close(worker);
    }
}

Test(call, notices_changed_inputs) {
    for (int backend = CALL_SIM; backend <= CALL_GPU; backend++) {
        expect_damage_on(backend, "change_host", CALL_ARG_HOST_IN, CALL_INPUT_CHANGED, 5);
        expect_damage_on(backend, "change_input", CALL_ARG_IN, CALL_INPUT_CHANGED, 5);
        expect_damage_on(backend, "change_input", CALL_ARG_INOUT, CALL_INTACT, 0);
    }
}

/* An input that the function may overwrite: what it holds afterwards is nobody's, what lies beside
 * it is. */
Test(call, leaves_alone_what_may_change) {
    int data[10] = {5, 6, 7, 8, 9, 10, 11, 12, 13, 14}, other[1];
    struct call_arg args[] = {support_buffer(CALL_ARG_IN, "data", data, 10, sizeof *data),
                              support_size(10),
                              support_buffer(CALL_ARG_OUT, "other", other, 1, sizeof *other)};

    args[0].may_change = true;
    for (int backend = CALL_SIM; backend <= CALL_GPU; backend++) {
        struct call_worker *worker = support_open(backend);

        run(worker, "change_input", args, 3, CALL_OK);
        cr_expect_eq((int)last.damage.kind, CALL_INTACT);
        cr_expect_eq(data[5], 10, "the caller's own numbers stay as they are");
        call_close(worker);
    }
    struct call_worker *worker = support_open(CALL_GPU);

    run(worker, "write_after", args, 3, CALL_OK);
    cr_expect_eq((int)last.damage.kind, CALL_GUARD_AFTER);
    call_close(worker);
}

static void make_indices(const void *context, size_t first, size_t count, void *to) {
    const int *scale = context;
    int *values = to;

    for (size_t i = 0; i < count; i++)
        values[i] = *scale * (int)(first + i);
}

/* Sums the indices of an input that is made, of more than one part, after which one element may be
 * changed; returns the damage. */
static struct call_damage sum_indices(struct call_worker *worker, size_t n, size_t changed) {
    const int scale = 1;
    uint64_t sum = 0;
    struct call_arg args[] = {support_buffer(CALL_ARG_IN, "in", NULL, n, sizeof(int)),
                              support_size(n), support_size(changed),
                              support_buffer(CALL_ARG_OUT, "sum", &sum, 1, sizeof sum)};

    args[0].make = make_indices;
    args[0].context = &scale;
    run(worker, "sum_large", args, 4, CALL_OK);
    cr_expect_eq(sum, (uint64_t)n * (n - 1) / 2);
    struct call_damage damage = last.damage;
    return damage;
}

Test(call, moves_large_inputs_in_parts_and_compares_windows) {
    const size_t n = (40 << 20) + 7, window = 8 << 18; /* elements of a step between windows */

    for (int backend = CALL_SIM; backend <= CALL_GPU; backend++) {
        struct call_worker *worker = support_open(backend);
        const size_t seen[] = {0, window, 3 * window + 5, n - 1}, unseen = window + (1 << 18);

        cr_expect_eq(sum_indices(worker, 1000, 10).element, 10);
        cr_expect_eq(sum_indices(worker, n, n).kind, CALL_INTACT);
        for (size_t i = 0; i < sizeof seen / sizeof seen[0]; i++) {
            struct call_damage damage = sum_indices(worker, n, seen[i]);
            cr_expect_eq(damage.kind, CALL_INPUT_CHANGED, "element %zu", seen[i]);
            cr_expect_eq(damage.element, (int64_t)seen[i]);
        }
        cr_expect_eq(sum_indices(worker, n, unseen).kind, CALL_INTACT);
        call_close(worker);
    }
}

enum { IN_PART = 8 << 20 }; /* ints in 32 MiB */

/* An input of which parts change, or which repeats; how many elements were asked for. */
struct parts {
    size_t period;
    int values[5];
    bool is_new[5];
    atomic_size_t n_made;
};

static void make_parts(const void *context, size_t first, size_t count, void *to) {
    struct parts *parts = (struct parts *)context;

    for (size_t i = 0; i < count; i++)
        ((int *)to)[i] = parts->values[(first + i) % parts->period / IN_PART];
    parts->n_made += count;
}

static bool is_same(const void *context, size_t first, size_t count) {
    const struct parts *parts = context;

    cr_assert_eq(first / IN_PART, (first + count - 1) / IN_PART);
    return !parts->is_new[first / IN_PART];
}

enum { N_OF_PARTS = 4 * IN_PART + 1000 };

/* Has all of them summed; returns how many were made. */
static size_t sum_parts(struct call_worker *worker, struct parts *parts, bool may_change) {
    const size_t n = N_OF_PARTS;
    uint64_t sum = 0, right = 0;
    struct call_arg args[] = {support_buffer(CALL_ARG_IN, "in", NULL, n, sizeof(int)),
                              support_size(n), support_size(n),
                              support_buffer(CALL_ARG_OUT, "sum", &sum, 1, sizeof sum)};

    args[0].make = make_parts;
    args[0].context = parts;
    args[0].period = parts->period < n ? parts->period : 0;
    args[0].is_same = is_same;
    args[0].may_change = may_change;
    parts->n_made = 0;
    run(worker, "sum_large", args, 4, CALL_OK);
    for (size_t i = 0; i < n; i++)
        right += (uint64_t)parts->values[i % parts->period / IN_PART];
    cr_expect_eq(sum, right);
    memset(parts->is_new, 0, sizeof parts->is_new);
    return parts->n_made;
}

/* Beside what is moved, samples of the input are made, to compare with: less than a part. */
static void expect_parts(size_t n_made, size_t n) {
    cr_expect_geq(n_made, n * IN_PART);
    cr_expect_lt(n_made, (n + 1) * IN_PART, "%zu elements were made, of %zu parts", n_made, n);
}

Test(call, leaves_what_is_the_same_of_a_large_input_where_it_is) {
    for (int backend = CALL_SIM; backend <= CALL_GPU; backend++) {
        struct call_worker *worker = support_open(backend);
        struct parts parts = {.period = SIZE_MAX, .values = {1, 2, 3, 4, 5}};
        int value = 0;
        struct call_arg out = support_buffer(CALL_ARG_OUT, "out", &value, 1, sizeof value);
        struct parts others = {.period = SIZE_MAX, .values = {5, 5, 5, 5, 5}};

        expect_parts(sum_parts(worker, &parts, false), 4);
        parts.values[2] = 7;
        parts.is_new[2] = true;
        expect_parts(sum_parts(worker, &parts, false), 1);
        expect_parts(sum_parts(worker, &parts, false), 0); /* the last part is of 1,000 */
        expect_parts(sum_parts(worker, &others, false), 4);
        expect_parts(sum_parts(worker, &parts, false), 4);
        expect_parts(sum_parts(worker, &parts, true), 0); /* it may have been changed then */
        expect_parts(sum_parts(worker, &parts, false), 4);
        run(worker, "fail_assert", &out, 1, CALL_CRASH);
        expect_parts(sum_parts(worker, &parts, false), 4);
        call_close(worker);
    }
}

Test(call, has_what_repeats_of_a_large_input_copied_by_the_device) {
    const size_t periods[] = {IN_PART + 5, 2 * IN_PART, 3 * IN_PART + 1, N_OF_PARTS - 1};

    for (int backend = CALL_SIM; backend <= CALL_GPU; backend++) {
        struct call_worker *worker = support_open(backend);

        for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
            struct parts parts = {.period = periods[i],
                                  .values = {1, 2, 3, 4, 5},
                                  .is_new = {true, true, true, true, true}};

            expect_parts(sum_parts(worker, &parts, false), periods[i] / IN_PART);
        }
        call_close(worker);
    }
}

/* What was taken of an output of indices. */
struct indices {
    atomic_size_t n_right, n_wrong, wrong;
};

static void take_indices(void *taker, size_t first, size_t count, const void *from) {
    struct indices *indices = taker;
    const int *values = from;

    cr_assert(count * sizeof *values <= CALL_TAKE_BYTES);
    cr_assert_eq(first * sizeof *values % CALL_TAKE_BYTES, 0);
    size_t n_right = 0;
    for (size_t i = 0; i < count; i++) {
        if (values[i] == (int)(first + i))
            n_right++;
        else
            indices->wrong = first + i;
    }
    atomic_fetch_add(&indices->n_right, n_right);
    atomic_fetch_add(&indices->n_wrong, count - n_right);
}

/* Of less than a part, of one, and of more. */
Test(call, takes_every_element_of_an_output_once) {
    const size_t sizes[] = {1, 1000, 16 << 20, (17 << 20) + 7};

    for (int backend = CALL_SIM; backend <= CALL_GPU; backend++) {
        struct call_worker *worker = support_open(backend);

        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            size_t n = sizes[i], skipped = n - 1 - n / 3;
            struct indices indices = {0};
            struct call_arg args[] = {{.kind = CALL_ARG_OUT,
                                       .name = "out",
                                       .take = take_indices,
                                       .taker = &indices,
                                       .count = n,
                                       .element_bytes = sizeof(int)},
                                      support_size(n),
                                      support_size(skipped)};

            run(worker, "fill_large", args, 3, CALL_OK);
            cr_expect_eq(indices.n_right, n - 1, "%zu of %zu", (size_t)indices.n_right, n - 1);
            cr_expect_eq(indices.n_wrong, 1);
            cr_expect_eq(indices.wrong, skipped);
            cr_expect_eq(last.untouched, 0);
            run(worker, "do_nothing", args, 1, CALL_OK);
            cr_expect_eq(last.untouched, 1, "%zu elements", n);
        }
        call_close(worker);
    }
}

/* Its memory lies where it is larger than a part, too. */
Test(call, brings_large_outputs_back) {
    const size_t n = (17 << 20) + 7;

    for (int backend = CALL_SIM; backend <= CALL_GPU; backend++) {
        struct call_worker *worker = support_open(backend);
        int *out = calloc(n + 1, sizeof *out);
        struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "out", out, n, sizeof *out),
                                  support_size(n), support_size(n)};

        run(worker, "fill_large", args, 3, CALL_OK);
        for (size_t i = 0; i < n; i++)
            cr_assert_eq(out[i], (int)i);
        cr_expect_eq(out[n], 0);
        free(out);
        call_close(worker);
    }
}

/* Student code could touch all of one there. */
Test(call, has_no_sparse_buffers_without_a_simulator_by_itself) {
    for (int backend = CALL_SIM; backend <= CALL_GPU; backend++) {
        struct call_worker *worker = support_open(backend);
        struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "a", NULL, 3, sizeof(int))};

        args[0].sparse.is_on = true;
        run(worker, "do_nothing", args, 1, CALL_INFRASTRUCTURE);
        cr_expect_not_null(strstr(last.message, "a simulator by itself"), "%s", last.message);
        call_close(worker);
    }
}

Test(call, keeps_a_worker_from_call_to_call) {
    struct call_worker *worker = support_open(CALL_SIM);

    for (int i = 1; i <= 3; i++) {
        int host = 0;
        struct call_arg args[] = {support_buffer(CALL_ARG_HOST_OUT, "host", &host, 1, sizeof host)};
        run(worker, "count_calls", args, 1, CALL_OK);
        cr_assert_eq(host, i);
    }
    call_close(worker);
}

Test(call, reads_variables_of_the_right_size) {
    struct call_worker *worker = support_open(CALL_SIM);
    int value = 0;
    char text[8];

    call_read_variable(worker, "answer", &value, sizeof value, support_anew());
    support_expect(CALL_OK);
    cr_assert_eq(value, 42);
    call_read_variable(worker, "words", text, sizeof text, support_anew());
    support_expect(CALL_OK);
    cr_assert_str_eq(text, "seven..");
    const char *const wrong[] = {"words", "add_one", "absent", "stdout"};
    for (size_t i = 0; i < 4; i++) {
        call_read_variable(worker, wrong[i], &value, sizeof value, support_anew());
        support_expect(CALL_NO_ENTRY);
    }
    call_close(worker);
}

Test(call, finds_no_function_but_the_submission_s) {
    const char *const wrong[] = {"absent", "abs", "cudaFree", "answer"};

    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(support_call(CALL_SIM, wrong[i], 20000, support_anew()), CALL_NO_ENTRY,
                     "%s: %s", wrong[i], last.message);
    }
}

Test(call, describes_the_device) {
    struct call_worker *worker = support_open(CALL_GPU);
    struct call_device device;

    call_device(worker, &device, support_anew());
    support_expect(CALL_OK);
    cr_assert_str_eq(device.name, "Fake ?[31mdevice");
    cr_assert_eq(device.n_sm, 132);
    cr_assert_eq(device.l2_bytes, 1 << 20);
    cr_assert_float_eq(device.peak_gbps, 4916.7, 0.1);
    call_close(worker);
}

Test(call, brings_the_simulator_s_report) {
    struct call_worker *worker = support_open(CALL_SIM);

    for (int i = -1; i < SUBMISSION_N_REPORTS; i++) {
        int out[1];
        struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "out", out, 1, sizeof *out),
                                  support_i32(i)};
        call_run(worker, "report", args, 2, support_anew());
        cr_expect_null(last.report, "nobody has asked for report %d", i);
        const char *report = call_report(worker, &last);
        if (i <= 0) {
            support_expect(CALL_OK);
            cr_assert_eq(report != NULL, i == 0);
            cr_assert_eq(call_report(worker, &last), report, "it is brought once");
        } else {
            cr_expect_eq(last.outcome, CALL_PROTOCOL, "report %d is taken", i);
            cr_expect_null(report);
        }
    }
    call_close(worker);
}

Test(call, windows_of_any_input_fit_into_a_part) {
    static const uint32_t elements[] = {1, 4, 12, 4096};
    static const uint64_t sizes[] = {WIRE_PART_BYTES + 1, UINT64_C(1) << 33,
                                     (UINT64_C(1) << 33) + 4004, UINT64_C(1) << 45};

    for (size_t e = 0; e < sizeof elements / sizeof *elements; e++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            uint64_t count = (sizes[s] + elements[e] - 1) / elements[e], offset, bytes, n = 0;
            struct wire_arg arg = {.kind = CALL_ARG_IN,
                                   .element_bytes = elements[e],
                                   .count = count,
                                   .bytes = count * elements[e]};
            uint64_t end = 0;

            cr_assert(wire_is_large_in(&arg));
            for (; wire_window(&arg, n, &offset, &bytes); n++) {
                cr_assert_eq(offset % elements[e], 0);
                cr_assert_leq(offset + bytes, arg.bytes);
                end = offset + bytes;
            }
            cr_expect_leq(n * WIRE_WINDOW_BYTES, WIRE_PART_BYTES, "%lu windows", n);
            cr_expect_eq(end, arg.bytes);
        }
}
