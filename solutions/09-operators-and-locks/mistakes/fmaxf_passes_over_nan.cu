/* fmaxf and fminf give the number where one of the two is NaN. */
#define OWN_MAX
#define OWN_MIN
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
        return fmaxf(a, b);
    }
};

struct min_op {
    typedef float element;
    typedef float value;

    static __device__ value identity() {
        return INFINITY;
    }
    static __device__ value of(element x, size_t) {
        return x;
    }
    static __device__ value combine(value a, value b) {
        return fminf(a, b);
    }
};

#include "rest.cuh"
