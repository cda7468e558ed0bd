/* The max of nothing is taken for 0, as the sum of nothing is. */
#define OWN_MAX
#include "reduce.cuh"

struct max_op {
    typedef float element;
    typedef float value;

    static __device__ value identity() {
        return 0;
    }
    static __device__ value of(element x, size_t) {
        return x;
    }
    static __device__ value combine(value a, value b) {
        return isnan(a) || a > b ? a : b;
    }
};

#include "rest.cuh"
