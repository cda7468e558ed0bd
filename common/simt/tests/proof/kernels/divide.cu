/* Division and remainder; a divisor of 0 and the quotient that overflows are left out, since PTX
 * does not define them. */
#include "proof.cuh"

//: kernel=divide_8 words=4
OPS(divide_8, u8, const u8 d = b ? b : 3; const s8 e = b && b != 255 ? (s8)b : 3; put((u8)(a / d));
    put((u8)(a % d)); put((s8)((s8)a / e)); put((s8)((s8)a % e)))
//: kernel=divide_16 words=4
OPS(divide_16, u16, const u16 d = b ? b : 3; const s16 e = b && b != 65535 ? (s16)b : 3;
    put(PTX2(u16, "h", "div.u16", "h", a, "h", d)); put(PTX2(u16, "h", "rem.u16", "h", a, "h", d));
    put(PTX2(u16, "h", "div.s16", "h", a, "h", e)); put(PTX2(u16, "h", "rem.s16", "h", a, "h", e)))
//: kernel=divide_32 words=4
OPS(divide_32, u32, const u32 d = b ? b : 3; const s32 e = b && b != ~0u ? (s32)b : 3; put(a / d);
    put(a % d); put((s32)a / e); put((s32)a % e))
//: kernel=divide_64 words=8
OPS(divide_64, u64, const u64 d = b ? b : 3; const s64 e = b && b != ~0ull ? (s64)b : 3; put(a / d);
    put(a % d); put((s64)a / e); put((s64)a % e))
//: kernel=divide_by_small_64 words=8
OPS(divide_by_small_64, u64, const u64 d = (c & 0xffff) + 1; const s64 e = (s64)(c & 0xff) + 1;
    put(a / d); put(a % d); put((s64)b / e); put((s64)b % -e))
//: kernel=divide_by_constant words=6
OPS(divide_by_constant, u32, put(a / 7); put(a % 10); put((s32)a / 7); put((s32)a % -10);
    put((u64)a * b / 1000000007))
