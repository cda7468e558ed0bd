/*
 * Two sums by shuffles in groups of eight lanes, with what each lane holds after each step, and which
 * lane it took from: row 3 * way + step of `held` and `from`, 32 words a row.
 */
#define ALL_LANES 0xffffffffu

__global__ void shuffles_kernel(const int *in, int *held, int *from) {
    int lane = (int)threadIdx.x, all = in[lane], first = all;

    for (int step = 0; step < 3; step++) {
        all += __shfl_xor_sync(ALL_LANES, all, 1 << step, 8);
        held[step * 32 + lane] = all;
        from[step * 32 + lane] = __shfl_xor_sync(ALL_LANES, lane, 1 << step, 8);

        first += __shfl_down_sync(ALL_LANES, first, 4 >> step, 8);
        held[(3 + step) * 32 + lane] = first;
        from[(3 + step) * 32 + lane] = __shfl_down_sync(ALL_LANES, lane, 4 >> step, 8);
    }
}
