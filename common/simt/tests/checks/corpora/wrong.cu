// Kernels that each make one classic mistake. A line with `// @kind` is a side of the finding of
// that kind that the simulator has to make; it must make no other, but those of a second @kind. All
// run as 2 blocks of 64 threads with 1 KiB of dynamic shared memory; a holds 0 … 255, b 256 zeros,
// and nobody wrote u. Mistakes with asynchronous copies are in wrong_copies.cu.

extern "C" {

#define KERNEL(name) __global__ void name(int *a, int *b, int *u)

// --- two threads, one word of shared memory, nothing between ------------------------------------

KERNEL(no_barrier_before_reading) {
    __shared__ int tile[64];
    tile[threadIdx.x] = a[threadIdx.x];                              // @shared_race
    b[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];       // @shared_race @uninitialised
}

KERNEL(word_that_its_warp_reads_is_written_by_the_first_lane) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = a[t];
    __syncthreads();
    if (t < 32) {
        b[t] = tile[0];  // @shared_race
        if (t == 0)
            tile[0] = 5; // @shared_race
    }
}

KERNEL(words_that_both_warps_read_are_written_by_one) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = a[t];
    __syncthreads();
    if (t >= 32) { // runs first
        b[t] = tile[t - 32];                     // @shared_race
    } else {
        int sum = tile[t] + tile[t + 1];
        __syncwarp();
        if (t > 0)
            tile[t] = sum;                       // @shared_race
    }
}

KERNEL(tree_without_barrier) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = a[t];
    __syncthreads();
    for (int stride = 32; stride > 0; stride /= 2)
        if (t < stride)
            tile[t] += tile[t + stride]; // @shared_race
    if (t == 0)
        b[blockIdx.x] = tile[0];
}

KERNEL(barrier_only_before_the_tree) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = a[t];
    for (int stride = 1; stride < 64; stride *= 2) {
        __syncthreads();
        if (t % (2 * stride) == 0)
            tile[t] += tile[t + stride]; // @shared_race
    }
    b[blockIdx.x * 64 + t] = tile[0];    // @shared_race
}

KERNEL(scan_in_place) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = 1;
    for (int d = 1; d < 64; d *= 2) {
        __syncthreads();
        int left = t >= d ? tile[t - d] : 0; // @shared_race
        tile[t] += left;                     // @shared_race
    }
    __syncthreads();
    b[blockIdx.x * 64 + t] = tile[t];
}

KERNEL(one_buffer_for_two_rounds) {
    __shared__ int tile[64];
    int t = threadIdx.x, sum = 0;
    for (int round = 0; round < 4; round++) {
        tile[t] = a[round * 64 + t]; // @shared_race
        __syncthreads();
        sum += tile[63 - t];         // @shared_race
    }
    b[blockIdx.x * 64 + t] = sum;
}

KERNEL(warp_without_syncwarp) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = t;             // @shared_race
    b[blockIdx.x * 64 + t] = tile[t ^ 1]; // @shared_race
}

KERNEL(count_without_atomics) {
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    if (threadIdx.x % 8 == 0)
        count += threadIdx.x; // @shared_race
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = count;
}

KERNEL(first_thread_tells_all) {
    __shared__ int size;
    if (threadIdx.x == 0)
        size = a[5];              // @shared_race
    b[blockIdx.x * 64 + threadIdx.x] = size * 2; // @shared_race @uninitialised
}

KERNEL(atomic_then_plain) {
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, 1); // @shared_race
    b[blockIdx.x * 64 + threadIdx.x] = sum; // @shared_race
}

KERNEL(clears_and_adds_first) {
    __shared__ int sum;
    if (threadIdx.x == 0) {
        sum = 0; // @shared_race
        atomicAdd(&sum, 5);
    }
    __syncwarp();
    atomicAdd(&sum, 1); // @shared_race
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = sum;
}

KERNEL(transpose_without_barrier) {
    __shared__ int tile[8][9];
    int x = threadIdx.x % 8, y = threadIdx.x / 8;
    tile[y][x] = a[threadIdx.x];                          // @shared_race
    b[blockIdx.x * 64 + threadIdx.x] = tile[x][y];        // @shared_race @uninitialised
}

