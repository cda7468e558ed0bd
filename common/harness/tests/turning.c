/* Tests of a lab that fail on the GPU, or on both: turning-test runs them. Each writes down where
 * it runs. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/harness/lab.h"

static void write_down(struct lab *lab) {
    FILE *file = fopen(getenv("TURNING_LOG"), "a");

    if (!lab_on_gpu(lab))
        usleep(300000); /* what was said by the line before is written down first */
    fprintf(file, lab_on_gpu(lab) ? "gpu\n" : "simulator\n");
    fclose(file);
}

LAB_TEST(edge, passes) {
    usleep(100000); /* another process has the next test meanwhile */
    write_down(lab);
}

LAB_TEST(edge, passes_later) {
    usleep(300000);
    write_down(lab);
}

LAB_TEST(edge, fails_on_both) {
    write_down(lab);
    lab_fail(lab, "wrong_answer", "It is wrong %s.", lab_on_gpu(lab) ? "there" : "here");
}

LAB_TEST(edge, fails_on_the_gpu) {
    write_down(lab);
    if (lab_on_gpu(lab))
        lab_fail(lab, "wrong_answer", "It is wrong there.");
}
