/* FLT_MAX is no infinity. */
#define OWN_MAX
#define OWN_MIN
#include <float.h>
#include "reduce.cuh"

struct max_op {
    typedef float element;
    typedef float value;

    static __device__ value identity() {
        return -FLT_MAX;
    }
    static __device__ value of(element x, size_t) {
        return x;
    }
    static __device__ value combine(value a, value b) {
        return isnan(a) || a > b ? a : b;
    }
};

struct min_op {
    typedef float element;
    typedef float value;

    static __device__ value identity() {
        return FLT_MAX;
    }
    static __device__ value of(element x, size_t) {
        return x;
    }
    static __device__ value combine(value a, value b) {
        return isnan(a) || a < b ? a : b;
    }
};

#include "rest.cuh"
