/* Integer arithmetic, PTX ISA section 9.7.1. */
#include "proof.cuh"

//: kernel=add_sub_16 words=4
OPS(add_sub_16, u16, put(PTX2(u16, "h", "add.u16", "h", a, "h", b));
    put(PTX2(u16, "h", "sub.s16", "h", a, "h", b)); put(PTX2(u16, "h", "mul.lo.u16", "h", a, "h", b));
    put(PTX3(u16, "h", "mad.lo.s16", "h", a, "h", b, "h", c)))
//: kernel=high_16 words=4
OPS(high_16, u16, put(PTX2(u16, "h", "mul.hi.u16", "h", a, "h", b));
    put(PTX2(u16, "h", "mul.hi.s16", "h", a, "h", b));
    put(PTX2(u32, "r", "mul.wide.u16", "h", a, "h", b));
    put(PTX2(u32, "r", "mul.wide.s16", "h", a, "h", b)))
//: kernel=add_sub_32 words=3
OPS(add_sub_32, u32, put(a + b); put(a - b); put(b - a))
//: kernel=add_sub_64 words=4
OPS(add_sub_64, u64, put(a + b); put(a - b))
//: kernel=add_sub_saturated words=2
OPS(add_sub_saturated, s32, put(PTX2(s32, "r", "add.sat.s32", "r", a, "r", b));
    put(PTX2(s32, "r", "sub.sat.s32", "r", a, "r", b)))
//: kernel=mul_32 words=3
OPS(mul_32, u32, put(a * b); put(__umulhi(a, b)); put(__mulhi((s32)a, (s32)b)))
//: kernel=mul_64 words=6
OPS(mul_64, u64, put(a * b); put(__umul64hi(a, b)); put(__mul64hi((s64)a, (s64)b)))
//: kernel=mul_wide words=4
OPS(mul_wide, u32, put(PTX2(u64, "l", "mul.wide.u32", "r", a, "r", b));
    put(PTX2(u64, "l", "mul.wide.s32", "r", a, "r", b)))
//: kernel=mul_24 words=4
OPS(mul_24, u32, put(__umul24(a, b)); put(__mul24(a, b));
    put(PTX2(u32, "r", "mul24.hi.u32", "r", a, "r", b));
    put(PTX2(u32, "r", "mul24.hi.s32", "r", a, "r", b)))
//: kernel=mad_24 words=4
OPS(mad_24, u32, put(PTX3(u32, "r", "mad24.lo.u32", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "mad24.lo.s32", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "mad24.hi.u32", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "mad24.hi.s32", "r", a, "r", b, "r", c)))
//: kernel=mad_32 words=4
OPS(mad_32, u32, put(a * b + c); put(PTX3(u32, "r", "mad.hi.u32", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "mad.hi.s32", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "mad.hi.sat.s32", "r", a, "r", b, "r", c)))
//: kernel=mad_64 words=6
OPS(mad_64, u64, put(PTX3(u64, "l", "mad.lo.s64", "l", a, "l", b, "l", c));
    put(PTX3(u64, "l", "mad.hi.u64", "l", a, "l", b, "l", c));
    put(PTX3(u64, "l", "mad.hi.s64", "l", a, "l", b, "l", c)))
//: kernel=mad_wide words=6
OPS(mad_wide, u64, put(PTX3(u64, "l", "mad.wide.u32", "r", (u32)a, "r", (u32)b, "l", c));
    put(PTX3(u64, "l", "mad.wide.s32", "r", (u32)a, "r", (u32)b, "l", c));
    put(PTX3(u32, "r", "mad.wide.u16", "h", (u16)a, "h", (u16)b, "r", (u32)c));
    put(PTX3(u32, "r", "mad.wide.s16", "h", (u16)a, "h", (u16)b, "r", (u32)c)))
//: kernel=sums_of_differences words=6
OPS(sums_of_differences, u32, put(__usad(a, b, c)); put(__sad((s32)a, (s32)b, c));
    put(PTX3(u16, "h", "sad.u16", "h", (u16)a, "h", (u16)b, "h", (u16)c));
    put(PTX3(u16, "h", "sad.s16", "h", (u16)a, "h", (u16)b, "h", (u16)c));
    put(__uhadd(a, b)); put(__rhadd((s32)a, (s32)b)))
//: kernel=sad_64 words=4
OPS(sad_64, u64, put(PTX3(u64, "l", "sad.u64", "l", a, "l", b, "l", c));
    put(PTX3(u64, "l", "sad.s64", "l", a, "l", b, "l", c)))
