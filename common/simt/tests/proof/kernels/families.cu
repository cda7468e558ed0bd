/* Members of families that the other files leave out: carries, small multiplications, selections,
 * comparisons to a value, pieces of registers, questions about lanes and addresses. */
#include "proof.cuh"

#define CARRIES(name, T, R, first, second, third)                                                  \
    OPS(name, T, T low; T high; T top;                                                             \
        asm volatile(first " %0, %3, %4, %5;\n\t" second " %1, %3, %4, %5;\n\t" third              \
                           " %2, %3, %5, %4;"                                                      \
                     : "=" R(low), "=" R(high), "=" R(top)                                         \
                     : R(a), R(b), R(c));                                                          \
        put(low); put(high); put(top))
//: kernel=carry_products_u32 words=3
CARRIES(carry_products_u32, u32, "r", "mad.hi.cc.u32", "madc.hi.cc.u32", "madc.lo.u32")
//: kernel=carry_products_s32 words=3
CARRIES(carry_products_s32, s32, "r", "mad.hi.cc.s32", "madc.hi.cc.s32", "madc.hi.s32")
//: kernel=carry_products_u64 words=6
CARRIES(carry_products_u64, u64, "l", "mad.lo.cc.u64", "madc.hi.cc.u64", "madc.lo.u64")
//: kernel=carry_products_s64 words=6
CARRIES(carry_products_s64, s64, "l", "mad.hi.cc.s64", "madc.lo.cc.s64", "madc.hi.s64")

//: kernel=small_products words=6
OPS(small_products, u32,
    put(PTX3(u16, "h", "mad.hi.s16", "h", (u16)a, "h", (u16)b, "h", (u16)c));
    put(PTX3(u16, "h", "mad.hi.u16", "h", (u16)a, "h", (u16)b, "h", (u16)c));
    put(PTX3(u32, "r", "mad24.hi.sat.s32", "r", a, "r", b, "r", c));
    put(PTX2(u32, "r", "mul24.lo.u32", "r", a, "r", b));
    put(PTX3(u32, "r", "dp2a.hi.s32.u32", "r", a, "r", b, "r", c));
    put(PTX3(u32, "r", "dp2a.lo.s32.s32", "r", a, "r", b, "r", c)))
//: kernel=selections_by_sign fill=f32 words=9
OPS(selections_by_sign, f32, const u32 i = __float_as_uint(a), k = __float_as_uint(b);
    const u64 l = (u64)i << 32 | k, m = (u64)k << 31 | i; const f64 d = a, e = b;
    put(PTX3(u32, "r", "slct.ftz.b32.f32", "r", i, "r", k, "f", c));
    put(PTX3(u64, "l", "slct.b64.f32", "l", l, "l", m, "f", c));
    put(PTX3(f64, "d", "slct.f64.f32", "d", d, "d", e, "f", c));
    put(PTX3(f64, "d", "slct.ftz.f64.f32", "d", d, "d", e, "f", c));
    put(PTX3(u16, "h", "slct.b16.s32", "h", (u16)i, "h", (u16)k, "r", __float_as_int(c)));
    put(PTX3(f32, "f", "slct.f32.f32", "f", a, "f", b, "f", c)))

/* Every comparison to a value, as a number and as a float, summed so that a wrong one shows. */
#define SETS(word)                                                                                 \
    "set." word ".u32." TYPE " v, %1, %2;\n\tmad.lo.u32 %0, %0, 31, v;\n\tset." word ".f32." TYPE    \
    " f, %1, %2;\n\tmov.b32 v, f;\n\tmad.lo.u32 %0, %0, 37, v;\n\t"
#define SET_VALUES(how, C, a, b)                                                                   \
    ({                                                                                             \
        u32 sum = 0;                                                                               \
        asm volatile("{\n\t.reg .b32 v;\n\t.reg .f32 f;\n\t" how "}" : "+r"(sum) : C(a), C(b));    \
        sum;                                                                                       \
    })
