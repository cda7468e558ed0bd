/*
 * The shared memory is one memfd, sparse, grown by replacing it. Its first WIRE_REPORT_BYTES are
 * for the simulator's report; then one page-aligned place follows for each buffer. Inputs that are
 * made (call_arg.make) lie nowhere else on the trusted side: they are made again to be compared.
 */
#include "common/call/client/share.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/call/client/moves.h"

enum {
    CHUNK_BYTES = 1 << 14,  /* of an input that is made again at a time, to be compared */
    MADE_ELEMENT_BYTES = 64 /* of an element that is made, at most */
};

void share_init(struct call_share *share) {
    *share = (struct call_share){.fd = -1, .has_sparse = share->has_sparse};
}

void share_close(struct call_share *share) {
    if (share->base)
        munmap(share->base, share->bytes);
    if (share->fd >= 0)
        close(share->fd);
    share_init(share);
}

/* Replaces the memory when it is too small. Doubling keeps a sweep over sizes from replacing it at
 * each step; pages that nobody touches cost nothing. */
static bool share_grow(struct call_share *share, size_t bytes, bool *is_new) {
    size_t wanted = bytes > 2 * share->bytes ? bytes : 2 * share->bytes;

    *is_new = false;
    if (bytes <= share->bytes)
        return true;
    share_close(share);
    share->fd = memfd_create("warpbook-call", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (share->fd < 0)
        return false;
    if (ftruncate(share->fd, (off_t)wanted) == 0 &&
        fcntl(share->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
        void *base = mmap(NULL, wanted, PROT_READ | PROT_WRITE, MAP_SHARED, share->fd, 0);
        if (base != MAP_FAILED) {
            share->base = base;
            share->bytes = wanted;
            *is_new = true;
            return true;
        }
    }
    share_close(share);
    return false;
}

static uint64_t value_bits(const struct call_arg *arg) {
    uint64_t bits = 0;

    if (arg->kind == CALL_ARG_F32)
        memcpy(&bits, &arg->value.f32, sizeof arg->value.f32);
    else if (arg->kind == CALL_ARG_F64)
        memcpy(&bits, &arg->value.f64, sizeof arg->value.f64);
    else
        bits = arg->value.u64;
    return bits;
}

static bool is_sparse(const struct wire_arg *wire) {
    return wire->is_sparse != 0;
}

/* A sparse buffer can be passed so. */
static bool is_sparse_right(const struct call_arg *arg) {
    const struct call_sparse *sparse = &arg->sparse;

    if (wire_is_host(arg->kind))
        return sparse->count == 0 && !arg->is_pinned;
    return wire_is_device(arg->kind) &&
           (sparse->count == 0 ||
            (arg->element_bytes == sizeof sparse->bits && sparse->first <= arg->count &&
             sparse->count <= arg->count - sparse->first && sparse->first % CALL_SPARSE_STEP == 0 &&
             sparse->count % CALL_SPARSE_STEP == 0));
}

static bool has_contents(const struct call_arg *arg) {
    if (arg->sparse.is_on)
        return is_sparse_right(arg);
    if (arg->make)
        return arg->kind == CALL_ARG_IN && arg->element_bytes <= MADE_ELEMENT_BYTES;
    if (arg->take)
        return arg->kind == CALL_ARG_OUT;
    return arg->data || arg->kind == CALL_ARG_SCRATCH;
}

/* Fills one wire argument and moves `end` past its place. */
static bool place_arg(const struct call_arg *arg, bool has_sparse, struct wire_arg *wire,
                      uint64_t *end) {
    uint64_t bytes, place, unaligned;

    *wire = (struct wire_arg){.kind = arg->kind, .value = value_bits(arg)};
    snprintf(wire->name, sizeof wire->name, "%s", arg->name ? arg->name : "");
    if (!wire_is_buffer(arg->kind))
        return true;
    wire->value = 0;
    if (arg->element_bytes == 0 || arg->element_bytes > UINT32_MAX ||
        (arg->count > 0 && !has_contents(arg)) ||
        __builtin_mul_overflow(arg->count, arg->element_bytes, &bytes))
        return false;
    wire->element_bytes = (uint32_t)arg->element_bytes;
    wire->count = arg->count;
    wire->bytes = bytes;
    wire->offset = *end;
    wire->is_sparse = arg->sparse.is_on;
    wire->is_round = arg->is_round;
    wire->is_pinned = arg->is_pinned;
    wire->set_at = arg->sparse.first * sizeof arg->sparse.bits;
    wire->set_bytes = arg->sparse.count * sizeof arg->sparse.bits;
    place = is_sparse(wire) && !has_sparse ? 0 : wire_place_bytes(wire);
    if (bytes > INT64_MAX / 2 ||
        __builtin_add_overflow(*end, place + 2 * WIRE_GUARD_BYTES + 4095, &unaligned))
        return false;
    *end = unaligned & ~(uint64_t)4095;
    return *end <= INT64_MAX / 4;
}

static bool holds_sparse(const struct call_share *share, const struct wire_arg *args,
                         size_t n_args) {
    for (size_t i = 0; i < n_args; i++)
        if (is_sparse(&args[i]) && share->has_sparse)
            return true;
    return false;
}

bool share_place(struct call_share *share, const struct call_arg *args, size_t n_args,
                 struct wire_call *call, bool *is_new, char *error, size_t error_bytes) {
    uint64_t end = WIRE_REPORT_BYTES;

    if (n_args > CALL_MAX_ARGS) {
        snprintf(error, error_bytes, "a call has at most %d arguments, not %zu", CALL_MAX_ARGS,
                 n_args);
        return false;
    }
    for (size_t i = 0; i < n_args; i++) {
        if (!place_arg(&args[i], share->has_sparse, &call->args[i], &end)) {
            snprintf(error, error_bytes, "argument %zu has no size or no data that can be passed",
                     i);
            return false;
        }
    }
    /* Sparse buffers want memory that was never touched, and others none that they lay in. */
    if (share->was_sparse || holds_sparse(share, call->args, n_args))
        share_close(share);
    if (!share_grow(share, end, is_new)) {
        snprintf(error, error_bytes, "no memory for %llu bytes of arguments",
                 (unsigned long long)end);
        return false;
    }
    share->was_sparse = holds_sparse(share, call->args, n_args);
    call->n_args = (uint16_t)n_args;
    call->shared_bytes = share->bytes;
    return true;
}

/* Elements in so many bytes, at least one. */
static size_t elements_in(size_t bytes, const struct call_arg *arg) {
    return bytes > arg->element_bytes ? bytes / arg->element_bytes : 1;
}

/* The first of `count` elements that differs from those from `first` on, or -1. */
static int64_t compare(const struct call_arg *arg, size_t first, size_t count, const uint8_t *now) {
    size_t chunk = elements_in(CHUNK_BYTES, arg);
    uint8_t made[CHUNK_BYTES];

    for (size_t at = 0; at < count; at += chunk) {
        size_t n = count - at < chunk ? count - at : chunk;
        const uint8_t *is = now + at * arg->element_bytes, *right = made;

        if (arg->make)
            arg->make(arg->context, first + at, n, made);
        else
            right = (const uint8_t *)arg->data + (first + at) * arg->element_bytes;
        if (memcmp(is, right, n * arg->element_bytes) == 0)
            continue;
        for (size_t i = 0; i < n * arg->element_bytes; i++)
            if (is[i] != right[i])
                return (int64_t)(first + at + i / arg->element_bytes);
    }
    return -1;
}

/* The first element that is no longer what was written, among those that were brought back to
 * `now`; -1 for none. */
static int64_t first_change(const struct call_arg *arg, const struct wire_arg *wire,
                            const uint8_t *now) {
    uint64_t offset, bytes;

    if (!wire_is_large_in(wire))
        return compare(arg, 0, arg->count, now);
    for (uint64_t i = 0; wire_window(wire, i, &offset, &bytes); i++) {
        int64_t at = compare(arg, offset / arg->element_bytes, bytes / arg->element_bytes,
                             now + i * WIRE_WINDOW_BYTES);
        if (at >= 0)
            return at;
    }
    return -1;
}

static uint8_t *data_of(const struct call_share *share, const struct wire_arg *wire) {
    return share->base + wire->offset + WIRE_GUARD_BYTES;
}

static uint8_t *guard_after(const struct call_share *share, const struct wire_arg *wire) {
    return data_of(share, wire) + wire_place_bytes(wire);
}

/* The first of the bytes that repeat. Pages that are written to the file come in less time than
 * those that are touched. */
static void fill_sparse(const struct call_share *share, const struct call_arg *arg,
                        const struct wire_arg *wire) {
    enum { AT_ONCE = 1 << 14 };
    uint8_t *data = data_of(share, wire) + wire->set_at;
    uint32_t some[AT_ONCE];

    for (size_t i = 0; i < AT_ONCE; i++)
        some[i] = arg->sparse.bits;
    for (size_t at = 0; wire->set_bytes && at < WIRE_SPARSE_BYTES; at += sizeof some)
        if (pwrite(share->fd, some, sizeof some, data - share->base + (off_t)at) != sizeof some)
            memcpy(data + at, some, sizeof some);
}

void share_fill(const struct call_share *share, const struct call_share *device,
                const struct call_arg *args, const struct wire_call *call) {
    for (size_t i = 0; i < call->n_args; i++) {
        const struct wire_arg *wire = &call->args[i];
        if (!wire_is_buffer(wire->kind))
            continue;
        const struct call_share *in = wire_is_device(wire->kind) ? device : share;
        uint8_t *data = data_of(in, wire);
        if (is_sparse(wire)) {
            fill_sparse(in, &args[i], wire);
        } else if (wire_is_filled(wire->kind)) {
            if (!wire_is_large_in(wire))
                move_in(&args[i], data);
        } else if (wire_is_host(wire->kind)) {
            memset(data, call->poison, wire->bytes);
        }
        if (wire_is_host(wire->kind) && !is_sparse(wire)) {
            /* The function reads and writes host memory right here. */
            memset(data - WIRE_GUARD_BYTES, call->guard, WIRE_GUARD_BYTES);
            memset(data + wire->bytes, call->guard, WIRE_GUARD_BYTES);
        }
    }
}

/* Looks at the guard zones; of several damaged elements the one next to the buffer is named. */
static bool guard_damage(const struct call_share *share, const struct wire_arg *wire, uint8_t guard,
                         struct call_damage *damage) {
    const uint8_t *before = share->base + wire->offset;
    const uint8_t *after = guard_after(share, wire);
    int64_t element_bytes = wire->element_bytes;

    for (int64_t i = 1; i <= WIRE_GUARD_BYTES; i++) {
        if (before[WIRE_GUARD_BYTES - i] != guard) {
            damage->kind = CALL_GUARD_BEFORE;
            damage->element = -((i + element_bytes - 1) / element_bytes);
            return true;
        }
    }
    for (int64_t i = 0; i < WIRE_GUARD_BYTES; i++) {
        if (after[i] != guard) {
            damage->kind = CALL_GUARD_AFTER;
            damage->element = (int64_t)wire->count + i / element_bytes;
            return true;
        }
    }
    return false;
}

static bool input_damage(const struct call_share *share, const struct wire_arg *wire,
                         const struct call_arg *arg, struct call_damage *damage) {
    int64_t element = first_change(arg, wire, data_of(share, wire));

    if (element < 0)
        return false;
    damage->kind = CALL_INPUT_CHANGED;
    damage->element = element;
    return true;
}

static bool is_const(const struct call_arg *arg) {
    return (arg->kind == CALL_ARG_IN && !arg->may_change) || arg->kind == CALL_ARG_HOST_IN;
}

void share_collect(const struct call_share *share, const struct call_share *device,
                   struct call_arg *args, const struct wire_call *call, enum call_backend backend,
                   uint32_t compared, struct call_result *result) {
    struct call_damage damage = {.kind = CALL_INTACT};

    for (size_t i = 0; i < call->n_args; i++) {
        const struct wire_arg *wire = &call->args[i];
        bool is_host = wire_is_host(wire->kind);
        if (!wire_is_buffer(wire->kind))
            continue;
        const struct call_share *in = is_host ? share : device;
        if (is_sparse(wire)) {
            args[i].data = is_host ? NULL : data_of(device, wire);
            continue;
        }
        bool is_found = damage.kind != CALL_INTACT;
        if (!is_found && (is_host || backend == CALL_GPU))
            is_found = guard_damage(in, wire, call->guard, &damage);
        if (!is_found && is_const(&args[i]) && !call->timed && (is_host || compared >> i & 1))
            is_found = input_damage(in, wire, &args[i], &damage);
        if (is_found && result->damage.kind == CALL_INTACT) {
            damage.arg = (int)i;
            result->damage = damage;
        }
        bool is_out = wire->kind == CALL_ARG_OUT || wire->kind == CALL_ARG_HOST_OUT;
        if (wire->bytes == 0 || wire_is_large_out(wire) ||
            !(is_out || wire->kind == CALL_ARG_INOUT))
            continue;
        if (move_out(&args[i], data_of(in, wire), call->poison) && is_out)
            result->untouched |= UINT64_C(1) << i;
    }
}
