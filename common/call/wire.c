/*
 * Sizes of the messages, and packets with descriptors (SCM_RIGHTS). Client and worker are both
 * linked with this file.
 */
#include "common/call/wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* Room for the control message that carries descriptors. */
union control {
    char bytes[CMSG_SPACE(WIRE_N_STARTED * sizeof(int))];
    struct cmsghdr align;
};

size_t wire_bytes(uint32_t kind) {
    static const size_t bytes[WIRE_N_KINDS] = {
#define WIRE_KIND_BYTES(name, member) [WIRE_##name] = sizeof(((union wire_message *)0)->member),
        WIRE_KINDS(WIRE_KIND_BYTES)
#undef WIRE_KIND_BYTES
    };

    return kind < WIRE_N_KINDS ? bytes[kind] : 0;
}

struct wire_header wire_header_of(uint32_t kind, uint64_t sequence) {
    return (struct wire_header){.magic = WIRE_MAGIC,
                                .version = WIRE_VERSION,
                                .kind = (uint16_t)kind,
                                .sequence = sequence,
                                .bytes = wire_bytes(kind)};
}

ssize_t wire_send(int socket, const void *message, size_t bytes, const int *fds, size_t n_fds,
                  int flags) {
    union control control = {.bytes = ""};
    struct iovec part = {.iov_base = (void *)message, .iov_len = bytes};
    struct msghdr packet = {.msg_iov = &part, .msg_iovlen = 1};

    if (n_fds > 0) {
        packet.msg_control = control.bytes;
        packet.msg_controllen = CMSG_SPACE(n_fds * sizeof *fds);
        struct cmsghdr *rights = CMSG_FIRSTHDR(&packet);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(n_fds * sizeof *fds);
        memcpy(CMSG_DATA(rights), fds, n_fds * sizeof *fds);
    }
    return sendmsg(socket, &packet, flags | MSG_NOSIGNAL);
}

ssize_t wire_receive(int socket, void *message, size_t bytes, int *fds, size_t n_fds) {
    union control control;
    struct iovec part = {.iov_base = message, .iov_len = bytes};
    struct msghdr packet = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = CMSG_LEN(n_fds * sizeof *fds)};
    ssize_t got;

    for (size_t i = 0; i < n_fds; i++)
        fds[i] = -1;
    do
        got = recvmsg(socket, &packet, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    const struct cmsghdr *rights = got >= 0 ? CMSG_FIRSTHDR(&packet) : NULL;
    if (rights && rights->cmsg_level == SOL_SOCKET && rights->cmsg_type == SCM_RIGHTS)
        memcpy(fds, CMSG_DATA(rights), rights->cmsg_len - CMSG_LEN(0));
    return got;
}
