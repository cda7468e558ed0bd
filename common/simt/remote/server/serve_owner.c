/*
 * The owner's requests. The owner is trusted, but what it says is checked all the same: a fault of
 * ours is not to be one of memory.
 */
#include "common/simt/remote/server/state.h"
#include "common/simt/shifted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { PAGE_BYTES = 4096 };

/* The memory in place of the one before. */
void owner_share(struct server *server, const uint64_t *n) {
    struct stat info;
    void *base = MAP_FAILED;

    (void)n;
    if (server->share)
        munmap(server->share, server->share_bytes);
    server->share = NULL;
    server->share_bytes = 0;
    if (server->packet.fd >= 0 && fstat(server->packet.fd, &info) == 0)
        base = mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED,
                    server->packet.fd, 0);
    server->reply.status = base == MAP_FAILED ? SIMT_NO_MEMORY : SIMT_OK;
    if (base == MAP_FAILED)
        return;
    server->share = base;
    server->share_bytes = (size_t)info.st_size;
}

/* Bytes of a buffer go to the owner's memory, or come from there. */
static enum simt_status move(struct server *server, const struct remote_move *move) {
    if (move->bytes == 0)
        return SIMT_OK;
    if (move->buffer >= server->n_buffers || move->bytes > server->share_bytes ||
        move->place > server->share_bytes - move->bytes ||
        move->at > server->buffer_bytes[move->buffer])
        return SIMT_BAD_ADDRESS;
    uint64_t address = server->buffers[move->buffer] + move->at;
    uint8_t *place = server->share + move->place;
    return move->to_owner ? simt_read(server->simt, place, address, move->bytes)
                          : simt_write(server->simt, address, place, move->bytes);
}

void owner_move(struct server *server, const uint64_t *n) {
    const size_t count = server->packet.bytes / sizeof(struct remote_move);
    struct remote_move one;

    (void)n;
    for (size_t i = 0; i < count && server->reply.status == SIMT_OK; i++) {
        memcpy(&one, server->packet.payload + i * sizeof one, sizeof one);
        server->reply.status = move(server, &one);
    }
}

/* Frees a buffer; the program may have done so. */
static void clear_buffer(struct server *server, size_t i) {
    if (i < server->n_buffers && server->buffers[i])
        simt_free(server->simt, server->buffers[i]);
    server->buffers[i] = 0;
}

/* Makes a piece appear as often as it should, and the rest of one behind them: pages of the owner's
 * memory may be mapped many times. */
static bool repeat(uint8_t *first, uint64_t bytes, uint64_t piece) {
    const uint64_t pages = bytes - bytes % PAGE_BYTES;

    for (uint64_t at = piece; at < pages; at += piece) {
        const uint64_t length = pages - at < piece ? pages - at : piece;
        if (mremap(first, 0, length, MREMAP_MAYMOVE | MREMAP_FIXED, first + at) == MAP_FAILED)
            return false;
    }
    return true;
}

/* Each page of zeros that is read would be one of memory, and take longer than the reading. */
static bool repeat_all(uint8_t *place, const struct remote_buffer *buffer) {
    const uint64_t end = buffer->repeat_at + buffer->repeat_bytes;

    return repeat(place + buffer->repeat_at, buffer->repeat_bytes, REMOTE_PIECE_BYTES) &&
           (buffer->source != REMOTE_READ_IN_PLACE ||
            (repeat(place, buffer->repeat_at, REMOTE_ZEROS_BYTES) &&
             repeat(place + end, buffer->bytes - end, REMOTE_ZEROS_BYTES)));
}

static bool is_lent(const struct remote_buffer *buffer) {
    return buffer->source == REMOTE_IN_PLACE || buffer->source == REMOTE_READ_IN_PLACE;
}

/* A buffer that is where its bytes lie. */
static enum simt_status lend(struct server *server, size_t i, const struct remote_buffer *buffer) {
    uint8_t *place = server->share + buffer->place;

    clear_buffer(server, i);
    server->buffer_bytes[i] = buffer->bytes;
    if (server->n_buffers <= i)
        server->n_buffers = i + 1;
    if (buffer->bytes > server->share_bytes ||
        buffer->place > server->share_bytes - buffer->bytes ||
        buffer->repeat_bytes > buffer->bytes || buffer->repeat_bytes % REMOTE_PIECE_BYTES ||
        buffer->repeat_at > buffer->bytes - buffer->repeat_bytes)
        return SIMT_BAD_ADDRESS;
    if (!repeat_all(place, buffer))
        return SIMT_NO_MEMORY;
    return simt_malloc_at(server->simt, place, buffer->bytes, &server->buffers[i]);
}

