/*
 * The poll loop. It ends with an answer, with the process's end, or at the limit. An end of file on
 * the pipe or the socket means nothing by itself: the worker may close both, and a child of it may
 * keep either open.
 */
#include "common/call/client/exchange.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/base/system/process.h"

enum {
    /* A worker that reported its crash, or whose socket is closed, has so long to die: tearing down
     * a CUDA context takes a while. */
    GRACE_MS = 2000,
    DRAIN_LIMIT = 1 << 20, /* bytes taken from the pipe after an answer, at most */
};

/* Takes one read from the pipe. Returns what read did. */
static ssize_t take_output(int fd, struct call_output *output) {
    char bytes[16384];
    ssize_t got = read(fd, bytes, sizeof bytes);

    if (got <= 0)
        return got;
    size_t room = output->text ? CALL_OUTPUT_BYTES - output->used : 0;
    size_t kept = (size_t)got < room ? (size_t)got : room;
    if (kept > 0)
        memcpy(output->text + output->used, bytes, kept);
    output->used += kept;
    output->dropped += (size_t)got - kept;
    return got;
}

/* Takes what is in the pipe now, without waiting. */
static void drain(const struct call_process *process, struct call_output *output) {
    ssize_t got = 1;

    for (ssize_t total = 0; process->output >= 0 && got > 0 && total < DRAIN_LIMIT; total += got)
        got = take_output(process->output, output);
}

/* Looks for one message. Returns false when the loop should go on; `socket` becomes -1 when no more
 * can come from it. Descriptors that the worker may have attached are closed by the kernel, as
 * there is no room for them. */
static bool take_message(int *socket, struct wire_expect *expect, double sent_ms,
                         struct exchange *exchange) {
    struct iovec part = {.iov_base = &exchange->message, .iov_len = sizeof exchange->message};
    struct msghdr packet = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t got = recvmsg(*socket, &packet, MSG_DONTWAIT);

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (got <= 0) {
        *socket = -1;
        return false;
    }
    double elapsed_ms = process_clock_ms() - sent_ms;
    if (expect->request == WIRE_COPY)
        expect->wall_ms = elapsed_ms;
    bool is_cut = packet.msg_flags & MSG_TRUNC;
    if (packet.msg_flags & MSG_CTRUNC)
        exchange->fault = "it brings a descriptor along";
    else
        exchange->fault = wire_fault(&exchange->message, (size_t)got, is_cut, expect);
    if (exchange->fault) {
        exchange->end = EXCHANGE_NONSENSE;
        return true;
    }
    if (exchange->message.header.kind == WIRE_CRASH) {
        exchange->has_crash = true;
        exchange->crash = exchange->message.crash;
        *socket = -1;
        return false;
    }
    exchange->wall_ms = elapsed_ms;
    exchange->end = EXCHANGE_ANSWERED;
    return true;
}

/* The deadline passed: what that means depends on what came before. */
static void end_late(bool was_closed, struct exchange *exchange) {
    exchange->end = EXCHANGE_LATE;
    if (exchange->has_crash) {
        exchange->end = EXCHANGE_NONSENSE;
        exchange->fault = "it reports its own death and lives on";
    } else if (was_closed) {
        exchange->end = EXCHANGE_NONSENSE;
        exchange->fault = "it closed its connection";
    }
}

/* What poll may wait, rounded up. */
static int wait_ms(double deadline_ms) {
    double left_ms = ceil(deadline_ms - process_clock_ms());

    return (int)fmax(0, fmin(left_ms, 1000000));
}

/* One round of the loop: true when the wait is over. */
static bool await_once(const struct call_process *process, int *socket, int *output_fd,
                       struct wire_expect *expect, double sent_ms, double *deadline_ms,
                       struct call_output *output, struct exchange *exchange) {
    struct pollfd fds[] = {{.fd = *socket, .events = POLLIN},
                           {.fd = *output_fd, .events = POLLIN},
                           {.fd = process->life, .events = POLLIN},
                           {.fd = process->device_life, .events = POLLIN}};
    bool was_open = *socket >= 0;

    if (poll(fds, 4, wait_ms(*deadline_ms)) < 0 && errno != EINTR) {
        exchange->end = EXCHANGE_BROKEN;
        return true;
    }
    if (fds[1].revents) {
        ssize_t got = take_output(*output_fd, output);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            *output_fd = -1;
    }
    if (fds[0].revents && take_message(socket, expect, sent_ms, exchange))
        return true;
    if (fds[2].revents) {
        /* Its last message may have come between the poll and its end. */
        if (*socket >= 0 && take_message(socket, expect, sent_ms, exchange))
            return true;
        exchange->end = EXCHANGE_DEAD;
        return true;
    }
    if (fds[3].revents) {
        exchange->end = EXCHANGE_NO_DEVICE;
        return true;
    }
    if (was_open && *socket < 0)
        *deadline_ms = fmin(*deadline_ms, process_clock_ms() + GRACE_MS);
    if (process_clock_ms() < *deadline_ms)
        return false;
    end_late(*socket < 0, exchange);
    return true;
}

void exchange_run(const struct call_process *process, const struct wire_header *message, int fd,
                  struct wire_expect *expect, int64_t limit_ms, struct call_output *output,
                  struct exchange *exchange) {
    int socket = process->socket, output_fd = process->output;
    double sent_ms = process_clock_ms(), deadline_ms = sent_ms + (double)limit_ms;

    /* Where this fails, the wait ends with the reason. */
    wire_send(socket, message, message->bytes, &fd, fd >= 0, MSG_DONTWAIT);
    exchange->has_crash = false;
    exchange->fault = NULL;
    while (
        !await_once(process, &socket, &output_fd, expect, sent_ms, &deadline_ms, output, exchange))
        ;
    if (exchange->end != EXCHANGE_ANSWERED)
        exchange->wall_ms = process_clock_ms() - sent_ms;
    drain(process, output);
}

enum exchange_rest exchange_rest(const struct call_process *process) {
    char byte;
    ssize_t got = recv(process->socket, &byte, 1, MSG_DONTWAIT | MSG_PEEK);

    if (got < 0)
        return EXCHANGE_NOTHING;
    return got > 0 ? EXCHANGE_MORE : EXCHANGE_CLOSED;
}

bool exchange_is_dead(const struct call_process *process) {
    struct pollfd fd = {.fd = process->life, .events = POLLIN};

    return poll(&fd, 1, 0) > 0;
}