KERNEL(one_of_two_readers_writes_shared_memory) {
    __shared__ int tile[64];
    int t = threadIdx.x, i = a[5];
    tile[t] = t;
    __syncthreads();
    if (t % 32 == 1)
        b[64 + 2 * blockIdx.x + t / 32] = tile[i]; // @shared_race
    if (t == 1)
        tile[i] = 8;                               // @shared_race
}

KERNEL(one_thread_reads_and_another_writes) {
    __shared__ int tile[64];
    int t = threadIdx.x, i = a[5];
    tile[t] = t;
    __syncthreads();
    if (t == 33)
        b[blockIdx.x] = tile[i]; // @shared_race
    if (t == 1)
        tile[i] = 8;             // @shared_race
}

KERNEL(one_thread_writes_for_another) {
    __shared__ int tile[64];
    int t = threadIdx.x, i = a[5];
    tile[t] = t;
    __syncthreads();
    if (t == 33)
        tile[i] = 8;             // @shared_race
    if (t == 1)
        b[blockIdx.x] = tile[i]; // @shared_race
}

// --- two threads, one word of global memory -----------------------------------------------------

KERNEL(blocks_write_the_same) {
    if (threadIdx.x == 0)
        b[0] = blockIdx.x; // @global_race
}

KERNEL(read_only_path_of_what_is_written) {
    int t = blockIdx.x * 64 + threadIdx.x;
    b[t] = a[t]; // @global_race
    __syncthreads();
    u[t] = __ldg(&b[t ^ 1]); // @global_race
}

KERNEL(sum_without_atomics) {
    b[0] += threadIdx.x; // @global_race
}

KERNEL(shift_in_place) {
    int i = blockIdx.x * 64 + threadIdx.x;
    a[i] = a[i + 1]; // @global_race
}

KERNEL(bins_without_atomics) {
    b[a[threadIdx.x] % 8] += threadIdx.x; // @global_race
}

KERNEL(first_block_clears_the_sum) {
    if (blockIdx.x == 0 && threadIdx.x == 0)
        b[0] = 0; // @global_race
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&b[0], a[blockIdx.x]); // @global_race
}

KERNEL(first_block_clears_for_another_warp) {
    if (blockIdx.x == 0 && threadIdx.x == 0)
        b[0] = 0; // @global_race
    __syncthreads();
    if (threadIdx.x == 40)
        atomicAdd(&b[0], a[blockIdx.x]); // @global_race
}

KERNEL(read_of_what_others_add_to) {
    atomicAdd(&b[0], 1); // @global_race
    b[threadIdx.x + blockIdx.x * 64 + 1] = b[0]; // @global_race
}

KERNEL(result_of_the_other_block) {
    int i = blockIdx.x * 64 + threadIdx.x;
    b[i] = a[i];                          // @global_race
    __syncthreads();
    int other = b[(i + 64) % 128];        // @global_race
    u[i] = other;
}

KERNEL(flag_without_fence) {
    volatile int *flag = b;
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        a[100] = 7;         // @global_race
        *flag = 1;
    } else if (threadIdx.x == 0) {
        while (*flag == 0)
            ;
        b[1] = a[100];      // @global_race
    }
}

KERNEL(ticket_without_fence) {
    __shared__ int last;
    if (threadIdx.x == 0) {
        b[1 + blockIdx.x] = blockIdx.x + 1;      // @global_race
        last = atomicAdd(&b[0], 1) == 1;
    }
    __syncthreads();
    if (last && threadIdx.x < 2)
        u[threadIdx.x] = b[1 + threadIdx.x];     // @global_race
}

// The plain read decides more than what a compare-and-swap of the same word may store.
KERNEL(largest_by_a_loop_that_may_not_begin) {
    int old = b[0], mine = threadIdx.x; // @global_race
    while (old < mine) {
        int seen = atomicCAS(&b[0], old, mine); // @global_race
        if (seen == old)
            break;
        old = seen;
    }
}

KERNEL(plain_read_for_the_swap_of_another_word) {
    int old = b[0]; // @global_race
    atomicCAS(&b[1 + threadIdx.x + 64 * blockIdx.x], old, 1);
    atomicAdd(&b[0], 1); // @global_race
}

KERNEL(plain_read_that_is_swapped_in) {
    int old = b[0];               // @global_race
    atomicCAS(&b[0], 0, old + 1); // @global_race
}

KERNEL(plain_read_that_is_kept_before_the_swap) {
    int old = b[0]; // @global_race
    b[1 + threadIdx.x + 64 * blockIdx.x] = old;
    atomicCAS(&b[0], old, old + 1); // @global_race
}

