/*
 * A device: its options, and its memory as the host sees it.
 */
#include <stdlib.h>
#include <string.h>

#include "common/simt/memory/origin.h"
#include "common/simt/report/report.h"
#include "common/simt/run/warp/runtime.h"
#include "common/simt/state/hooks.h"
#include "common/simt/state/module.h"
#include "common/simt/shifted.h"

struct simt *simt_create(const struct simt_options *options) {
    struct simt *simt = calloc(1, sizeof *simt);
    if (!simt)
        return NULL;
    simt->options = *options;
    simt->now = SIMT_STAMP_TICK;
    simt->record = simt_record_new();
    if (!simt->record) {
        free(simt);
        return NULL;
    }
    simt_space_open(&simt->space, options->global_bytes);
    simt_space_limit(&simt->space, options->host_bytes);
    return simt;
}

void simt_destroy(struct simt *simt) {
    if (!simt)
        return;
    while (simt->modules) {
        struct simt_module *module = simt->modules;
        simt->modules = module->next;
        simt_module_free(module);
    }
    simt_checks.device_close(simt);
    simt_space_close(&simt->space);
    simt_record_free(simt->record);
    simt_output_close(&simt->output);
    free(simt);
}

char *simt_take_output(struct simt *simt, enum simt_stream stream, size_t *bytes) {
    struct simt_text_buffer *buffer = &simt->output.streams[stream];
    char *text = buffer->bytes;
    *bytes = buffer->n;
    *buffer = (struct simt_text_buffer){0};
    return text;
}

struct simt_options *simt_options(struct simt *simt) {
    return &simt->options;
}

enum simt_status simt_malloc(struct simt *simt, size_t bytes, uint64_t *address) {
    return simt_malloc_shifted(simt, bytes, 0, address);
}

enum simt_status simt_malloc_shifted(struct simt *simt, size_t bytes, size_t shift,
                                     uint64_t *address) {
    simt->space.is_watched = simt->options.checks;
    enum simt_status status = simt_space_allocate_shifted(&simt->space, bytes, shift, address);
    if (status == SIMT_OK && *address)
        simt_space_number(&simt->space, *address);
    if (status == SIMT_OK && bytes && simt_find_edit(simt, SIMT_EDIT_MEMORY_CLEARED, NULL))
        simt_space_define(simt_space_find(&simt->space, *address), 0, bytes);
    return status;
}

enum simt_status simt_malloc_at(struct simt *simt, void *host, size_t bytes, uint64_t *address) {
    enum simt_status status = simt_space_lend(&simt->space, host, bytes, address);
    if (status == SIMT_OK && *address)
        simt_space_number(&simt->space, *address);
    return status;
}

enum simt_status simt_free(struct simt *simt, uint64_t address) {
    simt->space.keeps_digests = simt->options.keeps_digests;
    return simt_space_release(&simt->space, address);
}

size_t simt_digests(const struct simt *simt, struct simt_digest **digests) {
    return simt_space_digests(&simt->space, digests);
}

enum simt_status simt_malloc_managed(struct simt *simt, size_t bytes, uint64_t *address) {
    simt_space_begin_page(&simt->space);
    enum simt_status status = simt_malloc(simt, bytes, address);
    simt_space_begin_page(&simt->space);
    if (status != SIMT_OK || bytes == 0)
        return status;
    if ((status = simt_space_expose(&simt->space, *address, true)) != SIMT_OK) {
        simt_free(simt, *address);
        *address = 0;
    }
    return status;
}

enum simt_status simt_manage(struct simt *simt, uint64_t address) {
    return simt_space_expose(&simt->space, address, false);
}

enum simt_status simt_map(struct simt *simt, void *host, size_t bytes) {
    return simt_space_map(&simt->space, (uintptr_t)host, host, bytes);
}

enum simt_status simt_map_at(struct simt *simt, uint64_t address, void *host, size_t bytes) {
    return simt_space_map(&simt->space, address, host, bytes);
}

enum simt_status simt_unmap(struct simt *simt, const void *host) {
    return simt_space_unmap(&simt->space, (uintptr_t)host);
}

uint8_t *simt_shared(struct simt *simt, uint64_t address, size_t bytes) {
    const struct simt_allocation *allocation = simt_space_range(&simt->space, address, bytes);
    if (!allocation || (!allocation->is_mapped && !allocation->exposed_bytes))
        return NULL;
    return allocation->host + (address - allocation->address);
}

/* Large moves look at what the host has left before each piece. */
static const size_t PIECE_BYTES = (size_t)64 << 20;

/* What is moved at a time of memory that was lent, of which there may be more than the host has. */
static const size_t LENT_BYTES = (size_t)256 << 20;

static bool is_too_much(const struct simt_allocation *allocation, size_t bytes) {
    return allocation->is_lent && bytes > LENT_BYTES;
}

/* How much of `left` bytes may be moved now; 0 where the host's memory is at an end. */
static size_t piece(const struct simt *simt, size_t left) {
    if (left <= PIECE_BYTES)
        return left;
    return simt_host_room(&simt->space.host) ? PIECE_BYTES : 0;
}

/* Bytes that the host puts into an allocation: from its own memory, or where that is NULL, all of
 * one value. */
