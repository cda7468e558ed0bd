/* Shifts, logic and bit fields, PTX ISA sections 9.7.1 and 9.7.8. */
#include "proof.cuh"

//: kernel=shift_16 words=3
OPS(shift_16, u64, const u32 n = (u32)b & 63; put(PTX2(u16, "h", "shl.b16", "h", (u16)a, "r", n));
    put(PTX2(u16, "h", "shr.u16", "h", (u16)a, "r", n));
    put(PTX2(u16, "h", "shr.s16", "h", (u16)a, "r", n)))
//: kernel=shift_32 words=6
OPS(shift_32, u32, put(PTX2(u32, "r", "shl.b32", "r", a, "r", b));
    put(PTX2(u32, "r", "shr.u32", "r", a, "r", b)); put(PTX2(u32, "r", "shr.s32", "r", a, "r", b));
    put(PTX2(u32, "r", "shl.b32", "r", a, "r", b & 31)); put(a >> (c & 31));
    put((s32)a >> (c & 31)))
//: kernel=shift_64 words=12
OPS(shift_64, u64, put(PTX2(u64, "l", "shl.b64", "l", a, "r", (u32)b));
    put(PTX2(u64, "l", "shr.u64", "l", a, "r", (u32)b));
    put(PTX2(u64, "l", "shr.s64", "l", a, "r", (u32)b)); put(a << (c & 63)); put(a >> (c & 63));
    put((s64)a >> (c & 63)))
//: kernel=funnel_shift words=4
OPS(funnel_shift, u32, put(__funnelshift_l(a, b, c)); put(__funnelshift_lc(a, b, c));
    put(__funnelshift_r(a, b, c)); put(__funnelshift_rc(a, b, c)))
//: kernel=logic_32 words=8
OPS(logic_32, u32, put(a & b); put(a | b); put(a ^ b); put(~a); put(PTX1(u32, "r", "cnot.b32", "r", a));
    put((a & b) ^ (~b | c)); put((a & ~b) | (b & c)); put(a ^ b ^ c))
//: kernel=logic_64 words=8
OPS(logic_64, u64, put(a & b); put(a | b); put(a ^ b); put(PTX1(u64, "l", "cnot.b64", "l", a)))
//: kernel=logic_16 words=5
OPS(logic_16, u16, put(PTX2(u16, "h", "and.b16", "h", a, "h", b));
    put(PTX2(u16, "h", "or.b16", "h", a, "h", b)); put(PTX2(u16, "h", "xor.b16", "h", a, "h", b));
    put(PTX1(u16, "h", "not.b16", "h", a)); put(PTX1(u16, "h", "cnot.b16", "h", a)))

