/* What the end of a call means: each outcome has its verdict and its words. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/harness/lab.h"
#include "common/harness/tests/fake_call.h"

static void one_sum(struct lab *lab) {
    lab_one(lab, 5, 32, fake_sum_case);
}

/* Runs one call that ends so, and asserts the verdict. */
static json_t *expect_verdict(enum call_outcome outcome, const char *verdict) {
    fake.outcome = outcome;
    json_t *document = fake_perform("edge", one_sum);
    fake_expect(document, "verdict", verdict);
    return document;
}

Test(call, gives_each_outcome_its_verdict) {
    static const char *const verdicts[] = {
        [CALL_OK] = "pass",
        [CALL_NOT_WRITTEN] = "not_written",
        [CALL_NO_ENTRY] = "no_entry",
        [CALL_LOAD_FAILED] = "load_failed",
        [CALL_CUDA_ERROR] = "cuda_error",
        [CALL_OUT_OF_MEMORY] = "out_of_memory",
        [CALL_UNSUPPORTED] = "unsupported",
        [CALL_TIMEOUT] = "timeout",
        [CALL_CRASH] = "crash",
        [CALL_EXITED] = "exited",
        [CALL_PROTOCOL] = "protocol",
        [CALL_INFRASTRUCTURE] = "infrastructure",
    };

    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        expect_verdict((enum call_outcome)i, verdicts[i]);
}

static char machine[] = "/tmp/test-call-XXXXXX"; /* a file in place of the kernel's */

