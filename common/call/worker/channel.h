/*
 * The worker's end of the socket.
 */
#ifndef CALL_WORKER_CHANNEL_H
#define CALL_WORKER_CHANNEL_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/call/wire.h"

struct channel {
    pid_t pid; /* whose it is: a child of student code must not answer in our name */
};

void channel_init(struct channel *channel);

/* Waits for a request. `fd` becomes the descriptor that came along, or -1. False when the other
 * side is gone or sent what this build does not know. Ends a child that student code forked. */
bool channel_receive(const struct channel *channel, union wire_message *message, int *fd);

/* Sends a message of the given kind and size in answer to `request`. Does not return when the
 * socket is gone: then student code closed it, and the client is to see just that. In a child that
 * student code forked it ends the child instead. */
void channel_send(const struct channel *channel, const struct wire_header *request, void *message,
                  uint32_t kind, size_t bytes);

/* The same from a signal handler: tries once, returns in any case. */
void channel_send_last(const struct channel *channel, const struct wire_header *request,
                       void *message, uint32_t kind, size_t bytes);

#endif
