/* Where the event can't be made, the streams stay. */
#define OWN_COMBINE
#include "rest.cuh"

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    cudaStream_t streams[2];
    cudaEvent_t mixed;
    cudaError_t error = open_streams(streams, 2);

    if (error != cudaSuccess)
        return error;
    error = cudaEventCreateWithFlags(&mixed, cudaEventDisableTiming);
    if (error != cudaSuccess)
        return error;
    error = put_both(a, b, n, rounds, buffer, out, streams, mixed);
    cudaEventDestroy(mixed);
    return close_streams(streams, 2, error);
}
