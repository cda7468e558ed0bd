/* Who waits for 1 and stores 0 waits for somebody to take the lock. */
#define OWN_ACQUIRE
#include "rest.cuh"

__device__ void acquire(int *lock) {
    while (atomicCAS(lock, 1, 0) != 1)
        ;
    __threadfence();
}
