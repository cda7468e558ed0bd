#include "common/harness/tests/fake_call.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct fake fake = {
    .answer = fake_sum,
    .wrong_from = SIZE_MAX,
    .device = {.global_bytes = (size_t)8 << 30, .free_bytes = (size_t)8 << 30, .peak_gbps = 1000},
    .event_ms = 1,
    .noise = 1.5,
    .wall_ms = 2,
    .copy_ms = 1,
    .exchange_ms = 1.25,
};

struct call_worker {
    bool has_run; /* the student's code */
};

enum { MAX_WORKERS = 64 };

const char *call_outcome_word(enum call_outcome outcome) {
    static const char *const words[] = {
#define FAKE_WORD(name, word) word,
        CALL_OUTCOMES(FAKE_WORD)
#undef FAKE_WORD
    };

    return words[outcome];
}

struct call_server *call_server_open(const struct call_settings *settings) {
    (void)settings;
    return NULL;
}

void call_server_close(struct call_server *server) {
    (void)server;
}

struct call_worker *call_open(const struct call_settings *settings) {
    static struct call_worker workers[MAX_WORKERS];
    struct call_worker *worker = &workers[fake.n_opened++ % MAX_WORKERS];

    fake.settings = *settings;
    worker->has_run = false;
    return worker;
}

void call_under(struct call_worker *worker, const struct call_conditions *conditions) {
    cr_assert_not_null(worker);
    fake.conditions = *conditions;
}

void call_try(struct call_worker *worker, const struct call_experiment *experiment) {
    cr_assert_not_null(worker);
    fake.experiment = experiment ? *experiment : (struct call_experiment){0};
}

void call_limit(struct call_worker *worker, int timeout_ms) {
    cr_assert_not_null(worker);
    fake.settings.timeout_ms = timeout_ms;
}

void call_keep_shared(struct call_worker *worker, bool keeps) {
    cr_assert_not_null(worker);
    fake.keeps_shared = keeps;
}

void call_close(struct call_worker *worker) {
    cr_assert_not_null(worker);
    fake.n_closed++;
}

enum call_outcome call_run(struct call_worker *worker, const char *function, struct call_arg *args,
                           size_t n_args, struct call_result *result) {
    cr_assert_not_null(worker);
    worker->has_run = true;
    fake.n_calls++;
    *result =
        (struct call_result){.outcome = fake.outcome, .event_ms = NAN, .memory.n_launches = 1};
    if (fake.report != NULL || (fake.keeps_shared && fake.shared != NULL))
        result->report = strdup(fake.keeps_shared && fake.shared ? fake.shared : fake.report);
    result->is_report_kept = fake.kept != NULL;
    fake.answer(function, args, n_args, result);
    return result->outcome;
}

const char *call_report(struct call_worker *worker, struct call_result *result) {
    cr_assert_not_null(worker);
    cr_assert(result->is_report_kept);
    fake.n_reports++;
    result->is_report_kept = false;
    if (fake.kept[0] != '\0')
        return result->report = strdup(fake.kept);
    result->outcome = CALL_PROTOCOL;
    return NULL;
}

struct call_writer call_last_writer(struct call_worker *worker, size_t arg, uint64_t at) {
    struct call_writer writer = {.kernel = "sum", .file = "sum.cu", .who = "a thread"};
    cr_assert_not_null(worker);
    writer.kind = fake.writer;
    writer.line = 100 * (unsigned)arg + (unsigned)at;
    return writer;
}

enum call_outcome call_run_timed(struct call_worker *worker, const char *function,
                                 struct call_arg *args, size_t n_args, struct call_result *result) {
    fake.n_timed++;
    call_run(worker, function, args, n_args, result);
    result->event_ms = fake.n_timed <= fake.n_noisy && fake.n_timed % 2 ? fake.noise * fake.event_ms
                                                                        : fake.event_ms;
    result->wall_ms = fake.wall_ms;
    return result->outcome;
}

enum call_outcome call_read_variable(struct call_worker *worker, const char *name, void *data,
                                     size_t bytes, struct call_result *result) {
    cr_assert_not_null(worker);
    *result = (struct call_result){.outcome = CALL_NO_ENTRY};
    if (fake.variable != NULL && strcmp(name, fake.variable) == 0) {
        cr_assert_eq(bytes, sizeof fake.value);
        memcpy(data, &fake.value, bytes);
        result->outcome = CALL_OK;
    }
    return result->outcome;
}

