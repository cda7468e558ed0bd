/*
 * Accesses in another way: out of bounds they do nothing, what nobody wrote is 0, loads give what
 * was there before the launch, or what the thread has loaded there before.
 */
#include "common/simt/access/edited.h"

#include <stdlib.h>
#include <string.h>

#include "common/simt/program/edit/rewrite.h"

/* An experiment is about a small case. */
static const uint64_t SNAPSHOT_BYTES = (uint64_t)64 << 20;

struct simt_snapshot {
    size_t n;
    struct simt_old {
        uint64_t address, bytes;
        uint8_t *host;
    } at[];
};

struct simt_snapshot *simt_snapshot_take(const struct simt_space *space) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < space->n; i++)
        bytes += space->table[i]->bytes;
    if (bytes > SNAPSHOT_BYTES)
        return NULL;
    struct simt_snapshot *snapshot = calloc(1, sizeof *snapshot + space->n * sizeof *snapshot->at);
    for (size_t i = 0; snapshot && i < space->n; i++) {
        const struct simt_allocation *from = space->table[i];
        uint8_t *host = malloc(from->bytes + 1);
        if (!host) {
            simt_snapshot_free(snapshot);
            return NULL;
        }
        memcpy(host, from->host, from->bytes);
        snapshot->at[snapshot->n++] = (struct simt_old){from->address, from->bytes, host};
    }
    return snapshot;
}

void simt_snapshot_free(struct simt_snapshot *snapshot) {
    for (size_t i = 0; snapshot && i < snapshot->n; i++)
        free(snapshot->at[i].host);
    free(snapshot);
}

/* The bytes that lay at an address; NULL where nothing did. */
static const uint8_t *old_bytes(const struct simt_snapshot *snapshot, uint64_t address,
                                uint64_t bytes) {
    for (size_t i = 0; snapshot && i < snapshot->n; i++) {
        const struct simt_old *old = &snapshot->at[i];
        const uint64_t at = address - old->address;
        if (at < old->bytes && bytes <= old->bytes - at)
            return old->host + at;
    }
    return NULL;
}

/* What threads have loaded, by a hash of thread and address. Of two loads with the same hash the
 * later one stays: a lost one is loaded as ever, and the edit may not mend the case then. */
enum { LOADED = 1 << 12, MOST_LOADED_BYTES = 32 };
struct simt_loaded {
    struct load {
        uint64_t address, cta;
        uint32_t thread, bytes; /* of 0 bytes: none */
        uint8_t value[MOST_LOADED_BYTES];
    } at[LOADED];
};

/* Where the lane's load of this address is, or would be; NULL where the host has no memory. */
static struct load *load_of(struct simt_sm *sm, uint64_t address, uint32_t lane, struct load *key) {
    if (!sm->loaded)
        sm->loaded = calloc(1, sizeof *sm->loaded);
    *key = (struct load){
        .address = address, .cta = sm->cta_index, .thread = sm->warp->index * SIMT_LANES + lane};
    const uint64_t mixed =
        (address >> 2) * UINT64_C(0x9e3779b97f4a7c15) + key->thread * 31u + key->cta * 1021u;
    return sm->loaded ? &sm->loaded->at[(mixed ^ mixed >> 40) % LOADED] : NULL;
}

static void note_load(struct simt_sm *sm, uint64_t address, uint32_t lane, const uint8_t *host,
                      uint32_t bytes) {
    struct load key, *load = load_of(sm, address, lane, &key);
    if (!load || bytes > MOST_LOADED_BYTES)
        return;
    key.bytes = bytes;
    memcpy(key.value, host, bytes);
    *load = key;
}

/* What the lane has loaded at an address before; NULL where nobody knows. */
static const uint8_t *loaded_before(struct simt_sm *sm, uint64_t address, uint32_t lane,
                                    uint32_t bytes) {
    struct load key;
    const struct load *load = load_of(sm, address, lane, &key);
    const bool is_it = load && load->address == address && load->cta == key.cta &&
                       load->thread == key.thread && load->bytes == bytes;
    return is_it ? load->value : NULL;
}

