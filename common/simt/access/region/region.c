/*
 * The region of memory that an address lies in, and the value that a store is about to write.
 */
#include "common/simt/access/region/region.h"

/* The window of the address space that an address of this instruction lies in. */
static enum ptx_space space_of(const struct simt_insn *insn, uint64_t address) {
    if (insn->space == PTX_CONST)
        return PTX_GLOBAL;
    if (insn->space != PTX_GENERIC)
        return insn->space;
    if (address - SIMT_SHARED_WINDOW < SIMT_WINDOW_BYTES)
        return PTX_SHARED;
    if (address - SIMT_LOCAL_WINDOW < SIMT_WINDOW_BYTES)
        return PTX_LOCAL;
    if (address - SIMT_PARAM_WINDOW < SIMT_WINDOW_BYTES)
        return PTX_PARAM;
    return PTX_GLOBAL;
}

uint64_t simt_find_region(struct simt_sm *sm, const struct simt_insn *insn, uint64_t address,
                          struct simt_region *region, uint64_t *bytes) {
    bool is_generic = insn->space == PTX_GENERIC;
    *region = (struct simt_region){.space = space_of(insn, address)};
    if (region->space == PTX_SHARED) {
        *region = simt_shared_region(sm);
        *bytes = sm->shared_bytes;
        return is_generic ? SIMT_SHARED_WINDOW : 0;
    }
    if (region->space == PTX_LOCAL) {
        region->host = sm->local + (size_t)sm->warp->index * SIMT_LANES * sm->local_bytes;
        *bytes = sm->local_bytes;
        return is_generic ? SIMT_LOCAL_WINDOW : 0;
    }
    if (region->space == PTX_PARAM) {
        region->host = sm->params;
        *bytes = sm->program->function->param_bytes;
        return is_generic ? SIMT_PARAM_WINDOW : 0;
    }
    struct simt_allocation *allocation = simt_space_look(sm->space, address, sm->hit);
    *bytes = 0;
    if (!allocation)
        return 0;
    region->host = allocation->host;
    if (sm->hooks && !(region->words = simt_space_words(allocation)))
        simt_used_up(sm); /* rather than not to check */
    region->allocation = allocation;
    *bytes = allocation->bytes;
    return allocation->address;
}

uint64_t simt_stored_value(const struct simt_sm *sm, const struct simt_insn *insn, unsigned element,
                           uint32_t lane) {
    uint64_t value = 0;
    memcpy(&value, sm->x.rows + insn->rows[element] + (size_t)lane * insn->register_bytes,
           ptx_type_bytes(insn->type));
    return value;
}
