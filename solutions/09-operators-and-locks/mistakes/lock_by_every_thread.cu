/* Each thread takes the lock, for what it has alone. */
#define OWN_BY_LOCK_KERNEL
#include "rest.cuh"

__global__ void sum_by_lock_kernel(const int *in, size_t n, int *lock, int *sum) {
    int mine = thread_reduce<sum_op>(in, n);

    for (bool is_done = false; !is_done;)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *sum += mine;
            release(lock);
            is_done = true;
        }
}
