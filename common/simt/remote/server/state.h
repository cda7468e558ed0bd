/*
 * What the files of the server share.
 */
#pragma once

#include "common/simt/remote/server/server.h"
#include "common/simt/remote/wire.h"

/* Things that the host names by number. */
struct server_list {
    void **items;
    size_t n, room;
};

/* Memory of the host that kernels use: our copy of it. */
struct server_map {
    struct server_map *next;
    uint64_t address, bytes;
    uint8_t *allocation, *data, *before; /* `before`: as the host sent it last */
};

/* Device memory that the host has allocated; what its runtime needs for a grid's barriers does not
 * count. */
struct server_kept {
    struct server_kept *next;
    uint64_t address, bytes;
    bool is_workspace;
};

struct server {
    int owner, host;           /* sockets; `host` becomes -1 where nobody is at its other end */
    bool is_stopped;           /* from END to START or RESUME: the host is not served */
    const char *fault;         /* what the host sent that it may not */
    enum simt_status deferred; /* of its requests without a reply: the first that failed */
    struct simt *simt;
    struct server_list modules, kernels;
    char *text; /* PTX that is coming */
    size_t text_bytes, text_room;
    struct server_map *maps;
    struct {
        char *text;
        size_t bytes, taken;
    } output[2];
    struct server_kept *kept;             /* a list: what the host has allocated … */
    uint64_t n_before, bytes_before;      /* … and how much that was when the call began */
    uint64_t buffers[REMOTE_MAX_BUFFERS]; /* the owner's: addresses; 0 for none */
    uint64_t buffer_bytes[REMOTE_MAX_BUFFERS];
    size_t n_buffers;
    uint8_t *share; /* the owner's memory */
    size_t share_bytes;
    struct remote_packet packet; /* the request being served */
    struct remote_reply reply;
    uint8_t answer[REMOTE_PAYLOAD_BYTES]; /* the reply's payload … */
    size_t answer_bytes;                  /* … and how long it is */
};

/* Serves one request; fills reply and answer. */
typedef void server_function(struct server *server, const uint64_t *n);

/* serve_memory.c, serve_kernels.c, serve_shared.c; serve_owner.c. */
server_function host_open, host_malloc, host_free, host_write, host_read, host_copy, host_set,
    host_range, host_info, host_work, host_work_end, host_note;
server_function host_module, host_module_text, host_kernel, host_symbol, host_check, host_launch,
    host_output;
server_function host_manage, host_map, host_unmap, host_push, host_pull;
server_function owner_share, owner_begin, owner_move, owner_start, owner_end, owner_report,
    owner_writer, owner_resume;

/* The host has sent what no honest one sends. */
void server_refuse(struct server *server, const char *fault);

/* Numbers for a thing, from 1 on; 0 without memory, or where there are too many of them. */
uint64_t server_add(struct server_list *list, void *item);
/* The thing of that number; NULL, and the host is refused, where there is none. */
void *server_find(struct server *server, const struct server_list *list, uint64_t number);

/* Frees what serve_shared.c keeps. */
void server_drop_maps(struct server *server);

/* serve_memory.c: how many allocations of the host there are, and their bytes. */
uint64_t server_count_kept(const struct server *server, uint64_t *bytes);
void server_drop_kept(struct server *server);
