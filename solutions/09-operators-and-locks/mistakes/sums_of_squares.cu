/* The mean of the squares minus the square of the mean. */
#define OWN_MOMENTS
#define OWN_DEVIATION
#include "reduce.cuh"

struct moments_op {
    typedef double element;
    typedef struct moments value;

    static __device__ value identity() {
        value none = {0, 0, 0};
        return none;
    }
    static __device__ value of(element x, size_t) {
        value one = {1, x, x * x};
        return one;
    }
    static __device__ value combine(value a, value b) {
        value both = {a.n + b.n, 0, a.m2 + b.m2};

        if (both.n == 0)
            return a;
        both.mean = a.mean + (b.mean - a.mean) * b.n / both.n;
        return both;
    }
};

__device__ double deviation_of(struct moments all) {
    return all.n > 0 ? sqrt(fmax(all.m2 / all.n - all.mean * all.mean, 0.0)) : 0;
}

#include "rest.cuh"