/* A buffer of that size, in place of the one before or where that lay. */
static enum simt_status place(struct server *server, size_t i, const struct remote_buffer *buffer,
                              bool keeps_place) {
    const uint64_t bytes = buffer->bytes;
    bool is_there = i < server->n_buffers && server->buffer_bytes[i] == bytes &&
                    server->buffers[i] && simt_is_range(server->simt, server->buffers[i], bytes);

    if (keeps_place && is_there)
        return SIMT_OK;
    clear_buffer(server, i);
    server->buffer_bytes[i] = bytes;
    if (server->n_buffers <= i)
        server->n_buffers = i + 1;
    return simt_malloc_shifted(server->simt, bytes, buffer->shift % REMOTE_ROUND_BYTES,
                               &server->buffers[i]);
}

static enum simt_status fill(struct server *server, size_t i, const struct remote_buffer *buffer) {
    const struct remote_move from = {
        .buffer = (uint32_t)i, .bytes = buffer->bytes, .place = buffer->place};
    const uint64_t address = server->buffers[i];
    char name[REMOTE_NAME_BYTES + 1] = "";
    enum simt_status status = SIMT_OK;

    if (address == 0)
        return SIMT_OK;
    if (buffer->source == REMOTE_FILLED) {
        status = simt_set(server->simt, address, (uint8_t)buffer->fill, buffer->bytes);
        simt_undefine(server->simt, address, buffer->bytes);
    } else if (buffer->source == REMOTE_FROM_OWNER) {
        status = move(server, &from);
    }
    memcpy(name, buffer->name, REMOTE_NAME_BYTES);
    simt_name(server->simt, address, name, buffer->element_bytes);
    return status;
}

static enum simt_status place_all(struct server *server, const struct remote_begin *begin) {
    const size_t n = begin->n_buffers;
    enum simt_status status = SIMT_OK;

    for (size_t i = n; i < server->n_buffers; i++)
        clear_buffer(server, i);
    for (size_t i = 0; i < n && status == SIMT_OK; i++) {
        status = is_lent(&begin->buffers[i])
                     ? lend(server, i, &begin->buffers[i])
                     : place(server, i, &begin->buffers[i], begin->keeps_places != 0);
        if (status == SIMT_OK)
            status = fill(server, i, &begin->buffers[i]);
    }
    server->n_buffers = n;
    return status;
}

static void begin_launches(struct server *server) {
    simt_report_reset(server->simt);
    server->n_before = server_count_kept(server, &server->bytes_before);
    server->is_stopped = false;
}

static uint32_t usual_multiprocessors(void) {
    struct simt_options options;

    simt_default_options(&options);
    return options.n_sm;
}

/* Checks are on from the first: what is allocated without counts as written. */
void owner_begin(struct server *server, const uint64_t *n) {
    struct simt_options *options = simt_options(server->simt);
    struct remote_begin begin;

    (void)n;
    memcpy(&begin, server->packet.payload, sizeof begin);
    if (begin.n_buffers > REMOTE_MAX_BUFFERS || begin.n_edits > SIMT_MAX_EDITS) {
        server->reply.status = SIMT_BAD_CONFIG;
        return;
    }
    options->checks = begin.checks != 0;
    options->keeps_shared = options->keeps_readers = begin.keeps_shared != 0;
    options->seed = begin.seed;
    options->n_sm = begin.n_sm ? begin.n_sm : usual_multiprocessors();
    options->timeout_ms = begin.timeout_ms;
    options->budget = begin.budget;
    options->sample = begin.sample;
    simt_end_work(server->simt);
    simt_set_edits(server->simt, begin.edits, begin.n_edits);
    server->reply.status = place_all(server, &begin);
    server->answer_bytes = sizeof(struct remote_begun);
    memcpy(server->answer, server->buffers, sizeof(struct remote_begun));
    if (server->reply.status != SIMT_OK)
        server->answer_bytes = (size_t)snprintf((char *)server->answer, sizeof server->answer, "%s",
                                                simt_memory_refusal(server->simt));
    else if (begin.starts)
        begin_launches(server);
}

void owner_start(struct server *server, const uint64_t *n) {
    (void)n;
    begin_launches(server);
}

