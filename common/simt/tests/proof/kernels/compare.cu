/* Comparison and selection, PTX ISA section 9.7.5. */
#include "proof.cuh"

#define SETP(condition, type, R)                                                                   \
    ({                                                                                             \
        u32 r;                                                                                     \
        asm volatile("{ .reg .pred p; setp." condition "." type " p, %1, %2; selp.u32 %0, 1, 0, p; }" \
                     : "=r"(r)                                                                     \
                     : R(a), R(b));                                                                \
        r;                                                                                         \
    })
#define SIX(type, R)                                                                               \
    (SETP("eq", type, R) | SETP("ne", type, R) << 1 | SETP("lt", type, R) << 2 |                   \
     SETP("le", type, R) << 3 | SETP("gt", type, R) << 4 | SETP("ge", type, R) << 5)
#define FOUR(type, R)                                                                              \
    (SETP("lo", type, R) | SETP("ls", type, R) << 1 | SETP("hi", type, R) << 2 |                   \
     SETP("hs", type, R) << 3)
#define UNORDERED(type, R)                                                                         \
    (SETP("equ", type, R) | SETP("neu", type, R) << 1 | SETP("ltu", type, R) << 2 |                \
     SETP("leu", type, R) << 3 | SETP("gtu", type, R) << 4 | SETP("geu", type, R) << 5 |           \
     SETP("num", type, R) << 6 | SETP("nan", type, R) << 7)

//: kernel=compare_16 words=4
OPS(compare_16, u16, put(SIX("u16", "h")); put(SIX("s16", "h")); put(FOUR("u16", "h"));
    put(SETP("eq", "b16", "h") | SETP("ne", "b16", "h") << 1))
//: kernel=compare_32 words=3
OPS(compare_32, u32, put(SIX("u32", "r")); put(SIX("s32", "r")); put(FOUR("u32", "r")))
//: kernel=compare_64 words=3
OPS(compare_64, u64, put(SIX("u64", "l")); put(SIX("s64", "l")); put(FOUR("u64", "l")))
//: kernel=compare_f32 fill=f32 words=4
OPS(compare_f32, f32, put(SIX("f32", "f")); put(UNORDERED("f32", "f")); put(SIX("ftz.f32", "f"));
    put(UNORDERED("ftz.f32", "f")))
//: kernel=compare_f64 fill=f64 words=2
OPS(compare_f64, f64, put(SIX("f64", "d")); put(UNORDERED("f64", "d")))

#define SETP_BOOL(op)                                                                              \
    ({                                                                                             \
        u32 r;                                                                                     \
        asm volatile("{ .reg .pred p, q, c; setp.ne.u32 c, %3, 0; setp.lt." op                     \
                     ".s32 p|q, %1, %2, c; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; }"          \
                     : "=r"(r)                                                                     \
                     : "r"(a), "r"(b), "r"(c & 1));                                                \
        r;                                                                                         \
    })
//: kernel=compare_and_combine words=4
OPS(compare_and_combine, u32, put(SETP_BOOL("and")); put(SETP_BOOL("or")); put(SETP_BOOL("xor"));
    u32 r; asm volatile("{ .reg .pred p, c; setp.ne.u32 c, %3, 0; setp.ge.and.u32 p, %1, %2, !c; "
                        "selp.u32 %0, 7, 9, p; }"
                        : "=r"(r)
                        : "r"(a), "r"(b), "r"(c & 1));
    put(r))
//: kernel=predicate_logic words=2
KERNEL(predicate_logic) {
    const u32 a = column(in, 0), b = column(in, 1);
    u32 r, s;
    sink to(out);
    asm volatile("{ .reg .pred p, q, x, y, z, n; setp.lt.s32 p, %1, 0; setp.gt.s32 q, %2, 5;"
                 " and.pred x, p, q; or.pred y, p, q; xor.pred z, p, q; not.pred n, p;"
                 " selp.u32 %0, 1, 0, x; @y add.u32 %0, %0, 2; @z add.u32 %0, %0, 4;"
                 " @!n add.u32 %0, %0, 8; }"
                 : "=r"(r)
                 : "r"(a), "r"(b));
    s = (a > 3 && b < 7) || (a == b && !(a & 1));
    put(r);
    put(s);
}

#define SET(text, T, R, A)                                                                         \
    ({                                                                                             \
        T r;                                                                                       \
        asm volatile("set." text " %0, %1, %2;" : "=" R(r) : A(a), A(b));                          \
        r;                                                                                         \
    })
//: kernel=set_int words=6
OPS(set_int, u32, put(SET("lt.u32.s32", u32, "r", "r")); put(SET("hi.u32.u32", u32, "r", "r"));
    put(SET("eq.s32.u32", s32, "r", "r")); put(SET("ne.f32.u32", f32, "f", "r"));
    put(SET("ge.f32.s32", f32, "f", "r")); put(SET("le.u32.u32", u32, "r", "r")))
//: kernel=set_float fill=f32 words=6
OPS(set_float, f32, put(SET("lt.u32.f32", u32, "r", "f")); put(SET("geu.u32.f32", u32, "r", "f"));
    put(SET("eq.s32.f32", s32, "r", "f")); put(SET("nan.f32.f32", f32, "f", "f"));
    put(SET("num.f32.f32", f32, "f", "f")); put(SET("gt.ftz.u32.f32", u32, "r", "f")))
//: kernel=select_value words=8
OPS(select_value, u64, put((s32)c < 0 ? (u32)a : (u32)b); put(c & 1 ? a : b);
    put(PTX3(u32, "r", "slct.u32.s32", "r", (u32)a, "r", (u32)b, "r", (u32)c));
    put(PTX3(u64, "l", "slct.b64.s32", "l", a, "l", b, "r", (u32)c));
    put((u16)(c & 2 ? (u16)a : (u16)b)); put(c & 4 ? __uint_as_float((u32)a) : 1.0f))
//: kernel=select_float fill=f32 words=3
OPS(select_float, f32, put(PTX3(f32, "f", "slct.f32.f32", "f", a, "f", b, "f", c));
    put(PTX3(f32, "f", "slct.ftz.f32.f32", "f", a, "f", b, "f", c));
    put(PTX3(u32, "r", "slct.u32.f32", "r", __float_as_uint(a), "r", __float_as_uint(b), "f", c)))

#define TESTP(what, type, R)                                                                       \
    ({                                                                                             \
        u32 r;                                                                                     \
        asm volatile("{ .reg .pred p; testp." what "." type " p, %1; selp.u32 %0, 1, 0, p; }"      \
                     : "=r"(r)                                                                     \
                     : R(a));                                                                      \
        r;                                                                                         \
    })
#define TESTS(type, R)                                                                             \
    (TESTP("finite", type, R) | TESTP("infinite", type, R) << 1 | TESTP("number", type, R) << 2 |  \
     TESTP("notanumber", type, R) << 3 | TESTP("normal", type, R) << 4 |                           \
     TESTP("subnormal", type, R) << 5)
//: kernel=classify_f32 fill=f32
OPS(classify_f32, f32, put(TESTS("f32", "f")))
//: kernel=classify_f64 fill=f64
OPS(classify_f64, f64, put(TESTS("f64", "d")))
