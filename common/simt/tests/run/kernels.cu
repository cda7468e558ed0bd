// Kernels for the simulator's own tests, each as small as what it shows. A comment at the end of a
// line, `@name`, is how a test refers to that line.

#include <assert.h>
#include <stdio.h>

extern "C" {

// --- plain work ---------------------------------------------------------------------------------

__global__ void add(const int *a, const int *b, int *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

__global__ void indices(unsigned *out) {
    unsigned in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned i = block * blockDim.x * blockDim.y * blockDim.z + in_block;
    out[i] = threadIdx.x | threadIdx.y << 8 | threadIdx.z << 16 | block << 24;
}

// One launch has one stride, so that the divergent branches of each can be told.
__global__ void add_neighbour(int *out, unsigned stride) {
    extern __shared__ int tile[];
    unsigned t = threadIdx.x;
    tile[t] = t;
    __syncthreads();
    if (t % (2 * stride) == 0) // @stride
        tile[t] += tile[t + stride];
    __syncthreads();
    out[t] = tile[t];
}

__global__ void countdown(int *out) {
    int t = threadIdx.x, rounds = 0;
    for (int k = t; k > 0; k -= 2) // @countdown
        rounds += out[k & 1] + 1;
    out[t] = rounds;
}

// Every thread goes its own way through loops, breaks and returns; the result is the way it went.
__global__ void wander(unsigned *out) {
    unsigned id = blockIdx.x * blockDim.x + threadIdx.x, x = id * 2654435761u + 12345u, way = 1;
    for (int i = 0; i < 20; i++) {
        x = x * 1664525u + 1013904223u;
        if ((x >> 28) == 0) {
            out[id] = way;
            return;
        }
        for (unsigned k = x >> 30; k > 0; k--) {
            x = x * 1664525u + 1013904223u;
            if ((x >> 27) % 5 == 0)
                break;
            if ((x >> 26) % 3 == 0)
                continue;
            do {
                way = way * 31 + k;
                x = x * 1664525u + 1013904223u;
            } while (x >> 31);
        }
        if ((x >> 29) == 3 && i > 10)
            goto done;
        way = way * 33 + ((x >> 25) % 2 ? 7 : __popc(x));
    }
    way ^= 0x5555;
done:
    out[id] = way + 1;
}

// --- barriers -----------------------------------------------------------------------------------

__global__ void barrier_in_branch(int *out) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = t;
    if (t % 2 == 0) {
        __syncthreads(); // @barrier_in_branch
        out[t] = tile[t + 1];
    }
}

__global__ void barrier_after_return(int *out, int n) {
    if (threadIdx.x >= n)
        return;
    out[threadIdx.x] = 1;
    __syncthreads(); // @barrier_after_return
    out[threadIdx.x] += 1;
}

__global__ void barriers_of_two_branches(int *out) {
    if (threadIdx.x < 32) {
        out[0] = 1;
        __syncthreads(); // @then
    } else {
        out[32] = 1;
        __syncthreads(); // @else
    }
    out[threadIdx.x] = 2;
}

__global__ void barrier_for_two_warps(int *out) {
    asm volatile("bar.sync 1, 64;" ::: "memory"); // @barrier_for_two_warps
    out[threadIdx.x] = 1;
}

// The first `early` threads leave before the others wait.
__global__ void barrier_after_leaving(int *out, int early) {
    if (threadIdx.x < early)
        return;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = 1;
}

// The second warp arrives and leaves; the first one waits for more than these.
__global__ void arrive_and_leave(int *out, int n) {
    if (threadIdx.x >= 32) {
        asm volatile("bar.arrive 1, 96;" ::: "memory");
        return;
    }
    asm volatile("bar.sync 1, 96;" ::: "memory"); // @arrive_and_leave
    out[threadIdx.x] = n;
}

__global__ void barrier_of_any_number(int *out, int id) {
    asm volatile("bar.sync %0;" ::"r"(id) : "memory"); // @barrier_of_any_number
    out[threadIdx.x] = 1;
}

__global__ void barrier_for_any_count(int *out, int n) {
    asm volatile("bar.sync 1, %0;" ::"r"(n) : "memory"); // @barrier_for_any_count
    out[threadIdx.x] = 1;
}

// Warp 0 fills a slot and arrives; warp 1 waits for it.
__global__ void producer(int *out) {
    __shared__ int slot[32];
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        slot[lane] = 3 * lane;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[lane] = slot[lane];
    }
}

