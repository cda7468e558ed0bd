/* Of two NaN the first operand goes on, not the smaller index. */
#define OWN_ARGMAX
#include "reduce.cuh"

struct argmax_op {
    typedef float element;
    typedef struct largest value;

    static __device__ value identity() {
        value none = {-INFINITY, NO_INDEX};
        return none;
    }
    static __device__ value of(element x, size_t i) {
        value entered = {x, i};
        return entered;
    }
    static __device__ value combine(value a, value b) {
        if (isnan(a.value) || isnan(b.value))
            return isnan(a.value) ? a : b;
        if (a.value != b.value)
            return a.value > b.value ? a : b;
        return a.index < b.index ? a : b;
    }
};

#include "rest.cuh"