static void put_origins(const struct server *server, struct remote_facts *facts) {
    struct simt_origins origins;

    simt_origins(server->simt, &origins);
    facts->is_sure = origins.is_sure && (origins.buffers || server->n_buffers == 0);
    facts->to_host = origins.to_host;
    facts->from_host = origins.from_host;
    for (size_t i = 0; i < origins.n_buffers; i++) {
        const struct simt_buffer_origin *buffer = &origins.buffers[i];
        for (size_t k = 0; k < server->n_buffers; k++)
            if (server->buffers[k] == buffer->address)
                facts->buffers[k] = (struct remote_origin){1, 0, buffer->by_kernels,
                                                           buffer->by_host, buffer->to_host};
    }
    free(origins.buffers);
}

static void put_report(const struct server *server, struct remote_facts *facts) {
    struct simt_report report;
    uint64_t bytes, n_kept = server_count_kept(server, &bytes);

    simt_report(server->simt, &report);
    facts->n_launches = report.n_launches + report.n_launches_dropped;
    facts->n_findings = report.n_findings;
    for (size_t i = 0; i < report.n_kernels; i++) {
        const struct simt_counters *total = &report.kernels[i].total;
        facts->work += total->warp_instructions;
        facts->stores += total->global_stores + total->atomics;
    }
    if (n_kept > server->n_before) {
        facts->n_kept = n_kept - server->n_before;
        facts->kept_bytes = bytes > server->bytes_before ? bytes - server->bytes_before : 0;
    }
}

/* Puts the report where the owner finds it: its length. */
static uint64_t write_report(struct server *server, bool lists_edits) {
    char *json =
        lists_edits ? simt_report_edits_json(server->simt) : simt_report_json(server->simt);
    size_t bytes = json ? strlen(json) : 0;

    if (bytes > REMOTE_REPORT_BYTES || bytes > server->share_bytes)
        bytes = 0;
    if (bytes)
        memcpy(server->share, json, bytes);
    free(json);
    return bytes;
}

void owner_report(struct server *server, const uint64_t *n) {
    server->reply.n[0] = write_report(server, n[0] != 0);
}

void owner_writer(struct server *server, const uint64_t *n) {
    struct remote_writer answer = {.kind = SIMT_WRITER_UNKNOWN};
    struct remote_word word;
    struct simt_writer writer;

    (void)n;
    memcpy(&word, server->packet.payload, sizeof word);
    if (word.buffer < server->n_buffers && word.at < server->buffer_bytes[word.buffer])
        answer.kind =
            simt_last_writer(server->simt, server->buffers[word.buffer] + word.at, &writer);
    if (answer.kind == SIMT_WRITER_KERNEL) {
        answer.line = writer.line;
        answer.n_behind = writer.n_behind;
        memcpy(answer.behind, writer.behind, sizeof answer.behind);
        snprintf(answer.kernel, sizeof answer.kernel, "%s", writer.kernel);
        snprintf(answer.file, sizeof answer.file, "%s", writer.file);
        snprintf(answer.who, sizeof answer.who, "%s", writer.who);
    }
    memcpy(server->answer, &answer, sizeof answer);
    server->answer_bytes = sizeof answer;
}

/* What is moved from here on is the owner's work, which no check looks at. An input that nobody has
 * written to is as it was. */
void owner_end(struct server *server, const uint64_t *n) {
    struct remote_facts facts = {.n_launches = 0};
    struct remote_end end;

    (void)n;
    memcpy(&end, server->packet.payload, sizeof end);
    server->is_stopped = true;
    put_report(server, &facts);
    put_origins(server, &facts);
    if (end.wants_report == REMOTE_ALWAYS ||
        (end.wants_report == REMOTE_IF_WRITTEN && facts.n_findings > 0))
        facts.report_bytes = write_report(server, end.lists_edits != 0);
    simt_end_work(server->simt);
    simt_options(server->simt)->checks = false;
    for (size_t i = 0; i < server->n_buffers; i++) {
        const struct remote_move one = {.buffer = (uint32_t)i,
                                        .to_owner = 1,
                                        .bytes = server->buffer_bytes[i],
                                        .place = end.buffers[i].place};
        struct remote_origin *origin = &facts.buffers[i];
        bool is_written = !facts.is_sure || origin->by_kernels || origin->by_host;
        if (end.buffers[i].want == REMOTE_ALWAYS ||
            (end.buffers[i].want == REMOTE_IF_WRITTEN && is_written))
            origin->is_moved = move(server, &one) == SIMT_OK;
    }
    memcpy(server->answer, &facts, sizeof facts);
    server->answer_bytes = sizeof facts;
}

void owner_resume(struct server *server, const uint64_t *n) {
    (void)n;
    server->is_stopped = false;
}
