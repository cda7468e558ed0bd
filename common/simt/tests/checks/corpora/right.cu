// Kernels that are right, and that a careless check would blame. Launched as those of wrong.cu.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

#define KERNEL(name) extern "C" __global__ void name(int *a, int *b, int *u)

KERNEL(read_only_path_of_what_is_only_read) {
    int t = blockIdx.x * 64 + threadIdx.x;
    b[t] = __ldg(&a[t]) + __ldg(&a[t ^ 1]);
}

KERNEL(lanes_that_left_before_the_sync_are_not_named) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    if (t >= 16)
        return;
    tile[t] = a[t];
    __syncwarp(0xffffu);
    b[blockIdx.x * 64 + t] = tile[t ^ 1];
}

KERNEL(tree_of_neighbours) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = a[t];
    __syncthreads();
    for (int stride = 1; stride < 64; stride *= 2) {
        if (t % (2 * stride) == 0)
            tile[t] += tile[t + stride];
        __syncthreads();
    }
    if (t == 0)
        b[blockIdx.x] = tile[0];
}

KERNEL(tree_with_a_last_warp) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = a[t];
    __syncthreads();
    if (t < 32) {
        for (int stride = 32; stride > 0; stride /= 2) {
            int v = tile[t] + tile[(t + stride) % 64];
            __syncwarp();
            tile[t] = v;
            __syncwarp();
        }
        if (t == 0)
            b[blockIdx.x] = tile[0];
    }
}

// Lanes 4 to 7 ask lanes that take no part, and hand on what they get; lane 0 never asks them.
KERNEL(sum_of_eight_lanes) {
    int lane = threadIdx.x % 32, v = a[threadIdx.x];
    if (lane < 8) {
        for (int d = 4; d > 0; d /= 2)
            v += __shfl_down_sync(0xffu, v, d);
        if (lane == 0)
            b[blockIdx.x * 2 + threadIdx.x / 32] = v;
    }
}

KERNEL(discards_what_an_absent_lane_gives) {
    int lane = threadIdx.x % 32, v = a[threadIdx.x];
    if (lane < 20) {
        for (int d = 16; d > 0; d /= 2) {
            int other = __shfl_down_sync(0xfffffu, v, d);
            v += lane + d < 20 ? other : 0;
        }
        b[blockIdx.x * 64 + threadIdx.x] = v;
    }
}

KERNEL(sum_by_shuffles) {
    __shared__ int sums[2];
    int v = a[threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&b[0], sums[0] + sums[1]);
}

KERNEL(scan_with_two_buffers) {
    __shared__ int tile[2][64];
    int t = threadIdx.x, from = 0;
    tile[0][t] = a[t];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        tile[1 - from][t] = tile[from][t] + (t >= d ? tile[from][t - d] : 0);
        from = 1 - from;
        __syncthreads();
    }
    b[blockIdx.x * 64 + t] = tile[from][t];
}

KERNEL(transpose) {
    __shared__ int tile[8][9];
    int x = threadIdx.x % 8, y = threadIdx.x / 8;
    tile[y][x] = a[threadIdx.x];
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = tile[x][y];
}

KERNEL(bins_in_shared_memory) {
    __shared__ int bins[8];
    if (threadIdx.x < 8)
        bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[a[threadIdx.x] % 8], 1);
    __syncthreads();
    if (threadIdx.x < 8)
        atomicAdd(&b[threadIdx.x], bins[threadIdx.x]);
}

KERNEL(lock_with_fences) {
    while (atomicCAS(&b[0], 0, 1) != 0)
        ;
    __threadfence();
    b[1] += 1;
    __threadfence();
    atomicExch(&b[0], 0);
}

// Scopes of a block, where one block is all that takes part.
KERNEL(each_block_has_a_lock_of_its_own) {
    while (atomicCAS_block(&b[2 * blockIdx.x], 0, 1) != 0)
        ;
    __threadfence_block();
    b[2 * blockIdx.x + 1] += 1;
    __threadfence_block();
    atomicExch_block(&b[2 * blockIdx.x], 0);
}

KERNEL(each_block_counts_for_itself) {
    atomicAdd_block(&b[blockIdx.x], 1);
    atomicAdd(&b[blockIdx.x], 1);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&b[2], b[blockIdx.x]);
}

// A fence of the block takes nothing from the wider one before or behind it.
KERNEL(lock_with_fences_of_both_scopes) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&b[0], 0, 1) != 0)
            ;
        __threadfence_block();
        __threadfence();
        b[1] += 1;
        __threadfence();
        __threadfence_block();
        atomicExch(&b[0], 0);
    }
}