static enum simt_status put(struct simt *simt, uint64_t to, const uint8_t *from, uint8_t value,
                            size_t bytes) {
    if (bytes == 0)
        return SIMT_OK;
    struct simt_allocation *allocation = simt_space_range(&simt->space, to, bytes);
    if (!allocation)
        return SIMT_BAD_ADDRESS;
    if (is_too_much(allocation, bytes))
        return SIMT_NO_MEMORY;
    uint64_t at = to - allocation->address;
    simt_checks.host_access(simt, allocation, at, bytes, true);
    for (size_t done = 0, n; done < bytes; done += n) {
        n = piece(simt, bytes - done);
        if (n == 0)
            return SIMT_NO_MEMORY;
        if (from)
            memcpy(allocation->host + at + done, from + done, n);
        else
            memset(allocation->host + at + done, value, n);
        if (bytes < allocation->bytes)
            simt_origin_write(allocation, at + done, n);
    }
    if (bytes == allocation->bytes)
        simt_origin_write(allocation, 0, bytes);
    return SIMT_OK;
}

enum simt_status simt_write(struct simt *simt, uint64_t to, const void *from, size_t bytes) {
    if (simt->options.checks)
        simt->space.from_host += bytes;
    return put(simt, to, from, 0, bytes);
}

enum simt_status simt_set(struct simt *simt, uint64_t to, uint8_t value, size_t bytes) {
    return put(simt, to, NULL, value, bytes);
}

enum simt_status simt_read(struct simt *simt, void *to, uint64_t from, size_t bytes) {
    if (bytes == 0)
        return SIMT_OK;
    struct simt_allocation *allocation = simt_space_range(&simt->space, from, bytes);
    if (!allocation)
        return SIMT_BAD_ADDRESS;
    if (is_too_much(allocation, bytes))
        return SIMT_NO_MEMORY;
    simt_checks.host_access(simt, allocation, from - allocation->address, bytes, false);
    if (simt->options.checks) {
        simt->space.to_host += bytes;
        allocation->to_host += bytes;
    }
    memcpy(to, allocation->host + (from - allocation->address), bytes);
    return SIMT_OK;
}

enum simt_status simt_copy(struct simt *simt, uint64_t to, uint64_t from, size_t bytes) {
    if (bytes == 0)
        return SIMT_OK;
    struct simt_allocation *target = simt_space_range(&simt->space, to, bytes);
    struct simt_allocation *source = simt_space_range(&simt->space, from, bytes);
    if (!target || !source)
        return SIMT_BAD_ADDRESS;
    if (is_too_much(target, bytes) || is_too_much(source, bytes))
        return SIMT_NO_MEMORY;
    uint64_t at = to - target->address, source_at = from - source->address;
    simt_checks.host_access(simt, source, source_at, bytes, false);
    simt_checks.host_access(simt, target, at, bytes, true);
    source->is_copied = true;
    for (size_t done = 0, n; done < bytes; done += n) {
        /* What overlaps moves as a whole. */
        n = target == source ? bytes : piece(simt, bytes - done);
        if (n == 0)
            return SIMT_NO_MEMORY;
        memmove(target->host + at + done, source->host + source_at + done, n);
    }
    /* A copy of bytes that nobody wrote is no better than they are. */
    return simt_origin_copy(target, at, source, source_at, bytes);
}

bool simt_is_device_address(const struct simt *simt, uint64_t address) {
    return address - simt->space.base < simt->space.reserved;
}

uint64_t simt_address_range(const struct simt *simt, uint64_t *bytes) {
    *bytes = simt->space.reserved;
    return simt->space.base;
}

bool simt_is_range(struct simt *simt, uint64_t address, size_t bytes) {
    return simt_space_range(&simt->space, address, bytes) != NULL;
}

bool simt_heap_is_in_use(const struct simt *simt) {
    return simt->space.heap_is_in_use;
}

void simt_memory_info(const struct simt *simt, size_t *free_bytes, size_t *total_bytes) {
    *free_bytes = simt->space.limit - simt->space.used;
    *total_bytes = simt->space.capacity;
}

void simt_interrupt(struct simt *simt) {
    atomic_store(&simt->interrupted, true);
}

const char *simt_memory_refusal(const struct simt *simt) {
    return simt->space.refusal;
}

enum simt_status simt_name(struct simt *simt, uint64_t address, const char *name,
                           size_t element_bytes) {
    return simt_space_name(&simt->space, address, name, element_bytes);
}

enum simt_status simt_undefine(struct simt *simt, uint64_t address, size_t bytes) {
    if (bytes == 0)
        return SIMT_OK;
    struct simt_allocation *allocation = simt_space_range(&simt->space, address, bytes);
    if (!allocation)
        return SIMT_BAD_ADDRESS;
    if (simt_find_edit(simt, SIMT_EDIT_OUTPUT_CLEARED, NULL))
        return simt_set(simt, address, 0, bytes);
    return simt_space_undefine(allocation, address - allocation->address, bytes);
}

void simt_origins(const struct simt *simt, struct simt_origins *origins) {
    simt_space_origins(&simt->space, origins);
}

void simt_report(const struct simt *simt, struct simt_report *report) {
    simt_record_view(simt->record, report);
}

void simt_report_reset(struct simt *simt) {
    simt_record_reset(simt->record);
    simt_space_restart(&simt->space, simt->options.keeps_readers);
    simt->n_scheduled = 0;
}

char *simt_report_json(const struct simt *simt) {
    struct simt_report report;
    struct simt_origins origins;
    simt_report(simt, &report);
    simt_origins(simt, &origins);
    char *json = simt_record_json(&report, &origins);
    free(origins.buffers);
    return json;
}

char *simt_report_kernels_json(const struct simt *simt) {
    struct simt_report report;
    simt_report(simt, &report);
    return simt_record_kernels_json(&report);
}
