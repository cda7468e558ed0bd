/* The names of kernels in reports, from what nvcc makes of them. */
#include <criterion/criterion.h>

#include "common/simt/state/module.h"

static void expect(const char *mangled, const char *plain, const char *told) {
    cr_expect_str_eq(simt_plain_name(mangled).text, plain);
    cr_expect_str_eq(simt_told_name(mangled).text, told);
}

Test(name, has_template_arguments_that_are_numbers) {
    expect("_Z3sumPKiPi", "sum", "sum");
    expect("_Z3sumILj512EEvPKi", "sum<…>", "sum<512>");
    expect("_Z3sumILin8ELb1EEvPKi", "sum<…>", "sum<-8, 1>");
    expect("_ZN3lab3sumILj64EEEvPKi", "lab::sum<…>", "lab::sum<64>");
}

Test(name, leaves_out_other_template_arguments) {
    expect("_Z3sumIiEvPKT_", "sum<…>", "sum<…>");
    expect("_Z3sumILj512EiEvPKT0_", "sum<…>", "sum<…>");
    expect("_Z3sumILj512", "sum<…>", "sum<…>");
    expect("_Z3sumIL", "sum<…>", "sum<…>");
    expect("_Z3sumIXadL_Z1fvEEEvv", "sum<…>", "sum<…>");
}
