// Thrust's algorithms, unchanged, with all checks on.
#include "check.h"

#include <algorithm>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

struct twice {
    __host__ __device__ int operator()(int value) const {
        return 2 * value + 1;
    }
};

// A comparison of its own makes Thrust sort by merging.
struct less_of_digits {
    __host__ __device__ bool operator()(int a, int b) const {
        return a % 1000 != b % 1000 ? a % 1000 < b % 1000 : a < b;
    }
};

static bool test(int n) {
    const std::vector<int> numbers_of_n = numbers(n);
    const thrust::host_vector<int> in(numbers_of_n.begin(), numbers_of_n.end());
    thrust::device_vector<int> d_in = in, d_out(n);
    thrust::host_vector<int> scanned(n), transformed(n), sorted = in;
    unsigned sum = 0;
    for (int i = 0; i < n; i++) {
        scanned[i] = static_cast<int>(sum);
        transformed[i] = twice()(in[i]);
        sum += in[i];
    }
    bool right =
        holds(thrust::reduce(d_in.begin(), d_in.end()) == static_cast<int>(sum), "reduce", n);
    thrust::exclusive_scan(d_in.begin(), d_in.end(), d_out.begin());
    right = holds(thrust::host_vector<int>(d_out) == scanned, "exclusive_scan", n) && right;
    thrust::transform(d_in.begin(), d_in.end(), d_out.begin(), twice());
    right = holds(thrust::host_vector<int>(d_out) == transformed, "transform", n) && right;
    d_out = d_in;
    thrust::sort(d_out.begin(), d_out.end(), less_of_digits());
    std::sort(sorted.begin(), sorted.end(), less_of_digits());
    right = holds(thrust::host_vector<int>(d_out) == sorted, "merge sort", n) && right;
    thrust::sort(d_in.begin(), d_in.end());
    std::sort(sorted.begin(), sorted.end());
    right = holds(thrust::host_vector<int>(d_in) == sorted, "sort", n) && right;
    return right;
}

int main() {
    bool right = true;
    for (int n : {1, 1000, 100003, 1 << 20})
        right = test(n) && right;
    return nothing_found() && right ? 0 : 1;
}
