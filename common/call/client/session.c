/*
 * A worker lives from the first call until one fails, so that a failure's after-effects (a sticky
 * CUDA error, a damaged heap) end with it.
 */
#include "common/call/client/session.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    START_MS = 30000, /* the CUDA runtime's context on a busy machine takes seconds */
    LOAD_MS = 10000,  /* unless told: a GPU's driver may compile for seconds */
};

enum { N_TEXTS = 6 + SANDBOX_HIDDEN };

/* Where the strings of the settings are. */
static void find_texts(struct call_settings *settings, const char **texts[N_TEXTS]) {
    texts[0] = &settings->worker;
    texts[1] = &settings->cudart;
    texts[2] = &settings->submission;
    texts[3] = &settings->sandbox.confine;
    texts[4] = &settings->sandbox.bwrap;
    texts[5] = &settings->simulator;
    for (size_t i = 0; i < SANDBOX_HIDDEN; i++)
        texts[6 + i] = &settings->sandbox.hidden[i];
}

struct call_worker *call_open(const struct call_settings *settings) {
    struct call_worker *worker = calloc(1, sizeof *worker);
    const char **texts[N_TEXTS];
    bool is_whole = true;

    if (!worker)
        return NULL;
    call_process_init(&worker->process);
    call_process_init(&worker->device);
    share_init(&worker->share);
    share_init(&worker->device_share);
    worker->device_share.has_sparse = true;
    worker->server = settings->server;
    worker->settings = *settings;
    if (!worker->settings.worker)
        worker->settings.worker = "";
    if (!worker->settings.cudart)
        worker->settings.cudart = "";
    find_texts(&worker->settings, texts);
    for (size_t i = 0; i < N_TEXTS; i++) {
        char *copy = *texts[i] ? strdup(*texts[i]) : NULL;
        is_whole = is_whole && !*texts[i] == !copy;
        *texts[i] = copy;
    }
    if (is_whole)
        return worker;
    call_close(worker);
    return NULL;
}

int session_discard(struct call_worker *worker) {
    worker->is_open = worker->is_loaded = worker->has_share = false;
    worker->has_device_share = worker->is_stopped = false;
    memset(worker->kept, 0, sizeof worker->kept);
    int status = call_process_end(&worker->process, worker->server);
    if (worker->device.socket >= 0)
        shutdown(worker->device.socket, SHUT_RDWR); /* it is free for the next worker */
    if (worker->server)
        call_process_end(&worker->device, worker->server->simulators);
    return status;
}

/* What the simulator said last, and how it ended. */
static int end_device(struct call_worker *worker) {
    struct exchange *exchange = &worker->exchange;
    char *said = exchange->said;
    ssize_t got = worker->device.output >= 0
                      ? read(worker->device.output, said, sizeof exchange->said - 1)
                      : 0;
    bool has_ended = exchange_is_dead(&worker->device);

    said[got > 0 ? got : 0] = '\0';
    said[strcspn(said, "\n")] = '\0';
    wire_clean_text(said, strlen(said), false);
    int status = call_process_end(&worker->device, worker->server->simulators);
    exchange->is_killed = has_ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    return status;
}

static void fail(struct call_worker *worker, const struct outcome_scene *scene,
                 struct call_result *result) {
    struct call_output *output = &worker->output;
    struct exchange *exchange = &worker->exchange;
    int status = 0;

    exchange->said[0] = '\0';
    if (exchange->end == EXCHANGE_NO_DEVICE)
        status = end_device(worker);
    int worker_status = session_discard(worker);
    if (output->text)
        output->text[output->used] = '\0';
    outcome_from_end(result, exchange, exchange->end == EXCHANGE_NO_DEVICE ? status : worker_status,
                     scene);
}

void session_break(struct call_worker *worker, struct call_result *result) {
    const struct outcome_scene scene = {
        .request = WIRE_CALL, .function = worker->call.function, .timeout_ms = worker->granted_ms};

    fail(worker, &scene, result);
}

bool session_take_report(struct call_worker *worker, uint64_t bytes, struct call_result *result) {
    const struct call_share *share =
        session_is_apart(worker) ? &worker->device_share : &worker->share;

    if (bytes == 0)
        return true;
    result->report = malloc(bytes + 1);
    if (!result->report) {
        outcome_set(result, CALL_INFRASTRUCTURE, "no memory for the simulator's report");
        return false;
    }
    memcpy(result->report, share->base, bytes); /* once, and only then it is looked at */
    result->report[bytes] = '\0';
    size_t length = bytes;
    const char *fault = report_fault(result->report, &length);
    if (!fault)
        return true;
    free(result->report);
    result->report = NULL;
    outcome_set(result, CALL_PROTOCOL, "the process sent a report that can't be right: %s", fault);
    session_discard(worker);
    return false;
}

void call_under(struct call_worker *worker, const struct call_conditions *conditions) {
    worker->conditions = *conditions;
}

void call_limit(struct call_worker *worker, int timeout_ms) {
    worker->settings.timeout_ms = timeout_ms;
}

void call_keep_shared(struct call_worker *worker, bool keeps) {
    worker->keeps_shared = keeps;
}

void call_close(struct call_worker *worker) {
    const char **texts[N_TEXTS];

    if (!worker)
        return;
    session_discard(worker);
    call_server_close(worker->own_server);
    share_close(&worker->share);
    share_close(&worker->device_share);
    find_texts(&worker->settings, texts);
    for (size_t i = 0; i < N_TEXTS; i++)
        free((char *)*texts[i]);
    free(worker);
}

