/*
 * Kernels with one mistake each, which an edit at the marked line mends. All read n ints and write
 * others: edit_test.c says what is right.
 */
#define KERNEL(name) extern "C" __global__ void name(const int *in, int n, int *out)

KERNEL(equality) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) // @equality
        out[i] = in[i];
}

KERNEL(negation) {
    int i = threadIdx.x;
    if (i >= n) // @negation
        out[i] = in[i];
}

KERNEL(direction) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = in[i] < 26; // @direction
}

KERNEL(signedness) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = (unsigned)in[i] >> 1; // @signedness
}

KERNEL(constant) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = in[i] * 3; // @constant
}

KERNEL(real) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = (int)(in[i] * 1.5); // @real
}

/* The number is put into a register before the loop, for two lines of it. */
KERNEL(kept_number) {
    int i = threadIdx.x, sum = 0;
    for (int k = 1; k < n; k *= 2) {
        int left = i >= k ? in[i - k] : 1; // @kept_number
        sum += left;
    }
    if (i < n)
        out[i] = sum;
}

KERNEL(first_of_a_loop) {
    int i = threadIdx.x, sum = 0;
    for (int k = 2; k < n; k += n / 8) // @first_of_a_loop
        sum += in[k] * (k - i);
    if (i < n)
        out[i] = sum;
}

/* The loop to 2 is never entered. */
KERNEL(loop_that_begins_too_late) {
    int i = threadIdx.x, sum = in[i], bound = in[0] ^ 3;
    for (int k = 2; k < bound; k *= 2) // @loop_that_begins_too_late
        sum += in[0];
    if (i < n)
        out[i] = sum;
}

KERNEL(narrow_real) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = (int)(in[i] * 0.5f); // @narrow_real
}

KERNEL(offset) {
    int i = threadIdx.x;
    if (i < n - 2)
        out[i] = in[i + 2]; // @offset
}

KERNEL(special) {
    if (threadIdx.x < n)
        out[threadIdx.x] = in[blockIdx.x]; // @special
}

/* Right where the hardware happens to put warp w in place w. */
KERNEL(place_of_warp) {
    int warp;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp)); // @place_of_warp
    int i = warp * 32 + threadIdx.x % 32;
    if (i < n)
        out[i] = in[i];
}

KERNEL(operation) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = in[i] - in[0]; // @operation
}

KERNEL(lower_bits) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = in[threadIdx.x / 64]; // @lower_bits
}

KERNEL(product) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = in[i] + in[1]; // @product
}

KERNEL(product_of_sizes) {
    size_t i = (size_t)blockIdx.x + blockDim.x + threadIdx.x; // @product_of_sizes
    if (i < n)
        out[i] = in[i];
}

KERNEL(operands) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = in[0] - in[i]; // @operands
}

KERNEL(left_out) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = in[i] * in[1]; // @left_out
}

KERNEL(rounded) {
    int i = threadIdx.x;
    if (i < n / (in[0] + 2)) // @rounded
        out[i] = in[i];
}

KERNEL(rounded_half) {
    unsigned i = threadIdx.x;
    if (i < (unsigned)n / 2) // @rounded_half
        out[i] = in[i];
}

KERNEL(rounded_in_loop) {
    __shared__ int tile[64];
    unsigned t = threadIdx.x, words = n;
    tile[t] = in[t];
    __syncthreads();
    while (words > 1) {
        unsigned half = words / 2; // @rounded_in_loop
        if (t + half < words)
            tile[t] += tile[t + half];
        __syncthreads();
        words = half;
    }
    if (t == 0)
        out[0] = tile[0];
}

KERNEL(wide_stride) {
    const size_t first = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    for (size_t i = first; i < n; i += blockDim.x) // @wide_stride
        atomicAdd(&out[i], in[i]);
}

/* The compiler takes one register for blockDim.x and for what becomes of it in the second loop. */
KERNEL(stride_and_count) {
    const size_t first = blockIdx.x * (size_t)blockDim.x + threadIdx.x, step = blockDim.x;
    for (size_t i = first; i < n; i += step) // @stride_and_count
        atomicAdd(&out[i], in[i]);
    for (int count = blockDim.x, half; count > 1; count = half) {
        half = (count + 1) / 2;
        if (n < 0 && threadIdx.x + half < count)
            out[threadIdx.x] += out[threadIdx.x + half];
        __syncthreads();
    }
}

KERNEL(of_grid) {
    out[threadIdx.x] = // @of_grid
        in[blockIdx.x * blockDim.x + threadIdx.x];
}

KERNEL(stride_of_grid) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i < n; i += blockDim.x) // @stride_of_grid
        atomicAdd(&out[i], in[i]);
}

KERNEL(shuffle) {
    int i = threadIdx.x;
    out[i] = __shfl_up_sync(0xffffffff, in[i], 1); // @shuffle
}

/* Takes what is four lanes up, or down, in three steps. */
KERNEL(shuffles) {
    int value = __shfl_up_sync(0xffffffff, in[threadIdx.x], 1); // @shuffles
    value = __shfl_up_sync(0xffffffff, value, 1);
    out[threadIdx.x] = __shfl_up_sync(0xffffffff, value, 2);
}

KERNEL(shuffle_width) {
    int i = threadIdx.x;
    out[i] = __shfl_down_sync(0xffffffff, in[i], 1, 16); // @shuffle_width
}

KERNEL(mask_full) {
    int i = threadIdx.x;
    out[i] = __shfl_down_sync(0xffff, in[i], 1); // @mask_full
}

