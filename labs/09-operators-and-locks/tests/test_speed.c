/* Bandwidth of the four sums, on a GPU. */
#include "labs/09-operators-and-locks/tests/operators.h"

static void take_time(struct lab *lab, const struct sum_way *way, timed_sum_args *args,
                      unsigned power) {
    timed_sum(lab, way->function, LAB_I32, (size_t)1 << power, args, operators_diagnose);
}

LAB_TEST(speed, threads_at_2_24) {
    take_time(lab, &by_threads, by_threads_args, 24);
}

LAB_TEST(speed, blocks_at_2_24) {
    take_time(lab, &by_blocks, by_blocks_args, 24);
}

LAB_TEST(speed, lock_at_2_24) {
    take_time(lab, &by_lock, by_lock_args, 24);
}

LAB_TEST(speed, partials_at_2_24) {
    take_time(lab, &by_partials, by_partials_args, 24);
}

LAB_TEST(speed, partials_at_2_28) {
    take_time(lab, &by_partials, by_partials_args, 28);
}
