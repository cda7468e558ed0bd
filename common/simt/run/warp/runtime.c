/*
 * Functions of the device's runtime that PTX calls but does not define: printf, assert, malloc,
 * free.
 *
 * Of printf the host's own makes the text of each conversion; only the arguments are found here:
 * one behind the other in the thread's memory, each aligned to its size, as C's promotions leave
 * them (CUDA C++ Programming Guide, "Formatted Output").
 */
#include "common/simt/run/warp/runtime.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/run/stop.h"
#include "common/simt/run/warp/call.h"
#include "common/simt/state/sm.h"

/* Adds text. What the host has no memory for is lost. */
static void add_output(struct simt_output *output, enum simt_stream stream, const char *text,
                       size_t bytes) {
    struct simt_text_buffer *buffer = &output->streams[stream];
    if (bytes == 0) /* there may be no buffer yet */
        return;
    if (bytes > buffer->room - buffer->n) {
        size_t room = 2 * (buffer->n + bytes) + 256;
        char *larger = realloc(buffer->bytes, room);
        if (!larger)
            return;
        buffer->bytes = larger;
        buffer->room = room;
    }
    memcpy(buffer->bytes + buffer->n, text, bytes);
    buffer->n += bytes;
}

void simt_output_close(struct simt_output *output) {
    free(output->streams[SIMT_STDOUT].bytes);
    free(output->streams[SIMT_STDERR].bytes);
}

static const uint8_t *inside(const uint8_t *host, uint64_t size, uint64_t offset, size_t bytes) {
    return bytes <= size && offset <= size - bytes ? host + offset : NULL;
}

/* `bytes` at a generic address, as a lane of the running warp sees it; NULL where there are none.
 */
static const uint8_t *peek(struct simt_sm *sm, uint32_t lane, uint64_t address, size_t bytes) {
    if (address - SIMT_SHARED_WINDOW < SIMT_WINDOW_BYTES)
        return inside(sm->shared, sm->shared_bytes, address - SIMT_SHARED_WINDOW, bytes);
    if (address - SIMT_PARAM_WINDOW < SIMT_WINDOW_BYTES)
        return inside(sm->params, sm->program->function->param_bytes, address - SIMT_PARAM_WINDOW,
                      bytes);
    if (address - SIMT_LOCAL_WINDOW < SIMT_WINDOW_BYTES) {
        size_t thread = sm->warp->index * (size_t)SIMT_LANES + lane;
        return inside(sm->local + thread * sm->local_bytes, sm->local_bytes,
                      address - SIMT_LOCAL_WINDOW, bytes);
    }
    const struct simt_allocation *allocation = simt_space_range(sm->space, address, bytes);
    return allocation ? allocation->host + (address - allocation->address) : NULL;
}

/* Where the next argument is. */
struct reader {
    struct simt_sm *sm;
    uint32_t lane;
    uint64_t at;
    int n_read; /* arguments so far */
};

/* One conversion: "%-8.3lld" without its length, which the host's type gives. */
struct conversion {
    char flags[24];
    bool is_long; /* 8 bytes */
    bool is_half, is_quarter;
    char letter;
};

enum { TEXT_BYTES = 1024 };

/* The next argument of 4 or 8 bytes; what can't be read is zero. */
static uint64_t next_argument(struct reader *reader, unsigned bytes) {
    reader->at = (reader->at + bytes - 1) & ~(uint64_t)(bytes - 1);
    const uint8_t *from = peek(reader->sm, reader->lane, reader->at, bytes);
    uint64_t value = 0;
    if (from)
        memcpy(&value, from, bytes);
    reader->at += bytes;
    reader->n_read++;
    return value;
}

static void emit(struct reader *reader, const char *text, size_t bytes) {
    add_output(reader->sm->output, SIMT_STDOUT, text, bytes);
}