// The block's threads have narrow fences, and who tells the other block has a wide one.
KERNEL(one_thread_fences_for_the_device) {
    __shared__ int last;
    b[64 + blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
    __threadfence_block();
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(&b[0], 1) == 1;
    }
    __syncthreads();
    if (last)
        u[threadIdx.x] = b[64 + threadIdx.x] + b[128 + threadIdx.x];
}

KERNEL(block_hands_on) {
    volatile int *flag = b;
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        a[100] = 7;
        __threadfence();
        *flag = 1;
    } else if (threadIdx.x == 0) {
        while (*flag == 0)
            ;
        __threadfence();
        b[1] = a[100];
    }
}

KERNEL(block_hands_on_volatile_data) {
    volatile int *data = b, *flag = b + 1;
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        *data = 7;
        __threadfence();
        *flag = 1;
    } else if (threadIdx.x == 0) {
        while (*flag == 0)
            ;
        b[2] = *data;
    }
}

// Each word says what it holds, as those of a look-back do: their order does not matter.
KERNEL(words_that_speak_for_themselves) {
    volatile int *state = b;
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        for (int tile = 0; tile < 4; tile++)
            state[tile] = 1;
        state[4] = 2;
        return;
    }
    int sum = 0;
    for (int tile = 4; tile >= 0; tile--) {
        int seen;
        while ((seen = state[tile]) == 0)
            ;
        sum += seen;
    }
    b[8] = sum;
}

// The ticket says nothing of the word: who needs that looks at it until it is there.
KERNEL(ticket_behind_a_polled_word) {
    volatile int *word = b + 1;
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0)
        *word = 7;
    u[blockIdx.x] = atomicAdd(&b[0], 1);
    int seen;
    while ((seen = *word) == 0)
        ;
    u[2 + blockIdx.x] = seen;
}

// The same in a loop that asks again at the same place, or goes on to the next.
KERNEL(ticket_behind_words_polled_in_one_loop) {
    volatile int *words = b + 1;
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0)
        for (int i = 0; i < 4; i++)
            words[i] = i + 1;
    u[blockIdx.x] = atomicAdd(&b[0], 1);
    int sum = 0;
    for (long long at = 3;;) {
        const int seen = words[at];
        if (seen == 0)
            continue;
        sum += seen;
        if (seen == 1)
            break;
        at -= 1;
    }
    u[2 + blockIdx.x] = sum;
}

KERNEL(last_block_sums_volatile_data) {
    __shared__ int last;
    volatile int *partial = b + 1;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = blockIdx.x + 1;
        __threadfence();
        last = atomicAdd(&b[0], 1) == 1;
    }
    __syncthreads();
    if (last && threadIdx.x < 2)
        u[threadIdx.x] = partial[threadIdx.x];
}

KERNEL(last_block_sums) {
    __shared__ int last;
    if (threadIdx.x == 0) {
        b[1 + blockIdx.x] = blockIdx.x + 1;
        __threadfence();
        last = atomicAdd(&b[0], 1) == 1;
    }
    __syncthreads();
    if (last && threadIdx.x < 2)
        u[threadIdx.x] = b[1 + threadIdx.x];
}

KERNEL(two_buffers_in_turn) {
    __shared__ int tile[2][64];
    int t = threadIdx.x, sum = 0;
    for (int round = 0; round < 4; round++) {
        tile[round % 2][t] = a[round * 64 + t];
        __syncthreads();
        sum += tile[round % 2][63 - t];
    }
    b[blockIdx.x * 64 + t] = sum;
}

KERNEL(producer_and_consumer) {
    __shared__ int slot[32];
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        slot[lane] = a[lane];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        b[blockIdx.x * 32 + lane] = slot[31 - lane];
    }
}

KERNEL(warps_on_their_own) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = t;
    __syncwarp();
    b[blockIdx.x * 64 + t] = tile[t ^ 1];
}

KERNEL(tiles_of_a_group) {
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    __shared__ int words[64];
    words[threadIdx.x] = a[threadIdx.x];
    tile.sync();
    int v = words[threadIdx.x ^ 15];
    for (int d = tile.size() / 2; d > 0; d /= 2)
        v += tile.shfl_down(v, d);
    block.sync();
    b[blockIdx.x * 64 + threadIdx.x] = v;
}

KERNEL(reduce_of_a_group) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int sum = cg::reduce(warp, a[threadIdx.x], cg::plus<int>());
    if (warp.thread_rank() == 0)
        atomicAdd(&b[0], sum);
}

KERNEL(coalesced_group) {
    if (a[threadIdx.x] % 3 == 0) {
        auto active = cg::coalesced_threads();
        int first = 0;
        if (active.thread_rank() == 0)
            first = atomicAdd(&b[0], (int)active.size());
        first = active.shfl(first, 0);
        u[first + active.thread_rank()] = a[threadIdx.x];
    }
}

