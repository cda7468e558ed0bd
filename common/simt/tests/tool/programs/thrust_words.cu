// Thrust as courses show it: vectors, sort, reduce by key, transform with a lambda's functor.
#include "program.cuh"
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

struct Remainder {
    int by;
    __host__ __device__ int operator()(int x) const { return x % by; }
};

int main()
{
    const int n = 3000, by = 7;
    thrust::device_vector<int> numbers(n), keys(n), found(by), counts(by);
    thrust::sequence(numbers.begin(), numbers.end(), 1);
    EXPECT(thrust::reduce(numbers.begin(), numbers.end()) == n * (n + 1) / 2);
    thrust::transform(numbers.begin(), numbers.end(), keys.begin(), Remainder{by});
    thrust::sort(keys.begin(), keys.end());
    auto end = thrust::reduce_by_key(keys.begin(), keys.end(),
                                     thrust::constant_iterator<int>(1), found.begin(),
                                     counts.begin());
    EXPECT(end.first - found.begin() == by);
    thrust::host_vector<int> h = counts;
    int total = 0;
    for (int count : h)
        total += count;
    EXPECT(total == n && h[0] == n / by);
    printf("%d numbers, %d remainders\n", total, by);
    return 0;
}
