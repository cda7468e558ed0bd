#include "labs/common/many.h"

bool many_sum(struct lab *lab, const struct lab_case *c, const char *function,
              timed_sum_args *make_args) {
    struct lab_drawn in = lab_draw_repeating(lab, LAB_I32, c->n);
    struct call_arg args[CALL_MAX_ARGS];
    int32_t sum = 0, right;

    lab_drawn_keep_sums(lab, &in);
    size_t n_args = make_args(args, lab_in_drawn("in", &in), c->block, &sum);
    if (!lab_call_args(lab, function, args, n_args))
        return false;
    right = (int32_t)lab_drawn_sum(&in);
    return lab_expect_i32(lab, "sum", &sum, &right, 1);
}