__global__ void barrier_votes(int *out) {
    int t = threadIdx.x;
    out[3 * t] = __syncthreads_count(t % 3 == 0);
    out[3 * t + 1] = __syncthreads_and(t < 70);
    out[3 * t + 2] = __syncthreads_or(t == 69);
}

// --- progress -----------------------------------------------------------------------------------

__global__ void endless(int *out, int step) {
    for (int k = 1; k > 0; k ^= step) // @endless
        out[threadIdx.x] += k;
}

__global__ void endless_and_wrong(volatile int *out, int step) {
    for (int k = 1; k > 0; k ^= step)
        out[threadIdx.x + 64] = out[threadIdx.x] + k;
}

__global__ void one_block_is_endless(int *out, int n) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    out[at] = 1;
    for (int k = blockIdx.x == n; k > 0;) // @one_block_is_endless
        out[at] += k;
}

__global__ void go_round(int *out, int n) {
    int sum = 0;
    for (int k = 0; k < n; k++) // @go_round
        sum = sum * 3 ^ k;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void locked_add(int *lock, int *sum) {
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    *sum += threadIdx.x;
    __threadfence();
    atomicExch(lock, 0);
}

// A lock among the threads of one block.
__global__ void add_locked_in_the_block(int *lock, int *sum) {
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    *sum += threadIdx.x;   // @locked_in_the_block
    __threadfence_block(); // @fence_of_the_block
    atomicExch(lock, 0);
}

__global__ void unlocked_add(int *sum) {
    *sum += threadIdx.x; // @unlocked_add
}

__global__ void wait_for_last_warp(volatile int *flag, int *out) {
    if (threadIdx.x == blockDim.x - 1)
        *flag = 1;
    while (*flag == 0)
        ;
    out[threadIdx.x] = 1;
}

// Thread 0 spins until the second warp has run, so that the rest of its warp goes ahead of it.
__global__ void meet_at_a_sync(volatile int *flag, int *out) {
    if (threadIdx.x == 32)
        *flag = 1;
    if (threadIdx.x == 0)
        while (*flag == 0)
            ;
    __syncwarp();
    out[threadIdx.x] = 1; // @behind_the_sync
    __syncthreads();
    out[threadIdx.x] = 2; // @behind_the_barrier
}

// Each block but `first` waits for the block after it (step 1) or before it (step -1).
__global__ void wait_for_block(volatile int *flag, int *out, int first, int step) {
    if (threadIdx.x == 0) {
        if (blockIdx.x != first)
            while (flag[blockIdx.x + step] == 0) // @wait_for_block
                ;
        __threadfence();
        flag[blockIdx.x] = 1;
        out[blockIdx.x] = blockIdx.x;
    }
}

// Who takes the first ticket has something to do, and then stores how many others have come
// meanwhile; they wait for that.
__global__ void count_waiting(volatile int *places, int *n_waiting) {
    int *ticket = (int *)&places[0], *arrived = (int *)&places[1];

    if (threadIdx.x != 0)
        return;
    if (atomicAdd(ticket, 1) == 0) {
        for (int i = 0; i < 100; i++)
            places[3] = i;
        *n_waiting = atomicAdd(arrived, 0);
        __threadfence();
        places[2] = 1;
    } else {
        atomicAdd(arrived, 1);
        while (places[2] == 0)
            ;
    }
}

// Passed by data: block b adds to what block b + 1 wrote.
__global__ void sum_behind(volatile int *flag, int *sum) {
    if (threadIdx.x == 0) {
        int behind = 0;
        if (blockIdx.x + 1 < gridDim.x) {
            while (flag[blockIdx.x + 1] == 0)
                ;
            __threadfence();
            behind = sum[blockIdx.x + 1];
        }
        sum[blockIdx.x] = behind + blockIdx.x; // @sum_behind
        __threadfence();
        flag[blockIdx.x] = 1;
    }
}

__global__ void grid_barrier(unsigned *arrived, int *data, int *out) {
    __shared__ int kept[32];
    data[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x;
    kept[threadIdx.x] = threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1u);
        while (atomicAdd(arrived, 0u) < gridDim.x) // @grid_barrier
            ;
        __threadfence();
    }
    __syncthreads();
    unsigned next = (blockIdx.x + 1) % gridDim.x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = data[next * blockDim.x + threadIdx.x] + kept[threadIdx.x];
}

