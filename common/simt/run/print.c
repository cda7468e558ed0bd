/*
 * printf of a kernel. The host's own printf makes the text of each conversion; only the arguments
 * are found here: one behind the other in the thread's memory, each aligned to its size, as C's
 * promotions leave them (CUDA C++ Programming Guide, "Formatted Output").
 */
#include "common/simt/run/sm.h"

#include <stdio.h>
#include <string.h>

#include "common/simt/run/output.h"

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
    const uint8_t *from = simt_peek(reader->sm, reader->lane, reader->at, bytes);
    uint64_t value = 0;
    if (from)
        memcpy(&value, from, bytes);
    reader->at += bytes;
    reader->n_read++;
    return value;
}

static void emit(struct reader *reader, const char *text, size_t bytes) {
    simt_output_add(reader->sm->output, SIMT_STDOUT, text, bytes);
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
        const uint8_t *byte = simt_peek(reader->sm, reader->lane, address + n, 1);
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

int simt_print(struct simt_sm *sm, uint32_t lane, uint64_t format, uint64_t arguments) {
    struct reader reader = {sm, lane, arguments, 0};
    char text[8 * TEXT_BYTES];
    size_t n = 0;
    const uint8_t *byte = simt_peek(sm, lane, format, 1);
    for (; byte && *byte && n < sizeof text - 1; byte = simt_peek(sm, lane, format + n, 1))
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
