/*
 * Requests to the simulator. Several go out before the first reply is waited for; the replies come
 * in the same order.
 */
#include "common/call/client/simulator.h"

#include "common/call/client/moves.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "common/base/system/process.h"
#include "common/simt/remote/wire.h"

enum {
    WAIT_MS = 30000, /* for moving bytes, and for a launch of another thread of the student's */
    MAX_PENDING = 4,
};

/* Requests that have gone out, and where the reply's payload goes. */
struct batch {
    struct call_worker *worker;
    struct call_result *result;
    size_t n;
    enum simt_status status; /* the first that is not SIMT_OK */
    uint64_t number;         /* the first of the latest reply */
    struct pending {
        uint32_t sequence;
        void *answer; /* as long as it must be; NULL: there is none */
        size_t bytes;
    } pending[MAX_PENDING];
    char refusal[192]; /* what a reply with another status brings */
};

static struct batch batch_of(struct call_worker *worker, struct call_result *result) {
    return (struct batch){.worker = worker, .result = result};
}

static void send_request(struct batch *batch, enum remote_kind kind, uint64_t number,
                         const void *payload, size_t bytes, void *answer, size_t answer_bytes,
                         int fd) {
    struct call_worker *worker = batch->worker;
    struct remote_request request = {
        .kind = kind, .sequence = ++worker->device_sequence, .n = {number}};

    /* Where this fails, the wait ends with the reason. */
    remote_send(worker->device.socket, &request, sizeof request, payload, bytes, fd);
    batch->pending[batch->n++] = (struct pending){request.sequence, answer, answer_bytes};
}

/* Ends both processes; the message says that of the simulator. */
static bool fail(struct batch *batch, const char *fault) {
    struct call_worker *worker = batch->worker;

    worker->exchange.end = fault ? EXCHANGE_NONSENSE : EXCHANGE_NO_DEVICE;
    worker->exchange.fault = fault;
    session_break(worker, batch->result);
    batch->n = 0; /* nobody answers any more */
    return false;
}

/* Waits for a packet; false at the limit, and where the simulator has ended. */
static bool await(const struct call_process *device, double deadline_ms) {
    struct pollfd fds[] = {{.fd = device->socket, .events = POLLIN},
                           {.fd = device->life, .events = POLLIN}};

    for (;;) {
        double left_ms = deadline_ms - process_clock_ms();
        int n = left_ms > 0 ? poll(fds, 2, (int)left_ms + 1) : 0;
        if (n < 0 && errno == EINTR)
            continue;
        return n > 0 && fds[0].revents & POLLIN;
    }
}

static const char *fault_of(const struct remote_packet *packet, const struct pending *pending) {
    const struct remote_reply *reply = &packet->head.reply;
    bool is_whole = reply->status == SIMT_OK ? packet->bytes == pending->bytes
                                             : packet->bytes < sizeof((struct batch *)0)->refusal;

    if (packet->fd >= 0)
        return "it brings a descriptor along";
    if (reply->sequence != pending->sequence)
        return "it answers another request";
    return is_whole ? NULL : "its length is not that of its kind";
}

static void take(struct batch *batch, const struct remote_packet *packet,
                 const struct pending *pending) {
    const struct remote_reply *reply = &packet->head.reply;

    batch->number = reply->n[0];
    if (reply->status == SIMT_OK && pending->bytes)
        memcpy(pending->answer, packet->payload, pending->bytes);
    if (reply->status == SIMT_OK || batch->status != SIMT_OK)
        return;
    batch->status = (enum simt_status)reply->status;
    snprintf(batch->refusal, sizeof batch->refusal, "%.*s", (int)packet->bytes,
             (const char *)packet->payload);
    wire_clean_text(batch->refusal, strlen(batch->refusal), false);
}

/* Waits for the replies to all that has gone out. False where the processes had to be ended. */
static bool settle(struct batch *batch) {
    struct remote_packet *packet = &batch->worker->device_packet;
    double deadline_ms = process_clock_ms() + WAIT_MS;

    for (size_t i = 0; i < batch->n; i++) {
        if (!await(&batch->worker->device, deadline_ms))
            return fail(batch, NULL);
        enum remote_got got =
            remote_receive(batch->worker->device.socket, sizeof packet->head.reply, 0, packet);
        const char *fault = got == REMOTE_GOT_IT ? fault_of(packet, &batch->pending[i]) : NULL;
        if (got == REMOTE_GOT_NONSENSE)
            fault = "it is longer than any message";
        if (got != REMOTE_GOT_IT || fault)
            return fail(batch, fault);
        take(batch, packet, &batch->pending[i]);
    }
    batch->n = 0;
    return true;
}

