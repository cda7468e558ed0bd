/* A lane moves its 32 ints one after the other: neighbours lie in one lane. */
#define OWN_LOAD_TILE
#include "rest.cuh"

__device__ void load_tile(const int *in, size_t n, size_t tile, int4 items[VECS]) {
    bool fours = by_fours(in, n, tile);

#pragma unroll
    for (int k = 0; k < VECS; k++) {
        size_t i = first_of(tile, k);

        items[k] = make_int4(i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0,
                                 i + 2 < n ? in[i + 2] : 0, i + 3 < n ? in[i + 3] : 0);
    }
}
