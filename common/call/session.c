/*
 * A worker lives from the first call until one fails, so that a failure's after-effects (a sticky
 * CUDA error, a damaged heap) end with it.
 */
#include "common/call/session.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    START_MS = 30000, /* the CUDA runtime's context on a busy machine takes seconds */
    LOAD_MS = 10000,  /* unless told: a GPU's driver may compile for seconds */
};

static char *copy(const char *text) {
    return text ? strdup(text) : NULL;
}

struct call_worker *call_open(const struct call_settings *settings) {
    struct call_worker *worker = calloc(1, sizeof *worker);
    const struct sandbox_tools *tools = &settings->sandbox;
    const char *submission = settings->submission;

    if (!worker)
        return NULL;
    process_init(&worker->process);
    share_init(&worker->share);
    worker->settings = *settings;
    worker->settings.worker = strdup(settings->worker ? settings->worker : "");
    worker->settings.cudart = strdup(settings->cudart ? settings->cudart : "");
    worker->settings.submission = submission ? strdup(submission) : NULL;
    worker->settings.sandbox =
        (struct sandbox_tools){copy(tools->confine),
                               copy(tools->bwrap),
                               tools->as_user,
                               {copy(tools->hidden[0]), copy(tools->hidden[1])}};
    worker->server = settings->server;
    if ((tools->confine && !worker->settings.sandbox.confine) ||
        (tools->bwrap && !worker->settings.sandbox.bwrap) ||
        (tools->hidden[0] && !worker->settings.sandbox.hidden[0]) ||
        (tools->hidden[1] && !worker->settings.sandbox.hidden[1]) || !worker->settings.worker ||
        !worker->settings.cudart || (submission && !worker->settings.submission)) {
        call_close(worker);
        return NULL;
    }
    return worker;
}

int session_discard(struct call_worker *worker) {
    worker->is_open = worker->is_loaded = worker->has_share = false;
    return process_end(&worker->process, worker->server);
}

void call_limit(struct call_worker *worker, int timeout_ms) {
    worker->settings.timeout_ms = timeout_ms;
}

void call_close(struct call_worker *worker) {
    if (!worker)
        return;
    session_discard(worker);
    call_server_close(worker->own_server);
    share_close(&worker->share);
    free((char *)worker->settings.worker);
    free((char *)worker->settings.cudart);
    free((char *)worker->settings.submission);
    free((char *)worker->settings.sandbox.confine);
    free((char *)worker->settings.sandbox.bwrap);
    for (size_t i = 0; i < SANDBOX_HIDDEN; i++)
        free((char *)worker->settings.sandbox.hidden[i]);
    free(worker);
}

struct wire_header session_header(struct call_worker *worker, uint32_t kind, size_t bytes) {
    return (struct wire_header){.magic = WIRE_MAGIC,
                                .version = WIRE_VERSION,
                                .kind = (uint16_t)kind,
                                .sequence = ++worker->sequence,
                                .bytes = bytes};
}

bool session_ask(struct call_worker *worker, const void *request, size_t bytes, int fd,
                 struct wire_expect *expect, int64_t limit_ms, const struct outcome_scene *scene,
                 struct call_output *output, struct call_result *result) {
    int64_t sent = exchange_now();

    expect->sequence = worker->sequence;
    expect->backend = worker->settings.backend;
    exchange_send(&worker->process, request, bytes, fd); /* fails only where the wait will, too */
    exchange_await(&worker->process, expect, sent, sent + limit_ms * 1000000, output,
                   &worker->exchange);
    result->wall_ms = worker->exchange.wall_ms;
    if (worker->exchange.end == EXCHANGE_ANSWERED)
        return true;
    int status = session_discard(worker);
    if (output->text)
        output->text[output->used] = '\0';
    outcome_from_end(result, &worker->exchange, status, scene);
    return false;
}

enum call_outcome session_take_reply(struct call_worker *worker, struct call_result *result) {
    enum call_outcome outcome = outcome_from_reply(result, &worker->exchange.message.reply);