/* What the worker would say if it made the buffers itself. */
static bool check_made(struct batch *batch) {
    struct call_result *result = batch->result;

    if (batch->status == SIMT_OK)
        return true;
    result->cuda_error = 2;
    snprintf(result->cuda_error_name, sizeof result->cuda_error_name, "cudaErrorMemoryAllocation");
    outcome_set(result, CALL_OUT_OF_MEMORY,
                "the buffers could not be made: cudaErrorMemoryAllocation (out of memory)%s%s",
                batch->refusal[0] ? ": " : "", batch->refusal);
    session_discard(batch->worker);
    return false;
}

static void send_share(struct batch *batch) {
    struct call_worker *worker = batch->worker;

    if (!worker->has_device_share)
        send_request(batch, REMOTE_SHARE, 0, NULL, 0, NULL, 0, worker->device_share.fd);
    worker->has_device_share = true;
}

/* Where a buffer's bytes lie in the shared memory. */
static uint64_t place_of(const struct wire_arg *arg) {
    return arg->offset + WIRE_GUARD_BYTES;
}

_Static_assert((uint64_t)WIRE_SPARSE_BYTES == REMOTE_PIECE_BYTES, "the same piece repeats");

/* By one element, of those whose size some kind of access has. */
static uint64_t shift_of(const struct wire_arg *arg) {
    return arg->element_bytes == 4 || arg->element_bytes == 8 ? arg->element_bytes : 0;
}

static uint16_t source_of_sparse(const struct call_arg *arg) {
    return arg->kind == CALL_ARG_IN && !arg->may_change ? REMOTE_READ_IN_PLACE : REMOTE_IN_PLACE;
}

/* A buffer for each argument in device memory, in their order; large inputs come later. */
static bool describe_buffers(const struct wire_call *call, const struct call_arg *args,
                             struct remote_begin *begin) {
    bool is_any_large = false;

    for (size_t i = 0; i < call->n_args; i++) {
        const struct wire_arg *arg = &call->args[i];
        struct remote_buffer *buffer = &begin->buffers[begin->n_buffers];
        if (!wire_is_device(arg->kind))
            continue;
        *buffer = (struct remote_buffer){
            .bytes = arg->bytes,
            .place = place_of(arg),
            .repeat_at = arg->set_at,
            .repeat_bytes = arg->set_bytes,
            .element_bytes = arg->element_bytes,
            .shift = call->shifts && !arg->is_round ? shift_of(arg) : 0,
            .source = arg->is_sparse               ? source_of_sparse(&args[i])
                      : !wire_is_filled(arg->kind) ? REMOTE_FILLED
                      : wire_is_large_in(arg)      ? REMOTE_LATER
                                                   : REMOTE_FROM_OWNER,
            .fill = call->poison,
        };
        snprintf(buffer->name, sizeof buffer->name, "%s", arg->name);
        is_any_large |= wire_is_large_in(arg);
        begin->n_buffers++;
    }
    return is_any_large;
}

static bool refuse_freed(struct batch *batch) {
    struct call_result *result = batch->result;

    result->cuda_error = 1;
    snprintf(result->cuda_error_name, sizeof result->cuda_error_name, "cudaErrorInvalidValue");
    outcome_set(result, CALL_CUDA_ERROR,
                "the outputs could not be copied back: %s has freed one of its buffers",
                batch->worker->call.function);
    session_discard(batch->worker);
    return false;
}

/* A large input on its way to the device, or a large output on its way back. */
struct move {
    struct batch *batch;
    const struct wire_arg *arg;
    uint32_t buffer;
    bool to_owner;
};

static bool ask_part(void *context, uint64_t at, uint64_t bytes, uint32_t place) {
    const struct move *move = context;
    struct batch *batch = move->batch;
    struct remote_move request = {.buffer = move->buffer,
                                  .to_owner = move->to_owner,
                                  .at = at,
                                  .bytes = bytes,
                                  .place = place_of(move->arg) + place};

    send_request(batch, REMOTE_MOVE, 0, &request, sizeof request, NULL, 0, -1);
    if (!settle(batch))
        return false;
    if (move->to_owner)
        return batch->status == SIMT_OK || refuse_freed(batch);
    return check_made(batch);
}

/* Moves all large inputs, or all large outputs. */
static bool move_all_large(struct batch *batch, const struct call_arg *args, bool to_owner) {
    const struct call_worker *worker = batch->worker;
    const struct wire_call *call = &worker->call;
    struct move move = {.batch = batch, .to_owner = to_owner};
    bool is_untouched = false;

    for (size_t i = 0; i < call->n_args; i++) {
        move.arg = &call->args[i];
        if (to_owner ? wire_is_large_out(move.arg) : wire_is_large_in(move.arg)) {
            uint8_t *place = worker->device_share.base + place_of(move.arg);
            if (!(to_owner ? move_out_parts(&args[i], place, call->poison, ask_part, &move,
                                            &is_untouched)
                           : move_in_parts(&args[i], args[i].count, false, place, ask_part, &move)))
                return false;
            if (is_untouched)
                batch->result->untouched |= UINT64_C(1) << i;
        }
        move.buffer += wire_is_device(move.arg->kind);
    }
    return true;
}