// The swap knows of no plain write.
KERNEL(plain_write_beside_swaps) {
    if (threadIdx.x % 32 == 5) {
        b[0] = threadIdx.x + blockIdx.x; // @global_race
        return;
    }
    int old = b[0], assumed; // @global_race
    do {
        assumed = old;
        old = atomicCAS(&b[0], assumed, assumed + 1); // @global_race
    } while (assumed != old);
}

KERNEL(unlock_without_fence) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&b[0], 0, 1) != 0)
            ;
        b[1] += blockIdx.x + 1; // @global_race
        atomicExch(&b[0], 0);
    }
}

KERNEL(unlock_with_a_fence_of_the_block) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&b[0], 0, 1) != 0)
            ;
        __threadfence();
        b[1] += blockIdx.x + 1; // @global_race
        __threadfence_block();
        atomicExch(&b[0], 0);
    }
}

// All threads have a fence, but none of them one that reaches the other block.
KERNEL(ticket_behind_fences_of_the_block) {
    __shared__ int last;
    b[64 + blockIdx.x * 64 + threadIdx.x] = threadIdx.x; // @global_race
    __threadfence_block();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(&b[0], 1) == 1;
    __syncthreads();
    if (last)
        u[threadIdx.x] = b[64 + threadIdx.x] + b[128 + threadIdx.x]; // @global_race
}

KERNEL(flag_released_for_the_block) {
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        a[100] = 7;                                                            // @global_race
        asm volatile("st.release.cta.s32 [%0], 1;" ::"l"(b) : "memory");       // @global_race
    } else if (threadIdx.x == 0) {
        while (atomicAdd(&b[0], 0) == 0) // @global_race
            ;
        b[1] = a[100]; // @global_race
    }
}

// The fence is wide enough, and what tells of the data is not.
KERNEL(unlock_by_an_atomic_of_the_block) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&b[0], 0, 1) != 0) // @global_race
            ;
        __threadfence();
        b[1] += blockIdx.x + 1; // @global_race
        __threadfence();
        atomicExch_block(&b[0], 0); // @global_race
    }
}

KERNEL(atomics_of_the_block_by_two_blocks) {
    atomicAdd_block(&b[0], 1); // @global_race
}

KERNEL(atomics_of_the_block_beside_those_of_the_device) {
    if (blockIdx.x == 0)
        atomicAdd_block(&b[0], 1); // @global_race
    else
        atomicAdd(&b[0], 1); // @global_race
}

// volatile keeps a value out of registers, but gives it no order with other places.
KERNEL(volatile_data_and_flag_without_fence) {
    volatile int *data = b, *flag = b + 1;
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        *data = 7;          // @global_race
        *flag = 1;
    } else if (threadIdx.x == 0) {
        while (*flag == 0)
            ;
        b[2] = *data;       // @global_race
    }
}

KERNEL(volatile_data_with_a_fence_after_the_flag) {
    volatile int *data = b, *flag = b + 1;
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        *data = 7;          // @global_race
        *flag = 1;
        __threadfence();
    } else if (threadIdx.x < 32) {
        if (threadIdx.x == 0)
            while (*flag == 0)
                ;
        __syncwarp(); // @invalid_sync
        b[2 + threadIdx.x] = *data;              // @global_race
    }
} // @invalid_sync

KERNEL(volatile_partial_sums_and_ticket_without_fence) {
    __shared__ int last;
    volatile int *partial = b + 1;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = blockIdx.x + 1;    // @global_race
        last = atomicAdd(&b[0], 1) == 1;
    }
    __syncthreads();
    if (last && threadIdx.x < 2)
        u[threadIdx.x] = partial[threadIdx.x];   // @global_race
}

// The warp that comes to a barrier last goes on first.
KERNEL(word_that_two_warps_read_is_written_by_the_later_one) {
    int t = threadIdx.x, *word = &b[blockIdx.x];
    if (t == 0)
        *word = 7;
    __syncthreads();
    if (t % 32 == 1)
        b[64 + 2 * blockIdx.x + t / 32] = *word; // @global_race
    if (t < 32) {
        __syncwarp();
        if (t == 2)
            *word = 8;                           // @global_race
    }
}

