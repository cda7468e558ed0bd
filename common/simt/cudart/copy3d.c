/*
 * Copies that structs describe, and those between devices, of which there is one.
 */
#include "common/simt/cudart/copy.h"

/* One end of a 3D copy. Positions and widths are in bytes, as there are no arrays. */
static struct cudart_box box_at(const struct cudaPitchedPtr *pitched, const struct cudaPos *at) {
    size_t slice = pitched->pitch * pitched->ysize;
    char *start = pitched->ptr;
    if (start != NULL)
        start += at->z * slice + at->y * pitched->pitch + at->x;
    return (struct cudart_box){start, pitched->pitch, slice};
}

static cudaError_t copy_3d(const struct cudaMemcpy3DParms *given, cudaStream_t stream,
                           bool is_async) {
    struct cudart *rt;
    cudaError_t error = cudart_enter_stream(&rt, stream);
    if (error == cudaSuccess && given == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && (given->srcArray != NULL || given->dstArray != NULL)) {
        cudart_say(rt, "CUDA arrays are not supported by the simulator.");
        error = cudaErrorNotSupported;
    }
    if (error == cudaSuccess) {
        struct cudart_copy copy = {
            .to = box_at(&given->dstPtr, &given->dstPos),
            .from = box_at(&given->srcPtr, &given->srcPos),
            .width = given->extent.width,
            .height = given->extent.height,
            .depth = given->extent.depth,
            .kind = given->kind,
            .is_async = is_async,
        };
        bool has_rows = copy.height > 1 || copy.depth > 1;
        if (has_rows && (copy.width > copy.to.pitch || copy.width > copy.from.pitch))
            error = cudaErrorInvalidPitchValue;
        else
            error = cudart_copy(rt, &copy, stream);
    }
    return cudart_leave(rt, error);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *given, cudaStream_t stream) {
    return copy_3d(given, stream, true);
}
CUDART_TWIN(cudaMemcpy3DAsync, _ptsz, (const struct cudaMemcpy3DParms *given, cudaStream_t stream),
            (given, stream))

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *given) {
    return copy_3d(given, NULL, false);
}
CUDART_TWIN(cudaMemcpy3D, _ptds, (const struct cudaMemcpy3DParms *given), (given))

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream) {
    if (to_device != 0 || from_device != 0)
        return cudart_note(cudaErrorInvalidDevice);
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                           size_t bytes) {
    return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, NULL);
}
