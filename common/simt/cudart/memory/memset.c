/*
 * Filling memory with a byte.
 */
#include "common/simt/cudart/stream/operation.h"

struct fill {
    struct cudart_op op;
    char *to;
    size_t pitch, slice, width, height, depth;
    uint8_t value;
};

static cudaError_t run_fill(struct cudart *rt, struct cudart_op *op) {
    const struct fill *fill = (const struct fill *)op;
    enum simt_status status = SIMT_OK;
    cudart_touch(rt, op, "a fill (cudaMemset)");
    for (size_t z = 0; z < fill->depth; z++)
        for (size_t y = 0; y < fill->height && status == SIMT_OK; y++)
            status = simt_set(rt->simt, (uintptr_t)fill->to + z * fill->slice + y * fill->pitch,
                              fill->value, fill->width);
    op->ms = model_device_ms(rt->device, fill->width * fill->height * fill->depth);
    return cudart_host_error(status);
}

static const struct cudart_op_kind fill_kind = {
    .run = run_fill, .engine = CUDART_ENGINE_COMPUTE, .is_asked = true};

/* The host goes on before device memory is filled, as on hardware, but not before its own is. */
static cudaError_t enter_fill(struct fill *fill, cudaStream_t stream, bool is_async) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    size_t bytes = fill->slice * (fill->depth - 1) + fill->pitch * (fill->height - 1) + fill->width;
    if (fill->width == 0 || fill->height == 0 || fill->depth == 0)
        return cudart_leave(rt, error);
    bool has_rows = fill->height > 1 || fill->depth > 1;
    if (error == cudaSuccess && has_rows && fill->width > fill->pitch)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && !cudart_is_range(rt, fill->to, bytes)) {
        error = cudaErrorInvalidValue;
        if (cudart_is_range(rt, fill->to, 1))
            cudart_say(rt, "A fill of %zu bytes goes beyond the memory that it begins in.", bytes);
    }
    if (error == cudaSuccess)
        error = cudart_may_refuse(rt, SIMT_FILL, cudaErrorInvalidValue);
    fill->op.kind = &fill_kind;
    if (error == cudaSuccess)
        error = cudart_submit(rt, stream, &fill->op, sizeof *fill);
    if (error == cudaSuccess && !is_async) {
        const struct cudart_block *block = cudart_block(rt, fill->to);
        if (block && block->type != cudaMemoryTypeDevice)
            error = cudart_wait(rt, cudart_stream(rt, stream));
    }
    return cudart_leave(rt, error);
}

static struct fill make_fill(void *to, size_t pitch, int value, size_t width, size_t height) {
    return (struct fill){
        .to = to,
        .pitch = pitch,
        .width = width,
        .height = height,
        .depth = 1,
        .value = (uint8_t)value,
    };
}

CUDART_TWIN(cudaMemset, _ptds, (void *to, int value, size_t bytes), (to, value, bytes)) {
    struct fill fill = make_fill(to, bytes, value, bytes, 1);
    return enter_fill(&fill, NULL, false);
}

CUDART_TWIN(cudaMemsetAsync, _ptsz, (void *to, int value, size_t bytes, cudaStream_t stream),
            (to, value, bytes, stream)) {
    struct fill fill = make_fill(to, bytes, value, bytes, 1);
    return enter_fill(&fill, stream, true);
}

CUDART_TWIN(cudaMemset2D, _ptds, (void *to, size_t pitch, int value, size_t width, size_t height),
            (to, pitch, value, width, height)) {
    struct fill fill = make_fill(to, pitch, value, width, height);
    return enter_fill(&fill, NULL, false);
}

CUDART_TWIN(cudaMemset2DAsync, _ptsz,
            (void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
            (to, pitch, value, width, height, stream)) {
    struct fill fill = make_fill(to, pitch, value, width, height);
    return enter_fill(&fill, stream, true);
}

static struct fill make_fill_3d(const struct cudaPitchedPtr *to, int value,
                                const struct cudaExtent *extent) {
    struct fill fill = make_fill(to->ptr, to->pitch, value, extent->width, extent->height);
    fill.slice = to->pitch * to->ysize;
    fill.depth = extent->depth;
    return fill;
}

CUDART_TWIN(cudaMemset3D, _ptds, (struct cudaPitchedPtr to, int value, struct cudaExtent extent),
            (to, value, extent)) {
    struct fill fill = make_fill_3d(&to, value, &extent);
    return enter_fill(&fill, NULL, false);
}

CUDART_TWIN(cudaMemset3DAsync, _ptsz,
            (struct cudaPitchedPtr to, int value, struct cudaExtent extent, cudaStream_t stream),
            (to, value, extent, stream)) {
    struct fill fill = make_fill_3d(&to, value, &extent);
    return enter_fill(&fill, stream, true);
}