#define ORDERS SETS("eq") SETS("ne") SETS("lt") SETS("le") SETS("gt") SETS("ge")
#define UNSIGNED SETS("eq") SETS("ne") SETS("lo") SETS("ls") SETS("hi") SETS("hs")
#define FLOATS                                                                                     \
    ORDERS SETS("equ") SETS("neu") SETS("ltu") SETS("leu") SETS("gtu") SETS("geu") SETS("num")     \
        SETS("nan")
#define TYPE "s16"
//: kernel=sets_of_s16
OPS(sets_of_s16, u16, put(SET_VALUES(ORDERS, "h", a, b)))
#undef TYPE
#define TYPE "u16"
//: kernel=sets_of_u16
OPS(sets_of_u16, u16, put(SET_VALUES(UNSIGNED, "h", a, b)))
#undef TYPE
#define TYPE "s32"
//: kernel=sets_of_s32
OPS(sets_of_s32, u32, put(SET_VALUES(ORDERS, "r", a, b)))
#undef TYPE
#define TYPE "u32"
//: kernel=sets_of_u32
OPS(sets_of_u32, u32, put(SET_VALUES(UNSIGNED, "r", a, b)))
#undef TYPE
#define TYPE "s64"
//: kernel=sets_of_s64
OPS(sets_of_s64, u64, put(SET_VALUES(ORDERS, "l", a, b)))
#undef TYPE
#define TYPE "u64"
//: kernel=sets_of_u64
OPS(sets_of_u64, u64, put(SET_VALUES(UNSIGNED, "l", a, b)))
#undef TYPE
#define TYPE "f32"
//: kernel=sets_of_f32 fill=f32
OPS(sets_of_f32, f32, put(SET_VALUES(FLOATS, "f", a, b)))
#undef TYPE
#define TYPE "f64"
//: kernel=sets_of_f64 fill=f64
OPS(sets_of_f64, f64, put(SET_VALUES(FLOATS, "d", a, b)))

//: kernel=pieces words=6
OPS(pieces, u64, u32 low; u32 high; u16 h0; u16 h1; u16 h2; u16 h3; u64 joined; u32 pair;
    asm volatile("mov.b64 {%0, %1}, %8;\n\tmov.b64 {%2, %3, %4, %5}, %8;\n\t"
                 "mov.b64 %6, {%5, %3, %2, %4};\n\tmov.b32 %7, {%4, %2};"
                 : "=r"(low), "=r"(high), "=h"(h0), "=h"(h1), "=h"(h2), "=h"(h3), "=l"(joined),
                   "=r"(pair)
                 : "l"(a));
    put(low ^ high); put(h0 + 3 * h1); put(h2 + 5 * h3); put(joined); put(pair))

/* Lanes in a branch of their own, and what kind of address something has. */
//: kernel=lanes_and_spaces words=3
KERNEL(lanes_and_spaces) {
    __shared__ u32 tile[128];
    const u32 t = threadIdx.x, a = column(in, 0);
    u32 local[2] = {a, t}, active = 0, spaces = 0;
    sink to(out);
    tile[t] = a;
    if (t % 32 < 9)
        asm volatile("activemask.b32 %0;" : "=r"(active));
    put(active);
    asm volatile("{\n\t.reg .pred p;\n\tisspacep.shared p, %1;\n\t@p or.b32 %0, %0, 1;\n\t"
                 "isspacep.local p, %2;\n\t@p or.b32 %0, %0, 2;\n\tisspacep.global p, %3;\n\t"
                 "@p or.b32 %0, %0, 4;\n\tisspacep.const p, %3;\n\t@p or.b32 %0, %0, 8;\n\t"
                 "isspacep.global p, %1;\n\t@p or.b32 %0, %0, 16;\n\t}"
                 : "+r"(spaces)
                 : "l"(&tile[t]), "l"(&local[a & 1]), "l"(in));
    put(spaces);
    put(local[a & 1] ^ tile[t]);
}
