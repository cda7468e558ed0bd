// Wrong: map_chunks waits for the stream of the last chunk alone, and destroys the others while they are at work.
// Kind: stream
/* Lab 12: what runs when is a list of steps, which one function puts into the streams. */
#include <string.h>

#include "work.cuh"

extern "C" const int predicted_pieces_50000 = 21;
extern "C" const int predicted_ms_of_8_chunks = 10;

namespace {

enum class Op { In, Mix, Add, Out, Mark, Await };

struct Step {
    Op op;
    cudaStream_t stream;
    unsigned *to;
    const unsigned *from;
    size_t n;
};

cudaError_t perform(const Step &step, unsigned rounds, cudaEvent_t event = nullptr) {
    const size_t bytes = step.n * sizeof(unsigned);
    switch (step.op) {
    case Op::In:
        return cudaMemcpyAsync(step.to, step.from, bytes, cudaMemcpyHostToDevice, step.stream);
    case Op::Mix:
        return mix_words(step.to, step.n, rounds, step.stream);
    case Op::Add:
        return add_words(step.to, step.from, step.n, step.stream);
    case Op::Out:
        return cudaMemcpyAsync(step.to, step.from, bytes, cudaMemcpyDeviceToHost, step.stream);
    case Op::Mark:
        return cudaEventRecord(event, step.stream);
    case Op::Await:
        return cudaStreamWaitEvent(step.stream, event, 0);
    }
    return cudaErrorUnknown;
}

template <size_t N>
cudaError_t perform_all(const Step (&steps)[N], unsigned rounds, cudaEvent_t event = nullptr) {
    for (const Step &step : steps) {
        const cudaError_t error = perform(step, rounds, event);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

cudaError_t through(cudaStream_t stream, const unsigned *from, unsigned *device, unsigned *to,
                    size_t n, unsigned rounds) {
    const Step steps[] = {{Op::In, stream, device, from, n},
                          {Op::Mix, stream, device, nullptr, n},
                          {Op::Out, stream, to, device, n}};
    return perform_all(steps, rounds);
}

/* What the caller is told must not be pending afterwards. */
cudaError_t told(cudaError_t error) {
    if (error != cudaSuccess)
        static_cast<void>(cudaGetLastError());
    return error;
}

} // namespace

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    cudaStream_t stream;
    if (n == 0)
        return cudaSuccess;
    cudaError_t error = open_streams(&stream, 1);
    if (error == cudaSuccess)
        error = close_streams(&stream, 1, through(stream, in, buffer, out, n, rounds));
    return told(error);
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error = open_streams(streams, n_streams);
    if (error != cudaSuccess)
        return told(error);
    size_t first = 0;
    unsigned last = 0;
    for (unsigned s = 0; first < n && error == cudaSuccess; s = (s + 1) % n_streams) {
        const size_t rest = n - first, count = rest < chunk ? rest : chunk;
        error = through(streams[s], in + first, buffer + first, out + first, count, rounds);
        first += count;
        last = s;
    }
    const cudaError_t waited = cudaStreamSynchronize(streams[last]);
    error = error != cudaSuccess ? error : waited;
    for (unsigned s = 0; s < n_streams; s++)
        cudaStreamDestroy(streams[s]);
    return told(error);
}

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    cudaStream_t streams[2];
    cudaEvent_t event;
    unsigned *const p = buffer, *const q = buffer + n;
    if (n == 0)
        return cudaSuccess;
    cudaError_t error = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (error != cudaSuccess)
        return told(error);
    error = open_streams(streams, 2);
    if (error == cudaSuccess) {
        const Step steps[] = {
            {Op::In, streams[0], p, a, n},
            {Op::Mix, streams[0], p, nullptr, n},
            {Op::Mark, streams[0], nullptr, nullptr, 0},
            {Op::In, streams[1], q, b, n},
            {Op::Mix, streams[1], q, nullptr, n},
            {Op::Await, streams[1], nullptr, nullptr, 0},
            {Op::Add, streams[1], q, p, n},
            {Op::Out, streams[1], out, q, n},
        };
        error = perform_all(steps, rounds, event);
        error = close_streams(streams, 2, error);
    }
    cudaEventDestroy(event);
    return told(error);
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaStream_t streams[MOST_STREAMS];
    cudaEvent_t home[MOST_STREAMS];
    unsigned n_events = 0;
    cudaError_t error = open_streams(streams, n_streams);
    if (error != cudaSuccess)
        return told(error);
    for (; n_events < n_streams; n_events++) {
        error = cudaEventCreateWithFlags(&home[n_events], cudaEventDisableTiming);
        if (error != cudaSuccess)
            break;
    }
    const size_t chunks = n / chunk + (n % chunk > 0);
    const auto size = [&](size_t k) { return k + 1 == chunks ? n - k * chunk : chunk; };
    const auto bring_home = [&](size_t k) {
        const size_t s = k % n_streams;
        const cudaError_t waited = cudaEventSynchronize(home[s]);
        if (waited == cudaSuccess)
            memcpy(out + k * chunk, stage + (2 * s + 1) * chunk, size(k) * sizeof *out);
        return waited;
    };
    size_t k = 0;
    for (; k < chunks && error == cudaSuccess; k++) {
        const size_t s = k % n_streams;
        unsigned *const up = stage + 2 * s * chunk;
        if (k >= n_streams && (error = bring_home(k - n_streams)) != cudaSuccess)
            break;
        memcpy(up, in + k * chunk, size(k) * sizeof *in);
        error = through(streams[s], up, buffer + s * chunk, up + chunk, size(k), rounds);
        if (error == cudaSuccess)
            error = cudaEventRecord(home[s], streams[s]);
    }
    for (size_t j = k < n_streams ? 0 : k - n_streams; j < k && error == cudaSuccess; j++)
        error = bring_home(j);
    error = close_streams(streams, n_streams, error);
    while (n_events-- > 0)
        cudaEventDestroy(home[n_events]);
    return told(error);
}
