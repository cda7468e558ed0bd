/* What lies between the two means counts for nothing. */
#define OWN_MOMENTS
#include "reduce.cuh"

struct moments_op {
    typedef double element;
    typedef struct moments value;

    static __device__ value identity() {
        value none = {0, 0, 0};
        return none;
    }
    static __device__ value of(element x, size_t) {
        value one = {1, x, 0};
        return one;
    }
    static __device__ value combine(value a, value b) {
        value both = {a.n + b.n, 0, 0};

        if (both.n == 0)
            return a;
        double distance = b.mean - a.mean, share = b.n / both.n;
        both.mean = a.mean + distance * share;
        both.m2 = a.m2 + b.m2;
        return both;
    }
};

#include "rest.cuh"