KERNEL(array_that_two_warps_read_is_written_by_the_later_one) {
    int t = threadIdx.x, *words = &b[64 * blockIdx.x];
    words[t] = t;
    __syncthreads();
    int sum = words[t % 32] + words[32 + t % 32]; // @global_race
    __syncwarp();
    if (t < 32)
        words[t] = sum;                           // @global_race
    else
        a[blockIdx.x * 32 + t] = sum;
}

KERNEL(one_of_two_readers_writes) {
    int t = threadIdx.x, *word = &b[blockIdx.x];
    if (t == 0)
        *word = 7;
    __syncthreads();
    if (t % 32 == 1)
        b[64 + 2 * blockIdx.x + t / 32] = *word; // @global_race
    if (t == 1)
        *word = 8;                               // @global_race
}

// --- bytes that nobody wrote --------------------------------------------------------------------

KERNEL(input_not_copied) {
    b[blockIdx.x * 64 + threadIdx.x] = u[threadIdx.x]; // @uninitialised
}

KERNEL(half_of_a_tile) {
    __shared__ int tile[64];
    if (threadIdx.x < 32)
        tile[threadIdx.x] = 1;
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x]; // @uninitialised
}

KERNEL(sum_not_cleared) {
    __shared__ int sum;
    atomicAdd(&sum, 1); // @uninitialised
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = sum;
}

KERNEL(output_added_to) {
    u[blockIdx.x * 64 + threadIdx.x] += 1; // @uninitialised
}

KERNEL(padding_column) {
    __shared__ int tile[8][9];
    int x = threadIdx.x % 8, y = threadIdx.x / 8;
    tile[y][x] = 1;
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = tile[y][x + 1]; // @uninitialised
}

