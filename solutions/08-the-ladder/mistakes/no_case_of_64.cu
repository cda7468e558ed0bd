/* The smallest block has no kernel. */
#define OWN_UNROLLED_KERNEL_OF
#include "rest.cuh"

static inline ladder_kernel *unrolled_kernel(unsigned block) {
    switch (block) {
    case 128:
        return sum_unrolled_kernel<128>;
    case 256:
        return sum_unrolled_kernel<256>;
    case 512:
        return sum_unrolled_kernel<512>;
    case 1024:
        return sum_unrolled_kernel<1024>;
    }
    return NULL;
}
