// Right: errors are thrown inside and caught at the border; destructors wait for streams and destroy them.
/* Lab 12 with exceptions: a call that fails throws its error, and destructors clean up. */
#include <cstring>
#include <vector>

#include "work.cuh"

extern "C" const int predicted_pieces_50000 = 21;
extern "C" const int predicted_ms_of_8_chunks = 10;

namespace {

void must(cudaError_t error) {
    if (error != cudaSuccess)
        throw error;
}

class Stream {
public:
    Stream() { must(cudaStreamCreate(&stream_)); }
    Stream(const Stream &) = delete;
    ~Stream() {
        if (stream_ != nullptr) {
            cudaStreamSynchronize(stream_);
            cudaStreamDestroy(stream_);
        }
    }
    operator cudaStream_t() const { return stream_; }
    void wait() const { must(cudaStreamSynchronize(stream_)); }

private:
    cudaStream_t stream_ = nullptr;
};

class Event {
public:
    Event() { must(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
    Event(const Event &) = delete;
    ~Event() { cudaEventDestroy(event_); }
    operator cudaEvent_t() const { return event_; }

private:
    cudaEvent_t event_;
};

/* n streams, made one after the other; those that were made are gone when one is refused. */
class Streams {
public:
    explicit Streams(unsigned n) : n_(n) { must(open_streams(streams_, n)); }
    Streams(const Streams &) = delete;
    ~Streams() { close(cudaSuccess); }
    cudaStream_t of(size_t k) const { return streams_[k % n_]; }
    void finish() { must(close(cudaSuccess)); }

private:
    cudaError_t close(cudaError_t error) {
        unsigned n = open_ ? n_ : 0;
        open_ = false;
        return close_streams(streams_, n, error);
    }
    cudaStream_t streams_[MOST_STREAMS];
    unsigned n_;
    bool open_ = true;
};

void upload(unsigned *device, const unsigned *host, size_t n, cudaStream_t s) {
    must(cudaMemcpyAsync(device, host, n * sizeof *host, cudaMemcpyHostToDevice, s));
}

void download(unsigned *host, const unsigned *device, size_t n, cudaStream_t s) {
    must(cudaMemcpyAsync(host, device, n * sizeof *host, cudaMemcpyDeviceToHost, s));
}

template <typename Body> cudaError_t guarded(Body body) {
    try {
        body();
        return cudaSuccess;
    } catch (cudaError_t error) {
        cudaGetLastError();
        return error;
    }
}

} // namespace

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    return guarded([&] {
        Stream s;
        upload(buffer, in, n, s);
        must(mix_words(buffer, n, rounds, s));
        download(out, buffer, n, s);
        s.wait();
    });
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    return guarded([&] {
        Streams streams(n_streams);
        size_t k = 0;
        for (size_t at = 0; at < n; k++) {
            const size_t len = chunk < n - at ? chunk : n - at;
            upload(buffer + at, in + at, len, streams.of(k));
            must(mix_words(buffer + at, len, rounds, streams.of(k)));
            download(out + at, buffer + at, len, streams.of(k));
            at += len;
        }
        streams.finish();
    });
}

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    return guarded([&] {
        Event b_done;
        Stream sa, sb;
        unsigned *const at_a = buffer, *const at_b = buffer + n;
        upload(at_a, a, n, sa);
        must(mix_words(at_a, n, rounds, sa));
        upload(at_b, b, n, sb);
        must(mix_words(at_b, n, rounds, sb));
        must(cudaEventRecord(b_done, sb));
        must(cudaStreamWaitEvent(sa, b_done, 0));
        must(add_words(at_a, at_b, n, sa));
        download(out, at_a, n, sa);
        sb.wait();
        sa.wait();
    });
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    struct Flight {
        size_t first, count;
    };
    return guarded([&] {
        Streams streams(n_streams);
        std::vector<Flight> flights(n_streams, Flight{0, 0});
        const auto land = [&](size_t s) {
            Flight &f = flights[s];
            if (f.count == 0)
                return;
            must(cudaStreamSynchronize(streams.of(s)));
            std::memcpy(out + f.first, stage + (2 * s + 1) * chunk, f.count * sizeof *out);
            f.count = 0;
        };
        size_t k = 0;
        for (size_t first = 0; first < n; first += chunk, k++) {
            const size_t s = k % n_streams, count = n - first < chunk ? n - first : chunk;
            unsigned *const place = stage + 2 * s * chunk, *const device = buffer + s * chunk;
            land(s);
            std::memcpy(place, in + first, count * sizeof *in);
            upload(device, place, count, streams.of(s));
            must(mix_words(device, count, rounds, streams.of(s)));
            download(place + chunk, device, count, streams.of(s));
            flights[s] = Flight{first, count};
        }
        for (unsigned s = 0; s < n_streams; s++)
            land((k + s) % n_streams);
        streams.finish();
    });
}
