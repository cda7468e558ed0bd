/* Both arrays go through one stream. */
#define OWN_PUT_BOTH
#define OWN_COMBINE
#include "rest.cuh"

static cudaError_t put_both(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                            unsigned *buffer, unsigned *out, cudaStream_t *streams,
                            cudaEvent_t mixed) {
    size_t bytes = n * sizeof *a;
    streams[1] = streams[0]; // one after the other
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
        error = cudaStreamWaitEvent(streams[0], mixed, 0);
    if (error == cudaSuccess)
        error = add_words(buffer, buffer + n, n, streams[0]);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(out, buffer, bytes, cudaMemcpyDeviceToHost, streams[0]);
    return error;
}

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    cudaStream_t streams[2];
    cudaEvent_t mixed;
    cudaError_t error = open_streams(streams, 1);

    if (error != cudaSuccess)
        return error;
    error = cudaEventCreateWithFlags(&mixed, cudaEventDisableTiming);
    if (error == cudaSuccess) {
        error = put_both(a, b, n, rounds, buffer, out, streams, mixed);
        cudaError_t gone = cudaEventDestroy(mixed);
        error = error != cudaSuccess ? error : gone;
    }
    return close_streams(streams, 1, error);
}