bool session_ask(struct call_worker *worker, void *message, uint32_t kind, int fd,
                 struct wire_expect *expect, int64_t limit_ms, const struct outcome_scene *scene,
                 struct call_result *result) {
    struct wire_header *header = message;
    struct call_output *output = &worker->output;

    *header = wire_header_of(kind, ++worker->sequence);
    expect->sequence = worker->sequence;
    expect->request = scene->request;
    expect->backend = worker->settings.backend;
    exchange_run(&worker->process, header, fd, expect, limit_ms, output, &worker->exchange);
    result->wall_ms = worker->exchange.wall_ms;
    if (worker->exchange.end == EXCHANGE_ANSWERED)
        return true;
    fail(worker, scene, result);
    return false;
}

enum call_outcome session_take_reply(struct call_worker *worker, struct call_result *result) {
    enum call_outcome outcome = outcome_from_reply(result, &worker->exchange.message.reply);

    if (exchange_rest(&worker->process) == EXCHANGE_MORE)
        outcome = outcome_set(result, CALL_PROTOCOL, "the process answered twice");
    /* A call that was to be refused has harmed nothing. */
    bool is_wanted = (outcome == CALL_CUDA_ERROR || outcome == CALL_OUT_OF_MEMORY) &&
                     worker->conditions.refused > 0;
    if (outcome != CALL_OK && outcome != CALL_NOT_WRITTEN && outcome != CALL_NO_ENTRY && !is_wanted)
        session_discard(worker);
    return outcome;
}

enum call_outcome session_request(struct call_worker *worker, void *message, uint32_t kind,
                                  const char *name, int limit_ms, struct call_result *result) {
    struct outcome_scene scene = {.request = kind, .function = name, .timeout_ms = limit_ms};
    struct wire_expect expect = {.kind = WIRE_REPLY, .wall_ms = NAN};

    if (kind == WIRE_REPORT)
        expect.report_capacity = WIRE_REPORT_BYTES;
    if (session_ask(worker, message, kind, -1, &expect, limit_ms, &scene, result))
        session_take_reply(worker, result);
    return result->outcome;
}

/* Makes sure that there is a server: the settings' own, or where it has none or that one has ended,
 * one for this worker alone. */
static bool have_server(struct call_worker *worker, struct call_result *result) {
    if (worker->server && call_server_is_alive(worker->server))
        return true;
    call_server_close(worker->own_server);
    worker->own_server = worker->server =
        server_start(&worker->settings, result->message, sizeof result->message);
    return worker->server != NULL;
}

/* A worker, and the simulator beside it with a socket between the two. */
static bool start_processes(struct call_worker *worker) {
    const struct call_server *server = worker->server;
    int ends[2] = {-1, -1};

    if (!server->simulators)
        return call_process_start(&worker->process, server, -1);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    bool is_started = call_process_start(&worker->device, server->simulators, ends[0]) &&
                      call_process_start(&worker->process, server, ends[1]);
    int error = errno;
    worker->process.device_life = worker->device.life;
    close(ends[0]);
    close(ends[1]);
    errno = error;
    return is_started;
}

/* Starts a process and has it load its CUDA runtime. */
static bool open_process(struct call_worker *worker, struct call_result *result) {
    struct wire_open open = {.backend = worker->settings.backend};

    if (!have_server(worker, result)) {
        result->outcome = CALL_INFRASTRUCTURE;
        return false;
    }
    if (!start_processes(worker)) {
        outcome_set(result, CALL_INFRASTRUCTURE, "no worker could be started: %s", strerror(errno));
        session_discard(worker);
        return false;
    }
    snprintf(open.cudart, sizeof open.cudart, "%s", worker->settings.cudart);
    if (session_request(worker, &open, WIRE_OPEN, NULL, START_MS, result) == CALL_OK)
        return true;
    result->outcome = CALL_INFRASTRUCTURE; /* cuda_error and message say which */
    session_discard(worker);
    return false;
}

bool session_start(struct call_worker *worker, struct call_result *result) {
    if (worker->process.socket >= 0 &&
        (exchange_is_dead(&worker->process) ||
         exchange_rest(&worker->process) != EXCHANGE_NOTHING ||
         (session_is_apart(worker) && exchange_is_dead(&worker->device))))
        session_discard(worker);
    if (worker->is_open)
        return true;
    session_discard(worker);
    if (worker->sequence == 0 &&
        getrandom(&worker->sequence, sizeof worker->sequence / 2, GRND_NONBLOCK) < 0)
        worker->sequence = 1;
    worker->is_open = open_process(worker, result);
    /* Whoever ended the server meanwhile, this call is not to fail for it: once more. */
    if (!worker->is_open && worker->server && !call_server_is_alive(worker->server)) {
        outcome_clear(result);
        worker->is_open = open_process(worker, result);
    }
    return worker->is_open;
}

bool session_load(struct call_worker *worker, struct call_result *result) {
    struct wire_load request = {.header = {0}};
    int load_ms = worker->settings.load_ms > 0 ? worker->settings.load_ms : LOAD_MS;

    if (!session_start(worker, result))
        return false;
    if (worker->is_loaded)
        return true;
    if (!worker->settings.submission) {
        outcome_set(result, CALL_INFRASTRUCTURE, "there is no submission to call");
        return false;
    }
    snprintf(request.submission, sizeof request.submission, "%s", worker->settings.submission);
    worker->is_loaded =
        session_request(worker, &request, WIRE_LOAD, NULL, load_ms, result) == CALL_OK;
    result->is_loading = result->outcome == CALL_TIMEOUT;
    if (!worker->is_loaded)
        session_discard(worker);
    return worker->is_loaded;
}
