/* FLT_MIN is the smallest float above 0, not the lowest one. */
#define OWN_MAX
#include <float.h>
#include "reduce.cuh"

struct max_op {
    typedef float element;
    typedef float value;

    static __device__ value identity() {
        return FLT_MIN;
    }
    static __device__ value of(element x, size_t) {
        return x;
    }
    static __device__ value combine(value a, value b) {
        return isnan(a) || a > b ? a : b;
    }
};

#include "rest.cuh"
