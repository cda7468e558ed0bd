// Wrong: map_chunks waits for each chunk before it puts the next one into a stream, so never do two engines work.
// Kind: barrier
/* Lab 12: jobs. A job is a part of the words and the places it passes through. */
#include <string.h>

#include "work.cuh"

extern "C" const int predicted_pieces_50000 = 21;
extern "C" const int predicted_ms_of_8_chunks = 10;

struct Job {
    const unsigned *source;
    unsigned *device;
    unsigned *target;
    size_t count;
    cudaStream_t stream;
};

static cudaError_t copy_in(const Job &job) {
    return cudaMemcpyAsync(job.device, job.source, job.count * sizeof(unsigned),
                           cudaMemcpyHostToDevice, job.stream);
}

static cudaError_t copy_out(const Job &job) {
    return cudaMemcpyAsync(job.target, job.device, job.count * sizeof(unsigned),
                           cudaMemcpyDeviceToHost, job.stream);
}

static cudaError_t copy_in_and_mix(const Job &job, unsigned rounds) {
    cudaError_t error = copy_in(job);
    return error != cudaSuccess ? error : mix_words(job.device, job.count, rounds, job.stream);
}

static cudaError_t run(const Job &job, unsigned rounds) {
    cudaError_t error = copy_in_and_mix(job, rounds);
    return error != cudaSuccess ? error : copy_out(job);
}

static cudaError_t quiet(cudaError_t error) {
    if (error != cudaSuccess)
        cudaGetLastError();
    return error;
}

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    cudaStream_t stream;
    cudaError_t error = cudaStreamCreate(&stream);
    if (error != cudaSuccess)
        return quiet(error);
    Job job = {in, buffer, out, n, stream};
    return quiet(close_streams(&stream, 1, run(job, rounds)));
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaStream_t streams[MOST_STREAMS];
    cudaError_t error = open_streams(streams, n_streams);
    if (error != cudaSuccess)
        return quiet(error);
    size_t whole = n / chunk;
    for (size_t k = 0; k <= whole && error == cudaSuccess; k++) {
        size_t first = k * chunk;
        Job job = {in + first, buffer + first, out + first, k < whole ? chunk : n % chunk,
                   streams[k % n_streams]};
        if (job.count > 0)
            error = run(job, rounds);
        if (error == cudaSuccess)
            error = cudaStreamSynchronize(job.stream);
    }
    return quiet(close_streams(streams, n_streams, error));
}

static cudaError_t combine_in(cudaStream_t *streams, cudaEvent_t mixed, const unsigned *a,
                              const unsigned *b, size_t n, unsigned rounds, unsigned *buffer,
                              unsigned *out) {
    Job jobs[2] = {{a, buffer, out, n, streams[0]}, {b, buffer + n, NULL, n, streams[1]}};
    for (int i = 0; i < 2; i++) {
        cudaError_t error = copy_in_and_mix(jobs[i], rounds);
        if (error != cudaSuccess)
            return error;
    }
    cudaError_t error = cudaEventRecord(mixed, jobs[1].stream);
    if (error != cudaSuccess)
        return error;
    error = cudaStreamWaitEvent(jobs[0].stream, mixed, 0);
    if (error != cudaSuccess)
        return error;
    error = add_words(jobs[0].device, jobs[1].device, n, jobs[0].stream);
    if (error != cudaSuccess)
        return error;
    return copy_out(jobs[0]);
}

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    if (n == 0)
        return cudaSuccess;
    cudaStream_t streams[2];
    cudaEvent_t mixed;
    cudaError_t error = cudaEventCreate(&mixed);
    if (error != cudaSuccess)
        return quiet(error);
    error = open_streams(streams, 2);
    if (error == cudaSuccess)
        error = close_streams(streams, 2,
                              combine_in(streams, mixed, a, b, n, rounds, buffer, out));
    cudaEventDestroy(mixed);
    return quiet(error);
}

struct Place {
    Job job;
    unsigned *home; /* where the words go in the end; NULL: the place is empty */
};

static cudaError_t empty_place(Place *place) {
    if (place->home == NULL)
        return cudaSuccess;
    cudaError_t error = cudaStreamSynchronize(place->job.stream);
    if (error == cudaSuccess)
        memcpy(place->home, place->job.target, place->job.count * sizeof(unsigned));
    place->home = NULL;
    return error;
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    cudaStream_t streams[MOST_STREAMS];
    Place places[MOST_STREAMS];
    unsigned next = 0;
    cudaError_t error = open_streams(streams, n_streams);
    if (error != cudaSuccess)
        return quiet(error);
    for (size_t s = 0; s < n_streams; s++) {
        unsigned *mine = stage + 2 * chunk * s;
        places[s].job = {mine, buffer + chunk * s, mine + chunk, 0, streams[s]};
        places[s].home = NULL;
    }
    for (size_t first = 0; first < n && error == cudaSuccess; first += chunk) {
        Place *place = &places[next];
        next = (next + 1) % n_streams;
        error = empty_place(place);
        if (error != cudaSuccess)
            break;
        place->job.count = n - first < chunk ? n - first : chunk;
        memcpy((unsigned *)place->job.source, in + first, place->job.count * sizeof(unsigned));
        error = run(place->job, rounds);
        place->home = out + first;
    }
    for (unsigned i = 0; i < n_streams && error == cudaSuccess; i++) {
        error = empty_place(&places[next]);
        next = (next + 1) % n_streams;
    }
    return quiet(close_streams(streams, n_streams, error));
}
