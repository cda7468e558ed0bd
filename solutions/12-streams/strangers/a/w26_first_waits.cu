// Wrong: of the non-blocking streams the first alone waits for the default stream; the others write buffer too early.
// Kind: stream
/* Lab 12: streams that stand apart, and an event of the default stream that they wait for. */
#include <string.h>

#include "work.cuh"

extern "C" const int predicted_pieces_50000 = 21;
extern "C" const int predicted_ms_of_8_chunks = 10;

struct Team {
    cudaStream_t stream[MOST_STREAMS];
    unsigned size;
};

/* None of these streams starts before what the caller put into the default stream is done. */
static cudaError_t team_open(Team *team, unsigned size) {
    cudaEvent_t gate;
    cudaError_t error = cudaEventCreateWithFlags(&gate, cudaEventDisableTiming);
    team->size = 0;
    if (error != cudaSuccess)
        return error;
    error = cudaEventRecord(gate, 0);
    while (error == cudaSuccess && team->size < size) {
        cudaStream_t *stream = &team->stream[team->size];
        error = cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
        if (error != cudaSuccess)
            break;
        team->size++;
        if (team->size == 1)
            error = cudaStreamWaitEvent(*stream, gate, 0);
    }
    cudaError_t gone = cudaEventDestroy(gate);
    return error != cudaSuccess ? error : gone;
}

static cudaError_t team_close(Team *team, cudaError_t error) {
    error = close_streams(team->stream, team->size, error);
    if (error != cudaSuccess)
        (void)cudaGetLastError();
    return error;
}

static cudaError_t send(unsigned *to, const unsigned *from, size_t n, cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, n * sizeof *to, cudaMemcpyHostToDevice, stream);
}

static cudaError_t fetch(unsigned *to, const unsigned *from, size_t n, cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, n * sizeof *to, cudaMemcpyDeviceToHost, stream);
}

extern "C" cudaError_t map_whole(const unsigned *in, size_t n, unsigned rounds, unsigned *buffer,
                                 unsigned *out) {
    Team team;
    cudaError_t error = team_open(&team, 1);
    if (!error && n > 0) {
        error = send(buffer, in, n, team.stream[0]);
        if (!error)
            error = mix_words(buffer, n, rounds, team.stream[0]);
        if (!error)
            error = fetch(out, buffer, n, team.stream[0]);
    }
    return team_close(&team, error);
}

extern "C" cudaError_t map_chunks(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *buffer, unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    Team team;
    cudaError_t error = team_open(&team, n_streams);
    for (size_t k = 0, first = 0, count; !error && first < n; k++, first += count) {
        cudaStream_t stream = team.stream[k % n_streams];
        count = n - first;
        if (count > chunk)
            count = chunk;
        error = send(buffer + first, in + first, count, stream);
        if (!error)
            error = mix_words(buffer + first, count, rounds, stream);
        if (!error)
            error = fetch(out + first, buffer + first, count, stream);
    }
    return team_close(&team, error);
}

extern "C" cudaError_t combine(const unsigned *a, const unsigned *b, size_t n, unsigned rounds,
                               unsigned *buffer, unsigned *out) {
    Team team;
    cudaEvent_t done;
    cudaError_t error = team_open(&team, 2);
    if (error || n == 0)
        return team_close(&team, error);
    error = cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    if (error)
        return team_close(&team, error);
    if (!error) error = send(buffer, a, n, team.stream[0]);
    if (!error) error = send(buffer + n, b, n, team.stream[1]);
    if (!error) error = mix_words(buffer, n, rounds, team.stream[0]);
    if (!error) error = mix_words(buffer + n, n, rounds, team.stream[1]);
    if (!error) error = cudaEventRecord(done, team.stream[0]);
    if (!error) error = cudaStreamWaitEvent(team.stream[1], done, 0);
    if (!error) error = add_words(buffer + n, buffer, n, team.stream[1]);
    if (!error) error = fetch(out, buffer + n, n, team.stream[1]);
    error = team_close(&team, error);
    cudaEventDestroy(done);
    return error;
}

extern "C" cudaError_t map_staged(const unsigned *in, size_t n, unsigned rounds, size_t chunk,
                                  unsigned n_streams, unsigned *stage, unsigned *buffer,
                                  unsigned *out) {
    if (!is_shape(chunk, n_streams))
        return cudaErrorInvalidValue;
    Team team;
    cudaEvent_t back[MOST_STREAMS];
    unsigned events = 0;
    cudaError_t error = team_open(&team, n_streams);
    while (!error && events < n_streams) {
        error = cudaEventCreateWithFlags(&back[events], cudaEventDisableTiming);
        if (!error)
            events++;
    }
    const size_t room = n_streams * chunk;
    for (size_t first = 0, k = 0; !error && first < n; first += chunk, k++) {
        const unsigned s = k % n_streams;
        const size_t place = s * chunk, count = n - first < chunk ? n - first : chunk;
        if (first >= room) {
            error = cudaEventSynchronize(back[s]);
            if (error)
                break;
            memcpy(out + (first - room), stage + room + place, chunk * sizeof *out);
        }
        memcpy(stage + place, in + first, count * sizeof *in);
        error = send(buffer + place, stage + place, count, team.stream[s]);
        if (!error) error = mix_words(buffer + place, count, rounds, team.stream[s]);
        if (!error) error = fetch(stage + room + place, buffer + place, count, team.stream[s]);
        if (!error) error = cudaEventRecord(back[s], team.stream[s]);
    }
    /* The last chunks, at most one for each stream. */
    const size_t chunks = n / chunk + (n % chunk > 0);
    for (size_t k = chunks < n_streams ? 0 : chunks - n_streams; !error && k < chunks; k++) {
        const size_t first = k * chunk, count = n - first < chunk ? n - first : chunk;
        error = cudaEventSynchronize(back[k % n_streams]);
        if (!error)
            memcpy(out + first, stage + room + k % n_streams * chunk, count * sizeof *out);
    }
    error = team_close(&team, error);
    while (events > 0)
        cudaEventDestroy(back[--events]);
    return error;
}
