/*
 * The loop: one request at a time. Before one of the owner come at most the few that the host may
 * have sent without waiting for replies.
 */
#include "common/simt/remote/server/state.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/base/grow.h"

enum { MAX_ITEMS = 1 << 16 };

static server_function *const functions[REMOTE_N_KINDS] = {
    [REMOTE_OPEN] = host_open,
    [REMOTE_MALLOC] = host_malloc,
    [REMOTE_FREE] = host_free,
    [REMOTE_WRITE] = host_write,
    [REMOTE_READ] = host_read,
    [REMOTE_COPY] = host_copy,
    [REMOTE_SET] = host_set,
    [REMOTE_RANGE] = host_range,
    [REMOTE_MANAGE] = host_manage,
    [REMOTE_MAP] = host_map,
    [REMOTE_UNMAP] = host_unmap,
    [REMOTE_PUSH] = host_push,
    [REMOTE_PULL] = host_pull,
    [REMOTE_INFO] = host_info,
    [REMOTE_WORK] = host_work,
    [REMOTE_WORK_END] = host_work_end,
    [REMOTE_NOTE] = host_note,
    [REMOTE_MODULE] = host_module,
    [REMOTE_MODULE_TEXT] = host_module_text,
    [REMOTE_KERNEL] = host_kernel,
    [REMOTE_SYMBOL] = host_symbol,
    [REMOTE_CHECK] = host_check,
    [REMOTE_LAUNCH] = host_launch,
    [REMOTE_OUTPUT] = host_output,
    [REMOTE_SHARE] = owner_share,
    [REMOTE_BEGIN] = owner_begin,
    [REMOTE_MOVE] = owner_move,
    [REMOTE_START] = owner_start,
    [REMOTE_END] = owner_end,
    [REMOTE_REPORT] = owner_report,
    [REMOTE_WRITER] = owner_writer,
    [REMOTE_RESUME] = owner_resume,
};

void server_refuse(struct server *server, const char *fault) {
    if (!server->fault)
        server->fault = fault;
}

uint64_t server_add(struct server_list *list, void *item) {
    void **items = NULL;

    if (list->n < MAX_ITEMS)
        items = grow_room(list->items, list->n, &list->room, 16, sizeof *items);
    if (!items)
        return 0;
    list->items = items;
    list->items[list->n++] = item;
    return list->n;
}

void *server_find(struct server *server, const struct server_list *list, uint64_t number) {
    if (number >= 1 && number <= list->n)
        return list->items[number - 1];
    server_refuse(server, "it names what it never got");
    return NULL;
}

/* What is wrong with the packet; NULL where nothing is. */
static const char *fault_of(const struct server *server, enum remote_got got, bool is_owner) {
    const struct remote_request *request = &server->packet.head.request;
    size_t least, most;

    if (got != REMOTE_GOT_IT)
        return "it is no message";
    if (!remote_bounds(request->kind, &least, &most) || !functions[request->kind] ||
        (request->kind > REMOTE_N_HOST) != is_owner)
        return "it is no request";
    if (server->packet.bytes < least || server->packet.bytes > most)
        return "its length is not that of its kind";
    if (server->packet.fd >= 0 && request->kind != REMOTE_SHARE)
        return "it brings a descriptor along";
    if (!request->sequence && request->kind != REMOTE_COPY && request->kind != REMOTE_WORK_END)
        return "it is one that has a reply";
    return NULL;
}

enum served { SERVED, NOTHING_SENT, OVER };

/* Answers a request, if there is one. Over: the other end is gone, or its request refused. */
static enum served serve(struct server *server, int socket, bool is_owner, const char **fault) {
    const struct remote_request *request = &server->packet.head.request;
    enum remote_got got = remote_receive(socket, sizeof *request, MSG_DONTWAIT, &server->packet);

    *fault = NULL;
    if (got == REMOTE_GOT_NOTHING || got == REMOTE_GOT_END)
        return got == REMOTE_GOT_NOTHING ? NOTHING_SENT : OVER;
    *fault = fault_of(server, got, is_owner);
    if (!*fault) {
        server->reply = (struct remote_reply){.sequence = request->sequence};
        server->answer_bytes = 0;
        functions[request->kind](server, request->n);
        *fault = server->fault;
    }
    if (server->packet.fd >= 0)
        close(server->packet.fd);
    if (!*fault && !request->sequence) {
        if (server->deferred == SIMT_OK)
            server->deferred = (enum simt_status)server->reply.status;
        return SERVED;
    }
    bool is_sent = !*fault && remote_send(socket, &server->reply, sizeof server->reply,
                                          server->answer, server->answer_bytes, -1);
    return is_sent ? SERVED : OVER;
}

/* Serves what the host has sent, up to a request that it waits for: so many without a reply it may
 * have sent before, also where its call has come to its end. False where it is refused. */
static bool serve_host(struct server *server, const char **why) {
    enum served served = SERVED;

    for (unsigned i = 0; i <= REMOTE_MAX_POSTED && served == SERVED; i++) {
        served = serve(server, server->host, false, why);
        if (served == SERVED && server->packet.head.request.sequence)
            break;
    }
    if (served == OVER)
        server->host = -1;
    return !*why;
}

static enum remote_outcome serve_both(struct server *server, const char **why) {
    for (;;) {
        struct pollfd fds[] = {{.fd = server->owner, .events = POLLIN},
                               {.fd = server->is_stopped ? -1 : server->host, .events = POLLIN}};

        *why = NULL;
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return REMOTE_FAILED;
        if (fds[1].revents && !serve_host(server, why))
            return REMOTE_NONSENSE;
        if (fds[0].revents && serve(server, server->owner, true, why) == OVER)
            return *why ? REMOTE_FAILED : REMOTE_GONE;
    }
}

static void destroy(struct server *server) {
    simt_destroy(server->simt);
    server_drop_maps(server);
    server_drop_kept(server);
    free(server->modules.items);
    free(server->kernels.items);
    free(server->text);
    free(server->output[0].text);
    free(server->output[1].text);
    if (server->share)
        munmap(server->share, server->share_bytes);
    free(server);
}

enum remote_outcome remote_serve(int owner, int host, const struct simt_options *options,
                                 const char **why) {
    struct server *server = calloc(1, sizeof *server);

    *why = "no memory";
    if (!server)
        return REMOTE_FAILED;
    server->owner = owner;
    server->host = host;
    server->simt = simt_create(options);
    enum remote_outcome end = server->simt ? serve_both(server, why) : REMOTE_FAILED;
    destroy(server);
    return end;
}
