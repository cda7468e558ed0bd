/* The index of an element goes through an int. */
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
        value entered = {x, (size_t)(int)i};
        return entered;
    }
    static __device__ value combine(value a, value b) {
        bool a_is_nan = isnan(a.value), b_is_nan = isnan(b.value);

        if (a_is_nan != b_is_nan)
            return a_is_nan ? a : b;
        if (!a_is_nan && a.value != b.value)
            return a.value > b.value ? a : b;
        return a.index < b.index ? a : b;
    }
};

#include "rest.cuh"
