/* State spaces, widths and vectors, PTX ISA section 9.7.9. */
#include "proof.cuh"

struct pair {
    s8 x;
    s16 y;
    f64 z;
};

__constant__ u32 table_constant[64] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
__constant__ pair pairs_constant[4] = {{1, 2, 3.5}, {-4, -5, -6.25}, {7, 8, 9}, {-10, 11, 1e300}};
__device__ u64 table_global[32] = {10, 20, 30, 40};
__device__ const s16 table_short[8] = {-1, 2, -3, 4, -5, 6, -7, 8};

//: kernel=constant_memory words=6
KERNEL(constant_memory) {
    const u32 a = column(in, 0), b = column(in, 1);
    sink to(out);
    put(table_constant[a & 63]);
    put(table_constant[threadIdx.x / 32]);
    put((s32)pairs_constant[b & 3].x + pairs_constant[a & 3].y);
    put(pairs_constant[(a ^ b) & 3].z);
    put((s32)table_short[a & 7]);
}

//: kernel=global_variables words=3
KERNEL(global_variables) {
    const u32 a = column(in, 0);
    sink to(out);
    put(table_global[a & 31]);
    put((s32)table_short[a & 7]);
}

//: kernel=local_array words=4
KERNEL(local_array) {
    const u32 a = column(in, 0), b = column(in, 1);
    u32 local[24];
    u8 bytes[16];
    sink to(out);
    for (u32 i = 0; i < 24; i++)
        local[i] = a * i + b;
    for (u32 i = 0; i < 16; i++)
        bytes[i] = (u8)(a + i * b);
    for (u32 i = 0; i < 40; i++)
        local[(a + i * 7) % 24] ^= local[(b + i) % 24] + bytes[(a >> 3) + i & 15];
    put(local[a % 24]);
    put(local[b % 24]);
    put((s32)(s8)bytes[b & 15]);
    put(local[0] ^ local[23]);
}

/* All widths of load from the input, from a byte that the thread chooses. */
//: kernel=load_widths words=12
KERNEL(load_widths) {
    const u8 *const bytes = (const u8 *)in;
    const u32 at = (u32)((u64)column(in, 0) % (n_threads() * 8)) & ~15u;
    sink to(out);
    put(bytes[at + 3]);
    put(*(const s8 *)&bytes[at + 5]);
    put(*(const u16 *)&bytes[at + 6]);
    put(*(const s16 *)&bytes[at + 2]);
    put(*(const u32 *)&bytes[at + 4]);
    put(*(const u64 *)&bytes[at + 8]);
    put(*(const f32 *)&bytes[at + 12]);
    put(*(const f64 *)&bytes[at]);
    put((u64)(s64)*(const s32 *)&bytes[at + 8]);
}

//: kernel=load_vectors words=15
KERNEL(load_vectors) {
    const u32 at = (u32)((u64)column(in, 0) % n_threads()) & ~3u;
    const uint4 q = *(const uint4 *)&in[at];
    const uint2 p = *(const uint2 *)&in[at + 1];
    const ulonglong2 d = *(const ulonglong2 *)&in[at + 2];
    const uchar4 b = *(const uchar4 *)&in[at];
    const short2 h = *(const short2 *)&in[at + 3];
    const char2 c = *(const char2 *)&in[at + 1];
    sink to(out);
    put(q.x ^ q.w);
    put(q.y);
    put(q.z);
    put(p.x);
    put(p.y);
    put((u64)d.x);
    put((u64)d.y);
    put((s32)b.x - b.y);
    put((u32)b.z * b.w);
    put((s32)h.x * h.y);
    put((s32)c.x * c.y);
    put(__ldg(&in[at]) + __ldg((const u32 *)&in[at + 1]));
}

//: kernel=store_vectors words=8
KERNEL(store_vectors) {
    const u64 a = column(in, 0), b = column(in, 1);
    u32 *const mine = out + global_id() * 8;
    *(uint4 *)mine = make_uint4((u32)a, (u32)b, (u32)(a >> 32), (u32)(b >> 32));
    *(uint2 *)(mine + 4) = make_uint2((u32)a + 1, (u32)b + 1);
    *(uchar4 *)(mine + 6) = make_uchar4((u8)a, (u8)b, (u8)(a >> 8), (u8)(b >> 8));
    ((u16 *)mine)[14] = (u16)(a ^ b);
    ((s8 *)mine)[30] = (s8)a;
    ((s8 *)mine)[31] = (s8)b;
}

