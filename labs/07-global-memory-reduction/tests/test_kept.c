/* The sum that leaves its input alone: it is compared after each call. */
#include <string.h>

#include "labs/common/levels/sum.h"

enum { KEPT_ARGS = 6 };

static void kept_args(const struct lab_case *c, const int32_t *in, int32_t *sum,
                      struct call_arg args[KEPT_ARGS]) {
    args[0] = lab_in("in", in, c->n, sizeof *in);
    args[1] = lab_size(c->n);
    args[2] = lab_u32("block", c->block);
    args[3] = lab_scratch("copy", c->n, sizeof *in);
    args[4] = lab_scratch("scratch", levels_scratch(c->n, c->block), sizeof *in);
    args[5] = lab_out("sum", sum, 1, sizeof *sum);
}

static void kept_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    (void)c;
    if (strcmp(verdict, "damage") == 0 && lab_last(lab)->damage.kind == CALL_INPUT_CHANGED)
        lab_diagnose(lab, "input_modified");
    else if (lab_touched_device_memory(lab))
        lab_diagnose(lab, "device_pointer_on_host");
}

static void kept_case(struct lab *lab, const struct lab_case *c) {
    const int32_t *in = lab_random_i32(lab, c->n);
    int32_t right = levels_reference(in, c->n), sum = ~right;
    struct call_arg args[KEPT_ARGS];

    lab_set_diagnoser(lab, kept_diagnose);
    kept_args(c, in, &sum, args);
    if (lab_call_args(lab, "sum_kept", args, KEPT_ARGS))
        lab_expect_i32(lab, "sum", &sum, &right, 1);
}

LAB_TEST(example, keeps_its_input) {
    lab_one(lab, 8, 8, kept_case);
    lab_one(lab, 8 * 256, 256, kept_case);
}

LAB_TEST(edge, keeps_any_input) {
    static const size_t sizes[] = {0, 1, 33, 513, 1000, 10007};
    static const unsigned blocks[] = {3, 32, 100, 1024};

    LAB_SWEEP(lab, sizes, blocks, kept_case);
}

static void kept_refused(struct lab *lab, const struct lab_case *c) {
    struct lab_case room = *c; /* a tree of blocks of 1 thread has no end, nor has its scratch */
    struct call_arg args[KEPT_ARGS];
    int32_t sum;

    if (c->block < 2)
        room.block = 2;
    kept_args(&room, lab_random_i32(lab, c->n), &sum, args);
    args[2].value.u64 = c->block;
    if (c->block > 1024)
        lab_call_refused_args(lab, "sum_kept", "a block of 1025 threads", args, KEPT_ARGS);
    else if (c->block < 2)
        lab_call_invalid_args(lab, "sum_kept", "blocks of 1 thread", args, KEPT_ARGS);
    else
        lab_returns_refusals_args(lab, "sum_kept", args, KEPT_ARGS);
}

LAB_TEST(safety, kept_returns_errors) {
    lab_one(lab, 5000, 1025, kept_refused);
    lab_one(lab, 0, 64, kept_refused);
    lab_one(lab, 5000, 64, kept_refused);
    lab_one(lab, 5000, 1, kept_refused);
    lab_one(lab, 0, 1, kept_refused);
}

LAB_TEST(safety, kept_keeps_no_state) {
    static const size_t sizes[] = {5000, 5000, 1666, 20000, 0};

    lab_in_turn(lab, sizes, sizeof sizes / sizeof *sizes, 64, kept_case);
}

LAB_TEST(technique, kept_stays_on_the_device) {
    lab_one(lab, 8 * 256, 256, kept_case);
}