KERNEL(mask_active) {
    int i = threadIdx.x, value = in[i];
    if (i % 32 < 16)
        value = __shfl_xor_sync(0xffffffff, value, 1); // @mask_active
    __syncthreads();
    out[i] = value;
}

KERNEL(barrier_behind) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t]; // @barrier_behind
    out[t] = tile[63 - t]; // @barrier_before
}

/* The barrier belongs behind the branch, in each round. */
KERNEL(barrier_in_loop) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            tile[t] += tile[t + stride]; // @barrier_in_loop
    }
    if (t == 0)
        out[0] = tile[0];
}

/* The same line twice in one kernel, and four times by unrolling. */
__device__ __forceinline__ void put(int *tile, int at, int value) {
    tile[at] = value; // @barrier_inlined
}

KERNEL(barrier_inlined) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    put(tile, t, in[t]);
    int other = tile[63 - t];
    __syncthreads();
    put(tile, t, other + 1);
    out[t] = tile[63 - t];
}

KERNEL(unrolled) {
    int i = threadIdx.x, value = in[i];
#pragma unroll
    for (int k = 0; k < 4; k++)
        value = value * 5 - in[k]; // @unrolled
    out[i] = value;
}

KERNEL(barrier_out) {
    int t = threadIdx.x;
    if (t < 48)
        __syncthreads(); // @barrier_out
    out[t] = in[t];
}

KERNEL(atomic) {
    if (threadIdx.x < n)
        *out += in[threadIdx.x]; // @atomic
}

/* Two blocks add to one word, one at a time. */
KERNEL(scope) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&out[1], 1, -1) != 1) // @wait
            ;
        out[0] += n; // @locked
        __threadfence_block(); // @scope
        atomicExch(&out[1], 1);
    }
}

KERNEL(fence) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&out[1], 1, -1) != 1)
            ;
        out[0] += n;
        atomicExch(&out[1], 1); // @fence
    }
}

KERNEL(counts) {
    atomicAdd(out, n); // @counts
}

KERNEL(numbers) {
    if (threadIdx.x == 0)
        out[1 + atomicAdd(out, 1) % 2] = n; // @numbers
}

/* Waits while the lock is free, and goes on when somebody has it. */
KERNEL(lock_the_wrong_way) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&out[1], 1, -1) == 1) // @wrong_wait
            ;
        out[0] += n;
    }
}

KERNEL(not_added) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = in[i]; // @not_added
}

/* One addition too much, to a word that nobody has written. */
KERNEL(added_to_nothing) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] += in[t]; // @added_to_nothing
    __syncthreads();
    out[t] = n > 0 ? tile[63 - t] : 0;
}

KERNEL(only_first) {
    out[0] = in[threadIdx.x]; // @only_first
}

KERNEL(inside) {
    int i = threadIdx.x;
    out[i] = in[i + 1]; // @inside
}

/* The buffers are longer than the n elements that count; beyond them zeros are added. */
KERNEL(below) {
    int i = threadIdx.x;
    int value = in[i]; // @below
    out[i] = value;
}

KERNEL(fixed) {
    __shared__ int tile[32];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[63 - t];
}

KERNEL(written) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    if (t < 32)
        tile[t] = in[t];
    __syncthreads();
    out[t] = tile[t]; // @written
}

KERNEL(snapshot) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = out[n - 1 - i] + in[i]; // @snapshot
}

KERNEL(again) {
    volatile int *words = out;
    int t = threadIdx.x;
    int told = words[t];
    __syncthreads();
    out[n - 1 - t] = -1;
    __syncthreads();
    int later = words[t]; // @again
    __syncthreads();
    out[t] = told >= 0 ? later : 0;
}

KERNEL(stay) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    if (t >= 40) // @stay
        return;
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[39 - t];
}

/* The words of those that left are read, too. */
KERNEL(stay_with_zeros) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    if (t >= 40) // @stay_with_zeros
        return;
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[63 - t];
}

KERNEL(stay_in_loop) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    for (int stride = 32; stride > 0; stride /= 2) {
        if (t >= stride) // @stay_in_loop
            return;
        tile[t] += tile[t + stride];
        __syncthreads();
    }
    out[0] = tile[0];
}

KERNEL(barrier_moved) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    for (int stride = 32; stride > 0; stride /= 2) {
        if (t < stride) {
            tile[t] += tile[t + stride];
            __syncthreads(); // @barrier_moved
        }
    }
    if (t == 0)
        out[0] = tile[0];
}

KERNEL(of_grid_block) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 16) // @of_block
        out[i] = in[i];
}

KERNEL(of_block_long) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 16) // @of_block_long
        out[i] = in[i];
}

KERNEL(barrier_between) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    for (int stride = 32; stride > 0; stride /= 2)
        tile[t] += tile[t ^ stride]; // @barrier_between
    if (t == 0)
        out[t] = tile[t];
}

KERNEL(copy) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

KERNEL(block_warps) {
    int t = threadIdx.x, value = t < n ? in[t] : 0;
    value = __shfl_down_sync(0xffffffff, value, 16);
    if (t < n)
        out[t] = value;
}

KERNEL(block) {
    if (threadIdx.x == 0)
        out[blockIdx.x] = blockDim.x + in[blockIdx.x];
}

KERNEL(shared) {
    extern __shared__ int dynamic[];
    int t = threadIdx.x;
    dynamic[t] = in[t];
    __syncthreads();
    out[t] = dynamic[63 - t];
}

KERNEL(add) {
    int i = threadIdx.x;
    if (i < n)
        out[i] += in[i]; // @add
}
