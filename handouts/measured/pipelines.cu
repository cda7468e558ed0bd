/*
 * Times lab 12's model answer beside what bounds it: the copy in, the kernel and the copy out of all
 * words, each alone, and the two copies at once. Each time is the median of 15. Results are checked.
 * Prints a table: what,n,chunk,streams,ms. Exit code 1 where a result is wrong.
 *
 *   pipelines     compiled with the model answer
 */
#include <algorithm>
#include <functional>
#include <vector>

#include "timing.cuh"
#include "work.cuh"

enum { ROUNDS = 15, WORDS = 1 << 26, MIXED = 3 };

static const size_t bytes = WORDS * sizeof(unsigned);
static unsigned *in, *out, *buffer, *other;

static double median_ms(const std::function<void()> &run) {
    std::vector<float> ms(ROUNDS);

    run();
    for (float &one : ms)
        one = run_ms(run);
    std::sort(ms.begin(), ms.end());
    return ms[ROUNDS / 2];
}

static void say(const char *what, size_t chunk, unsigned n_streams, double ms) {
    printf("%s,%d,%zu,%u,%.4f\n", what, WORDS, chunk, n_streams, ms);
}

/* All words go in and come out at once; what comes out is nobody's. */
static void copy_both(cudaStream_t *streams) {
    must(cudaMemcpyAsync(buffer, in, bytes, cudaMemcpyHostToDevice, streams[0]));
    must(cudaMemcpyAsync(out, other, bytes, cudaMemcpyDeviceToHost, streams[1]));
    must(cudaStreamSynchronize(streams[0]));
    must(cudaStreamSynchronize(streams[1]));
}

static void bounds() {
    cudaStream_t streams[2];

    must(open_streams(streams, 2));
    say("copy in", WORDS, 1, median_ms([] {
            must(cudaMemcpyAsync(buffer, in, bytes, cudaMemcpyHostToDevice, 0));
        }));
    say("kernel", WORDS, 1, median_ms([] { must(mix_words(buffer, WORDS, MIXED, 0)); }));
    say("copy out", WORDS, 1, median_ms([] {
            must(cudaMemcpyAsync(out, buffer, bytes, cudaMemcpyDeviceToHost, 0));
        }));
    say("both copies", WORDS, 2, median_ms([&] { copy_both(streams); }));
    must(close_streams(streams, 2, cudaSuccess));
}

static bool is_right() {
    for (size_t i = 0; i < WORDS; i++) {
        unsigned x = in[i];
        for (int round = 0; round < MIXED; round++)
            x = x * MIX_FACTOR + MIX_ADDEND;
        if (out[i] != x)
            return false;
    }
    return true;
}

/* Times a call, and clears its output before the last one. */
static bool measure(const char *what, size_t chunk, unsigned n_streams,
                    const std::function<cudaError_t()> &call) {
    say(what, chunk, n_streams, median_ms([&] { must(call()); }));
    std::fill(out, out + WORDS, 0);
    must(call());
    if (!is_right())
        fprintf(stderr, "pipelines: %s in chunks of %zu is wrong\n", what, chunk);
    return is_right();
}

int main() {
    bool is_good;

    must(cudaHostAlloc(&in, bytes, 0));
    must(cudaHostAlloc(&out, bytes, 0));
    must(cudaMalloc(&buffer, bytes));
    must(cudaMalloc(&other, bytes));
    for (size_t i = 0; i < WORDS; i++)
        in[i] = (unsigned)i * 2654435761u;
    printf("what,n,chunk,streams,ms\n");
    bounds();
    is_good = measure("map_whole", WORDS, 1, [] { return map_whole(in, WORDS, MIXED, buffer, out); });
    for (size_t chunk = 1 << 14; chunk <= 1 << 24; chunk *= 4)
        for (unsigned n_streams : {2u, 3u, 4u, 8u})
            is_good &= measure("map_chunks", chunk, n_streams, [=] {
                return map_chunks(in, WORDS, MIXED, chunk, n_streams, buffer, out);
            });
    return is_good ? 0 : 1;
}
