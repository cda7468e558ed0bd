/* What lanes of a warp tell each other, PTX ISA section 9.7.9 and 9.7.13. */
#include "proof.cuh"

#define ALL 0xffffffffu

/* shfl.sync with its predicate in bit 31's place: value and whether the source was in range. */
#define SHFL(mode, value, lane, clamp)                                                             \
    do {                                                                                           \
        u32 r_, p_;                                                                                \
        asm volatile("{ .reg .pred p; shfl.sync." mode ".b32 %0|p, %2, %3, %4, 0xffffffff;"        \
                     " selp.u32 %1, 1, 0, p; }"                                                    \
                     : "=r"(r_), "=r"(p_)                                                          \
                     : "r"(value), "r"(lane), "r"(clamp));                                         \
        put(r_);                                                                                   \
        put(p_);                                                                                   \
    } while (0)

//: kernel=shuffle_constant words=16
KERNEL(shuffle_constant) {
    const u32 a = column(in, 0);
    sink to(out);
    SHFL("up", a, 3, 0);
    SHFL("down", a, 5, 31);
    SHFL("bfly", a, 16, 31);
    SHFL("idx", a, 7, 31);
    SHFL("up", a, 1, 0x1800);
    SHFL("down", a, 2, 0x181f);
    SHFL("bfly", a, 3, 0x1c1f);
    SHFL("idx", a, 9, 0x101f);
}

/* The lane comes from a register and differs; the width, too. */
//: kernel=shuffle_varying words=16
KERNEL(shuffle_varying) {
    const u32 a = column(in, 0), b = column(in, 1);
    const u32 lane = threadIdx.x & 31, width = 2u << (threadIdx.x >> 5);
    const u32 segment = (32 - width) << 8;
    sink to(out);
    SHFL("up", a, lane % 5, segment);
    SHFL("down", a, lane % 7, segment | 31);
    SHFL("bfly", a, lane ^ 21, segment | 31);
    SHFL("idx", a, b, segment | 31);
    SHFL("up", a, b & 63, 0);
    SHFL("down", a, b, 31);
    SHFL("bfly", a, b, 31);
    SHFL("idx", a, b, 0x1f1f);
}

//: kernel=shuffle_functions words=12
KERNEL(shuffle_functions) {
    const u32 a = column(in, 0);
    const u64 b = column(in, 1);
    const f32 f = column(in, 2);
    sink to(out);
    put(__shfl_sync(ALL, a, 5));
    put(__shfl_up_sync(ALL, a, 2, 8));
    put(__shfl_down_sync(ALL, f, 1, 16));
    put(__shfl_xor_sync(ALL, a, 7, 4));
    put(__shfl_sync(ALL, b, threadIdx.x + 1, 16));
    put(__shfl_xor_sync(ALL, b, 31));
    put(__shfl_down_sync(ALL, __longlong_as_double((s64)b), 9));
    put(__shfl_up_sync(ALL, (s32)a, 31));
    put(__shfl_sync(ALL, f, 33));
}

/* Both halves of a diverged warp shuffle among themselves. */
//: kernel=shuffle_masked words=4
KERNEL(shuffle_masked) {
    const u32 a = column(in, 0);
    const u32 evens = 0x55555555;
    u32 x, y;
    sink to(out);
    if (threadIdx.x & 1) {
        x = __shfl_xor_sync(~evens, a, 2);
        y = __shfl_down_sync(~evens, a, 4) + 1;
    } else {
        x = __shfl_xor_sync(evens, a, 4);
        y = __shfl_up_sync(evens, a, 2) + 2;
    }
    put(x);
    put(y);
    if ((threadIdx.x & 31) < 12)
        x = __shfl_sync(0xfff, x + y, 11 - (threadIdx.x & 31));
    put(x);
    put(__shfl_xor_sync(ALL, x, 1));
}