KERNEL(dynamic_memory_behind_the_data) {
    extern __shared__ int words[];
    words[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = words[threadIdx.x + 64]; // @uninitialised
}

KERNEL(pairs_not_written) {
    int2 pair = ((int2 *)u)[threadIdx.x]; // @uninitialised
    b[blockIdx.x * 64 + threadIdx.x] = pair.x + pair.y;
}

KERNEL(bytes_not_written) {
    b[blockIdx.x * 64 + threadIdx.x] = ((const char *)u)[threadIdx.x]; // @uninitialised
}

KERNEL(halo_not_loaded) {
    __shared__ int tile[66];
    tile[threadIdx.x + 1] = a[threadIdx.x];
    __syncthreads();
    int left = tile[threadIdx.x];             // @uninitialised
    b[blockIdx.x * 64 + threadIdx.x] = left;
}

KERNEL(way_chosen_by_nothing) {
    __shared__ int tile[65];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    int next = tile[threadIdx.x + 1]; // @uninitialised
    if (next > 5)
        b[blockIdx.x * 64 + threadIdx.x] = 1;
}

KERNEL(address_from_nothing) {
    __shared__ int index[64];
    if (threadIdx.x < 32)
        index[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int i = index[threadIdx.x]; // @uninitialised
    b[blockIdx.x * 64 + threadIdx.x] = a[i & 63];
}

KERNEL(nothing_in_a_sum_of_lanes) {
    __shared__ int tile[128];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    int sum = tile[2 * threadIdx.x]; // @uninitialised
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (threadIdx.x % 32 == 0)
        b[blockIdx.x * 2 + threadIdx.x / 32] = sum;
}

KERNEL(nothing_handed_on) {
    __shared__ int from[64], to[64];
    if (threadIdx.x < 63)
        from[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    to[threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = to[63 - threadIdx.x]; // @uninitialised
}

KERNEL(one_thread_reads_behind_the_others) {
    __shared__ int tile[65];
    int t = threadIdx.x;
    tile[t] = a[t];
    __syncthreads();
    if (t == a[7])
        b[blockIdx.x] = tile[t + 57]; // @uninitialised
}

// --- outside of everything ----------------------------------------------------------------------

KERNEL(no_guard) {
    a[blockIdx.x * 64 + 4 * threadIdx.x] = 1; // @out_of_bounds
}

KERNEL(one_too_far) {
    for (int i = threadIdx.x; i <= 256; i += 64)
        a[i] += b[i]; // @out_of_bounds
}

KERNEL(below_the_start) {
    b[(int)threadIdx.x - 1] = 1; // @out_of_bounds
}

KERNEL(null_pointer) {
    int *nowhere = (int *)(size_t)a[0];
    nowhere[threadIdx.x] = 1; // @out_of_bounds
}

KERNEL(past_a_static_tile) {
    __shared__ int tile[64];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    b[threadIdx.x] = tile[threadIdx.x + 1000]; // @out_of_bounds
}

KERNEL(before_a_tile_at_one_place) {
    extern __shared__ int words[];
    words[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        b[threadIdx.x] = words[-1]; // @out_of_bounds
}

// Addresses of 64 bits, of which the first lanes' lie before the tile.
KERNEL(across_the_beginning_of_a_tile) {
    extern __shared__ int words[];
    unsigned long long at = __cvta_generic_to_shared(words) + 4ll * (threadIdx.x - 8ll);
    int *from = b + threadIdx.x;
    if (threadIdx.x < 32)
        asm volatile("st.shared.u32 [%0], 1;" : : "l"(at) : "memory"); // @out_of_bounds
    *from = 2;
}

KERNEL(past_dynamic_memory) {
    extern __shared__ int words[];
    words[threadIdx.x * 5] = 1; // @out_of_bounds
}

KERNEL(quad_across_the_end) {
    ((int4 *)a)[threadIdx.x + 1] = make_int4(1, 2, 3, 4); // @out_of_bounds
}

KERNEL(index_times_size) {
    a[threadIdx.x * sizeof(int) + 4] = 1; // @out_of_bounds
}

KERNEL(atomic_outside) {
    atomicAdd(&b[256 + threadIdx.x], 1); // @out_of_bounds
}

// --- no multiple of the size --------------------------------------------------------------------

KERNEL(word_at_a_byte) {
    b[threadIdx.x] = *(int *)((char *)a + threadIdx.x); // @misaligned
}

KERNEL(half_at_an_odd_byte) {
    b[threadIdx.x] = *(short *)((char *)a + 2 * threadIdx.x + 1); // @misaligned
}

KERNEL(pair_at_a_word) {
    int2 pair = *(int2 *)(a + threadIdx.x + 1); // @misaligned
    b[threadIdx.x] = pair.x + pair.y;
}

KERNEL(quad_at_a_pair) {
    int4 quad = *(int4 *)(a + 4 * threadIdx.x + 2); // @misaligned
    b[threadIdx.x] = quad.x + quad.w;
}

KERNEL(double_at_a_word) {
    ((double *)(a + 1))[threadIdx.x] = 1.0; // @misaligned
}

KERNEL(store_at_a_half) {
    *(int *)((char *)b + 2) = 1; // @misaligned
}

KERNEL(atomic_at_a_half) {
    atomicAdd((int *)((char *)b + 2), 1); // @misaligned
}

KERNEL(long_in_shared_memory) {
    extern __shared__ int words[];
    *(long long *)(words + threadIdx.x + 1) = 1; // @misaligned
}

KERNEL(quad_store) {
    *(float4 *)(b + threadIdx.x) = make_float4(1, 2, 3, 4); // @misaligned
}

// --- barriers that not all threads reach --------------------------------------------------------

KERNEL(barrier_in_if) {
    if (threadIdx.x % 2 == 0) {
        b[threadIdx.x + 64 * blockIdx.x] = 1;
        __syncthreads(); // @divergent_barrier
    } // @divergent_barrier
} // @divergent_barrier

KERNEL(barrier_in_if_of_a_warp) {
    if (threadIdx.x < 32)
        __syncthreads(); // @divergent_barrier
    b[threadIdx.x + 64 * blockIdx.x] = 1;
} // @divergent_barrier

KERNEL(barrier_after_return) {
    if (threadIdx.x >= 50) // @divergent_barrier
        return; // @divergent_barrier
    b[threadIdx.x + 64 * blockIdx.x] = 1;
    __syncthreads(); // @divergent_barrier
    b[threadIdx.x + 64 * blockIdx.x] += 1;
} // @divergent_barrier

KERNEL(barriers_of_two_branches) {
    if (threadIdx.x < 32) {
        b[64 * blockIdx.x] = 1;
        __syncthreads(); // @divergent_barrier
    } else {
        b[64 * blockIdx.x + 32] = 1;
        __syncthreads(); // @divergent_barrier
    }
}

KERNEL(barrier_in_a_loop_of_its_own_length) {
    for (int i = 0; i < (int)threadIdx.x / 32 + 1; i++) {
        b[threadIdx.x + 64 * blockIdx.x] += i;
        __syncthreads(); // @divergent_barrier
    }
} // @divergent_barrier

KERNEL(barrier_in_a_tree) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = a[t];
    __syncthreads();
    for (int stride = 32; stride > 0; stride /= 2) {
        if (t >= stride)
            break; // @divergent_barrier
        tile[t] += tile[t + stride];
        __syncthreads(); // @divergent_barrier
    }
} // @divergent_barrier

KERNEL(barrier_after_break) {
    for (int i = 0; i < 4; i++) {
        if (a[threadIdx.x] == 33 + i)
            break;
        b[threadIdx.x + 64 * blockIdx.x] += i;
        __syncthreads(); // @divergent_barrier
    }
} // @divergent_barrier

KERNEL(barrier_for_valid_elements) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < 100) {
        b[i] = 1;
        __syncthreads(); // @divergent_barrier
    }
} // @divergent_barrier

KERNEL(barrier_in_switch) {
    switch (threadIdx.x / 32) {
    case 0:
        b[64 * blockIdx.x] = 5;
        __syncthreads(); // @divergent_barrier
        break;
    default:
        b[64 * blockIdx.x + 1] = 6;
    }
} // @divergent_barrier

// --- masks that do not name the lane that calls -------------------------------------------------

KERNEL(broadcast_with_the_mask_of_one) {
    b[threadIdx.x] = __shfl_sync(1u, (int)threadIdx.x, 0); // @invalid_sync
}

KERNEL(sum_with_the_mask_of_the_other_half) {
    if (threadIdx.x % 32 >= 16)
        b[threadIdx.x] = __shfl_xor_sync(0xffffu, (int)threadIdx.x, 8); // @invalid_sync
} // @invalid_sync

KERNEL(syncwarp_of_those_who_add) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = a[t];
    __syncthreads();
    if (t < 16) {
        tile[t] += tile[t + 16];
        __syncwarp(); // @invalid_sync
        b[t] = tile[t];
    }
} // @invalid_sync

KERNEL(ballot_with_the_mask_of_a_part) {
    b[threadIdx.x] = (int)__ballot_sync(0xffffu, a[threadIdx.x] > 3); // @invalid_sync
}

KERNEL(vote_of_no_lane) {
    b[threadIdx.x] = __any_sync(0, a[threadIdx.x] > 3); // @invalid_sync
}

KERNEL(vote_of_all_but_the_last) {
    b[threadIdx.x] = __all_sync(0x7fffffffu, a[threadIdx.x] > 3); // @invalid_sync
}

KERNEL(match_with_the_mask_of_odd_lanes) {
    if (threadIdx.x % 2 == 0)
        b[threadIdx.x] = (int)__match_any_sync(0xaaaaaaaau, a[threadIdx.x] / 4); // @invalid_sync
} // @invalid_sync

KERNEL(match_with_a_mask_of_16_bits) {
    int all;
    b[threadIdx.x] = (int)__match_all_sync(0xffffu, 7, &all); // @invalid_sync
}

KERNEL(syncwarp_of_the_first_lanes) {
    __syncwarp(0xffu); // @invalid_sync
    b[threadIdx.x] = 1;
}

KERNEL(mask_from_before_the_branch_of_others) {
    unsigned first = __ballot_sync(0xffffffffu, threadIdx.x % 32 < 10);
    if (threadIdx.x % 32 < 12)
        b[threadIdx.x] = __shfl_sync(first, (int)threadIdx.x, 0); // @invalid_sync
}

// --- values of lanes that take no part ----------------------------------------------------------

KERNEL(down_from_the_other_half) {
    if (threadIdx.x % 32 < 16)
        b[threadIdx.x] = __shfl_down_sync(0xffffu, (int)threadIdx.x, 8); // @shuffle_inactive
}

KERNEL(up_from_the_other_half) {
    if (threadIdx.x % 32 >= 16)
        b[threadIdx.x] = __shfl_up_sync(0xffff0000u, (int)threadIdx.x, 4); // @shuffle_inactive
}

KERNEL(exchange_with_the_other_half) {
    if (threadIdx.x % 32 < 16)
        b[threadIdx.x] = __shfl_xor_sync(0xffffu, (int)threadIdx.x, 16); // @shuffle_inactive
}

KERNEL(broadcast_of_an_absent_lane) {
    if (threadIdx.x % 32 < 8)
        b[threadIdx.x] = __shfl_sync(0xffu, (int)threadIdx.x, 31); // @shuffle_inactive
}

KERNEL(odd_lanes_ask_even_ones) {
    if (threadIdx.x % 2)
        b[threadIdx.x] = __shfl_up_sync(0xaaaaaaaau, (int)threadIdx.x, 1); // @shuffle_inactive
}

KERNEL(lanes_that_have_left) {
    if (threadIdx.x % 32 >= 20)
        return;
    b[threadIdx.x] = __shfl_down_sync(0xffffffffu, (int)threadIdx.x, 4); // @shuffle_inactive @invalid_sync
} // @invalid_sync

KERNEL(active_lanes_are_not_all) {
    if (a[threadIdx.x] % 3 == 0)
        b[threadIdx.x] = __shfl_xor_sync(__activemask(), (int)threadIdx.x, 1); // @shuffle_inactive
}

KERNEL(sum_of_a_part) {
    int v = a[threadIdx.x];
    if (threadIdx.x % 32 < 24)
        for (int d = 16; d > 0; d /= 2)
            v += __shfl_down_sync(0xffffffu, v, d); // @shuffle_inactive
    b[threadIdx.x + 64 * blockIdx.x] = v;
}

// Lane 0 gets it from lane 4, which got it from lane 8.
KERNEL(handed_on_by_a_lane) {
    int v = a[threadIdx.x];
    if (threadIdx.x % 32 < 8) {
        v += __shfl_down_sync(0xffu, v, 4); // @shuffle_inactive
        v = __shfl_down_sync(0xffu, v, 4);
        if (threadIdx.x % 32 == 0)
            b[blockIdx.x * 2 + threadIdx.x / 32] = v;
    }
}

KERNEL(kept_in_shared_memory) {
    __shared__ int kept[64];
    if (threadIdx.x % 32 < 8)
        kept[threadIdx.x] = __shfl_down_sync(0xffu, (int)threadIdx.x, 8); // @shuffle_inactive
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        b[threadIdx.x] = kept[threadIdx.x];
}

// --- waits that never end -----------------------------------------------------------------------

KERNEL(flag_that_nobody_raises) {
    volatile int *flag = b;
    while (*flag == 0) // @deadlock
        ;
    a[threadIdx.x] = 1;
}

KERNEL(lock_taken_twice) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&b[0], 0, 1) != 0) // @deadlock
            ;
        while (atomicCAS(&b[0], 0, 1) != 0) // @deadlock
            ;
        atomicExch(&b[0], 0);
    }
}

