// Kernels with asynchronous copies that are right, and that a careless check would blame. Launched
// as those of wrong.cu.

#include "copies.cuh"

#define KERNEL(name) extern "C" __global__ void name(int *a, int *b, int *u)

KERNEL(own_copy_after_the_wait) {
    __shared__ int tile[64];
    COPY(&tile[threadIdx.x], &a[threadIdx.x]);
    COMMIT();
    WAIT(0);
    b[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x];
}

KERNEL(copies_in_two_stages) {
    __shared__ int tile[2][64];
    int t = threadIdx.x, sum = 0;
    COPY(&tile[0][t], &a[t]);
    COMMIT();
    for (int round = 0; round < 4; round++) {
        if (round < 3)
            COPY(&tile[(round + 1) % 2][t], &a[64 * (round + 1) + t]);
        COMMIT();
        WAIT(1);
        __syncthreads();
        sum += tile[round % 2][63 - t];
        __syncthreads();
    }
    b[blockIdx.x * 64 + t] = sum;
}

KERNEL(wait_for_all_copies) {
    __shared__ int tile[64];
    if (threadIdx.x % 2 == 0)
        COPY(&tile[threadIdx.x], &a[threadIdx.x]);
    else
        tile[threadIdx.x] = 0;
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

KERNEL(copies_that_an_mbarrier_knows) {
    __shared__ int tile[64];
    __shared__ unsigned long long object;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(OBJECT()) : "memory");
    __syncthreads();
    COPY(&tile[threadIdx.x], &a[threadIdx.x]);
    ARRIVE();
    unsigned over = 0;
    while (!over)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0;"
                     " selp.u32 %0, 1, 0, p; }"
                     : "=r"(over)
                     : "r"(OBJECT())
                     : "memory");
    b[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

KERNEL(bulk_copy_that_all_wait_for) {
    __shared__ alignas(16) int tile[64];
    __shared__ unsigned long long object;
    unsigned done;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(OBJECT()) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        EXPECT(256);
        COPY_BULK(tile, a, 256);
    }
    WAIT_FOR_PHASE(0);
    b[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

KERNEL(bulk_copies_that_one_waits_for) {
    __shared__ alignas(16) int tile[64];
    __shared__ unsigned long long object;
    unsigned done;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(OBJECT()) : "memory");
        EXPECT(256);
        COPY_BULK(tile, a, 128);
        COPY_BULK(tile + 32, a + 32, 128);
        WAIT_FOR_PHASE(0);
    }
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

/* Nobody waits for the first phase, but the second one comes after it. */
KERNEL(bulk_copies_of_two_phases) {
    __shared__ alignas(16) int tile[64];
    __shared__ unsigned long long object;
    unsigned done;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(OBJECT()) : "memory");
        EXPECT(128);
        COPY_BULK(tile, a, 128);
        EXPECT(128);
        COPY_BULK(tile + 32, a + 32, 128);
    }
    __syncthreads();
    WAIT_FOR_PHASE(1);
    b[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

KERNEL(bulk_copy_whose_source_is_free_after_a_wait) {
    __shared__ alignas(16) int tile[64];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        STORE_BULK(b + blockIdx.x * 64, tile, 256);
        COMMIT_BULK();
        WAIT_READ(0);
    }
    __syncthreads();
    tile[63 - threadIdx.x] = 0;
}

/* The other half may be written meanwhile, and all of it read. */
KERNEL(source_of_a_bulk_copy_is_read_meanwhile) {
    __shared__ alignas(16) int tile[64];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        STORE_BULK(b + blockIdx.x * 64, tile, 128);
        COMMIT_BULK();
    }
    if (threadIdx.x >= 32)
        tile[threadIdx.x] += tile[threadIdx.x - 32];
    __syncthreads();
    if (threadIdx.x == 0) {
        STORE_BULK(b + blockIdx.x * 64 + 32, tile + 32, 128);
        COMMIT_BULK();
        WAIT_BULK(0);
        tile[40] = tile[8] = 0;
    }
}

/* Two buffers: before one is filled again, the copy before the last one has read it. */
KERNEL(two_buffers_that_leave_in_turn) {
    __shared__ alignas(16) int tile[2][64];
    for (int i = 0; i < 2; i++) {
        if (threadIdx.x == 0)
            WAIT_READ(1);
        __syncthreads();
        tile[i & 1][threadIdx.x] = a[threadIdx.x] + i;
        __syncthreads();
        if (threadIdx.x == 0) {
            STORE_BULK(b + blockIdx.x * 64, tile[i & 1], 256);
            COMMIT_BULK();
            WAIT_BULK(0); /* both go to one place */
        }
    }
    for (int i = 2; i < 6; i++) {
        if (threadIdx.x == 0)
            WAIT_READ(1);
        __syncthreads();
        tile[i & 1][threadIdx.x] = a[threadIdx.x] + i;
        __syncthreads();
        if (threadIdx.x == 0) {
            STORE_BULK(b + blockIdx.x * 64 + i % 4 * 16, &tile[i & 1][i % 4 * 16], 64);
            COMMIT_BULK();
        }
    }
}