//: kernel=votes words=8
KERNEL(votes) {
    const u32 a = column(in, 0), b = column(in, 1);
    const u32 lane = threadIdx.x & 31;
    sink to(out);
    put(__ballot_sync(ALL, (s32)a < (s32)b));
    put((u32)__all_sync(ALL, a == a) | (u32)__all_sync(ALL, lane != 7) << 1 |
        (u32)__all_sync(ALL, (threadIdx.x & 32) != 0) << 2);
    put((u32)__any_sync(ALL, a != a) | (u32)__any_sync(ALL, lane == 7) << 1 |
        (u32)__any_sync(ALL, a == 12345) << 2);
    put((u32)__uni_sync(ALL, lane & 1) | (u32)__uni_sync(ALL, threadIdx.x & 32) << 1);
    u32 r = 0;
    if (lane % 3 == 0)
        r = __ballot_sync(0x49249249, a & 1);
    else
        r = __ballot_sync(0xb6db6db6, b & 1);
    put(r);
    if (lane < 16)
        r = (u32)__all_sync(0xffff, lane < 16) | (u32)__any_sync(0xffff, lane == 16) << 1;
    put(r);
    put(__popc(__ballot_sync(ALL, a & 2)));
    put((u32)(__ffs((s32)__ballot_sync(ALL, a > b)) - 1));
}

//: kernel=match words=8
KERNEL(match) {
    const u32 a = column(in, 0);
    const u64 b = column(in, 1);
    const u32 lane = threadIdx.x & 31;
    int same;
    sink to(out);
    put(__match_any_sync(ALL, a & 3));
    put(__match_any_sync(ALL, b));
    put(__match_any_sync(ALL, lane / 5));
    put(__match_all_sync(ALL, threadIdx.x / 32, &same));
    put(same);
    put(__match_all_sync(ALL, b & (threadIdx.x < 64 ? 0 : ~0ull), &same));
    put(same);
    u32 r = 0;
    if (lane & 1)
        r = __match_any_sync(0xaaaaaaaa, lane & 6);
    put(r);
}

//: kernel=warp_sync words=2
KERNEL(warp_sync) {
    __shared__ volatile u32 words[128];
    const u32 a = column(in, 0), t = threadIdx.x;
    sink to(out);
    words[t] = a;
    __syncwarp();
    put(words[t ^ 5]);
    __syncwarp();
    if (t & 1) {
        words[t] = a * 3;
        __syncwarp(0xaaaaaaaa);
        put(words[t ^ 6]);
    } else {
        words[t] = a * 5;
        __syncwarp(0x55555555);
        put(words[t ^ 10]);
    }
}

//: kernel=warp_reduce_scan words=4
KERNEL(warp_reduce_scan) {
    const u32 a = column(in, 0), lane = threadIdx.x & 31;
    u32 sum = a, prefix = a;
    f32 largest = (f32)(a & 0xffff);
    sink to(out);
    for (u32 d = 16; d; d /= 2)
        sum += __shfl_xor_sync(ALL, sum, d);
    for (u32 d = 1; d < 32; d *= 2) {
        const u32 from = __shfl_up_sync(ALL, prefix, d);
        prefix += lane >= d ? from : 0;
    }
    for (u32 d = 16; d; d /= 2)
        largest = fmaxf(largest, __shfl_down_sync(ALL, largest, d));
    put(sum);
    put(prefix);
    put(__shfl_sync(ALL, largest, 0));
    put(prefix - a);
}

/* A warp that is not full: 48 threads a block. */
//: kernel=partial_warp grid=4 block=48 words=3
KERNEL(partial_warp) {
    const u32 a = column(in, 0);
    const u32 members = threadIdx.x < 32 ? ALL : 0xffff;
    sink to(out);
    put(__ballot_sync(members, a & 1));
    put(__shfl_xor_sync(members, a, 8));
    put(__shfl_up_sync(members, a, 1));
}