static bool move_inputs(struct batch *batch, const struct call_arg *args) {
    if (!move_all_large(batch, args, false))
        return false;
    send_request(batch, REMOTE_START, 0, NULL, 0, NULL, 0, -1);
    return settle(batch);
}

bool simulator_prepare(struct call_worker *worker, struct call_arg *args,
                       struct call_result *result) {
    struct wire_call *call = &worker->call;
    struct batch batch = batch_of(worker, result);
    struct remote_begun begun;
    struct remote_begin begin = {.checks = call->checks,
                                 .keeps_shared = call->keeps_shared,
                                 .keeps_places = call->same_places,
                                 .timeout_ms = call->launch_ms,
                                 .budget = call->launch_budget,
                                 .seed = call->schedule,
                                 .n_sm = call->other_device ? CALL_OTHER_SM : 0,
                                 .sample = call->sample,
                                 .n_edits = call->n_edits};
    bool is_any_large = describe_buffers(call, args, &begin);

    memcpy(begin.edits, call->edits, sizeof begin.edits);
    begin.starts = !is_any_large;
    send_share(&batch);
    send_request(&batch, REMOTE_BEGIN, 0, &begin, sizeof begin, &begun, sizeof begun, -1);
    if (!settle(&batch) || !check_made(&batch) || (is_any_large && !move_inputs(&batch, args)))
        return false;
    for (size_t i = 0, n = 0; i < call->n_args; i++)
        if (wire_is_device(call->args[i].kind))
            call->args[i].address = begun.addresses[n++];
    return true;
}

/* Moves the windows of a large input that are compared. */
static bool move_windows(struct batch *batch, const struct wire_arg *arg, uint32_t buffer) {
    struct remote_move *moves = calloc(WIRE_MAX_WINDOWS, sizeof *moves);
    uint64_t offset, bytes;
    size_t n = 0;

    for (; moves && n < WIRE_MAX_WINDOWS && wire_window(arg, n, &offset, &bytes); n++)
        moves[n] = (struct remote_move){.buffer = buffer,
                                        .to_owner = 1,
                                        .at = offset,
                                        .bytes = bytes,
                                        .place = place_of(arg) + n * WIRE_WINDOW_BYTES};
    if (moves)
        send_request(batch, REMOTE_MOVE, 0, moves, n * sizeof *moves, NULL, 0, -1);
    free(moves);
    return moves && settle(batch) && batch->status == SIMT_OK;
}

static void take_facts(const struct wire_call *call, const struct remote_facts *facts,
                       struct call_memory *memory) {
    *memory = (struct call_memory){.is_known = facts->is_sure != 0,
                                   .n_launches = facts->n_launches,
                                   .to_host = facts->to_host,
                                   .from_host = facts->from_host};
    for (size_t i = 0, n = 0; i < call->n_args; i++) {
        if (!wire_is_device(call->args[i].kind))
            continue;
        const struct remote_origin *origin = &facts->buffers[n++];
        memory->args[i] =
            (struct call_origin){origin->by_kernels, origin->by_host, origin->to_host};
        memory->is_known &= origin->is_there || call->args[i].bytes == 0;
    }
}

/* What of an argument is brought back: of a large input windows, later on, as a large output is. */
static uint32_t want_of(const struct wire_arg *arg) {
    if (arg->is_sparse)
        return REMOTE_NEVER;
    if (arg->kind == CALL_ARG_IN)
        return wire_is_large_in(arg) ? REMOTE_NEVER : REMOTE_IF_WRITTEN;
    return arg->kind == CALL_ARG_SCRATCH || wire_is_large_out(arg) ? REMOTE_NEVER : REMOTE_ALWAYS;
}

static struct remote_end describe_end(const struct wire_call *call, bool is_ok) {
    struct remote_end end = {
        .wants_report = is_ok && !call->lists_edits ? REMOTE_IF_WRITTEN : REMOTE_ALWAYS,
        .lists_edits = call->lists_edits,
    };
    size_t n = 0;

    for (size_t i = 0; i < call->n_args && is_ok; i++) {
        if (!wire_is_device(call->args[i].kind))
            continue;
        end.buffers[n].want = want_of(&call->args[i]);
        end.buffers[n++].place = place_of(&call->args[i]);
    }
    return end;
}

/* Which arguments are there to be looked at. False where an output is not, and where the processes
 * had to be ended. */