//: kernel=negate_absolute words=8
OPS(negate_absolute, u64, put(PTX1(u16, "h", "neg.s16", "h", (u16)a));
    put(PTX1(u16, "h", "abs.s16", "h", (u16)a)); put(PTX1(u32, "r", "neg.s32", "r", (u32)a));
    put(PTX1(u32, "r", "abs.s32", "r", (u32)a)); put(PTX1(u64, "l", "neg.s64", "l", a));
    put(PTX1(u64, "l", "abs.s64", "l", a)))
//: kernel=min_max_32 words=8
OPS(min_max_32, u32, put(min(a, b)); put(max(a, b)); put(min((s32)a, (s32)b));
    put(max((s32)a, (s32)b)); put(PTX2(u16, "h", "min.u16", "h", (u16)a, "h", (u16)b));
    put(PTX2(u16, "h", "max.u16", "h", (u16)a, "h", (u16)b));
    put(PTX2(u16, "h", "min.s16", "h", (u16)a, "h", (u16)b));
    put(PTX2(u16, "h", "max.s16", "h", (u16)a, "h", (u16)b)))
//: kernel=min_max_64 words=8
OPS(min_max_64, u64, put(min(a, b)); put(max(a, b)); put(min((s64)a, (s64)b));
    put(max((s64)a, (s64)b)))
//: kernel=dot_products words=8
OPS(dot_products, u32, put(__dp4a(a, b, c)); put(__dp4a((s32)a, (s32)b, (s32)c));
    put(PTX3(u32, "r", "dp4a.u32.s32", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "dp4a.s32.u32", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "dp2a.lo.u32.u32", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "dp2a.hi.u32.s32", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "dp2a.lo.s32.u32", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "dp2a.hi.s32.s32", "r", a, "r", b, "r", c)))

//: kernel=carry_32 words=6
KERNEL(carry_32) {
    const u32 a = column(in, 0), b = column(in, 1), c = column(in, 2);
    u32 low, middle, high;
    sink to(out);
    asm("{ add.cc.u32 %0, %3, %4; addc.cc.u32 %1, %4, %5; addc.u32 %2, %5, %3; }"
        : "=r"(low), "=r"(middle), "=r"(high)
        : "r"(a), "r"(b), "r"(c));
    put(low);
    put(middle);
    put(high);
    asm("{ sub.cc.u32 %0, %3, %4; subc.cc.u32 %1, %4, %5; subc.u32 %2, %5, %3; }"
        : "=r"(low), "=r"(middle), "=r"(high)
        : "r"(a), "r"(b), "r"(c));
    put(low);
    put(middle);
    put(high);
}

//: kernel=carry_64 words=8
KERNEL(carry_64) {
    const u64 a = column(in, 0), b = column(in, 1), c = column(in, 2);
    u64 low, high;
    sink to(out);
    asm("{ add.cc.u64 %0, %2, %3; addc.u64 %1, %3, %4; }"
        : "=l"(low), "=l"(high)
        : "l"(a), "l"(b), "l"(c));
    put(low);
    put(high);
    asm("{ sub.cc.u64 %0, %2, %3; subc.u64 %1, %3, %4; }"
        : "=l"(low), "=l"(high)
        : "l"(a), "l"(b), "l"(c));
    put(low);
    put(high);
}

//: kernel=carry_mad words=4
KERNEL(carry_mad) {
    const u32 a = column(in, 0), b = column(in, 1), c = column(in, 2);
    u32 low, high, low2, high2;
    sink to(out);
    asm("{ mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, %4; }"
        : "=r"(low), "=r"(high)
        : "r"(a), "r"(b), "r"(c));
    asm("{ mad.lo.cc.s32 %0, %2, %3, %4; madc.hi.s32 %1, %2, %3, %4; }"
        : "=r"(low2), "=r"(high2)
        : "r"(a), "r"(b), "r"(c));
    put(low);
    put(high);
    put(low2);
    put(high2);
}

//: kernel=wide_product words=8
KERNEL(wide_product) {
    const u64 a = column(in, 0), b = column(in, 1), c = column(in, 2);
    const unsigned __int128 p = (unsigned __int128)a * b + c;
    const __int128 q = (__int128)(s64)a * (s64)b - (s64)c;
    sink to(out);
    put((u64)p);
    put((u64)(p >> 64));
    put((u64)q);
    put((u64)(q >> 64));
}