enum call_outcome call_time_copy(struct call_worker *worker, size_t bytes, bool with_host,
                                 int repeats, double *ms, struct call_result *result) {
    cr_assert_not_null(worker);
    cr_assert(bytes > 0 && repeats > 0);
    cr_assert(!worker->has_run, "copies must be timed without the student's code");
    fake.n_copies++;
    *ms = with_host ? fake.exchange_ms : fake.copy_ms;
    *result = (struct call_result){.outcome = CALL_OK};
    return CALL_OK;
}

enum call_outcome call_device(struct call_worker *worker, struct call_device *device,
                              struct call_result *result) {
    cr_assert_not_null(worker);
    *result = (struct call_result){.outcome = fake.outcome};
    *device = fake.device;
    return result->outcome;
}

void call_result_clear(struct call_result *result) {
    free(result->output);
    free(result->report);
    *result = (struct call_result){.outcome = CALL_OK};
}

void fake_sum(const char *function, struct call_arg *args, size_t n_args,
              struct call_result *result) {
    const int32_t *in = args[0].data;
    uint32_t sum = 0;

    cr_assert_str_eq(function, "sum");
    cr_assert_eq(n_args, 3);
    if (result->outcome != CALL_OK)
        return;
    for (size_t i = 0; i < args[0].count; i++)
        sum += (uint32_t)in[i];
    *(int32_t *)args[2].data = (int32_t)(sum + (args[0].count >= fake.wrong_from));
}

struct lab_settings fake_settings(void) {
    static struct lab_workers workers;

    /* A machine that says nothing of its memory, unless a test says something in its place. */
    setenv("WARPBOOK_MEMINFO", "/dev/null", 0);
    setenv("WARPBOOK_CGROUP", "/dev/null", 0);
    setenv("WARPBOOK_VMSTAT", "/dev/null", 0);
    return (struct lab_settings){
        .is_first_try = fake.is_first_try,
        .backend = CALL_SIM,
        .worker = "worker",
        .simulator = "simulator",
        .cudart_sim = "drop-in",
        .submission = "submission.so",
        .seed = 42,
        .timeout_ms = 1000,
        .patience = 1,
        .workers = &workers,
    };
}

json_t *fake_perform_with(const struct lab_settings *settings, const char *tier, lab_body *body) {
    static json_t *document;

    json_decref(document);
    document = lab_perform(settings, tier, "claim", body);
    cr_assert_not_null(document);
    return document;
}

json_t *fake_perform(const char *tier, lab_body *body) {
    struct lab_settings settings = fake_settings();
    json_t *document = fake_perform_with(&settings, tier, body);

    cr_assert_eq(fake.n_opened, fake.n_closed, "each worker must be closed");
    return document;
}

void fake_expect(const json_t *document, const char *key, const char *word) {
    const json_t *value = json_object_get(document, key);

    if (word == NULL)
        cr_assert(json_is_null(value), "%s must be null, is \"%s\"", key, json_string_value(value));
    else
        cr_assert_str_eq(json_string_value(value), word);
}

json_t *fake_judge(const char *tier, lab_body *body, const char *verdict) {
    json_t *document = fake_perform(tier, body);

    fake_expect(document, "verdict", verdict);
    return document;
}

void fake_expect_reason(const json_t *document, const char *part) {
    const char *reason = json_string_value(json_object_get(document, "reason"));

    cr_assert_not_null(strstr(reason, part), "no \"%s\" in \"%s\"", part, reason);
}

static void fail(struct call_result *result, enum call_outcome outcome, const char *words) {
    result->outcome = outcome;
    snprintf(result->message, sizeof result->message, "%s", fake.words ? fake.words : words);
}

void fake_refuse(const char *function, struct call_arg *args, size_t n_args,
                 struct call_result *result) {
    (void)function, (void)args, (void)n_args;
    fail(result, CALL_CUDA_ERROR, "it returned an error: The launch has an empty grid: …");
    result->returned = 9;
}

void fake_crash(const char *function, struct call_arg *args, size_t n_args,
                struct call_result *result) {
    (void)function, (void)args, (void)n_args;
    fail(result, CALL_CRASH, "it was killed: host code touched \"in\", which is device memory");
    result->signal = SIGSEGV;
}

void fake_sum_case(struct lab *lab, const struct lab_case *c) {
    int32_t *in = lab_random_i32(lab, c->n);
    uint32_t expected = 0;
    int32_t sum, right;

    for (size_t i = 0; i < c->n; i++)
        expected += (uint32_t)in[i];
    right = (int32_t)expected;
    if (lab_call(lab, "sum", lab_in("in", in, c->n, sizeof *in), lab_size(c->n),
                 lab_out("sum", &sum, 1, sizeof sum)))
        lab_expect_i32(lab, "sum", &sum, &right, 1);
}