    if (exchange_rest(&worker->process) == EXCHANGE_MORE)
        outcome = outcome_set(result, CALL_PROTOCOL, "the process answered twice");
    if (outcome != CALL_OK && outcome != CALL_NOT_WRITTEN && outcome != CALL_NO_ENTRY)
        session_discard(worker);
    return outcome;
}

/* A server of the worker's own, where there is none to be shared, or that one has died. */
static bool have_server(struct call_worker *worker, struct call_result *result) {
    if (worker->server && call_server_is_alive(worker->server))
        return true;
    call_server_close(worker->own_server);
    worker->own_server = worker->server =
        server_start(&worker->settings, result->message, sizeof result->message);
    return worker->server != NULL;
}

/* Starts a process and has it load its CUDA runtime. */
static bool open_process(struct call_worker *worker, struct call_output *output,
                         struct call_result *result) {
    struct wire_open open = {.backend = worker->settings.backend};
    struct outcome_scene scene = {.request = WIRE_OPEN};
    struct wire_expect expect = {.request = WIRE_OPEN, .kind = WIRE_REPLY, .wall_ms = NAN};

    if (!have_server(worker, result)) {
        result->outcome = CALL_INFRASTRUCTURE;
        return false;
    }
    if (!process_start(&worker->process, worker->server)) {
        outcome_set(result, CALL_INFRASTRUCTURE, "no worker could be started: %s", strerror(errno));
        return false;
    }
    snprintf(open.cudart, sizeof open.cudart, "%s", worker->settings.cudart);
    open.header = session_header(worker, WIRE_OPEN, sizeof open);
    if (!session_ask(worker, &open, sizeof open, -1, &expect, START_MS, &scene, output, result))
        return false;
    if (session_take_reply(worker, result) == CALL_OK)
        return true;
    result->outcome = CALL_INFRASTRUCTURE; /* cuda_error and message say which */
    session_discard(worker);
    return false;
}

bool session_start(struct call_worker *worker, struct call_output *output,
                   struct call_result *result) {
    if (worker->process.socket >= 0 &&
        (exchange_is_dead(&worker->process) || exchange_rest(&worker->process) != EXCHANGE_NOTHING))
        session_discard(worker);
    if (worker->is_open)
        return true;
    session_discard(worker);
    if (worker->sequence == 0 &&
        getrandom(&worker->sequence, sizeof worker->sequence / 2, GRND_NONBLOCK) < 0)
        worker->sequence = 1;
    worker->is_open = open_process(worker, output, result);
    /* A server that ended under way, whoever did that, is nobody's fault: one more. */
    if (!worker->is_open && worker->server && !call_server_is_alive(worker->server)) {
        outcome_clear(result);
        worker->is_open = open_process(worker, output, result);
    }
    return worker->is_open;
}

bool session_load(struct call_worker *worker, struct call_output *output,
                  struct call_result *result) {
    struct wire_load request = {.header = {0}};
    int load_ms = worker->settings.load_ms;
    struct outcome_scene scene = {.request = WIRE_LOAD,
                                  .timeout_ms = load_ms > 0 ? load_ms : LOAD_MS};
    struct wire_expect expect = {.request = WIRE_LOAD, .kind = WIRE_REPLY, .wall_ms = NAN};

    if (!session_start(worker, output, result))
        return false;
    if (worker->is_loaded)
        return true;
    if (!worker->settings.submission) {
        outcome_set(result, CALL_INFRASTRUCTURE, "there is no submission to call");
        return false;
    }
    snprintf(request.submission, sizeof request.submission, "%s", worker->settings.submission);
    request.header = session_header(worker, WIRE_LOAD, sizeof request);
    if (!session_ask(worker, &request, sizeof request, -1, &expect, scene.timeout_ms, &scene,
                     output, result)) {
        result->is_loading = result->outcome == CALL_TIMEOUT;
        return false;
    }
    worker->is_loaded = session_take_reply(worker, result) == CALL_OK;
    if (!worker->is_loaded)
        session_discard(worker);
    return worker->is_loaded;
}