//: kernel=shared_widths words=10
KERNEL(shared_widths) {
    __shared__ u8 bytes[128];
    __shared__ s16 halves[128];
    __shared__ u32 words[128];
    __shared__ f64 doubles[128];
    __shared__ uint4 quads[32];
    const u64 a = column(in, 0), b = column(in, 1);
    const u32 t = threadIdx.x, other = (t * 37 + 11) % 128;
    bytes[t] = (u8)a;
    halves[t] = (s16)b;
    words[t] = (u32)(a ^ b);
    doubles[t] = __longlong_as_double((s64)a);
    if (t < 32)
        quads[t] = make_uint4(t, (u32)a, (u32)b, ~t);
    __syncthreads();
    sink to(out);
    put(bytes[other]);
    put((s32)halves[other]);
    put(words[other]);
    put(doubles[other]);
    put(quads[other % 32].y);
    put(quads[other % 32].w);
    const uint4 q = quads[other / 4];
    put(q.x + q.y);
    put(q.z ^ q.w);
    put(words[t ^ 1] + words[t ^ 64]);
}

static __device__ __noinline__ u32 first_word(const u32 *from) {
    return *(const volatile u32 *)from;
}

/* A pointer of which nobody knows the space. */
//: kernel=generic_addresses words=5
KERNEL(generic_addresses) {
    __shared__ u32 words[128];
    const u32 a = column(in, 0), b = column(in, 1);
    u32 local[4] = {a, b, a + b, a ^ b};
    words[threadIdx.x] = a * 3;
    __syncthreads();
    const u32 *const spaces[3] = {&words[b & 127], &local[b & 3], (const u32 *)&in[b & 127]};
    const u32 *from = a % 3 == 0 ? spaces[0] : a % 3 == 1 ? spaces[1] : spaces[2];
    sink to(out);
    put(*(const volatile u32 *)from);
    put((u32)__isShared(from) | __isLocal(from) << 1 | __isGlobal(from) << 2);
    *(volatile u32 *)(a & 1 ? &local[1] : &out[global_id() + 4 * n_threads()]) = b;
    put(local[1]);
    put((u32)(__cvta_generic_to_shared(&words[5]) - __cvta_generic_to_shared(&words[1])));
}

//: kernel=generic_call words=2
KERNEL(generic_call) {
    __shared__ u32 words[128];
    const u32 a = column(in, 0);
    words[threadIdx.x] = a ^ 0x5a5a5a5a;
    __syncthreads();
    sink to(out);
    put(first_word(a & 1 ? &words[a & 127] : (const u32 *)&in[a & 127]));
    put(first_word(&words[threadIdx.x ^ 3]));
}

//: kernel=cache_operators words=6
KERNEL(cache_operators) {
    const u64 *const from = &in[global_id()];
    sink to(out);
    put(__ldcg((const u32 *)from));
    put(__ldcs((const u32 *)from + 1));
    put(__ldca(from));
    put((u32)__ldcv((const u32 *)from));
    __stcg(&out[global_id() + 5 * n_threads()], 77u + global_id());
}

//: kernel=special_registers words=10
KERNEL(special_registers) {
    u32 eq, lt, le, gt, ge, lane;
    sink to(out);
    asm("mov.u32 %0, %%lanemask_eq;" : "=r"(eq));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lt));
    asm("mov.u32 %0, %%lanemask_le;" : "=r"(le));
    asm("mov.u32 %0, %%lanemask_gt;" : "=r"(gt));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(ge));
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    put(eq);
    put(lt);
    put(le);
    put(gt);
    put(ge);
    put(lane);
    put(threadIdx.x + threadIdx.y + threadIdx.z);
    put(blockDim.x * 10000 + blockDim.y * 100 + blockDim.z);
    put(blockIdx.x + blockIdx.y + blockIdx.z);
    put(gridDim.x * 10000 + gridDim.y * 100 + gridDim.z);
}
