/* Uses the other well-known integral for pi. */
#define OWN_QUARTER_CIRCLE
#include "rest.cuh"

__device__ double quarter_circle(double x) {
    return 1 / (1 + x * x);
}
