/*
 * Workers that come from one server, one after the other: none finds anything of those before it,
 * none harms the server, and what harms it all the same costs nobody else a call.
 */
#include <criterion/criterion.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/call/client/server.h"
#include "common/call/tests/support.h"

static struct call_server *open_server(struct call_settings *settings) {
    *settings = support_settings(CALL_SIM);
    settings->server = call_server_open(settings);
    cr_assert_not_null(settings->server);
    return settings->server;
}

/* What `function` says in a worker of its own. */
static int ask_new(const struct call_settings *settings, const char *function) {
    struct call_worker *worker = call_open(settings);
    int host = support_host(worker, function);

    call_close(worker);
    return host;
}

Test(server, forks_each_worker_as_it_was_at_first) {
    struct call_settings settings;
    struct call_server *server = open_server(&settings);

    for (int i = 0; i < 3; i++)
        cr_expect_eq(ask_new(&settings, "count_calls"), 1);
    cr_expect(call_server_is_alive(server));
    call_server_close(server);
}

Test(server, has_one_worker_at_a_time) {
    struct call_settings settings;
    struct call_server *server = open_server(&settings);
    struct call_worker *first = call_open(&settings);

    cr_expect_eq(support_host(first, "count_calls"), 1);
    cr_expect_eq(support_host(first, "count_calls"), 2);
    cr_expect_eq(ask_new(&settings, "count_calls"), 1);
    cr_expect_eq(support_host(first, "count_calls"), 1, "the first one was ended");
    call_close(first);
    call_server_close(server);
}

Test(server, gives_no_worker_what_another_left) {
    support_need_sandbox();
    struct call_settings settings;
    struct call_server *server = open_server(&settings);

    for (int i = 0; i < 3; i++)
        cr_expect_eq(ask_new(&settings, "leave_traces"), 1);
    cr_expect(!call_server_is_alive(server), "the next worker would find them");
    call_server_close(server);
}

Test(server, outlives_what_workers_do_to_it) {
    support_need_sandbox();
    struct call_settings settings;
    struct call_server *server = open_server(&settings);

    cr_expect_eq(ask_new(&settings, "attack_server"), 0);
    ask_new(&settings, "kill_all"); /* which says nothing */
    cr_expect_eq(ask_new(&settings, "count_calls"), 1);
    cr_expect(call_server_is_alive(server));
    call_server_close(server);
}

Test(server, is_replaced_once_it_has_ended) {
    struct call_settings settings;
    struct call_server *server = open_server(&settings);
    struct call_worker *worker = call_open(&settings);
    struct pollfd end = {.fd = server->socket};

    cr_expect_eq(support_host(worker, "count_calls"), 1);
    kill(-server->pid, SIGKILL);
    cr_assert_eq(poll(&end, 1, 20000), 1, "what is inside ends, too");
    cr_expect_eq(support_host(worker, "count_calls"), 1);
    cr_expect_eq(ask_new(&settings, "count_calls"), 1);
    call_close(worker);
    call_server_close(server);
}

Test(server, ends_a_worker_whose_client_was_killed) {
    support_need_sandbox();
    struct call_settings settings;
    struct call_server *server = open_server(&settings);
    struct call_result result;
    pid_t client = fork();

    if (client == 0) {
        struct call_worker *worker = call_open(&settings);
        call_run(worker, "ignore_and_spin", NULL, 0, &result);
        _exit(1);
    }
    usleep(300000);
    kill(client, SIGKILL);
    waitpid(client, NULL, 0);
    cr_expect_eq(ask_new(&settings, "count_processes"), 2, "the server and the worker that asks");
    cr_expect(call_server_is_alive(server));
    call_server_close(server);
}
