/* Four ints are stored at once, wherever the output begins. */
#define OWN_STORE_TILE
#include "rest.cuh"

__device__ void store_tile(int *out, size_t n, size_t tile, int before, const int4 items[VECS]) {
    bool fours = (tile + 1) * TILE <= n;

#pragma unroll
    for (int k = 0; k < VECS; k++) {
        size_t i = first_of(tile, k);
        int sums[4] = {before + items[k].x, before + items[k].y, before + items[k].z,
                       before + items[k].w};

        if (fours)
            __stcs((int4 *)(out + i), make_int4(sums[0], sums[1], sums[2], sums[3]));
        else
            for (int j = 0; j < 4; j++)
                if (i + j < n)
                    out[i + j] = sums[j];
    }
}
