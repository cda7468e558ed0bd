/*
 * Checks what the worker sent as if it came from a network, before anything is believed. Pure
 * functions: bytes in, verdict out.
 */
#pragma once

#include "common/call/wire.h"

/* What the client waits for. */
struct wire_expect {
    uint64_t sequence;
    uint32_t request; /* the request's kind */
    uint32_t kind;    /* of the answer: WIRE_REPLY, WIRE_PREPARED or WIRE_RAN */
    enum call_backend backend;
    uint64_t report_capacity; /* bytes that the report may take; 0 where there can be none */
    double wall_ms;           /* timed: the trusted clock's; the worker's can't be above it */
};

/* NULL when the message is the awaited answer or a crash notice, else what is wrong with it, as
 * half a sentence ("its length is 3 bytes"). `length` is what arrived, `is_cut` whether the packet
 * was longer than the buffer. */
const char *wire_fault(const union wire_message *message, size_t length, bool is_cut,
                       const struct wire_expect *expect);

/* The same for a simulator's report of `length` bytes, and a NUL: it must be a JSON object with
 * lists of objects under "launches" and "findings", and no larger than one that is honest. Longer
 * texts in it are cut in place, with a mark. What the objects hold is for their reader to check. */
const char *report_fault(char *text, size_t *length);

/* True when `text` holds a NUL within `capacity` bytes. */
bool wire_is_text(const char *text, size_t capacity);

/* Makes text from the worker safe to quote: control characters (ESC among them) and bytes that are
 * no UTF-8 become '?'. `keep_lines` leaves newlines and tabs. Same length afterwards. */
void wire_clean_text(char *text, size_t length, bool keep_lines);
