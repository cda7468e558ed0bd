/* Control flow in which the lanes of a warp part and meet again. */
#include "proof.cuh"

//: kernel=nested_branches words=1
KERNEL(nested_branches) {
    const u32 a = column(in, 0), b = column(in, 1);
    u32 r = 1;
    if (a & 1) {
        r = r * 3 + b;
        if (b & 2)
            r ^= a * 7;
        else if (a & 4)
            r += 11;
        r = r * 5 + 1;
    } else {
        if (b & 1) {
            r += a;
            if ((s32)a < 0)
                r = ~r;
        }
        r = r * 9 + (b >> 3);
    }
    out[global_id()] = r;
}

//: kernel=trip_counts words=2
KERNEL(trip_counts) {
    const u32 a = column(in, 0), b = column(in, 1);
    u32 r = a, n = 0;
    for (u32 i = 0; i < (b & 31); i++) {
        r = r * 1664525 + 1013904223;
        for (u32 j = i; j < (r >> 28); j++)
            n += r ^ j;
    }
    sink to(out);
    put(r);
    put(n);
}

//: kernel=break_and_continue words=2
KERNEL(break_and_continue) {
    const u32 a = column(in, 0), b = column(in, 1);
    u32 r = a, n = 0;
    for (u32 i = 0; i < 40; i++) {
        r = r * 1664525 + b;
        if (r >> 30 == 1)
            continue;
        n += i;
        if (r >> 28 == 15)
            break;
        if ((r & 0x70000) == 0x30000)
            r ^= n;
    }
    sink to(out);
    put(r);
    put(n);
}

//: kernel=early_return words=2
KERNEL(early_return) {
    const u32 a = column(in, 0), b = column(in, 1);
    out[global_id()] = 5;
    if (a & 8)
        return;
    for (u32 i = 0; i < 10; i++) {
        out[n_threads() + global_id()] = a * i + b;
        if ((b >> i & 3) == 2)
            return;
    }
    out[global_id()] = a + b;
}

//: kernel=switch_dense words=1
KERNEL(switch_dense) {
    const u32 a = column(in, 0), b = column(in, 1);
    u32 r = b;
    switch (a & 15) {
    case 0:
        r += 3;
        break;
    case 1:
        r *= 5;
    case 2:
        r ^= 0x55;
        break;
    case 3:
        r = ~r;
        break;
    case 4:
    case 5:
        r = r << 3 | r >> 29;
        break;
    case 6:
        r -= a;
        if (r & 1)
            break;
    case 7:
        r += 1000;
        break;
    case 8:
        r = r / 3;
        break;
    case 9:
        r = r % 1001;
        break;
    case 11:
        r = __popc(r);
        break;
    case 12:
        r = __brev(r);
        break;
    default:
        r = 0xdead;
    }
    out[global_id()] = r;
}

//: kernel=branch_table words=1
KERNEL(branch_table) {
    const u32 a = column(in, 0), b = column(in, 1);
    u32 r;
    asm volatile("{ .reg .u32 i; and.b32 i, %1, 3;\n"
                 " ts: .branchtargets L0, L1, L2, L3;\n"
                 " mov.u32 %0, 0;\n"
                 " brx.idx i, ts;\n"
                 " L0: add.u32 %0, %2, 1; bra LE;\n"
                 " L1: mul.lo.u32 %0, %2, 3; bra LE;\n"
                 " L2: xor.b32 %0, %2, %1; bra LE;\n"
                 " L3: not.b32 %0, %2;\n"
                 " LE: }"
                 : "=&r"(r)
                 : "r"(a), "r"(b));
    out[global_id()] = r;
}

/* Two loops that share a tail, entered at either end: no structured program has this graph. */
//: kernel=unstructured words=2
KERNEL(unstructured) {
    u32 a = column(in, 0), b = column(in, 1), n = 0;
    if (a & 1)
        goto second;
first:
    a = a * 1664525 + 7;
    n += 1;
    if (n > 30)
        goto done;
    if (a >> 29 == 3)
        goto second;
    if (a >> 31)
        goto first;
    goto tail;
second:
    b = b * 22695477 + 1;
    n += 100;
    if (n > 3000)
        goto done;
    if (b >> 30 == 1)
        goto first;
tail:
    a ^= b >> 5;
    n += 10000;
    if (n < 100000 && (a & 6))
        goto second;
done:
    sink to(out);
    put(a + b);
    put(n);
}

//: kernel=short_circuit words=1
KERNEL(short_circuit) {
    const u32 a = column(in, 0), b = column(in, 1);
    u32 r = 0;
    for (u32 i = 0; i < 8; i++) {
        if ((a >> i & 1 && in[(a + i) % n_threads()] & 2) || (b >> i & 1 && (s32)(a ^ i) < 0))
            r |= 1u << i;
        else if (!(b & 16) || a > b + i)
            r += 0x100;
    }
    out[global_id()] = r;
}

//: kernel=collatz words=1
KERNEL(collatz) {
    u64 n = ((u64)column(in, 0) & 0xffff) + 1;
    u32 steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    out[global_id()] = steps;
}

//: kernel=gcd words=1
KERNEL(gcd) {
    u32 a = (u32)column(in, 0) | 1, b = column(in, 1);
    while (b) {
        const u32 r = a % b;
        a = b;
        b = r;
    }
    out[global_id()] = a;
}

/* Shuffles and votes among the lanes that are still in the loop. */
//: kernel=shrinking_mask words=2
KERNEL(shrinking_mask) {
    u32 a = column(in, 0), n = (u32)column(in, 1) & 15, r = 0;
    u32 members = __ballot_sync(0xffffffff, n > 0);
    while (n > 0) {
        const u32 left = __popc(members & ((1u << (threadIdx.x & 31)) - 1));
        a += __shfl_sync(members, a, __ffs((s32)members) - 1) + left;
        r += __popc(members);
        n--;
        members = __ballot_sync(members, n > 0);
    }
    sink to(out);
    put(a);
    put(r);
}

/* Lanes of one warp take a lock in turn. */
//: kernel=spin_lock grid=2 block=64 words=2
KERNEL(spin_lock) {
    u32 *const lock = out, *const counter = out + 1;
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *(volatile u32 *)counter = *(volatile u32 *)counter + 3;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

/* A warp waits for another warp, and a block for the block before it. */
//: kernel=wait_for_neighbour grid=6 block=64 words=1
KERNEL(wait_for_neighbour) {
    volatile u32 *const flags = out;
    const u32 warp = global_id() / 32;
    if ((threadIdx.x & 31) == 0) {
        u32 sum = warp;
        if (warp) {
            while ((sum = flags[warp - 1]) == 0) {
            }
            sum += warp;
        }
        __threadfence();
        flags[warp] = sum + 1;
    }
}

//: kernel=uniform_and_varying words=1
KERNEL(uniform_and_varying) {
    const u32 a = column(in, 0);
    u32 r = 0;
    for (u32 i = 0; i < 4 + blockIdx.x; i++) {
        if (blockIdx.x & 1)
            r += a * i;
        else if (threadIdx.x < 40 + i)
            r ^= a >> i;
        if (threadIdx.x / 32 == i)
            r *= 3;
    }
    out[global_id()] = r;
}
