/* Barriers of a cta, PTX ISA section 9.7.13. */
#include "proof.cuh"

//: kernel=sync_and_reduce words=4
KERNEL(sync_and_reduce) {
    const u32 a = column(in, 0), b = column(in, 1);
    sink to(out);
    put(__syncthreads_count(a & 1));
    put(__syncthreads_and(a != 1));
    put(__syncthreads_or(b == 0x01234567));
    put(__syncthreads_count((s32)a < (s32)b));
}

/* Warps 0 and 1 meet at one barrier, 2 and 3 at another. */
//: kernel=named_barriers words=2
KERNEL(named_barriers) {
    __shared__ u32 words[128];
    const u32 a = column(in, 0), t = threadIdx.x;
    u32 x;
    words[t] = a;
    if (t < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        x = words[63 - t];
        asm volatile("bar.sync 1, 64;" ::: "memory");
        words[t] = x + 1;
    } else {
        asm volatile("bar.sync 2, 64;" ::: "memory");
        x = words[191 - t];
        asm volatile("barrier.sync 3, 64;" ::: "memory");
        words[t] = x + 2;
    }
    __syncthreads();
    sink to(out);
    put(x);
    put(words[t ^ 64]);
}

/* One warp produces, three consume. */
//: kernel=arrive_and_sync words=1
KERNEL(arrive_and_sync) {
    __shared__ u32 words[32];
    const u32 a = column(in, 0), t = threadIdx.x;
    u32 sum = 0;
    for (u32 round = 0; round < 5; round++) {
        if (t < 32) {
            asm volatile("bar.sync 2, 128;" ::: "memory");
            words[t] = a + round;
            asm volatile("bar.arrive 1, 128;" ::: "memory");
        } else {
            asm volatile("bar.arrive 2, 128;" ::: "memory");
            asm volatile("bar.sync 1, 128;" ::: "memory");
            sum = sum * 3 + words[(t + round) & 31];
        }
    }
    out[global_id()] = sum;
}

//: kernel=barrier_by_register words=2
KERNEL(barrier_by_register) {
    __shared__ u32 words[128];
    const u32 a = column(in, 0), t = threadIdx.x, id = 4 + t / 64;
    u32 n, flag;
    words[t] = a;
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(64) : "memory");
    sink to(out);
    put(words[t ^ 33]);
    asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %2, 0; bar.red.popc.u32 %0, %3, %4, p;"
                 " bar.red.and.pred q, %3, %4, !p; selp.u32 %1, 1, 0, q; }"
                 : "=r"(n), "=r"(flag)
                 : "r"(a & 1), "r"(id), "r"(64)
                 : "memory");
    put(n * 2 + flag);
}

//: kernel=barrier_in_loop words=1
KERNEL(barrier_in_loop) {
    __shared__ u32 words[2][128];
    const u32 t = threadIdx.x;
    words[0][t] = column(in, 0);
    for (u32 round = 0; round < 9; round++) {
        __syncthreads();
        words[round + 1 & 1][t] =
            words[round & 1][(t + 1) % 128] * 3 + words[round & 1][(t + 127) % 128];
    }
    out[global_id()] = words[1][t];
}

/* Warps that have left are not waited for when the barrier says how many come. */
//: kernel=barrier_after_exit words=1
KERNEL(barrier_after_exit) {
    __shared__ u32 words[128];
    const u32 t = threadIdx.x;
    if (t >= 64) {
        out[global_id()] = 7;
        return;
    }
    words[t] = column(in, 0);
    asm volatile("bar.sync 0, 64;" ::: "memory");
    out[global_id()] = words[63 - t];
}

//: kernel=last_block_sums words=2
KERNEL(last_block_sums) {
    __shared__ bool is_last;
    const u32 a = column(in, 0);
    u32 *const values = out, *const ticket = out + n_threads();
    values[global_id()] = a & 0xffff;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        is_last = atomicAdd(ticket, 1) == gridDim.x - 1;
    __syncthreads();
    if (is_last) {
        u32 sum = 0;
        for (u32 i = threadIdx.x; i < n_threads(); i += blockDim.x)
            sum += *(volatile u32 *)&values[i];
        out[n_threads() + 128 + threadIdx.x] = sum;
    }
}
