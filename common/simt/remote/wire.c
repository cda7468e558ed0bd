/*
 * Packets, and what both ends know of them.
 */
#include "common/simt/remote/wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

bool remote_bounds(uint32_t kind, size_t *least, size_t *most) {
    static const struct {
        size_t least, most;
    } bounds[] = {
#define REMOTE_BOUNDS(name, least, most) [REMOTE_##name] = {least, most},
        REMOTE_HOST_REQUESTS(REMOTE_BOUNDS) REMOTE_OWNER_REQUESTS(REMOTE_BOUNDS)
#undef REMOTE_BOUNDS
    };

    if (kind >= sizeof bounds / sizeof *bounds)
        return false;
    *least = bounds[kind].least;
    *most = bounds[kind].most;
    return true;
}

union control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
};

bool remote_send(int socket, const void *head, size_t head_bytes, const void *payload, size_t bytes,
                 int fd) {
    struct iovec parts[] = {{(void *)head, head_bytes}, {(void *)payload, bytes}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    union control control = {.bytes = ""};
    ssize_t sent;

    if (fd >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof fd);
        memcpy(CMSG_DATA(rights), &fd, sizeof fd);
    }
    do
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)(head_bytes + bytes);
}

bool remote_send_all(int socket, struct remote_request *requests, size_t n, const void *payload,
                     size_t bytes) {
    struct mmsghdr messages[REMOTE_MAX_POSTED + 1] = {{.msg_len = 0}};
    struct iovec parts[REMOTE_MAX_POSTED + 2];

    if (n == 0 || n > REMOTE_MAX_POSTED + 1)
        return n == 0;
    for (size_t i = 0; i < n; i++) {
        parts[i] = (struct iovec){&requests[i], sizeof requests[i]};
        messages[i].msg_hdr = (struct msghdr){.msg_iov = &parts[i], .msg_iovlen = 1};
    }
    parts[n] = (struct iovec){(void *)payload, bytes};
    messages[n - 1].msg_hdr.msg_iovlen = 2;
    for (size_t done = 0; done < n;) {
        int sent = sendmmsg(socket, messages + done, (unsigned)(n - done), MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        done += sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

enum remote_got remote_receive(int socket, size_t head_bytes, int flags,
                               struct remote_packet *packet) {
    struct iovec parts[] = {{&packet->head, head_bytes}, {packet->payload, sizeof packet->payload}};
    union control control;
    struct msghdr message = {.msg_iov = parts,
                             .msg_iovlen = 2,
                             .msg_control = control.bytes,
                             .msg_controllen = CMSG_LEN(sizeof packet->fd)};
    ssize_t got;

    packet->fd = -1;
    packet->bytes = 0;
    do
        got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | flags);
    while (got < 0 && errno == EINTR);
    if (got < 0 && errno == EAGAIN)
        return REMOTE_GOT_NOTHING;
    if (got <= 0)
        return REMOTE_GOT_END;
    const struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    if (rights && rights->cmsg_level == SOL_SOCKET && rights->cmsg_type == SCM_RIGHTS)
        memcpy(&packet->fd, CMSG_DATA(rights), sizeof packet->fd);
    if ((size_t)got < head_bytes || message.msg_flags & (MSG_TRUNC | MSG_CTRUNC))
        return REMOTE_GOT_NONSENSE;
    packet->bytes = (size_t)got - head_bytes;
    return REMOTE_GOT_IT;
}

/* What the runtime calls its operations in streams (the third argument of `cudart_touch`). A call
 * that is not here is "work of the host" in the findings of a graded run. */
static const char *const operations[] = {
    NULL,
    "work of the host",
    "a copy (cudaMemcpy)",
    "the caller's work in the default stream",
    "a fill (cudaMemset)",
    "cudaMallocAsync",
    "cudaFreeAsync",
};
enum { N_OPERATIONS = sizeof operations / sizeof *operations };

const char *remote_work_name(uint64_t number) {
    return number < N_OPERATIONS ? operations[number] : NULL;
}

uint64_t remote_work_number(const char *name) {
    for (uint64_t i = 2; name && i < N_OPERATIONS; i++)
        if (strcmp(name, operations[i]) == 0)
            return i;
    return name ? 1 : 0;
}