__global__ void wait_for_nobody(volatile int *flag, int *out) {
    while (*flag == 0) // @wait_for_nobody
        ;
    out[threadIdx.x] = 1;
}

__global__ void wait_for_a_while(volatile int *flag, int *out) {
    int rounds = 0;
    while (*flag == 0 && rounds < 5000)
        rounds++;
    out[threadIdx.x] = rounds;
}

// --- blocks that share ----------------------------------------------------------------------------

__global__ void copy_all(const int *in, int *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 3 * in[i]; // @copy_all
}

/* What is stored was made in several steps; another store has nothing to do with it. */
__global__ void makes_in_steps(const int *in, int *out) {
    __shared__ int tile[64];
    unsigned t = threadIdx.x;
    tile[t] = in[t] + 17;    // @step_written
    out[t + 64] = in[t] * 7; // @step_of_another
    __syncthreads();
    int sum = tile[63 - t] * 3; // @step_read
    if (in[65] > 5)             // @step_condition
        sum -= in[t] / 3;       // @step_last
    out[t] = sum;               // @step_stored
}

/* Blocks that run side by side read the same words, over and over. */
__global__ void all_read_all(const int *in, int *out, int n) {
    int sum = 0;
    for (int round = 0; round < n; round++)
        for (unsigned i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x)
            sum += in[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void copy_one(const int *in, int *out, int n) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = in[n];
}

__global__ void read_the_clock(const int *in, int *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + (int)clock();
}

__global__ void tree_sum(const int *in, int *out) {
    __shared__ int tile[1024];
    unsigned t = threadIdx.x;
    tile[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0 && t + stride < blockDim.x)
            tile[t] += tile[t + stride];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = tile[0];
}

__global__ void tree_sum_without_barrier(const int *in, int *out) {
    __shared__ int tile[1024];
    unsigned t = threadIdx.x;
    tile[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2)
        if (t % (2 * stride) == 0 && t + stride < blockDim.x)
            tile[t] += tile[t + stride];
    if (t == 0)
        out[blockIdx.x] = tile[0];
}

// Each block adds to what the block before it wrote, without waiting for it.
__global__ void hand_on(int *out) {
    if (threadIdx.x == 0)
        out[blockIdx.x + 1] = out[blockIdx.x] + 1; // @hand_on
}

// The blocks' parts of the output overlap in words, not in bytes.
__global__ void bytes_of_blocks(unsigned char *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i % 251;
}

__global__ void histogram(const int *in, int *bins) {
    __shared__ int counts[16];
    if (threadIdx.x < 16)
        counts[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&counts[in[blockIdx.x * blockDim.x + threadIdx.x] % 16], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

__global__ void one_block_traps(int *out, int n) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    if (blockIdx.x == n)
        out[-1000000] = 1; // @one_block_traps
}

__global__ void one_block_is_wrong(int *out, int n) {
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    if (blockIdx.x != n)
        __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x ^ 32]; // @one_block_is_wrong
}

/* What a block of the same multiprocessor left in shared and local memory. */
__global__ void left_over(int *out, int n) {
    __shared__ int tile[64];
    int mine[32];
    volatile int *here = tile + threadIdx.x, *own = mine + (threadIdx.x + n) % 32;
    out[blockIdx.x * blockDim.x + threadIdx.x] = *here + *own;
    *here = blockIdx.x + 1;
    *own = 1000;
}

/* … and in registers, that are read before they are written, here or in a function. */
__device__ __noinline__ int left_by_call(int n) {
    int found;
    asm volatile("{ .reg .b32 %%q; .reg .pred %%o; mov.b32 %0, %%q; @%%o add.s32 %0, %0, 1;\n\t"
                 "mov.b32 %%q, %1; setp.ne.s32 %%o, %1, 0; }"
                 : "=r"(found)
                 : "r"(n));
    return found;
}

__global__ void left_in_registers(int *out) {
    int found, half = threadIdx.x / 16 % 2, n = blockIdx.x + 1;
    asm volatile("{ .reg .b64 %%q; .reg .pred %%o; cvt.u32.u64 %0, %%q; @%%o add.s32 %0, %0, 1;\n\t"
                 "cvt.u64.u32 %%q, %1; setp.ne.s32 %%o, %1, 0; }"
                 : "=r"(found)
                 : "r"(n));
    if (half == blockIdx.x % 2) { /* the other half has not come here */
        int other;
        asm volatile("{ .reg .b32 %%q; mov.b32 %%q, %1;\n\t"
                     "shfl.sync.bfly.b32 %0, %%q, 16, 31, %2; }"
                     : "=r"(other)
                     : "r"(n), "r"(0xffff << 16 * half));
        found += other;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = found + left_by_call(n);
}

__global__ void half_written_ticket(unsigned long long *out) {
    *(int *)out = 0;
    out[1] = atomicAdd(out, 1); // @half_written
}

// --- races --------------------------------------------------------------------------------------

__global__ void no_barrier(int *out) {
    __shared__ int tile[128];
    int t = threadIdx.x;
    tile[t] = t;                // @no_barrier_write
    out[t] = tile[t ^ 64];      // @no_barrier_read
}

__global__ void one_barrier_a_turn(int *out) {
    __shared__ int tile[128];
    int t = threadIdx.x, sum = 0;
#pragma unroll 1
    for (int turn = 0; turn < 4; turn++) {
        tile[t] = turn;         // @turn_write
        __syncthreads();
        sum += tile[t ^ 64];    // @turn_read
    }
    out[t] = sum;
}

__global__ void one_barrier_an_unrolled_turn(int *out) {
    __shared__ int tile[128];
    int t = threadIdx.x, sum = 0;
#pragma unroll
    for (int turn = 0; turn < 4; turn++) {
        tile[t] = turn;         // @unrolled_write
        __syncthreads();
        sum += tile[t ^ 64];    // @unrolled_read
    }
    out[t] = sum;
}

__global__ void lockstep(int *out) {
    __shared__ int tile[32];
    int t = threadIdx.x;
    tile[t] = t;           // @lockstep_write
    out[t] = tile[t ^ 1];  // @lockstep_read
}

__global__ void with_syncwarp(int *out) {
    __shared__ int tile[32];
    int t = threadIdx.x;
    tile[t] = t;
    __syncwarp();
    out[t] = tile[t ^ 1];
}

// More syncs, each of which makes an access another one's past, than the shadow has numbers for.
__global__ void race_across_many_syncs(int *out) {
    __shared__ volatile int tile[64];
    int t = threadIdx.x;
    if (t >= 32) {
        tile[32] = t; // @many_syncs_write
    } else {
        int first = tile[32]; // @many_syncs_read
        for (int i = 0; i < 1100000; i++) {
            tile[t] = i;
            __syncwarp();
        }
        out[t] = first + tile[t ^ 1];
    }
}

__global__ void syncwarp_of_halves(int *out) {
    __shared__ int tile[32];
    int t = threadIdx.x;
    tile[t] = t;
    __syncwarp(t < 16 ? 0xffffu : 0xffff0000u);
    out[t] = tile[t ^ 1];
}

__global__ void syncwarp_of_halves_crossed(int *out) {
    __shared__ int tile[32];
    int t = threadIdx.x;
    tile[t] = t;
    __syncwarp(t < 16 ? 0xffffu : 0xffff0000u);
    out[t] = tile[t ^ 16]; // @crossed
}

// Hillis and Steele with only the first of the two barriers.
__global__ void scan_one_barrier(int *out) {
    __shared__ int tile[32];
    int t = threadIdx.x;
    tile[t] = 1;
    for (int d = 1; d < 32; d *= 2) {
        __syncthreads();
        int left = t >= d ? tile[t - d] : 0; // @scan_read
        tile[t] += left;                     // @scan_write
    }
    __syncthreads();
    out[t] = tile[t];
}

__global__ void scan_two_barriers(int *out) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = 1;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int left = t >= d ? tile[t - d] : 0;
        __syncthreads();
        tile[t] += left;
        __syncthreads();
    }
    out[t] = tile[t];
}

