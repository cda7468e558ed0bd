/*
 * Messages, and what of simt.h needs hardly any: the device, its options, its report.
 */
#include "common/simt/remote/client/link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void wait_for_the_end(void) {
    for (;;)
        pause();
}

static void add_request(struct simt *simt, enum remote_kind kind, uint32_t sequence,
                        const uint64_t *n, size_t n_numbers) {
    struct remote_request *request = &simt->unsent[simt->n_unsent++];

    *request = (struct remote_request){.kind = kind, .sequence = sequence};
    for (size_t i = 0; i < n_numbers; i++)
        request->n[i] = n[i];
}

/* Reads of each page of what could not be sent, as a copy of the program's own would have: where
 * that memory is not there, the program ends here, and does not wait. */
static void read_pages(const uint8_t *payload, size_t bytes) {
    enum { PAGE_BYTES = 4096 };

    for (size_t at = 0; at < bytes; at += PAGE_BYTES)
        (void)*(const volatile uint8_t *)(payload + at);
    if (bytes > 0)
        (void)*(const volatile uint8_t *)(payload + bytes - 1);
}

static void send_requests(struct simt *simt, const void *payload, size_t bytes) {
    if (!remote_send_all(REMOTE_HOST, simt->unsent, simt->n_unsent, payload, bytes)) {
        if (errno == EFAULT)
            read_pages(payload, bytes);
        wait_for_the_end();
    }
    simt->n_unsent = 0;
}

/* Waits for the reply to the request of that number. */
static enum simt_status await_reply(struct simt *simt, uint32_t sequence) {
    const struct remote_reply *reply = &simt->packet.head.reply;

    if (remote_receive(REMOTE_HOST, sizeof *reply, 0, &simt->packet) != REMOTE_GOT_IT ||
        reply->sequence != sequence)
        wait_for_the_end();
    return (enum simt_status)reply->status;
}

enum simt_status link_post(struct simt *simt, enum remote_kind kind, const uint64_t *n,
                           size_t n_numbers) {
    if (simt->n_posted == REMOTE_MAX_POSTED)
        return link_ask(simt, kind, n, n_numbers, NULL, 0);
    add_request(simt, kind, 0, n, n_numbers);
    simt->n_posted++;
    return SIMT_OK;
}

enum simt_status link_ask(struct simt *simt, enum remote_kind kind, const uint64_t *n,
                          size_t n_numbers, const void *payload, size_t bytes) {
    if (++simt->sequence == 0)
        simt->sequence = 1;
    add_request(simt, kind, simt->sequence, n, n_numbers);
    send_requests(simt, payload, bytes);
    simt->n_posted = 0;
    return await_reply(simt, simt->sequence);
}

/* Keeps the device's addresses free of anything else, and without any right: a host that follows
 * one gets SIGSEGV. */
static void reserve(struct simt *simt) {
    void *range = mmap((void *)(uintptr_t)simt->base, simt->reserved, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    simt->is_reserved = range == (void *)(uintptr_t)simt->base;
    if (!simt->is_reserved && range != MAP_FAILED)
        munmap(range, simt->reserved);
}

/* The device is there already, and is what its owner has chosen. */
struct simt *simt_create(const struct simt_options *options) {
    struct simt *simt = calloc(1, sizeof *simt);

    if (!simt)
        return NULL;
    simt->options = *options;
    LINK_ASK(simt, REMOTE_OPEN, 0);
    simt->base = simt->packet.head.reply.n[0];
    simt->reserved = simt->packet.head.reply.n[1];
    reserve(simt);
    return simt;
}

/* The process ends with it. */
void simt_destroy(struct simt *simt) {
    free(simt);
}

struct simt_options *simt_options(struct simt *simt) {
    return &simt->options;
}

enum simt_status simt_begin_work(struct simt *simt, unsigned queue, const struct simt_clock *clock,
                                 const char *what) {
    const uint64_t n[] = {queue, remote_work_number(what)};

    simt->is_working = true;
    return link_ask(simt, REMOTE_WORK, n, 2, clock, sizeof *clock);
}

void simt_end_work(struct simt *simt) {
    if (simt->is_working)
        link_post(simt, REMOTE_WORK_END, NULL, 0);
    simt->is_working = false;
}

bool simt_heap_is_in_use(const struct simt *simt) {
    return simt->heap_is_in_use;
}

void simt_interrupt(struct simt *simt) {
    (void)simt; /* the kernel ends with the process */
}

/* The report is its owner's. The program knows how long its last kernel took, as by an event. */
void simt_report(const struct simt *simt, struct simt_report *report) {
    *report = (struct simt_report){.latest = simt->latest};
}

void simt_report_reset(struct simt *simt) {
    (void)simt;
}

char *simt_report_json(const struct simt *simt) {
    (void)simt;
    return NULL;
}

char *simt_report_kernels_json(const struct simt *simt) {
    (void)simt;
    return NULL;
}

size_t simt_digests(const struct simt *simt, struct simt_digest **digests) {
    (void)simt;
    *digests = NULL;
    return 0;
}

/* Names, and what counts as unwritten, are the owner's to say. */
enum simt_status simt_name(struct simt *simt, uint64_t address, const char *name,
                           size_t element_bytes) {
    (void)name, (void)element_bytes;
    return simt_is_range(simt, address, 0) ? SIMT_OK : SIMT_BAD_ADDRESS;
}

enum simt_status simt_undefine(struct simt *simt, uint64_t address, size_t bytes) {
    return simt_is_range(simt, address, bytes) ? SIMT_OK : SIMT_BAD_ADDRESS;
}

/* Kernels are edited where they run, as the owner says. */
int simt_set_edits(struct simt *simt, const struct simt_edit *edits, size_t n) {
    if (n > SIMT_MAX_EDITS)
        return false;
    if (n)
        memcpy(simt->edits, edits, n * sizeof *edits);
    simt->n_edits = n;
    return true;
}

const struct simt_edit *simt_find_edit(const struct simt *simt, uint32_t kind, const char *kernel) {
    for (size_t i = 0; i < simt->n_edits; i++)
        if (simt->edits[i].kind == kind && (!kernel || strcmp(simt->edits[i].place, kernel) == 0))
            return &simt->edits[i];
    return NULL;
}

char *simt_report_edits_json(const struct simt *simt) {
    (void)simt;
    return NULL;
}

/* All of it, in pieces. The program waits for the device here. */
char *simt_take_output(struct simt *simt, enum simt_stream stream, size_t *bytes) {
    char *text = NULL;
    uint64_t left = simt->has_output;

    send_requests(simt, NULL, 0); /* what was posted */
    *bytes = 0;
    while (left) {
        LINK_ASK(simt, REMOTE_OUTPUT, stream);
        left = simt->packet.head.reply.n[0];
        char *grown = realloc(text, *bytes + simt->packet.bytes + 1);
        if (!grown)
            break;
        text = grown;
        memcpy(text + *bytes, simt->packet.payload, simt->packet.bytes);
        *bytes += simt->packet.bytes;
    }
    if (stream == SIMT_STDERR)
        simt->has_output = false;
    return text;
}
