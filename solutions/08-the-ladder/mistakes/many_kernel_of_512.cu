/* Blocks of 1024 get the kernel of 512: half of the threads load what the next block loads, too. */
#define OWN_MANY_KERNEL_OF
#include "rest.cuh"

static inline ladder_kernel *many_kernel(unsigned block) {
    switch (block) {
    case 64:
        return sum_many_kernel<64>;
    case 128:
        return sum_many_kernel<128>;
    case 256:
        return sum_many_kernel<256>;
    case 512:
    case 1024:
        return sum_many_kernel<512>;
    }
    return NULL;
}
