/* Calls the square root of floats. */
#define OWN_QUARTER_CIRCLE
#include "rest.cuh"

__device__ double quarter_circle(double x) {
    return sqrtf(1 - x * x);
}
