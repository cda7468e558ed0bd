/*
 * Hostile replies: every lie of hostile.h, told by a worker process, comes to the outcome that
 * stands beside it there, and in no case does the client hang, die or take anything over.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/call/client/exchange.h"
#include "common/call/client/session.h"
#include "common/call/tests/fakes/hostile.h"
#include "common/call/tests/support.h"

struct row {
    const char *name;
    enum call_outcome outcome;
    const char *words;
};

#define HOSTILE_ROW(name, outcome, words)                                                          \
    { #name, CALL_##outcome, words }
#define HOSTILE_ROWS(name, outcome, words) HOSTILE_ROW(name, outcome, words),

static struct call_worker *open_liar(const struct row *row) {
    struct call_settings settings = support_settings(CALL_SIM);
    size_t length = strlen(row->name);

    settings.worker = getenv("CALL_TEST_HOSTILE");
    settings.cudart = row->name;
    settings.timeout_ms = 20000;
    if (length > 4 && strcmp(row->name + length - 4, "_gpu") == 0)
        settings.backend = CALL_GPU;
    if (row->outcome == CALL_TIMEOUT)
        settings.timeout_ms = 200;
    return call_open(&settings);
}

/* Checks the last call. */
static void check(const struct row *row) {
    cr_expect_eq(last.outcome, row->outcome, "%s: %s, not %s: %s", row->name,
                 call_outcome_word(last.outcome), call_outcome_word(row->outcome), last.message);
    cr_expect(strstr(last.message, row->words), "%s: \"%s\" says nothing of \"%s\"", row->name,
              last.message, row->words);
    cr_expect_null(last.report, "%s: a report is taken over", row->name);
    for (const char *c = last.message; *c; c++)
        cr_expect((unsigned char)*c >= ' ', "%s: a control character is quoted", row->name);
}

static void call_liar(const struct row *row) {
    struct call_worker *worker = open_liar(row);
    int data = 1;
    struct call_arg args[] = {support_buffer(CALL_ARG_INOUT, "x", &data, 1, sizeof data)};

    cr_assert_not_null(worker);
    call_run(worker, "f", args, 1, support_anew());
    call_report(worker, &last);
    check(row);
    call_close(worker);
}

Test(hostile, replies_cost_their_own_call_alone) {
    static const struct row rows[] = {HOSTILE_CASES(HOSTILE_ROWS)};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        call_liar(&rows[i]);
}

/* A test each, as these take seconds. */
#define CLOSING_TEST(name, outcome, words)                                                         \
    Test(hostile, name) {                                                                          \
        const struct row row = HOSTILE_ROW(name, outcome, words);                                  \
        call_liar(&row);                                                                           \
    }
HOSTILE_CLOSING_CASES(CLOSING_TEST)

Test(hostile, second_answers_are_never_taken) {
    static const struct row rows[] = {HOSTILE_DOUBLE_CASES(HOSTILE_ROWS)};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct call_worker *worker = open_liar(&rows[i]);
        for (int j = 0; j < 10; j++) {
            if (call_run(worker, "f", NULL, 0, support_anew()) != CALL_OK)
                check(&rows[i]);
        }
        call_close(worker);
    }
}

Test(hostile, long_texts_are_cut_and_marked) {
    static const struct row row = HOSTILE_LONG_CASES(HOSTILE_ROW);
    struct call_worker *worker = open_liar(&row);
    int data = 1;
    struct call_arg args[] = {support_buffer(CALL_ARG_INOUT, "x", &data, 1, sizeof data)};

    call_run(worker, "f", args, 1, support_anew());
    cr_expect_eq(last.outcome, CALL_OK, "%s", last.message);
    cr_assert_not_null(last.report);
    cr_expect_lt(strlen(last.report), 40 * 2200);
    size_t n_marks = 0;
    for (const char *at = last.report; (at = strstr(at, "… (cut)\"}")); at++)
        n_marks++;
    cr_expect_eq(n_marks, 40);
    call_close(worker);
}

/* Takes a good reply from a worker in whose socket so many more bytes lie. */
static enum call_outcome take_with_more(size_t bytes, bool *is_kept) {
    struct call_worker *worker = support_open(CALL_SIM);
    struct call_result result = {.outcome = CALL_OK};
    int sockets[2];

    cr_assert(worker && socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets) == 0);
    worker->process.socket = sockets[0];
    worker->exchange.message.reply = (struct wire_reply){.outcome = CALL_OK, .event_ms = NAN};
    if (bytes > 0)
        cr_assert_eq(send(sockets[1], "another answer", bytes, 0), (ssize_t)bytes);
    session_take_reply(worker, &result);
    *is_kept = worker->process.socket >= 0;
    call_close(worker);
    close(sockets[1]);
    return result.outcome;
}

Test(hostile, an_answer_with_another_behind_it_is_nonsense) {
    bool is_kept;

    cr_expect_eq(take_with_more(0, &is_kept), CALL_OK);
    cr_expect(is_kept);
    cr_expect_eq(take_with_more(8, &is_kept), CALL_PROTOCOL);
    cr_expect(!is_kept, "the worker goes on after two answers");
}

Test(hostile, what_lies_in_the_socket_is_seen) {
    int sockets[2];

    cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets), 0);
    struct call_process process = {.socket = sockets[0]};
    cr_expect_eq(exchange_rest(&process), EXCHANGE_NOTHING);
    cr_assert_eq(send(sockets[1], "x", 1, 0), 1);
    cr_expect_eq(exchange_rest(&process), EXCHANGE_MORE);
    cr_expect_eq(exchange_rest(&process), EXCHANGE_MORE, "it is still there");
    cr_assert_eq(recv(sockets[0], sockets, 1, 0), 1);
    close(sockets[1]);
    cr_expect_eq(exchange_rest(&process), EXCHANGE_CLOSED);
}

Test(hostile, answers_without_an_end_are_cut) {
    const struct row row = {"floods_and_dies", CALL_EXITED, ""};
    struct call_worker *worker = open_liar(&row);

    call_run(worker, "f", NULL, 0, support_anew());
    check(&row);
    cr_expect_eq(strlen(last.output), CALL_OUTPUT_BYTES);
    cr_expect_eq(last.output_dropped, 4096 * 1000 - CALL_OUTPUT_BYTES);
    call_close(worker);
}

Test(hostile, timed_calls_keep_their_order_and_time) {
    static const struct row rows[] = {HOSTILE_TIMED_CASES(HOSTILE_ROWS)};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct call_worker *worker = open_liar(&rows[i]);
        call_run_timed(worker, "f", NULL, 0, support_anew());
        check(&rows[i]);
        call_close(worker);
    }
}

Test(hostile, devices_are_looked_at) {
    static const struct row rows[] = {HOSTILE_DEVICE_CASES(HOSTILE_ROWS)};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct call_worker *worker = open_liar(&rows[i]);
        struct call_device device;
        call_device(worker, &device, support_anew());
        check(&rows[i]);
        cr_expect_eq(device.n_sm, rows[i].outcome == CALL_OK, "%s", rows[i].name);
        call_close(worker);
    }
}
