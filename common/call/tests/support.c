/*
 * See support.h.
 */
#include "common/base/system/file.h"
#include "common/call/tests/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const char *variable(const char *name) {
    const char *value = getenv(name);

    cr_assert_not_null(value, "%s is not set: run this through Meson", name);
    return value;
}

/* The sandbox, as far as this machine has one. */
static struct sandbox_tools tools(void) {
    struct sandbox_tools found = {.confine = variable("CALL_TEST_CONFINE"),
                                  .bwrap = file_in_path("bwrap")};
    char why[256];

    if (!sandbox_probe(&found, why, sizeof why))
        found.bwrap = NULL;
    return found;
}

struct call_settings support_settings(enum call_backend backend) {
    return (struct call_settings){.backend = backend,
                                  .worker = variable("CALL_TEST_WORKER"),
                                  .simulator = getenv("CALL_TEST_SIMULATOR"),
                                  .cudart = variable("CALL_TEST_CUDART"),
                                  .submission = variable("CALL_TEST_SUBMISSION"),
                                  .sandbox = tools(),
                                  .timeout_ms = 20000,
                                  .checks = true};
}

struct call_worker *support_open(enum call_backend backend) {
    struct call_settings settings = support_settings(backend);
    struct call_worker *worker = call_open(&settings);

    cr_assert_not_null(worker);
    return worker;
}

struct call_arg support_buffer(enum call_kind kind, const char *name, void *data, size_t count,
                               size_t element_bytes) {
    return (struct call_arg){
        .kind = kind, .name = name, .data = data, .count = count, .element_bytes = element_bytes};
}

struct call_arg support_size(size_t value) {
    return (struct call_arg){.kind = CALL_ARG_U64, .name = "n", .value.u64 = value};
}

struct call_arg support_i32(int32_t value) {
    return (struct call_arg){.kind = CALL_ARG_I32, .name = "value", .value.i64 = value};
}

struct call_result last;

struct call_result *support_anew(void) {
    call_result_clear(&last);
    return &last;
}

enum call_outcome support_call(enum call_backend backend, const char *function, int timeout_ms,
                               struct call_result *result) {
    struct call_settings settings = support_settings(backend);
    int out[4] = {0};
    struct call_arg args[] = {support_buffer(CALL_ARG_OUT, "out", out, 4, sizeof *out)};

    settings.timeout_ms = timeout_ms;
    struct call_worker *worker = call_open(&settings);
    cr_assert_not_null(worker);
    enum call_outcome outcome = call_run(worker, function, args, 1, result);
    call_close(worker);
    return outcome;
}

int support_host(struct call_worker *worker, const char *function) {
    int host = -1;
    struct call_arg args[] = {support_buffer(CALL_ARG_HOST_OUT, "host", &host, 1, sizeof host)};
    struct call_result result;

    call_run(worker, function, args, 1, &result);
    cr_expect_eq(result.outcome, CALL_OK, "%s: %s", function, result.message);
    call_result_clear(&result);
    return host;
}

void support_need_sandbox(void) {
    struct call_worker *worker = support_open(CALL_SIM);
    int is_isolated = support_host(worker, "is_isolated");

    call_close(worker);
    if (!is_isolated)
        cr_skip("there is no sandbox on this machine");
}

void support_expect(enum call_outcome outcome) {
    cr_assert_eq(last.outcome, outcome, "%s, not %s: %s (output: %s)",
                 call_outcome_word(last.outcome), call_outcome_word(outcome), last.message,
                 last.output);
}
