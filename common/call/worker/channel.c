/*
 * Receiving requests and sending answers. The client is trusted, yet its requests are checked as
 * far as it takes not to crash on another build's.
 */
#include "common/call/worker/channel.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void channel_init(struct channel *channel) {
    channel->pid = getpid();
}

static void end_if_child(const struct channel *channel) {
    if (getpid() != channel->pid)
        _exit(0);
}

static size_t size_of_request(uint32_t kind) {
    switch (kind) {
    case WIRE_OPEN:
        return sizeof(struct wire_open);
    case WIRE_LOAD:
        return sizeof(struct wire_load);
    case WIRE_PART:
        return sizeof(struct wire_part);
    case WIRE_CALL:
        return sizeof(struct wire_call);
    case WIRE_VARIABLE:
        return sizeof(struct wire_variable);
    case WIRE_COPY:
        return sizeof(struct wire_copy);
    case WIRE_GO:
    case WIRE_DEVICE:
    case WIRE_REPORT:
        return sizeof(struct wire_signal);
    default:
        return 0;
    }
}

static int descriptor_of(struct msghdr *packet) {
    struct cmsghdr *rights = CMSG_FIRSTHDR(packet);
    int fd = -1;

    if (rights && rights->cmsg_level == SOL_SOCKET && rights->cmsg_type == SCM_RIGHTS)
        memcpy(&fd, CMSG_DATA(rights), sizeof fd);
    return fd;
}

bool channel_receive(const struct channel *channel, union wire_message *message, int *fd) {
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec part = {.iov_base = message, .iov_len = sizeof *message};
    struct msghdr packet = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof control.bytes};
    ssize_t got;

    end_if_child(channel);
    do
        got = recvmsg(WIRE_SOCKET, &packet, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got < (ssize_t)sizeof message->header)
        return false;
    *fd = descriptor_of(&packet);
    return message->header.magic == WIRE_MAGIC && message->header.version == WIRE_VERSION &&
           (size_t)got == size_of_request(message->header.kind);
}

static ssize_t send_once(const struct wire_header *request, void *message, uint32_t kind,
                         size_t bytes) {
    struct wire_header *header = message;

    *header = (struct wire_header){.magic = WIRE_MAGIC,
                                   .version = WIRE_VERSION,
                                   .kind = (uint16_t)kind,
                                   .sequence = request->sequence,
                                   .bytes = bytes};
    return send(WIRE_SOCKET, message, bytes, MSG_NOSIGNAL);
}

void channel_send_last(const struct channel *channel, const struct wire_header *request,
                       void *message, uint32_t kind, size_t bytes) {
    if (getpid() == channel->pid)
        send_once(request, message, kind, bytes);
}

void channel_send(const struct channel *channel, const struct wire_header *request, void *message,
                  uint32_t kind, size_t bytes) {
    ssize_t sent;

    end_if_child(channel);
    do
        sent = send_once(request, message, kind, bytes);
    while (sent < 0 && errno == EINTR);
    while (sent != (ssize_t)bytes)
        pause();
}