/* Gives a lane's registers a load's value; `from` NULL: zeros. */
static void give(struct simt_sm *sm, const struct simt_insn *insn, uint32_t lane,
                 const uint8_t *from) {
    const unsigned bytes = ptx_type_bytes(insn->type);
    const bool is_signed = insn->type >= PTX_S8 && insn->type <= PTX_S64;
    for (unsigned e = 0; e < insn->n_elements && e < 4; e++) {
        uint64_t value = 0;
        if (insn->rows[e] == SIMT_NO_ROW)
            continue;
        if (from && bytes <= 8)
            memcpy(&value, from + e * bytes, bytes);
        if (is_signed && bytes < 8)
            value = (uint64_t)((int64_t)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes));
        memcpy(sm->x.rows + insn->rows[e] + (size_t)lane * insn->register_bytes, &value,
               insn->register_bytes);
    }
}

static bool is_inside(const struct simt_region *region, uint64_t offset, uint64_t region_bytes,
                      uint32_t bytes) {
    return region->host && region_bytes >= bytes && offset <= region_bytes - bytes &&
           offset % bytes == 0;
}

/* What nobody wrote becomes 0, and written. */
static void write_zeros(struct simt_region *region, uint64_t offset, uint32_t bytes) {
    struct simt_allocation *allocation = (struct simt_allocation *)region->allocation;
    if (region->space == PTX_SHARED) {
        if (!region->defined || memchr(region->defined + offset, SIMT_WRITTEN, bytes))
            return;
        memset(region->host + offset, 0, bytes);
        memset(region->defined + offset, SIMT_WRITTEN, bytes);
    } else if (allocation && region->words && !allocation->is_defined) {
        for (uint32_t i = 0; i < bytes; i += 4) {
            const uint32_t n = bytes < 4 ? bytes : 4;
            if (simt_any_written(region->words, offset + i, n))
                continue;
            memset(region->host + offset + i, 0, n);
            simt_space_define(allocation, offset + i, n);
        }
    }
}

/* A parameter of the kernel, by its index; 0 where there is none. */
static uint64_t param_at(const struct simt_sm *sm, int64_t index) {
    const struct ptx_function *function = sm->program->function;
    uint64_t value = 0;
    if (index >= 0 && (uint64_t)index < function->n_params &&
        function->params[index].bytes <= sizeof value)
        memcpy(&value, sm->params + function->params[index].offset, function->params[index].bytes);
    return value;
}

/* True where the edit takes the element for one beyond the end. */
static bool is_beyond(const struct simt_sm *sm, uint64_t address, uint32_t bytes) {
    const uint64_t first = sm->below ? param_at(sm, sm->below->from) : 0;
    return first > 0 && address >= first &&
           (address - first) / bytes >= param_at(sm, sm->below->to);
}

/* One lane; false where its access does not happen. */
static bool edit_lane(struct simt_sm *sm, const struct simt_insn *insn, enum simt_touch touch,
                      uint64_t address, uint32_t lane) {
    struct simt_region region;
    uint64_t region_bytes;
    const uint32_t bytes = sm->steps[insn->index].bytes;
    const uint64_t base = simt_find_region(sm, insn, address, &region, &region_bytes);
    const bool is_below = insn->edited & SIMT_EDITED_BELOW;
    const bool is_off = is_below && is_beyond(sm, address, bytes);
    if (is_off || !is_inside(&region, address - base, region_bytes, bytes)) {
        if (!is_below && !(insn->edited & SIMT_EDITED_INSIDE))
            return true;
        if (touch == SIMT_READS)
            give(sm, insn, lane, NULL);
        return false;
    }
    if (insn->edited & SIMT_EDITED_WRITTEN)
        write_zeros(&region, address - base, bytes);
    if (touch != SIMT_READS)
        return true;
    const uint8_t *old = NULL;
    if (insn->edited & SIMT_EDITED_SNAPSHOT)
        old = old_bytes(sm->snapshot, address, bytes);
    if (insn->edited & SIMT_EDITED_AGAIN)
        old = loaded_before(sm, address, lane, bytes);
    if (insn->edited & SIMT_EDITED_NOTED)
        note_load(sm, address, lane, region.host + (address - base), bytes);
    if (old)
        give(sm, insn, lane, old);
    return !old;
}

uint32_t simt_edited_access(struct simt_sm *sm, const struct simt_insn *insn, enum simt_touch touch,
                            const uint64_t *address) {
    uint32_t happens = 0;
    for (uint32_t rest = sm->x.mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        happens |= (uint32_t)edit_lane(sm, insn, touch, address[lane], lane) << lane;
    }
    return happens;
}
