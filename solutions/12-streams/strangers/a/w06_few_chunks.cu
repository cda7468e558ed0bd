// Wrong: the tail starts at chunks - n_streams, which wraps around where there are fewer chunks: nothing gets to out.
// Kind: overflow
/* Lab 12: streams, with objects that clean up after themselves. */
#include <algorithm>
#include <cstring>

#include "work.cuh"

extern "C" const int predicted_pieces_50000 = 3 * 7;
extern "C" const int predicted_ms_of_8_chunks = 8 + 2;

namespace {

/* A set of streams, and the first error of what was done with them. */
class Lanes {
public:
    explicit Lanes(unsigned n) : error_(open_streams(streams_, n)), n_(error_ ? 0 : n) {}
    Lanes(const Lanes &) = delete;
    Lanes &operator=(const Lanes &) = delete;
    ~Lanes() { finish(); }

    bool ok() const { return error_ == cudaSuccess; }
    cudaStream_t operator[](size_t k) const { return streams_[k % n_]; }

    Lanes &keep(cudaError_t error) {
        if (ok())
            error_ = error;
        return *this;
    }

    void in(unsigned *to, const unsigned *from, size_t n, size_t k) {
        if (ok())
            keep(cudaMemcpyAsync(to, from, n * sizeof(unsigned), cudaMemcpyHostToDevice,
                                 (*this)[k]));
    }
    void out(unsigned *to, const unsigned *from, size_t n, size_t k) {
        if (ok())
            keep(cudaMemcpyAsync(to, from, n * sizeof(unsigned), cudaMemcpyDeviceToHost,
                                 (*this)[k]));
    }
    void mix(unsigned *words, size_t n, unsigned rounds, size_t k) {
        if (ok())
            keep(mix_words(words, n, rounds, (*this)[k]));
    }
    void wait(size_t k) {
        if (ok())
            keep(cudaStreamSynchronize((*this)[k]));
    }

    cudaError_t finish() {
        error_ = close_streams(streams_, n_, error_);
        n_ = 0;
        if (error_ != cudaSuccess)
            cudaGetLastError();
        return error_;
    }

private:
    cudaStream_t streams_[MOST_STREAMS];
    cudaError_t error_;
    unsigned n_;
};

class Mark {
public:
    explicit Mark(Lanes &lanes) : lanes_(lanes), made_(false) {
        if (lanes_.ok()) {
            lanes_.keep(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
            made_ = lanes_.ok();
        }
    }
    ~Mark() {
        if (made_)
            cudaEventDestroy(event_);
    }
    void set(size_t k) {
        if (lanes_.ok())
            lanes_.keep(cudaEventRecord(event_, lanes_[k]));
    }
    void await(size_t k) {
        if (lanes_.ok())
            lanes_.keep(cudaStreamWaitEvent(lanes_[k], event_, 0));
    }

private:
    Lanes &lanes_;
    cudaEvent_t event_;
    bool made_;
};

} // namespace

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    Lanes lane(1);
    lane.in(buffer, in, n, 0);
    lane.mix(buffer, n, rounds, 0);
    lane.out(out, buffer, n, 0);
    return lane.finish();
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    Lanes lanes(n_streams);
    size_t k = 0;
    for (size_t done = 0; done < n && lanes.ok(); k++) {
        const size_t part = std::min(chunk, n - done);
        lanes.in(buffer + done, in + done, part, k);
        lanes.mix(buffer + done, part, rounds, k);
        lanes.out(out + done, buffer + done, part, k);
        done += part;
    }
    return lanes.finish();
}

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    Lanes lanes(2);
    Mark b_is_mixed(lanes);
    unsigned *const x = buffer, *const y = buffer + n;

    lanes.in(x, a, n, 0);
    lanes.mix(x, n, rounds, 0);
    lanes.in(y, b, n, 1);
    lanes.mix(y, n, rounds, 1);
    b_is_mixed.set(1);
    b_is_mixed.await(0);
    if (lanes.ok())
        lanes.keep(add_words(x, y, n, lanes[0]));
    lanes.out(out, x, n, 0);
    return lanes.finish();
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    Lanes lanes(n_streams);
    unsigned *const coming = stage, *const going = stage + n_streams * chunk;
    const size_t chunks = n / chunk + (n % chunk ? 1 : 0);
    auto size_of = [=](size_t k) { return std::min(chunk, n - k * chunk); };
    auto fetch = [&](size_t k) {
        lanes.wait(k);
        if (lanes.ok())
            std::memcpy(out + k * chunk, going + k % n_streams * chunk, size_of(k) * sizeof *out);
    };

    for (size_t k = 0; k < chunks && lanes.ok(); k++) {
        const size_t place = k % n_streams * chunk;
        if (k >= n_streams)
            fetch(k - n_streams);
        if (!lanes.ok())
            break;
        std::memcpy(coming + place, in + k * chunk, size_of(k) * sizeof *in);
        lanes.in(buffer + place, coming + place, size_of(k), k);
        lanes.mix(buffer + place, size_of(k), rounds, k);
        lanes.out(going + place, buffer + place, size_of(k), k);
    }
    for (size_t k = chunks - n_streams; k < chunks && lanes.ok(); k++)
        fetch(k);
    return lanes.finish();
}
