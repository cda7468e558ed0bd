/*
 * Products and sums that become one fma. A = 1 + 2^-23 and its square, 1 + 2^-22 + 2^-46, tell it:
 * the last term survives in an fma alone.
 */
#include "common/simt/tests/isa/cases.h"

#define A     "0f3f800001"
#define ROUND "0f3f800002" /* the square as a float */
#define MINUS "0fbf800002"
#define ZERO  "0f00000000"
#define LEFT  0x28800000 /* 2^-46 */

Test(contract, fuses_a_product_of_one_use) {
    static const struct exec_case cases[] = {
        {"mul.f32 %f0, " A ", " A "; add.f32 %f1, %f0, " MINUS, LEFT},
        {"mul.f32 %f0, " A ", " A "; add.f32 %f1, " MINUS ", %f0", LEFT},
        {"mul.f32 %f0, " A ", " A "; sub.f32 %f1, %f0, " ROUND, LEFT},
        {"mul.f32 %f0, " A ", " A "; sub.f32 %f1, " ROUND ", %f0", LEFT | 0x80000000},
        {"mul.f32 %f0, " A ", " A "; neg.f32 %f2, %f0; add.f32 %f1, %f2, " ROUND,
         LEFT | 0x80000000},
        {"mul.f32 %f0, " A ", " A "; add.sat.f32 %f1, %f0, " MINUS, LEFT},
        {"mul.ftz.f32 %f0, " A ", " A "; add.ftz.f32 %f1, %f0, " MINUS, LEFT},
        {"mul.f64 %fd0, 0d3ff0000000000001, 0d3ff0000000000001;"
         " sub.f64 %fd1, %fd0, 0d3ff0000000000002",
         0x3970000000000000},
    };
    EXEC_CHECK(cases);
}

Test(contract, leaves_what_names_its_rounding_or_differs_in_mode) {
    static const struct exec_case cases[] = {
        {"mul.rn.f32 %f0, " A ", " A "; add.f32 %f1, %f0, " MINUS, 0},
        {"mul.f32 %f0, " A ", " A "; add.rn.f32 %f1, %f0, " MINUS, 0},
        {"mul.ftz.f32 %f0, " A ", " A "; add.f32 %f1, %f0, " MINUS, 0},
        {"mul.sat.f32 %f0, " A ", 0f3f000000; add.f32 %f1, %f0, 0fbf000001", 0},
    };
    EXEC_CHECK(cases);
}

Test(contract, leaves_a_product_that_something_else_needs) {
    static const struct exec_case cases[] = {
        {"mul.f32 %f0, " A ", " A "; mov.b32 %r0, %f0; add.f32 %f1, %f0, " MINUS, 0},
        {"mul.f32 %f0, " A ", " A "; fma.rn.f32 %f2, %f0, %f0, %f0; add.f32 %f1, %f0, " MINUS, 0},
        {"mul.f32 %f0, " A ", " A "; add.f32 %f1, %f0, %f0", 0x40000002},
    };
    EXEC_CHECK(cases);
}

Test(contract, fuses_all_sums_of_a_product_or_none) {
    static const struct exec_case cases[] = {
        {"mul.f32 %f0, " A ", " A "; add.f32 %f2, %f0, " A "; add.f32 %f1, %f0, " MINUS, LEFT},
        {"mul.f32 %f0, " A ", " A "; mul.f32 %f2, " ZERO ", " A "; add.f32 %f3, %f0, %f2;"
         " sub.f32 %f1, %f0, " ROUND,
         0},
    };
    EXEC_CHECK(cases);
}

Test(contract, takes_the_left_one_of_two_products) {
    static const struct exec_case cases[] = {
        {"mul.f32 %f0, " A ", " A "; mul.f32 %f2, " A ", 0fbf800001; add.f32 %f1, %f0, %f2", LEFT},
        {"mul.f32 %f0, " A ", " A "; mul.f32 %f2, " A ", 0fbf800001; add.f32 %f1, %f2, %f0",
         LEFT | 0x80000000},
    };
    EXEC_CHECK(cases);
}

Test(contract, leaves_a_product_whose_factors_are_written_again) {
    static const struct exec_case cases[] = {
        {"mov.f32 %f2, " A "; mul.f32 %f0, %f2, %f2; mov.f32 %f2, " ZERO
         "; add.f32 %f1, %f0, " MINUS,
         0},
    };
    EXEC_CHECK(cases);
}