KERNEL(a_flag_that_many_set) {
    if (a[threadIdx.x] > 10)
        b[0] = 1;
}

KERNEL(bytes_side_by_side) {
    ((char *)b)[blockIdx.x * 64 + threadIdx.x] = a[threadIdx.x];
}

KERNEL(quads) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < 64) {
        int4 v = ((int4 *)a)[i];
        v.x += v.w;
        ((int4 *)b)[i] = v;
    }
}

KERNEL(warps_that_leave_early) {
    if (threadIdx.x >= 32)
        return;
    __syncwarp();
    b[blockIdx.x * 32 + threadIdx.x] = __shfl_xor_sync(0xffffffffu, a[threadIdx.x], 1);
}

KERNEL(halo) {
    __shared__ int tile[66];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    tile[t + 1] = a[i];
    if (t == 0)
        tile[0] = i > 0 ? a[i - 1] : 0;
    if (t == 63)
        tile[65] = a[i + 1];
    __syncthreads();
    b[i] = tile[t] + tile[t + 1] + tile[t + 2];
}

KERNEL(blocks_meet) {
    a[blockIdx.x * 64 + threadIdx.x] = blockIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&b[0], 1);
        while (atomicAdd(&b[0], 0) < 2)
            ;
        __threadfence();
    }
    __syncthreads();
    b[1 + blockIdx.x * 64 + threadIdx.x] = a[(1 - blockIdx.x) * 64 + threadIdx.x];
}

// Reads an element past the tile, as merges do, and never uses it.
KERNEL(merge_past_the_end) {
    __shared__ int tile[65];
    int t = threadIdx.x;
    tile[t] = a[t];
    __syncthreads();
    int mine = tile[t], next = tile[t + 1];
    bool takes_next = t + 1 < 64 && next < mine;
    b[blockIdx.x * 64 + t] = takes_next ? next : mine;
}

// Moves what nobody wrote from place to place, and uses what somebody wrote.
KERNEL(holes_moved_along) {
    __shared__ int from[128], to[128];
    int t = threadIdx.x;
    if (t % 4 == 0)
        from[t] = t;
    __syncthreads();
    to[t] = from[t];
    __syncthreads();
    if (t % 4 == 0)
        b[blockIdx.x * 64 + t] = to[t];
}

// What each block adds up to, handed from block to block.
KERNEL(look_back) {
    volatile int *state = b + 128;
    int *sums = b + 130;
    __shared__ int before;
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < 64; i++)
            sum += a[blockIdx.x * 64 + i];
        before = 0;
        if (blockIdx.x > 0) {
            while (state[blockIdx.x - 1] == 0)
                ;
            __threadfence();
            before = sums[blockIdx.x - 1];
        }
        sums[blockIdx.x] = before + sum;
        __threadfence();
        state[blockIdx.x] = 1;
    }
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = before;
}

struct padded {
    char tag;
    int value;
};

KERNEL(padding_copied) {
    __shared__ padded tile[64];
    int t = threadIdx.x;
    tile[t].tag = (char)t;
    tile[t].value = a[t];
    __syncthreads();
    padded mine = tile[63 - t];
    b[blockIdx.x * 64 + t] = mine.value + mine.tag;
}

KERNEL(halves_of_a_vector) {
    __shared__ int4 tile[16];
    int t = threadIdx.x;
    ((int *)tile)[t] = a[t];
    __syncthreads();
    int4 quad = tile[t / 4];
    __syncthreads();
    ((short *)tile)[t] = (short)quad.x;
    ((short *)tile)[t + 64] = (short)quad.w;
    __syncthreads();
    b[blockIdx.x * 64 + t] = ((int *)tile)[t];
}

// One warp loads while the other one works: two buffers, two pairs of named barriers.
KERNEL(warps_with_roles) {
    __shared__ int buffer[2][32];
    int lane = threadIdx.x % 32, sum = 0;
    for (int round = 0; round < 4; round++) {
        int full = 1 + round % 2, empty = 3 + round % 2;
        if (threadIdx.x < 32) {
            if (round >= 2)
                asm volatile("bar.sync %0, 64;" ::"r"(empty) : "memory");
            buffer[round % 2][lane] = a[round * 32 + lane];
            asm volatile("bar.arrive %0, 64;" ::"r"(full) : "memory");
        } else {
            asm volatile("bar.sync %0, 64;" ::"r"(full) : "memory");
            sum += buffer[round % 2][31 - lane];
            if (round < 2)
                asm volatile("bar.arrive %0, 64;" ::"r"(empty) : "memory");
        }
    }
    if (threadIdx.x >= 32)
        b[blockIdx.x * 32 + lane] = sum;
}

