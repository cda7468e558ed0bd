// Kernels that each make one mistake with asynchronous copies, marked and launched as those of
// wrong.cu: what a copy brings is not there, and what it reads is not free, before the wait for it.

#include "copies.cuh"

extern "C" {

#define KERNEL(name) __global__ void name(int *a, int *b, int *u)

// --- copies of single words, that a thread waits for ---------------------------------------------

KERNEL(copy_without_wait) {
    __shared__ int tile[64];
    COPY(&tile[threadIdx.x], &a[threadIdx.x]); // @shared_race
    COMMIT();
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x]; // @shared_race
}

KERNEL(own_copy_without_wait) {
    __shared__ int tile[64];
    COPY(&tile[threadIdx.x], &a[threadIdx.x]); // @shared_race
    COMMIT();
    b[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x]; // @shared_race
}

KERNEL(wait_without_barrier) {
    __shared__ int tile[64];
    COPY(&tile[threadIdx.x], &a[threadIdx.x]); // @shared_race
    COMMIT();
    WAIT(0);
    b[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x]; // @shared_race @uninitialised
}

KERNEL(barrier_before_the_wait) {
    __shared__ int tile[64];
    COPY(&tile[threadIdx.x], &a[threadIdx.x]); // @shared_race
    COMMIT();
    __syncthreads();
    WAIT(0);
    b[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x]; // @shared_race
}

KERNEL(wait_for_the_wrong_group) {
    __shared__ int tile[2][64];
    COPY(&tile[0][threadIdx.x], &a[threadIdx.x]);
    COMMIT();
    COPY(&tile[1][threadIdx.x], &a[64 + threadIdx.x]); // @shared_race
    COMMIT();
    WAIT(1);
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = tile[1][63 - threadIdx.x]; // @shared_race
}

KERNEL(group_not_committed) {
    __shared__ int tile[64];
    COPY(&tile[threadIdx.x], &a[threadIdx.x]); // @shared_race
    WAIT(0);
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x]; // @shared_race
}

KERNEL(copy_over_what_is_read) {
    __shared__ int tile[64];
    int sum = 0;
    for (int round = 0; round < 3; round++) {
        COPY(&tile[threadIdx.x], &a[64 * round + threadIdx.x]); // @shared_race
        COMMIT();
        WAIT(0);
        __syncthreads();
        sum += tile[63 - threadIdx.x]; // @shared_race
    }
    b[blockIdx.x * 64 + threadIdx.x] = sum;
}

KERNEL(only_one_warp_waits) {
    __shared__ int tile[64];
    COPY(&tile[threadIdx.x], &a[threadIdx.x]); // @shared_race
    COMMIT();
    if (threadIdx.x < 32)
        WAIT(0);
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x]; // @shared_race
}

KERNEL(arrives_and_does_not_wait) {
    __shared__ int tile[64];
    __shared__ unsigned long long object;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(OBJECT()) : "memory");
    __syncthreads();
    COPY(&tile[threadIdx.x], &a[threadIdx.x]); // @shared_race
    ARRIVE();
    b[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x]; // @shared_race @uninitialised
}

// --- bulk copies to shared memory, that an mbarrier knows of -------------------------------------

KERNEL(bulk_copy_and_a_barrier_in_place_of_a_wait) {
    __shared__ alignas(16) int tile[64];
    __shared__ unsigned long long object;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(OBJECT()) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        EXPECT(256);
        COPY_BULK(tile, a, 256); // @shared_race
    }
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x]; // @shared_race
}

KERNEL(bulk_copy_that_its_own_thread_reads_at_once) {
    __shared__ alignas(16) int tile[64];
    __shared__ unsigned long long object;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(OBJECT()) : "memory");
        EXPECT(256);
        COPY_BULK(tile, a, 256); // @shared_race
        b[blockIdx.x] = tile[5]; // @shared_race
    }
}

KERNEL(second_bulk_copy_without_a_wait) {
    __shared__ alignas(16) int tile[64];
    __shared__ unsigned long long object;
    unsigned done;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(OBJECT()) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        EXPECT(128);
        COPY_BULK(tile, a, 128);
    }
    WAIT_FOR_PHASE(0);
    __syncthreads();
    if (threadIdx.x == 0) {
        EXPECT(128);
        COPY_BULK(tile + 32, a + 32, 128); // @shared_race
    }
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x]; // @shared_race
}

