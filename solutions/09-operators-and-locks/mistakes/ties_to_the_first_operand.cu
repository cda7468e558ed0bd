/* Of two that are equal, a goes on, as if a always came first. */
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
            return isnan(a.value) && (!isnan(b.value) || a.index < b.index) ? a : b;
        return a.value >= b.value ? a : b;
    }
};

#include "rest.cuh"
