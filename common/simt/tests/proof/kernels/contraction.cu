/*
 * Which products ptxas fuses into the sums that follow. PTX allows it where neither instruction
 * names its rounding, and nvcc leaves some pairs to it; results differ in the last bit. Products of
 * one use are written in PTX, since nvcc fuses those itself.
 */
#include "proof.cuh"

#define MUL(a, b) PTX2(f32, "f", "mul.f32", "f", a, "f", b)
#define ADD(a, b) PTX2(f32, "f", "add.f32", "f", a, "f", b)
#define SUB(a, b) PTX2(f32, "f", "sub.f32", "f", a, "f", b)
#define DMUL(a, b) PTX2(f64, "d", "mul.f64", "d", a, "d", b)
#define DADD(a, b) PTX2(f64, "d", "add.f64", "d", a, "d", b)
#define DSUB(a, b) PTX2(f64, "d", "sub.f64", "d", a, "d", b)

/* A fourth input: somebody else's first. */
#define FOURTH(T) ((T)(cell{in[n_threads() - 1 - global_id()]}))

//: kernel=fuse_add fill=unit words=1
OPS(fuse_add, f32, put(ADD(MUL(a, b), c)))
//: kernel=fuse_add_second fill=unit words=1
OPS(fuse_add_second, f32, put(ADD(c, MUL(a, b))))
//: kernel=fuse_sub fill=unit words=1
OPS(fuse_sub, f32, put(SUB(MUL(a, b), c)))
//: kernel=fuse_sub_second fill=unit words=1
OPS(fuse_sub_second, f32, put(SUB(c, MUL(a, b))))
//: kernel=fuse_neg fill=unit words=1
OPS(fuse_neg, f32, put(ADD(PTX1(f32, "f", "neg.f32", "f", MUL(a, b)), c)))
//: kernel=sum_of_products fill=unit words=1
OPS(sum_of_products, f32, const f32 d = FOURTH(f32); put(ADD(MUL(a, b), MUL(c, d))))
//: kernel=sum_of_products_swapped fill=unit words=1
OPS(sum_of_products_swapped, f32, const f32 d = FOURTH(f32); const f32 q = MUL(c, d);
    const f32 p = MUL(a, b); put(ADD(p, q)))
//: kernel=difference_of_products fill=unit words=1
OPS(difference_of_products, f32, const f32 d = FOURTH(f32); put(SUB(MUL(a, b), MUL(c, d))))
//: kernel=difference_of_products_swapped fill=unit words=1
OPS(difference_of_products_swapped, f32, const f32 d = FOURTH(f32); const f32 q = MUL(c, d);
    const f32 p = MUL(a, b); put(SUB(p, q)))
//: kernel=product_of_two_uses fill=unit words=2
OPS(product_of_two_uses, f32, const f32 p = MUL(a, b); put(ADD(p, c)); put(p))
//: kernel=product_of_two_sums fill=unit words=2
OPS(product_of_two_sums, f32, const f32 d = FOURTH(f32); const f32 p = MUL(a, b); put(ADD(p, c));
    put(SUB(p, d)))
//: kernel=one_product_of_two_uses fill=unit words=2
OPS(one_product_of_two_uses, f32, const f32 d = FOURTH(f32); const f32 p = MUL(a, b);
    put(ADD(p, MUL(c, d))); put(p))
//: kernel=other_product_of_two_uses fill=unit words=2
OPS(other_product_of_two_uses, f32, const f32 d = FOURTH(f32); const f32 p = MUL(a, b);
    put(ADD(MUL(c, d), p)); put(p))
//: kernel=product_doubled fill=unit words=1
OPS(product_doubled, f32, const f32 p = MUL(a, b); put(ADD(p, p)))
//: kernel=chain_of_products fill=unit words=1
OPS(chain_of_products, f32, const f32 d = FOURTH(f32); put(ADD(MUL(MUL(a, b), c), d)))
//: kernel=sum_of_three_products fill=unit words=1
OPS(sum_of_three_products, f32, const f32 d = FOURTH(f32);
    put(ADD(ADD(MUL(a, b), MUL(c, d)), MUL(a, d))))
//: kernel=dot_of_four fill=unit words=1
OPS(dot_of_four, f32, const f32 d = FOURTH(f32); put(a * b + c * d + a * d + b * c))
//: kernel=complex_product fill=unit words=2
OPS(complex_product, f32, const f32 d = FOURTH(f32); put(a * c - b * d); put(a * d + b * c))
//: kernel=determinant fill=unit words=1
OPS(determinant, f32, const f32 d = FOURTH(f32); put(a * d - b * c))
//: kernel=square_norm fill=unit words=1
OPS(square_norm, f32, put(a * a + b * b + c * c))

//: kernel=product_before_branch fill=unit words=2
KERNEL(product_before_branch) {
    const f32 a = column(in, 0), b = column(in, 1), c = column(in, 2);
    const f32 p = MUL(a, b);
    sink to(out);
    if (c > 0)
        put(ADD(p, c));
    else
        out[global_id() + n_threads()] = __float_as_uint(SUB(p, c));
}

//: kernel=product_in_loop fill=unit words=1
KERNEL(product_in_loop) {
    const f32 a = column(in, 0), b = column(in, 1), c = column(in, 2);
    f32 p = a, sum = c;
    for (u32 i = 0; i < (threadIdx.x & 3) + 1; i++) {
        sum = ADD(sum, p);
        p = MUL(p, b);
    }
    out[global_id()] = __float_as_uint(sum);
}

//: kernel=rounding_named fill=unit words=4
OPS(rounding_named, f32, put(PTX2(f32, "f", "add.rn.f32", "f", MUL(a, b), "f", c));
    put(ADD(PTX2(f32, "f", "mul.rn.f32", "f", a, "f", b), c));
    put(PTX2(f32, "f", "add.ftz.f32", "f", MUL(a, b), "f", c));
    put(PTX2(f32, "f", "add.ftz.f32", "f", PTX2(f32, "f", "mul.ftz.f32", "f", a, "f", b), "f", c)))
//: kernel=saturated_sum fill=unit words=2
OPS(saturated_sum, f32, put(PTX2(f32, "f", "add.sat.f32", "f", MUL(a, b), "f", c));
    put(ADD(PTX2(f32, "f", "mul.sat.f32", "f", a, "f", b), c)))

//: kernel=fuse_f64 fill=f64 words=4
OPS(fuse_f64, f64, put(DADD(DMUL(a, b), c)); put(DSUB(c, DMUL(b, a))))
//: kernel=sum_of_products_f64 fill=f64 words=2
OPS(sum_of_products_f64, f64, const f64 d = FOURTH(f64); put(DADD(DMUL(a, b), DMUL(c, d))))
//: kernel=difference_of_products_f64 fill=f64 words=2
OPS(difference_of_products_f64, f64, const f64 d = FOURTH(f64); put(DSUB(DMUL(a, b), DMUL(c, d))))
//: kernel=product_of_two_uses_f64 fill=f64 words=4
OPS(product_of_two_uses_f64, f64, const f64 p = DMUL(a, b); put(one_nan(DADD(p, c))); put(p))
