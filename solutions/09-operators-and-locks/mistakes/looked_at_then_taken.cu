/* The lock is looked at, and then taken: two may see that it is free. */
#define OWN_ACQUIRE
#include "rest.cuh"

__device__ void acquire(int *lock) {
    while (*(volatile int *)lock != 0)
        ;
    *(volatile int *)lock = 1;
    __threadfence();
}
