/*
 * Memory as a function of the runtime reads it, by generic address.
 */
#include "common/simt/run/sm.h"

static const uint8_t *inside(const uint8_t *host, uint64_t size, uint64_t offset, size_t bytes) {
    return bytes <= size && offset <= size - bytes ? host + offset : NULL;
}

const uint8_t *simt_peek(struct simt_sm *sm, uint32_t lane, uint64_t address, size_t bytes) {
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