__global__ void same_flag(int *flag) {
    __shared__ int seen;
    seen = 1;
    __syncthreads();
    *flag = seen;
}

__global__ void different_values(int *out) {
    out[0] = threadIdx.x; // @different_values
}

__global__ void bytes_side_by_side(unsigned char *out) {
    __shared__ unsigned char tile[64];
    tile[threadIdx.x] = threadIdx.x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

__global__ void blocks_share(int *out) {
    if (threadIdx.x == 0)
        out[0] += 1; // @blocks_share
}

__global__ void upper_half(int *out) {
    if (threadIdx.x >= 16)
        out[threadIdx.x - 16] += 1;
}

__global__ void blocks_add(int *out) {
    if (threadIdx.x == 0)
        atomicAdd(out, 1);
}

__global__ void atomic_and_plain(int *out) {
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, 1); // @atomic
    out[threadIdx.x] = sum; // @plain
}

// The last block to finish sums what all blocks wrote.
__global__ void last_block(int *partial, unsigned *ticket, int *out, int fence) {
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = blockIdx.x;
        if (fence)
            __threadfence();
        is_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x < gridDim.x)
        atomicAdd(out, partial[threadIdx.x]); // @last_block
}

// Lanes of warp 0 write, lane 0 raises a flag; lane 0 of warp 1 waits for it, its lanes read.
__global__ void hand_to_next_warp(int *data, volatile int *flag, int *out, int sync) {
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        data[lane] = lane + 1;
        __syncwarp();
        __threadfence();
        if (lane == 0)
            *flag = 1;
    } else {
        if (lane == 0)
            while (*flag == 0)
                ;
        if (sync)
            __syncwarp();
        out[lane] = data[31 - lane]; // @handed
    }
}

