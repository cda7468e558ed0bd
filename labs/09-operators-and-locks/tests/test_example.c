/* The tests to read first: a few elements, one block, several blocks. */
#include "labs/09-operators-and-locks/tests/operators.h"

static void in_few_and_many(struct lab *lab, lab_case_body *body) {
    lab_one(lab, 64, 64, body);
    lab_one(lab, 20, 64, body);
    lab_one(lab, 5000, 64, body);
}

LAB_TEST(example, partials_add_up) {
    in_few_and_many(lab, by_partials_case);
}

LAB_TEST(example, max_is_found) {
    in_few_and_many(lab, max_case);
}

LAB_TEST(example, min_is_found) {
    in_few_and_many(lab, min_case);
}

LAB_TEST(example, argmax_is_found) {
    in_few_and_many(lab, argmax_case);
}

LAB_TEST(example, mean_and_deviation_are_found) {
    in_few_and_many(lab, moments_case);
}

LAB_TEST(example, threads_add_up) {
    in_few_and_many(lab, by_threads_case);
}

LAB_TEST(example, blocks_add_up) {
    in_few_and_many(lab, by_blocks_case);
}

LAB_TEST(example, lock_adds_up) {
    in_few_and_many(lab, by_lock_case);
}
