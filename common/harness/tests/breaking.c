/* Tests of a lab that break off, each in its way: breaking-test runs them. */
#include <signal.h>

#include "common/harness/lab.h"

LAB_TEST(technique, divides_by_nothing) {
    volatile uint64_t number = lab_n_launches(lab);

    number = 7 / number;
}

LAB_TEST(technique, is_killed) {
    (void)lab;
    raise(SIGKILL);
}

LAB_TEST(edge, comes_to_its_end) {
    (void)lab;
}
