/* Branches and loops whose lanes part for long, so that machine code keeps the structure that PTX
 * has: lanes per instruction can be compared. A step is two instructions, in PTX and on sm_90. */
#include "proof.cuh"

#define STEP(x)                                                                                    \
    asm volatile("mad.lo.u32 %0, %0, %1, %2;\n\tshf.l.wrap.b32 %0, %0, %0, 7;"                     \
                 : "+r"(x)                                                                         \
                 : "r"(p), "r"(q))
#define STEPS_4(x)                                                                                 \
    STEP(x);                                                                                       \
    STEP(x);                                                                                       \
    STEP(x);                                                                                       \
    STEP(x)
#define STEPS_16(x)                                                                                \
    STEPS_4(x);                                                                                    \
    STEPS_4(x);                                                                                    \
    STEPS_4(x);                                                                                    \
    STEPS_4(x)
#define STEPS(x)                                                                                   \
    STEPS_16(x);                                                                                   \
    STEPS_16(x);                                                                                   \
    STEPS_16(x);                                                                                   \
    STEPS_16(x);                                                                                   \
    STEPS_16(x);                                                                                   \
    STEPS_16(x);                                                                                   \
    STEPS_16(x);                                                                                   \
    STEPS_16(x)
/* x is worked on; p and q are factors that no compiler knows. */
#define WORK                                                                                       \
    u32 x = column(in, 0);                                                                         \
    const u32 p = column(in, 1), q = column(in, 2), lane = threadIdx.x % 32;

//: kernel=lanes_leave_a_loop grid=4 block=128 counters lanes
KERNEL(lanes_leave_a_loop) {
    WORK
#pragma unroll 1
    for (u32 i = 0; i <= lane; i++) {
        STEPS(x);
    }
    out[global_id()] = x;
}

//: kernel=lanes_take_two_ways grid=4 block=128 counters lanes
KERNEL(lanes_take_two_ways) {
    WORK
#pragma unroll 1
    for (u32 i = 0; i < 5; i++) {
        if (lane >> i & 1) {
            STEPS(x);
            STEPS(x);
        } else {
            STEPS(x);
            x ^= i;
        }
    }
    out[global_id()] = x;
}

//: kernel=lanes_take_one_way_or_none grid=4 block=128 counters lanes
KERNEL(lanes_take_one_way_or_none) {
    WORK
#pragma unroll 1
    for (u32 i = 1; i < 32; i *= 2) {
        STEP(x);
        if (lane < i) {
            STEPS(x);
            STEPS(x);
        }
    }
    out[global_id()] = x;
}

//: kernel=lanes_return_early grid=4 block=128 counters lanes
KERNEL(lanes_return_early) {
    WORK
    STEPS(x);
    out[global_id()] = x;
    if (lane % 3 == 1)
        return;
    STEPS(x);
    STEPS(x);
    STEPS(x);
    STEPS(x);
    out[global_id()] = x;
}

//: kernel=lanes_nest grid=4 block=128 counters lanes
KERNEL(lanes_nest) {
    WORK
#pragma unroll 1
    for (u32 i = 0; i < 3 + lane % 5; i++) {
        STEPS(x);
        if (lane & 1) {
#pragma unroll 1
            for (u32 k = i; k < lane / 4; k++) {
                STEPS(x);
            }
        } else {
            STEPS(x);
            STEPS(x);
        }
    }
    out[global_id()] = x;
}

/* Plain code: how soon a point of the plane escapes, and sums of rows of unequal length. */
//: kernel=lanes_escape fill=unit grid=4 block=128 counters lanes
KERNEL(lanes_escape) {
    const f32 re = (f32)column(in, 0) / 4, im = (f32)column(in, 1) / 4;
    f32 a = 0, b = 0;
    u32 n = 0;
#pragma unroll 1
    while (a * a + b * b < 4 && n < 100) {
        const f32 next = a * a - b * b + re;
        b = 2 * a * b + im;
        a = next;
        n++;
    }
    out[global_id()] = n;
}

//: kernel=lanes_sum_rows grid=4 block=128 counters lanes
KERNEL(lanes_sum_rows) {
    const u32 i = global_id(), n = n_threads();
    const u32 length = (u32)column(in, 0) % 480;
    u32 sum = 0;
#pragma unroll 1
    for (u32 k = 0; k < length; k++)
        sum += (u32)in[(i + k) & (n - 1)] ^ k;
    out[i] = sum;
}
