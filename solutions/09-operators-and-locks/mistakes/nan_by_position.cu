/* Whether a NaN is kept depends on which of the two it is. */
#define OWN_MAX
#include "reduce.cuh"

struct max_op {
    typedef float element;
    typedef float value;

    static __device__ value identity() {
        return -INFINITY;
    }
    static __device__ value of(element x, size_t) {
        return x;
    }
    static __device__ value combine(value a, value b) {
        return a > b ? a : b;
    }
};

#include "rest.cuh"