// Each thread reads its neighbours' elements of an array in global memory, then all write.
KERNEL(step_of_a_stencil) {
    int t = threadIdx.x, *row = a + blockIdx.x * 64;
    for (int step = 0; step < 3; step++) {
        int sum = row[t ? t - 1 : 0] + row[t] + row[t < 63 ? t + 1 : 63];
        __syncthreads();
        row[t] = sum;
        __syncthreads();
    }
}

// Readers of other threads before, and of the writer itself after the barrier.
KERNEL(turns_of_an_owner) {
    int t = threadIdx.x, *row = a + blockIdx.x * 64, sum = 0;
    for (int round = 0; round < 4; round++) {
        sum += row[(t + round) % 64];
        __syncthreads();
        if (t % 4 == round)
            row[t] = row[t] * 2;
        __syncthreads();
    }
    b[blockIdx.x * 64 + t] = sum;
}

KERNEL(lock_of_many_words) {
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&b[0], 0, 1) != 0)
            ;
        __threadfence();
        for (int i = 1; i < 9; i++)
            b[i] += i;
        __threadfence();
        atomicExch(&b[0], 0);
    }
}

KERNEL(counter_that_wraps) {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        b[64 + blockIdx.x] = blockIdx.x;
        __threadfence();
        is_last = atomicInc((unsigned *)&b[0], gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0)
        b[1] = b[64] + b[65];
}

KERNEL(word_that_two_warps_read_is_written_after_a_barrier) {
    int t = threadIdx.x, *word = &b[blockIdx.x];
    if (t == 0)
        *word = 7;
    __syncthreads();
    if (t % 32 == 1)
        b[64 + 2 * blockIdx.x + t / 32] = *word;
    __syncthreads();
    if (t == 2)
        *word = 8;
}

KERNEL(word_that_one_warp_reads_is_written_by_it) {
    int t = threadIdx.x, *word = &b[blockIdx.x];
    if (t == 0)
        *word = 7;
    __syncthreads();
    if (t >= 32) {
        b[64 + 32 * blockIdx.x + t - 32] = *word;
        __syncwarp();
        if (t == 34)
            *word = 8;
    }
}

/* The warp that has read a word hands it over to the other one, which goes on later. */
KERNEL(word_that_two_warps_read_is_handed_over) {
    int t = threadIdx.x, *word = &b[blockIdx.x], *flag = &b[2 + blockIdx.x];
    if (t == 0)
        *word = 7;
    __syncthreads();
    if (t % 32 == 1)
        b[64 + 2 * blockIdx.x + t / 32] = *word;
    __syncwarp();
    if (t == 33) {
        __threadfence();
        atomicExch(flag, 1);
    } else if (t == 2) {
        while (atomicAdd(flag, 0) == 0)
            ;
        __threadfence();
        *word = 8;
    }
}

// --- plain reads that only a compare-and-swap gets to see ---------------------------------------

// Up to compute capability 8.9 these are loops in NVIDIA's headers, which begin with a plain read.
KERNEL(sums_of_bfloats) {
    atomicAdd((__nv_bfloat162 *)b, __floats2bfloat162_rn(1, 2));
    b[64 + threadIdx.x + blockIdx.x * 64] = 1;
}

KERNEL(old_values_of_sums_of_bfloats) {
    __nv_bfloat162 old = atomicAdd((__nv_bfloat162 *)b, __floats2bfloat162_rn(1, 2));
    ((__nv_bfloat162 *)b)[64 + threadIdx.x + blockIdx.x * 64] = old;
}

KERNEL(sum_of_single_bfloats) {
    atomicAdd((__nv_bfloat16 *)b, __float2bfloat16(1));
}

KERNEL(sums_of_halves) {
    atomicAdd((__half2 *)b, __floats2half2_rn(1, 2));
    atomicAdd((__half *)(b + 1), __float2half(1));
}

KERNEL(sum_of_bfloats_in_shared_memory) {
    __shared__ unsigned sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd((__nv_bfloat162 *)&sum, __floats2bfloat162_rn(1, 2));
    __syncthreads();
    if (threadIdx.x == 0)
        b[blockIdx.x] = (int)sum;
}

// As in the CUDA C++ Programming Guide, for devices without an atomicAdd() of doubles.
KERNEL(sum_of_doubles_by_a_loop) {
    unsigned long long *word = (unsigned long long *)b, old = *word, assumed;
    do {
        assumed = old;
        old = atomicCAS(word, assumed,
                        (unsigned long long)__double_as_longlong(
                            threadIdx.x + __longlong_as_double((long long)assumed)));
    } while (assumed != old);
}
