/* The host waits for the second array before it has the first stream add: the event does nothing. */
#define OWN_PUT_BOTH
#include "rest.cuh"

static cudaError_t put_both(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                            unsigned *buffer, unsigned *out, cudaStream_t *streams,
                            cudaEvent_t mixed) {
    size_t bytes = n * sizeof *a;
    cudaError_t error = cudaMemcpyAsync(buffer, a, bytes, cudaMemcpyHostToDevice, streams[0]);

    if (error == cudaSuccess)
        error = mix_words(buffer, n, rounds, streams[0]);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(buffer + n, b, bytes, cudaMemcpyHostToDevice, streams[1]);
    if (error == cudaSuccess)
        error = mix_words(buffer + n, n, rounds, streams[1]);
    if (error == cudaSuccess)
        error = cudaEventRecord(mixed, streams[1]);
    if (error == cudaSuccess)
        error = cudaEventSynchronize(mixed);
    if (error == cudaSuccess)
        error = add_words(buffer, buffer + n, n, streams[0]);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(out, buffer, bytes, cudaMemcpyDeviceToHost, streams[0]);
    return error;
}