KERNEL(lock_not_given_back) {
    while (atomicCAS(&b[0], 0, 1) != 0) // @deadlock
        ;
    atomicAdd(&b[1], 1);
}

KERNEL(barrier_for_too_many) {
    asm volatile("bar.sync 1, 96;" ::: "memory"); // @deadlock
    b[threadIdx.x] = 1;
}

KERNEL(flag_behind_a_barrier) {
    volatile int *flag = b;
    if (threadIdx.x == 40)
        while (*flag == 0) // @deadlock
            ;
    __syncthreads(); // @deadlock
    *flag = 1;
}

KERNEL(turn_that_never_comes) {
    volatile int *turn = b;
    if (threadIdx.x == 0) {
        while (*turn != 2 - blockIdx.x) // @deadlock
            ;
        *turn = *turn + 1;
    }
}

KERNEL(mask_names_lanes_that_are_at_the_barrier) {
    int v = threadIdx.x;
    if (v % 32 < 8)
        v = __shfl_sync(0xffffu, v, 0); // @deadlock
    __syncthreads();                    // @deadlock
    b[threadIdx.x] = v;
}

KERNEL(masks_of_two_branches_name_each_other) {
    if (threadIdx.x % 2)
        b[threadIdx.x] = __any_sync(0xffffffffu, 1); // @deadlock
    else
        __syncwarp(0x7fffffffu); // @deadlock
}

KERNEL(barrier_and_syncwarp) {
    if (threadIdx.x < 16)
        __syncwarp(); // @deadlock
    else
        asm volatile("bar.sync 2, 64;" ::: "memory"); // @deadlock
    b[threadIdx.x] = 1;
}

KERNEL(barriers_of_two_numbers) {
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory"); // @deadlock
    else
        asm volatile("bar.sync 2, 64;" ::: "memory"); // @deadlock
    b[threadIdx.x] = 1;
}
}