// --- memory -------------------------------------------------------------------------------------

__global__ void read_unwritten_shared(int *out) {
    __shared__ int tile[64];
    if (threadIdx.x < 32)
        tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x]; // @unwritten_shared
}

// The second half of the tile is never written: its first half gets what is made of it.
__global__ void add_unwritten_shared(int *out) {
    __shared__ int tile[64];
    if (threadIdx.x < 32)
        tile[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x < 32)
        tile[threadIdx.x] += tile[threadIdx.x + 32];
    __syncthreads();
    if (threadIdx.x < 32)
        out[threadIdx.x] = tile[threadIdx.x] * 2; // @made_of_unwritten
}

__global__ void copy(const int *in, int *out) {
    out[threadIdx.x] = in[threadIdx.x]; // @copy
}

// A page of the host a thread.
__global__ void touch_pages(char *out) {
    out[(size_t)(blockIdx.x * blockDim.x + threadIdx.x) << 12] = 1; // @page
}

__global__ void read_at(const int *in, int *out, long long index) {
    out[0] = in[index];
}

// The same by a pointer that a loop moves on.
__global__ void walk_to(const int *in, int *out, long long index) {
    const int *at = in;
    int sum = 0;
    for (long long i = 0; i <= index; i += index) {
        sum += *at;
        at += index;
    }
    out[0] = sum;
}