KERNEL(half_of_what_comes_is_expected) {
    __shared__ alignas(16) int tile[64];
    __shared__ unsigned long long object;
    unsigned done;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(OBJECT()) : "memory");
        EXPECT(128);
        COPY_BULK(tile, a, 128);
        COPY_BULK(tile + 32, a + 32, 128); // @shared_race
        WAIT_FOR_PHASE(0);
    }
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x]; // @shared_race
}

KERNEL(one_warp_does_not_wait_for_the_bulk_copy) {
    __shared__ alignas(16) int tile[64];
    __shared__ unsigned long long object;
    unsigned done;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(OBJECT()) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        EXPECT(256);
        COPY_BULK(tile, a, 256); // @shared_race
    }
    if (threadIdx.x < 32)
        WAIT_FOR_PHASE(0);
    b[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x]; // @shared_race @uninitialised
}

// --- bulk copies to global memory, whose source is overwritten too early -------------------------

KERNEL(source_of_a_bulk_copy_that_its_thread_overwrites) {
    __shared__ alignas(16) int tile[64];
    if (threadIdx.x == 0) {
        for (int i = 0; i < 64; i++)
            tile[i] = a[i];
        STORE_BULK(b + blockIdx.x * 64, tile, 256); // @shared_race
        COMMIT_BULK();
        tile[5] = 1; // @shared_race
        WAIT_READ(0);
    }
}

KERNEL(barrier_in_place_of_a_wait_for_reading) {
    __shared__ alignas(16) int tile[64];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        STORE_BULK(b + blockIdx.x * 64, tile, 256); // @shared_race
        COMMIT_BULK();
    }
    __syncthreads();
    tile[threadIdx.x] = 0; // @shared_race
}

KERNEL(waits_for_the_first_of_two_bulk_groups) {
    __shared__ alignas(16) int tile[64];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        STORE_BULK(b + blockIdx.x * 64, tile, 128);
        COMMIT_BULK();
        STORE_BULK(b + blockIdx.x * 64 + 32, tile + 32, 128); // @shared_race
        COMMIT_BULK();
        WAIT_READ(1);
    }
    __syncthreads();
    tile[threadIdx.x] = 0; // @shared_race
}

KERNEL(bulk_copy_that_no_group_has) {
    __shared__ alignas(16) int tile[64];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        STORE_BULK(b + blockIdx.x * 64, tile, 256); // @shared_race
        WAIT_READ(0);
    }
    __syncthreads();
    tile[63 - threadIdx.x] = 0; // @shared_race
}

KERNEL(another_thread_waits_for_the_bulk_copy) {
    __shared__ alignas(16) int tile[64];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        STORE_BULK(b + blockIdx.x * 64, tile, 256); // @shared_race
        COMMIT_BULK();
    }
    if (threadIdx.x == 32)
        WAIT_READ(0);
    __syncthreads();
    if (threadIdx.x == 40)
        tile[7] = 0; // @shared_race
}

KERNEL(wait_for_reading_behind_the_barrier) {
    __shared__ alignas(16) int tile[64];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        STORE_BULK(b + blockIdx.x * 64, tile, 256); // @shared_race
        COMMIT_BULK();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        WAIT_READ(0);
    if (threadIdx.x >= 32)
        tile[threadIdx.x] = 0; // @shared_race
}

KERNEL(next_bulk_copy_comes_where_the_last_one_reads) {
    __shared__ alignas(16) int tile[64];
    __shared__ unsigned long long object;
    unsigned done;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(OBJECT()) : "memory");
        EXPECT(256);
        COPY_BULK(tile, a, 256);
        WAIT_FOR_PHASE(0);
        STORE_BULK(b + blockIdx.x * 64, tile, 256); // @shared_race
        COMMIT_BULK();
        EXPECT(256);
        COPY_BULK(tile, a + 64, 256); // @shared_race
        WAIT_FOR_PHASE(1);
        WAIT_READ(0);
    }
}

KERNEL(atomic_where_a_bulk_copy_reads) {
    __shared__ alignas(16) int tile[64];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        STORE_BULK(b + blockIdx.x * 64, tile + 16, 16); // @shared_race
        COMMIT_BULK();
    }
    __syncthreads();
    atomicAdd(&tile[threadIdx.x], 1); // @shared_race
}
}
