// Accesses as a table has them: see random_test.c. Each thread does `n` things one after the other: a
// barrier, or an access of 4, 8 or 16 bytes at a place of its own, or an atomic one of 4 bytes; no access
// where the place is negative.
// What it writes, nobody else writes, so that no race is one of equal values.
enum { SHARED_BYTES = 1024 };

extern "C" __global__ void accesses(const int *kinds, const int *places, int n, char *global, int *out)
{
    extern __shared__ char tile[];
    const int thread = blockIdx.x * blockDim.x + threadIdx.x, n_threads = gridDim.x * blockDim.x;
    int sum = 0;
    for (int at = threadIdx.x * 4; at < SHARED_BYTES; at += blockDim.x * 4)
        *(int *)(tile + at) = 0;
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (kinds[k] == 0) {
            __syncthreads();
            continue;
        }
        const int at = places[k * n_threads + thread], own = (k * n_threads + thread + 1) * 4;
        if (at < 0)
            continue;
        switch (kinds[k]) {
        case 1: sum += *(int *)(global + at); break;
        case 2: sum += (int)(*(long long *)(global + at) % 1000); break;
        case 3: { int4 v = *(int4 *)(global + at); sum += v.x + v.y + v.z + v.w; } break;
        case 4: *(int *)(global + at) = own; break;
        case 5: *(long long *)(global + at) = own + (own + 1LL << 32); break;
        case 6: *(int4 *)(global + at) = make_int4(own, own + 1, own + 2, own + 3); break;
        case 7: sum += *(int *)(tile + at); break;
        case 8: sum += (int)(*(long long *)(tile + at) % 1000); break;
        case 9: { int4 v = *(int4 *)(tile + at); sum += v.x + v.y + v.z + v.w; } break;
        case 10: *(int *)(tile + at) = own; break;
        case 11: *(long long *)(tile + at) = own + (own + 1LL << 32); break;
        case 12: *(int4 *)(tile + at) = make_int4(own, own + 1, own + 2, own + 3); break;
        case 13: atomicAdd((int *)(global + at), own); break;
        case 14: atomicAdd((int *)(tile + at), own); break;
        }
    }
    out[thread] = sum;
}