__global__ void read_by_table(const int *const *table, int *out, long long index) {
    out[0] = table[0][index];
}

// A word a thread, of more than there is memory for.
__global__ void number_blocks(const int *in, int *out) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + blockIdx.x + 1; // @number
}

__global__ void write_past_the_end(int *out, int n) {
    if (threadIdx.x <= n)
        out[threadIdx.x] = 1; // @past_the_end
}

__global__ void read_past_shared(int *out) {
    extern __shared__ int tile[];
    out[threadIdx.x] = tile[threadIdx.x + 1]; // @past_shared
}

__global__ void misaligned(const char *in, int *out) {
    out[threadIdx.x] = *(const int *)(in + threadIdx.x); // @misaligned
}

// The address of thread t's word, in units of 4, 8 or 16 bytes, is t * stride.
__global__ void banks4(int *out, int stride) {
    extern __shared__ int words[];
    words[threadIdx.x * stride] = 1; // @banks4
}

__global__ void banks8(long long *out, int stride) {
    extern __shared__ long long pairs[];
    pairs[threadIdx.x * stride] = 1; // @banks8
}

__global__ void banks16(int4 *out, int stride) {
    extern __shared__ int4 quads[];
    quads[threadIdx.x * stride] = make_int4(1, 2, 3, 4); // @banks16
}

__global__ void sectors4(const int *in, int *out, int stride, int offset) {
    int v = in[threadIdx.x * stride + offset]; // @sectors4
    if (v == 12345)
        out[0] = v;
}

__global__ void copy_quads(const int4 *in, int4 *out) {
    int4 v = in[threadIdx.x]; // @quads
    v.x += 1;
    v.w += 2;
    out[threadIdx.x] = v;
}

__global__ void narrow(const signed char *c, const unsigned short *s, const long long *l, int *out) {
    int t = threadIdx.x;
    out[3 * t] = c[t];
    out[3 * t + 1] = s[t];
    out[3 * t + 2] = (int)(l[t] >> 32);
}

__global__ void in_local_memory(int *out, int k) {
    int row[8];
    for (int i = 0; i < 8; i++)
        row[(i * k) % 8] = threadIdx.x + i;
    out[threadIdx.x] = row[k % 8];
}

__device__ int table[4] = {10, 20, 30, 40};
__constant__ int factor = 3;
__global__ void variables(int *out) {
    out[threadIdx.x] = table[threadIdx.x % 4] * factor;
}

// --- atomics ------------------------------------------------------------------------------------

__global__ void atomics32(int *s, unsigned *u, float *f) {
    int t = threadIdx.x;
    atomicAdd(&s[0], t - 3);
    atomicSub(&s[1], t);
    atomicMin(&s[2], 5 - t);
    atomicMax(&s[3], t - 7);
    atomicMin(&u[0], 40u - t);
    atomicMax(&u[1], t + 0x80000000u);
    atomicAnd(&u[2], ~(1u << t));
    atomicOr(&u[3], 1u << t);
    atomicXor(&u[4], 1u << t);
    atomicInc(&u[5], 9u);
    atomicDec(&u[6], 9u);
    atomicExch(&u[7], 77u);
    atomicCAS(&u[8], (unsigned)t, (unsigned)t + 1);
    atomicDec(&u[9], 9u);
    atomicAdd(f, 0.5f);
}