static void write_machine(const char *text) {
    FILE *file = fopen(machine, "w");

    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

FAKE_ANSWER(kill_worker) {
    result->signal = SIGKILL;
}

FAKE_ANSWER(kill_and_say) {
    kill_worker(function, args, n_args, result);
    snprintf(result->message, sizeof result->message, "%s was killed", function);
}

FAKE_ANSWER(kill_for_memory) {
    kill_worker(function, args, n_args, result);
    write_machine("oom_kill 8\n");
}

Test(call, tries_again_before_it_charges_what_a_machine_can_do) {
    fake.is_first_try = true;
    expect_verdict(CALL_OUT_OF_MEMORY, "infrastructure");
    expect_verdict(CALL_CRASH, "crash");
    fake.answer = kill_worker;
    expect_verdict(CALL_CRASH, "infrastructure");
    fake.is_first_try = false;
    expect_verdict(CALL_CRASH, "crash");
}

Test(call, charges_nobody_where_the_machine_is_short_of_memory) {
    close(mkstemp(machine));
    setenv("WARPBOOK_MEMINFO", machine, 1);
    write_machine("MemAvailable: 2097152 kB\n");
    json_t *document = expect_verdict(CALL_OUT_OF_MEMORY, "infrastructure");
    fake_expect_reason(document, "2.0 GiB to spare, and sum may have 4");
    expect_verdict(CALL_CRASH, "crash");
    write_machine("MemAvailable: 8388608 kB\n");
    expect_verdict(CALL_OUT_OF_MEMORY, "out_of_memory");
    setenv("WARPBOOK_VMSTAT", machine, 1);
    write_machine("oom_kill 7\n");
    fake.answer = kill_worker;
    expect_verdict(CALL_CRASH, "crash");
    fake.answer = kill_for_memory;
    expect_verdict(CALL_CRASH, "infrastructure");
    unlink(machine);
}

FAKE_ANSWER(explain) {
    snprintf(result->message, sizeof result->message, "sum was killed by SIGSEGV");
}

Test(call, tells_what_the_worker_said) {
    fake.answer = explain;
    json_t *document = expect_verdict(CALL_CRASH, "crash");
    fake_expect(document, "reason", "sum was killed by SIGSEGV.");
}

FAKE_ANSWER(leave_error) {
    snprintf(result->cuda_error_name, sizeof result->cuda_error_name, "cudaErrorInvalidValue");
}

Test(call, tells_a_returned_error_from_one_left_behind) {
    fake.answer = leave_error;
    json_t *document = expect_verdict(CALL_CUDA_ERROR, "cuda_error");
    fake_expect(document, "reason",
                "sum returned cudaSuccess, but left behind cudaErrorInvalidValue.");
}

static const char *refusal;

FAKE_ANSWER(return_refusal) {
    result->returned = result->cuda_error = 1;
    snprintf(result->message, sizeof result->message, "it returned an error: %s", refusal);
}

static void expect_refusal(const char *words, const char *id) {
    refusal = words;
    fake.answer = return_refusal;
    fake_expect(expect_verdict(CALL_CUDA_ERROR, "cuda_error"), "diagnosis", id);
}

Test(call, knows_what_the_device_refused) {
    expect_refusal("Too many threads in a block: 1024, the limit is 512", "block_refused");
    expect_refusal("A fill of 8 bytes goes beyond the memory that it begins in.",
                   "fill_past_the_end");
    expect_refusal("cudaMemcpy was refused: it reads 8 bytes, more than the device memory has "
                   "from there on.",
                   "copy_past_the_end");
    expect_refusal("cudaMemcpyAsync was refused: it writes 8 bytes of device memory where none is "
                   "allocated.",
                   "copy_past_the_end");
    expect_refusal("invalid argument", NULL);
}

FAKE_ANSWER(change_input) {
    fake_sum(function, args, n_args, result);
    result->damage = (struct call_damage){.kind = CALL_INPUT_CHANGED, .arg = 0, .element = 3};
}

Test(call, names_the_element_of_a_const_input_that_changed) {
    fake.answer = change_input;
    json_t *document = expect_verdict(CALL_OK, "damage");
    fake_expect_reason(document, "changed in[3]");
}

FAKE_ANSWER(damage_nothing_known) {
    fake_sum(function, args, n_args, result);
    result->damage = (struct call_damage){.kind = CALL_GUARD_AFTER, .arg = 99};
}

static void described_sum(struct lab *lab, const struct lab_case *c) {
    if (c->n == 5)
        lab_describe(lab, "%zu of a kind", c->n);
    fake_sum_case(lab, c);
}

static void two_sums(struct lab *lab) {
    lab_one(lab, 5, 32, described_sum);
    lab_one(lab, 6, 32, described_sum);
}

Test(call, says_what_a_case_is_in_its_own_words) {
    fake.answer = change_input;
    json_t *document = fake_judge("edge", two_sums, "damage");
    fake_expect_reason(document, "sum (5 of a kind) changed in[3]");
    fake_expect(json_object_get(document, "case"), "words", "5 of a kind");
    fake.answer = kill_and_say;
    fake.outcome = CALL_CRASH;
    document = fake_judge("edge", two_sums, "crash");
    fake_expect_reason(document, "sum (5 of a kind) was killed");
    fake.outcome = CALL_OK;
    fake.answer = fake_sum;
    fake.wrong_from = 6;
    document = fake_judge("edge", two_sums, "wrong_answer");
    fake_expect_reason(document, "sum (n = 6, block = 32) gave");
    fake_expect(json_object_get(document, "case"), "words", NULL);
}

Test(call, does_not_believe_damage_to_an_argument_that_is_none) {
    fake.answer = damage_nothing_known;
    expect_verdict(CALL_OK, "protocol");
}

Test(call, fails_on_a_finding_though_the_result_is_right) {
    fake.report = "{\"launches\":[], \"findings\":["
                  "{\"kind\":\"uninitialised\",\"message\":\"Second.\"},"
                  "{\"kind\":\"shared_race\",\"message\":\"First.\"}]}";
    json_t *document = expect_verdict(CALL_OK, "finding");
    fake_expect(document, "reason", "sum (n = 5, block = 32): First.");
    cr_assert_eq(json_array_size(json_object_get(document, "findings")), 2);
}

Test(call, prefers_a_finding_to_the_error_that_it_led_to) {
    fake.report = "{\"findings\":[{\"kind\":\"out_of_bounds\",\"message\":\"Out.\"}]}";
    expect_verdict(CALL_CUDA_ERROR, "finding");
}

Test(call, calls_a_kernel_that_was_stopped_a_timeout) {
    static const char *const reports[] = {
        "{\"findings\":[{\"kind\":\"endless\",\"message\":\"Endless.\"}]}",
        "{\"findings\":[{\"kind\":\"costly\",\"message\":\"Costly.\"}]}",
        "{\"findings\":[{\"kind\":\"late\",\"message\":\"Late.\"}]}",
    };
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        fake.report = reports[i];
        cr_expect(!lab_result_hangs(expect_verdict(CALL_CUDA_ERROR, "timeout")));
    }
    fake.report = NULL;
    cr_expect(lab_result_hangs(expect_verdict(CALL_TIMEOUT, "timeout")));
}

Test(call, does_not_believe_a_report_that_is_no_json) {
    fake.report = "{\"findings\":[";
    expect_verdict(CALL_OK, "protocol");
}

static void sweep_some(struct lab *lab) {
    static const size_t sizes[] = {1, 5, 9};
    static const unsigned blocks[] = {32};

    lab_sweep(lab, sizes, 3, blocks, 1, fake_sum_case);
}

Test(call, has_a_report_written_only_where_somebody_reads_it) {
    fake.kept = "{\"launches\":[{\"kernel\":\"k\"}],\"findings\":[]}";
    json_t *document = fake_judge("edge", sweep_some, "pass");
    cr_assert_eq(fake.n_calls, 3);
    cr_assert_eq(fake.n_reports, 1, "a test that passed shows its last call");
    cr_assert_eq(json_array_size(json_object_get(document, "launches")), 1);
    document = fake_perform("technique", sweep_some);
    cr_assert_eq(fake.n_reports, 4);
}

Test(call, fails_a_technique_whose_report_can_t_be_had) {
    fake.kept = "";
    fake_judge("technique", sweep_some, "protocol");
}