static bool take_moved(struct batch *batch, const struct remote_facts *facts) {
    struct call_worker *worker = batch->worker;
    bool is_whole = true;
    uint32_t buffer = 0;

    worker->fetched = 0;
    for (size_t i = 0; i < worker->call.n_args; i++) {
        const struct wire_arg *arg = &worker->call.args[i];
        if (!wire_is_device(arg->kind))
            continue;
        const struct remote_origin *origin = &facts->buffers[buffer++];
        bool is_written = !facts->is_sure || origin->by_kernels || origin->by_host;
        bool is_moved = origin->is_moved || arg->bytes == 0;
        if (wire_is_large_in(arg) && is_written && worker->is_open)
            is_moved = move_windows(batch, arg, buffer - 1);
        if (is_moved)
            worker->fetched |= UINT32_C(1) << i;
        is_whole &= is_moved || want_of(arg) != REMOTE_ALWAYS;
    }
    return is_whole && worker->is_open;
}

bool simulator_finish(struct call_worker *worker, bool is_ok, struct call_result *result) {
    struct batch batch = batch_of(worker, result);
    const struct remote_end end = describe_end(&worker->call, is_ok);
    struct remote_facts facts;

    send_request(&batch, REMOTE_END, 0, &end, sizeof end, &facts, sizeof facts, -1);
    if (!settle(&batch))
        return false;
    worker->is_stopped = true;
    take_facts(&worker->call, &facts, &result->memory);
    result->work = facts.work;
    result->is_idle = facts.stores == 0;
    result->kept_allocations = facts.n_kept < UINT32_MAX ? (unsigned)facts.n_kept : UINT32_MAX;
    result->kept_bytes = facts.kept_bytes;
    result->is_report_kept = is_ok && facts.report_bytes == 0;
    if (facts.report_bytes > WIRE_REPORT_BYTES)
        return fail(&batch, "its report is larger than its place");
    if (!session_take_report(worker, facts.report_bytes, result))
        return false;
    return !is_ok || take_moved(&batch, &facts) || (worker->is_open && refuse_freed(&batch));
}

bool simulator_fetch(struct call_worker *worker, const struct call_arg *args,
                     struct call_result *result) {
    struct batch batch = batch_of(worker, result);

    return move_all_large(&batch, args, true);
}

bool simulator_report(struct call_worker *worker, uint64_t *bytes, struct call_result *result) {
    struct batch batch = batch_of(worker, result);

    send_request(&batch, REMOTE_REPORT, worker->call.lists_edits, NULL, 0, NULL, 0, -1);
    if (!settle(&batch))
        return false;
    *bytes = batch.number;
    return *bytes <= WIRE_REPORT_BYTES || fail(&batch, "its report is larger than its place");
}

static void copy_text(char *to, size_t room, const char *from, size_t most) {
    snprintf(to, room, "%.*s", (int)most, from);
    wire_clean_text(to, strlen(to), false);
}

struct call_writer simulator_last_writer(struct call_worker *worker, size_t arg, uint64_t at) {
    const struct wire_call *call = &worker->call;
    struct call_writer writer = {.kind = CALL_WRITER_UNKNOWN};
    struct remote_writer answer;
    struct remote_word word = {.at = at};
    struct call_result ignored;
    struct batch batch = batch_of(worker, &ignored);

    outcome_clear(&ignored);
    if (!worker->is_stopped || arg >= call->n_args || !wire_is_device(call->args[arg].kind))
        return writer;
    for (size_t i = 0; i < arg; i++)
        word.buffer += wire_is_device(call->args[i].kind);
    send_request(&batch, REMOTE_WRITER, 0, &word, sizeof word, &answer, sizeof answer, -1);
    if (!settle(&batch) || batch.status != SIMT_OK)
        return writer;
    if (answer.kind == SIMT_WRITER_NOBODY)
        writer.kind = CALL_WRITER_NOBODY;
    if (answer.kind != SIMT_WRITER_KERNEL)
        return writer;
    writer.kind = CALL_WRITER_KERNEL;
    writer.line = answer.line;
    for (uint32_t i = 0; i < answer.n_behind && i < CALL_MOST_BEHIND; i++)
        writer.behind[writer.n_behind++] = answer.behind[i];
    copy_text(writer.kernel, sizeof writer.kernel, answer.kernel, sizeof answer.kernel - 1);
    copy_text(writer.file, sizeof writer.file, answer.file, sizeof answer.file - 1);
    copy_text(writer.who, sizeof writer.who, answer.who, sizeof answer.who - 1);
    return writer;
}

bool simulator_resume(struct call_worker *worker, struct call_result *result) {
    struct batch batch = batch_of(worker, result);

    if (!worker->is_stopped)
        return true;
    worker->is_stopped = false;
    send_request(&batch, REMOTE_RESUME, 0, NULL, 0, NULL, 0, -1);
    return settle(&batch);
}