__global__ void atomics64(unsigned long long *u, long long *s, double *d) {
    int t = threadIdx.x;
    atomicAdd(&u[0], 1ull << 40);
    atomicMin(&s[0], (long long)-t);
    atomicMax(&s[1], (long long)t - 1);
    atomicAnd(&u[1], ~(1ull << (t + 16)));
    atomicOr(&u[2], 1ull << (t + 16));
    atomicXor(&u[3], 1ull << (t + 16));
    atomicExch(&u[4], 1ull << 50);
    atomicCAS(&u[5], (unsigned long long)t, t + 1ull);
    atomicAdd(d, 0.25);
}

// --- lanes together -----------------------------------------------------------------------------

__global__ void shuffle_sum(int *out) {
    int v = threadIdx.x;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d); // @shuffle_sum
    out[threadIdx.x] = v;
}

__global__ void shuffle_from_inactive(int *out) {
    int v = threadIdx.x;
    if (threadIdx.x < 16)
        out[threadIdx.x] = __shfl_down_sync(0x0000ffffu, v, 8); // @inactive
}

// Both sides of the branch come to a sync of their own; all lanes are named.
__global__ void syncs_of_two_branches(int *out) {
    __shared__ int tile[32];
    int t = threadIdx.x;
    tile[t] = t;
    if (t < 16) {
        __syncwarp();
        out[t] = tile[t + 16];
    } else {
        __syncwarp();
        out[t] = tile[t - 16];
    }
}

__global__ void ballots(unsigned *out) {
    int t = threadIdx.x;
    unsigned group = t % 2 ? 0xaaaaaaaau : 0x55555555u;
    out[t] = __ballot_sync(group, t < 10); // @ballots
}

// Lanes 0 to 7 call with one mask; the others wait at the barrier for them.
__global__ void two_masks(int *out, unsigned first) {
    int v = threadIdx.x;
    if (v < 8)
        v += __shfl_sync(first, v, 0); // @two_masks_first
    __syncthreads(); // @two_masks_rest
    out[threadIdx.x] = v;
}

__global__ void trapped(int n) {
    if (threadIdx.x == n)
        __trap(); // @trapped
}

__global__ void asserting(int *out, int n) {
    assert(threadIdx.x != n); // @asserting
    out[threadIdx.x] = 1;
}

// Kernels that call the runtime's functions, in every block.

__global__ void all_assert(int *out, int n) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    assert(threadIdx.x > n); // @all_assert
}

__global__ void one_block_asserts(int *out, int n) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    assert(blockIdx.x != n); // @one_block_asserts
}

__global__ void all_trap(int *out, int n) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    if (threadIdx.x < n)
        __trap(); // @all_trap
}

__global__ void all_print(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = printf("%d of %s: %d\n", i, "all", n);
}

__global__ void all_allocate(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int *p = (int *)malloc(4 * sizeof(int));
    p[1] = i;
    out[i] = p[1] + n;
    free(p);
}

__global__ void all_leak(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int *p = (int *)malloc(4096);
    out[i] = p != NULL;
    if (i % 2 && p)
        free(p);
}

__global__ void first_block_clears(int *out) {
    if (blockIdx.x == 0 && threadIdx.x == 0)
        out[0] = 0; // @first_block_clears
    __syncthreads();
    atomicAdd(out, 1);
}

__global__ void all_free_wrongly(int *out, int n) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    free(out + n); // @all_free_wrongly
}

__device__ void *(*allocators[1])(size_t) = {malloc};
__global__ void all_allocate_indirectly(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = allocators[n * 0](4096) != NULL;
}

__global__ void multiplying_matrices() {
    asm volatile("{ .reg .b32 %q<5>; mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%q1,%q2,%q3,%q4}, {%q1,%q2}, {%q1,%q2}, {%q1,%q2,%q3,%q4}; }");
}
}

// The elements of lanes that are off would lie before the buffer.
extern "C" __global__ void last_lane_adds(const int *in, int *out)
{
    if (threadIdx.x == 31)
        out[0] += in[0];
}
