// CUB's device-wide algorithms, unchanged, with all checks on.
#include "check.h"

#include <algorithm>
#include <cub/cub.cuh>

struct is_even {
    __device__ bool operator()(int value) const {
        return value % 2 == 0;
    }
};

struct buffers {
    std::vector<int> in;
    int n, *d_in, *d_out, *d_count;
};

// Calls an algorithm twice, as CUB wants it: for the size of its temporary storage, then with it.
template <class Algorithm> void run(Algorithm algorithm) {
    size_t bytes = 0;
    void *storage = nullptr;
    must(algorithm(storage, bytes), "size of temporary storage");
    must(cudaMalloc(&storage, bytes), "temporary storage");
    must(algorithm(storage, bytes), "algorithm");
    must(cudaDeviceSynchronize(), "kernels");
    must(cudaFree(storage), "temporary storage");
}

static std::vector<int> fetched(const int *device, size_t n) {
    std::vector<int> host(n);
    must(cudaMemcpy(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost), "result");
    return host;
}

static bool reduces(const buffers &b) {
    run([&](void *t, size_t &bytes) {
        return cub::DeviceReduce::Sum(t, bytes, b.d_in, b.d_out, b.n);
    });
    unsigned sum = 0;
    for (int value : b.in)
        sum += value;
    return holds(fetched(b.d_out, 1)[0] == static_cast<int>(sum), "DeviceReduce", b.n);
}

static bool scans(const buffers &b) {
    run([&](void *t, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(t, bytes, b.d_in, b.d_out, b.n);
    });
    std::vector<int> expected;
    unsigned sum = 0;
    for (int value : b.in)
        expected.push_back(static_cast<int>(sum += value));
    return holds(fetched(b.d_out, b.n) == expected, "DeviceScan", b.n);
}

static bool selects(const buffers &b) {
    run([&](void *t, size_t &bytes) {
        return cub::DeviceSelect::If(t, bytes, b.d_in, b.d_out, b.d_count, b.n, is_even());
    });
    std::vector<int> expected;
    for (int value : b.in)
        if (value % 2 == 0)
            expected.push_back(value);
    const int count = fetched(b.d_count, 1)[0];
    return holds(count == static_cast<int>(expected.size()) &&
                     fetched(b.d_out, expected.size()) == expected,
                 "DeviceSelect", b.n);
}

static bool counts(const buffers &b) {
    enum { BINS = 64 };
    int *d_bins;
    must(cudaMalloc(&d_bins, BINS * sizeof(int)), "bins");
    run([&](void *t, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(t, bytes, b.d_in, d_bins, BINS + 1, -(1 << 23),
                                                   1 << 23, b.n);
    });
    std::vector<int> expected(BINS);
    for (int value : b.in)
        expected[(value + (1 << 23)) >> 18]++;
    return holds(fetched(d_bins, BINS) == expected, "DeviceHistogram", b.n);
}

static bool sorts(const buffers &b) {
    run([&](void *t, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(t, bytes, b.d_in, b.d_out, b.n);
    });
    std::vector<int> expected = b.in;
    std::sort(expected.begin(), expected.end());
    return holds(fetched(b.d_out, b.n) == expected, "DeviceRadixSort", b.n);
}

int main() {
    bool right = true;
    for (int n : {1, 1000, 100003, 1 << 20}) {
        buffers b = {numbers(n), n, nullptr, nullptr, nullptr};
        const size_t bytes = n * sizeof(int);
        must(cudaMalloc(&b.d_in, bytes), "input");
        must(cudaMalloc(&b.d_out, bytes), "output");
        must(cudaMalloc(&b.d_count, sizeof(int)), "count");
        must(cudaMemcpy(b.d_in, b.in.data(), bytes, cudaMemcpyHostToDevice), "input");
        for (auto test : {reduces, scans, selects, counts, sorts})
            right = test(b) && right;
    }
    return nothing_found() && right ? 0 : 1;
}