static void refused_call(struct lab *lab) {
    int32_t in[3] = {1, 2, 3}, sum;

    lab_call_refused(lab, "sum", "a block of 1025 threads", lab_in("in", in, 3, 4), lab_size(3),
                     lab_out("sum", &sum, 1, 4));
}

FAKE_ANSWER(refuse) {
    result->outcome = CALL_CUDA_ERROR;
    result->returned = 9;
}

Test(call, passes_where_a_refused_launch_is_reported) {
    fake.answer = refuse;
    fake_judge("safety", refused_call, "pass");
}

FAKE_ANSWER(refuse_and_say_nothing) {
    result->refusal.n_failed = 1;
}

Test(call, fails_where_a_refused_launch_is_kept_quiet) {
    fake.answer = refuse_and_say_nothing;
    json_t *document = fake_judge("safety", refused_call, "cuda_error");
    fake_expect_reason(document, "a block of 1025 threads");
    fake_expect(document, "diagnosis", "launch_error_swallowed");
}

Test(call, takes_no_call_without_a_refused_launch_for_one_that_kept_quiet) {
    json_t *document = fake_judge("safety", refused_call, "cuda_error");
    fake_expect(document, "diagnosis", "nothing_launched");
    fake.report = "{\"launches\":[{\"kernel\":\"k\",\"grid\":[1,1,1],\"block\":[32,1,1]}]}";
    document = fake_judge("safety", refused_call, "cuda_error");
    fake_expect(document, "diagnosis", NULL);
}

static void check_backend(struct lab *lab) {
    int32_t in[1] = {1}, sum;

    lab_call(lab, "sum", lab_in("in", in, 1, 4), lab_size(1), lab_out("sum", &sum, 1, 4));
}

/* Which backend a test of this tier gets where the grader chose the GPU. */
static enum call_backend backend_of(const char *tier) {
    struct lab_settings settings = fake_settings();

    settings.backend = CALL_GPU;
    settings.cudart_gpu = "nvidia";
    fake_perform_with(&settings, tier, check_backend);
    cr_assert_str_eq(fake.settings.cudart,
                     fake.settings.backend == CALL_GPU ? "nvidia" : "drop-in");
    return fake.settings.backend;
}

Test(call, checks_safety_and_technique_on_the_simulator_always) {
    cr_assert_eq(backend_of("example"), CALL_GPU);
    cr_assert_eq(backend_of("edge"), CALL_GPU);
    cr_assert_eq(backend_of("speed"), CALL_GPU);
    cr_assert_eq(backend_of("safety"), CALL_SIM);
    cr_assert_eq(backend_of("technique"), CALL_SIM);
}

FAKE_ANSWER(fail_in_a_call) {
    (void)function, (void)args, (void)n_args;
    result->failed_at[0] = 7;
}

Test(call, says_what_the_host_did_where_no_call_had_failed) {
    json_t *host = json_object_get(expect_verdict(CALL_CUDA_ERROR, "cuda_error"), "host");
    fake_expect(host, "did", "returned");
    cr_expect_eq(json_array_size(json_object_get(host, "sites")), 0);
    host = json_object_get(expect_verdict(CALL_TIMEOUT, "timeout"), "host");
    fake_expect(host, "did", "looped");
    fake_expect(expect_verdict(CALL_PROTOCOL, "protocol"), "host", NULL);
    fake.answer = fail_in_a_call;
    host = json_object_get(expect_verdict(CALL_CUDA_ERROR, "cuda_error"), "host");
    fake_expect(host, "did", "failed");
    cr_expect_eq(json_array_size(json_object_get(host, "sites")), 1);
}

/* A wrong sum, after so many copies, kernels and the like. */
static unsigned n_asked;

FAKE_ANSWER(ask_and_be_wrong) {
    fake_sum(function, args, n_args, result);
    result->n_asked = n_asked;
    for (uint64_t i = 0; i < n_asked && i < CALL_MAX_ASKED; i++) {
        result->asked[i][0] = 100 + i;
        result->asked[i][1] = i % 2 ? 7 : 0;
    }
}

Test(call, says_what_the_host_asked_of_the_device_where_that_was_little) {
    const json_t *asked, *host;

    fake.wrong_from = 0;
    fake.answer = ask_and_be_wrong;
    n_asked = 3;
    host = json_object_get(fake_judge("edge", one_sum, "wrong_answer"), "host");
    fake_expect(host, "did", "asked");
    asked = json_object_get(host, "asked");
    cr_assert_eq(json_array_size(asked), 3);
    for (size_t i = 0; i < 3; i++) {
        const json_t *sites = json_object_get(json_array_get(asked, i), "sites");
        cr_expect_eq(json_array_size(sites), 1 + i % 2);
        cr_expect_eq(json_integer_value(json_array_get(sites, 0)), 100 + (json_int_t)i);
    }
    n_asked = CALL_MAX_ASKED + 1;
    fake_expect(fake_judge("edge", one_sum, "wrong_answer"), "host", NULL);
    n_asked = 0;
    fake_expect(fake_judge("edge", one_sum, "wrong_answer"), "host", NULL);
}
