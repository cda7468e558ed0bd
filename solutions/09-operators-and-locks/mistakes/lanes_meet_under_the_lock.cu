/* Each lane takes the lock, and waits for its warp before it gives it back. */
#define OWN_BY_LOCK_KERNEL
#include "rest.cuh"

__global__ void sum_by_lock_kernel(const int *in, size_t n, int *lock, int *sum) {
    int mine = thread_reduce<sum_op>(in, n);

    acquire(lock);
    __syncwarp();
    *sum += mine;
    release(lock);
}
