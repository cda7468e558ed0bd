/*
 * Functions of the device's runtime that PTX calls but does not define.
 */
#include "common/simt/run/sm.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/simt/run/output.h"

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
    give(visit, (uint64_t)(int64_t)simt_print(visit->sm, visit->lane, argument(visit, 0),
                                              argument(visit, 1)));
}

static void copy_string(const struct visit *visit, uint64_t address, char *text, size_t bytes) {
    size_t n = 0;
    for (const uint8_t *byte; n < bytes - 1; text[n++] = (char)*byte) {
        byte = simt_peek(visit->sm, visit->lane, address + n, 1);
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
    simt_output_add(sm->output, SIMT_STDERR, text,
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
