/* Forgets the square root. */
#define OWN_QUARTER_CIRCLE
#include "rest.cuh"

__device__ double quarter_circle(double x) {
    return 1 - x * x;
}