/* snprintf with a format that was made here, not by the program. */
#define EMIT(reader, conversion, value)                                                            \
    do {                                                                                           \
        char text[TEXT_BYTES];                                                                     \
        int length = snprintf(text, sizeof text, (conversion), (value));                           \
        size_t n = length < 0 ? 0 : (size_t)length;                                                \
        emit((reader), text, n < sizeof text ? n : sizeof text - 1);                               \
    } while (0)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void print_integer(struct reader *reader, const struct conversion *c, bool is_signed) {
    char format[40];
    uint64_t value = next_argument(reader, c->is_long ? 8 : 4);
    snprintf(format, sizeof format, "%s%s%c", c->flags, "ll", c->letter);
    if (is_signed) {
        long long number = c->is_long      ? (long long)value
                           : c->is_quarter ? (signed char)value
                           : c->is_half    ? (short)value
                                           : (int32_t)value;
        EMIT(reader, format, number);
    } else {
        unsigned long long number = c->is_quarter ? (uint8_t)value
                                    : c->is_half  ? (uint16_t)value
                                                  : value;
        EMIT(reader, format, number);
    }
}

static void print_real(struct reader *reader, const struct conversion *c) {
    char format[40];
    uint64_t bits = next_argument(reader, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    snprintf(format, sizeof format, "%s%c", c->flags, c->letter);
    EMIT(reader, format, value);
}

/* The string at an address, up to what fits. */
static void read_string(struct reader *reader, uint64_t address, char text[TEXT_BYTES]) {
    size_t n = 0;
    for (; n < TEXT_BYTES - 1; n++) {
        const uint8_t *byte = peek(reader->sm, reader->lane, address + n, 1);
        if (!byte || !*byte)
            break;
        text[n] = (char)*byte;
    }
    text[n] = '\0';
}

static void print_string(struct reader *reader, const struct conversion *c) {
    char format[40], string[TEXT_BYTES] = "(null)";
    uint64_t address = next_argument(reader, 8);
    if (address)
        read_string(reader, address, string);
    snprintf(format, sizeof format, "%ss", c->flags);
    EMIT(reader, format, string);
}

static void print_other(struct reader *reader, const struct conversion *c) {
    char format[40];
    snprintf(format, sizeof format, "%s%c", c->flags, c->letter);
    if (c->letter == 'c') {
        int character = (unsigned char)next_argument(reader, 4);
        EMIT(reader, format, character);
    } else {
        void *pointer = (void *)(uintptr_t)next_argument(reader, 8);
        EMIT(reader, format, pointer);
    }
}

#pragma GCC diagnostic pop

static void print_conversion(struct reader *reader, const struct conversion *c) {
    if (strchr("di", c->letter))
        print_integer(reader, c, true);
    else if (strchr("ouxX", c->letter))
        print_integer(reader, c, false);
    else if (strchr("eEfFgGaA", c->letter))
        print_real(reader, c);
    else if (c->letter == 's')
        print_string(reader, c);
    else
        print_other(reader, c);
}

/* Flags, width and precision; a '*' takes its number from the arguments. */
static const char *read_flags(struct reader *reader, const char *at, struct conversion *c) {
    size_t n = 0;
    c->flags[n++] = '%';
    for (; *at && strchr("-+ #0123456789.*", *at) && n < sizeof c->flags - 12; at++) {
        if (*at == '*')
            n += (size_t)snprintf(c->flags + n, 12, "%d", (int)next_argument(reader, 4));
        else
            c->flags[n++] = *at;
    }
    c->flags[n] = '\0';
    return at;
}

static const char *read_length(const char *at, struct conversion *c) {
    for (; *at && strchr("hlLjzt", *at); at++) {
        c->is_quarter = *at == 'h' && c->is_half;
        c->is_half = *at == 'h';
        c->is_long = c->is_long || strchr("ljzt", *at);
    }
    return at;
}

/* The text of a format and its arguments, both generic addresses, of one lane. The number of
 * arguments, -1 where the format can't be read. */
static int print_text(struct simt_sm *sm, uint32_t lane, uint64_t format, uint64_t arguments) {
    struct reader reader = {sm, lane, arguments, 0};
    char text[8 * TEXT_BYTES];
    size_t n = 0;
    const uint8_t *byte = peek(sm, lane, format, 1);
    for (; byte && *byte && n < sizeof text - 1; byte = peek(sm, lane, format + n, 1))
        text[n++] = (char)*byte;
    if (!byte)
        return -1;
    text[n] = '\0';
    for (const char *at = text; *at;) {
        size_t plain = strcspn(at, "%");
        emit(&reader, at, plain);
        at += plain;
        if (!*at)
            break;
        struct conversion c = {0};
        const char *end = read_length(read_flags(&reader, at + 1, &c), &c);
        c.letter = *end;
        if (c.letter && strchr("diouxXeEfFgGaAscp", c.letter))
            print_conversion(&reader, &c);
        else
            emit(&reader, *end == '%' ? "%" : at, *end == '%' ? 1 : (size_t)(end - at) + !!*end);
        at = end + !!*end;
    }
    return reader.n_read;
}

/* One lane's call. */
struct visit {
    struct simt_sm *sm;
    const struct simt_split *split;
    const struct simt_insn *insn;
    const struct simt_call *call;
    uint32_t lane;
};

static uint64_t argument(const struct visit *visit, uint32_t index) {
    uint64_t value = 0;
    if (index < visit->call->n_arguments) {
        const struct simt_slot *slot = &visit->call->arguments[index];
        memcpy(&value, simt_frame_bytes(visit->sm, visit->split, visit->lane, slot->offset),
               slot->bytes < sizeof value ? slot->bytes : sizeof value);
    }
    return value;
}

static void give(const struct visit *visit, uint64_t value) {
    const struct simt_slot *slot = &visit->call->result;
    if (slot->bytes)
        memcpy(simt_frame_bytes(visit->sm, visit->split, visit->lane, slot->offset), &value,
               slot->bytes < sizeof value ? slot->bytes : sizeof value);
}

static void print(const struct visit *visit) {
    give(visit, (uint64_t)(int64_t)print_text(visit->sm, visit->lane, argument(visit, 0),
                                              argument(visit, 1)));
}

static void copy_string(const struct visit *visit, uint64_t address, char *text, size_t bytes) {
    size_t n = 0;
    for (const uint8_t *byte; n < bytes - 1; text[n++] = (char)*byte) {
        byte = peek(visit->sm, visit->lane, address + n, 1);
        if (!byte || !*byte)
            break;
    }
    text[n] = '\0';
}

/* In the words of CUDA's own message, one line a thread. */
static void fail_assertion(const struct visit *visit) {
    struct simt_sm *sm = visit->sm;
    char condition[256], file[256], function[256], text[1024];
    copy_string(visit, argument(visit, 0), condition, sizeof condition);
    copy_string(visit, argument(visit, 1), file, sizeof file);
    copy_string(visit, argument(visit, 3), function, sizeof function);
    uint32_t thread = sm->warp->index * SIMT_LANES + visit->lane;
    struct simt_dim3 tid = simt_thread_index(sm->block, thread);
    int n = snprintf(text, sizeof text,
                     "%s:%" PRIu64 ": %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` "
                     "failed.\n",
                     file, argument(visit, 2), function, sm->cta.x, sm->cta.y, sm->cta.z, tid.x,
                     tid.y, tid.z, condition);
    add_output(sm->output, SIMT_STDERR, text,
               (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
    if (sm->x.fault == SIMT_OK)
        simt_asserted(sm, visit->insn, visit->lane, condition);
}

static void allocate(const struct visit *visit) {
    uint64_t address = 0, bytes = argument(visit, 0);
    if (bytes && simt_space_heap_allocate(visit->sm->space, bytes, &address) != SIMT_OK)
        address = 0;
    give(visit, address);
}

static void release(const struct visit *visit) {
    uint64_t address = argument(visit, 0);
    if (address && simt_space_heap_release(visit->sm->space, address) != SIMT_OK &&
        visit->sm->x.fault == SIMT_OK)
        simt_misfreed(visit->sm, visit->insn, visit->lane);
}

void simt_built_in(struct simt_sm *sm, struct simt_split *split, const struct simt_insn *insn,
                   enum simt_builtin builtin) {
    static void (*const functions[])(const struct visit *visit) = {
        [SIMT_BUILTIN_VPRINTF] = print,
        [SIMT_BUILTIN_ASSERTFAIL] = fail_assertion,
        [SIMT_BUILTIN_MALLOC] = allocate,
        [SIMT_BUILTIN_FREE] = release,
    };
    const struct simt_call *call = &sm->program->calls[insn->imm];
    for (uint32_t rest = split->mask; rest; rest &= rest - 1)
        functions[builtin](&(struct visit){sm, split, insn, call, (uint32_t)__builtin_ctz(rest)});
    sm->modified = true;
}