#define LOP3(table)                                                                                \
    ({                                                                                             \
        u32 r;                                                                                     \
        asm volatile("lop3.b32 %0, %1, %2, %3, " #table ";" : "=r"(r) : "r"(a), "r"(b), "r"(c));   \
        r;                                                                                         \
    })
//: kernel=logic_of_three words=12
OPS(logic_of_three, u32, put(LOP3(0x00)); put(LOP3(0xff)); put(LOP3(0x96)); put(LOP3(0xe8));
    put(LOP3(0xca)); put(LOP3(0x1b)); put(LOP3(0x80)); put(LOP3(0xfe)); put(LOP3(0x3c));
    put(LOP3(0x5a)); put(LOP3(0x01)); put(LOP3(0x6d)))
//: kernel=count_bits words=10
OPS(count_bits, u64, put(__popc((u32)a)); put(__popcll(a)); put(__clz((s32)a)); put(__clzll((s64)a));
    put(__ffs((s32)a)); put(__ffsll((s64)a)); put(__brev((u32)a)); put((u64)__brevll(a));
    put(__popc((u32)b) + __clz((s32)b)))
//: kernel=find_bit words=8
OPS(find_bit, u64, put(PTX1(u32, "r", "bfind.u32", "r", (u32)a));
    put(PTX1(u32, "r", "bfind.s32", "r", (u32)a)); put(PTX1(u32, "r", "bfind.u64", "l", a));
    put(PTX1(u32, "r", "bfind.s64", "l", a));
    put(PTX1(u32, "r", "bfind.shiftamt.u32", "r", (u32)a));
    put(PTX1(u32, "r", "bfind.shiftamt.s32", "r", (u32)a));
    put(PTX1(u32, "r", "bfind.shiftamt.u64", "l", a));
    put(PTX1(u32, "r", "bfind.shiftamt.s64", "l", a)))
//: kernel=find_nth_bit words=2
OPS(find_nth_bit, u32, put(PTX3(u32, "r", "fns.b32", "r", a, "r", b & 31, "r", (s32)(c % 9) - 4));
    put(PTX3(u32, "r", "fns.b32", "r", a, "r", b & 31, "r", 1)))
//: kernel=extract_field words=12
OPS(extract_field, u64, const u32 at = (u32)b & 255; const u32 n = (u32)c & 255;
    put(PTX3(u32, "r", "bfe.u32", "r", (u32)a, "r", at, "r", n));
    put(PTX3(u32, "r", "bfe.s32", "r", (u32)a, "r", at, "r", n));
    put(PTX3(u64, "l", "bfe.u64", "l", a, "r", at, "r", n));
    put(PTX3(u64, "l", "bfe.s64", "l", a, "r", at, "r", n));
    put(PTX3(u32, "r", "bfe.u32", "r", (u32)a, "r", at & 31, "r", n & 31));
    put(PTX3(u32, "r", "bfe.s32", "r", (u32)a, "r", at & 31, "r", n & 31));
    put(PTX3(u64, "l", "bfe.u64", "l", a, "r", at & 63, "r", n & 63));
    put(PTX3(u64, "l", "bfe.s64", "l", a, "r", at & 63, "r", n & 63)))

#define BFI(T, R, text, a, b, at, n)                                                               \
    ({                                                                                             \
        T r;                                                                                       \
        asm volatile(text " %0, %1, %2, %3, %4;" : "=" R(r) : R(a), R(b), "r"(at), "r"(n));        \
        r;                                                                                         \
    })
//: kernel=insert_field words=6
OPS(insert_field, u64, const u32 at = (u32)c & 255; const u32 n = (u32)(c >> 8) & 255;
    put(BFI(u32, "r", "bfi.b32", (u32)a, (u32)b, at, n)); put(BFI(u64, "l", "bfi.b64", a, b, at, n));
    put(BFI(u32, "r", "bfi.b32", (u32)a, (u32)b, at & 31, n & 31));
    put(BFI(u64, "l", "bfi.b64", a, b, at & 63, n & 31)); )
//: kernel=permute_bytes words=8
OPS(permute_bytes, u32, put(__byte_perm(a, b, c));
    put(PTX3(u32, "r", "prmt.b32", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "prmt.b32.f4e", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "prmt.b32.b4e", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "prmt.b32.rc8", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "prmt.b32.ecl", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "prmt.b32.ecr", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "prmt.b32.rc16", "r", a, "r", b, "r", c)))
//: kernel=masks words=6
OPS(masks, u32, put(PTX2(u32, "r", "bmsk.clamp.b32", "r", a & 63, "r", b & 63));
    put(PTX2(u32, "r", "bmsk.wrap.b32", "r", a & 63, "r", b & 63));
    put(PTX2(u32, "r", "szext.clamp.u32", "r", a, "r", b & 63));
    put(PTX2(u32, "r", "szext.clamp.s32", "r", a, "r", b & 63));
    put(PTX2(u32, "r", "szext.wrap.u32", "r", a, "r", b & 63));
    put(PTX2(u32, "r", "szext.wrap.s32", "r", a, "r", b & 63)))
//: kernel=pack_words words=10
OPS(pack_words, u64, u32 lo; u32 hi; u64 both; u16 h0; u16 h1; u32 two;
    asm volatile("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(a)); put(lo); put(hi);
    asm volatile("mov.b64 %0, {%1, %2};" : "=l"(both) : "r"(hi), "r"(lo)); put(both);
    asm volatile("mov.b32 {%0, %1}, %2;" : "=h"(h0), "=h"(h1) : "r"((u32)b)); put(h0); put(h1);
    asm volatile("mov.b32 %0, {%1, %2};" : "=r"(two) : "h"(h1), "h"(h0)); put(two);
    put(make_uint2(lo, hi).x ^ make_uint2(lo, hi).y); put((u64)__double_as_longlong(__hiloint2double((int)lo, (int)hi))))
