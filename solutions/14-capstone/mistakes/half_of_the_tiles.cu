/* Where none of 32 tiles tells of all, half of them are added. */
#define OWN_LOOK_BACK
#include "rest.cuh"

__device__ int look_back(volatile unsigned long long *words, unsigned tile, int total) {
    unsigned lane = threadIdx.x % 32;
    int before = 0;

    if (lane == 0)
        words[tile] = make_word(tile == 0 ? OF_ALL : OF_TILE, total);
    if (tile == 0)
        return 0;
    __nanosleep(400);
    for (long long at = (long long)tile - 1 - lane;; at -= 32) {
        unsigned long long word;
        unsigned whole;

        for (;;) {
            word = at >= 0 ? words[at] : make_word(OF_ALL, 0);
            unsigned empty = __ballot_sync(ALL_LANES, status_of(word) == NOTHING);
            whole = __ballot_sync(ALL_LANES, status_of(word) == OF_ALL);
            // Nearer than the nearest whole sum, none may be missing.
            if ((empty & (whole != 0 ? (whole & -whole) - 1 : ALL_LANES)) == 0)
                break;
            __nanosleep(200);
        }
        unsigned last = whole != 0 ? __ffs(whole) - 1 : 15;
        int sum = lane <= last ? (int)(unsigned)word : 0;
        for (unsigned d = 16; d > 0; d /= 2)
            sum += __shfl_xor_sync(ALL_LANES, sum, d);
        before += sum;
        if (whole != 0)
            break;
    }
    if (lane == 0)
        words[tile] = make_word(OF_ALL, before + total);
    return before;
}
