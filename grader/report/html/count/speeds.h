/* How fast each student's code is in a lab's tests of speed: as a share of what the GPU's own copy
 * reached in the same run, or where it is not bytes that count, of the model answer's speed. */
#pragma once

#include "grader/report/scoring/scored.h"

struct speed_of_student {
    double share;   /* 1 is as fast */
    size_t student; /* index */
};

struct speed_test {
    const char *name;              /* of the lab's test */
    json_int_t n;                  /* the largest size that was measured */
    double asked;                  /* the share that the test asks for; 0: none */
    double model;                  /* what the model answer reaches on this GPU; 0: not known */
    struct speed_of_student *list; /* at each one's largest size; the slowest first */
    size_t n_students;
    double model_sum;
    size_t n_models;
};

struct speeds {
    struct speed_test *tests; /* in the order of the records */
    size_t n;
    size_t n_alone; /* times with nothing to set them beside: of nobody's model answer */
};

/* Of one lab, of what is beside the copy, or beside the model answer. A time that is too noisy, or
 * of nothing that happened, is none. Borrows from the students. */
void speeds_make(struct speeds *speeds, const char *lab, bool is_of_model,
                 const struct scored_student *students, size_t n);
void speeds_finish(struct speeds *speeds);

double speeds_median(const struct speed_test *test);
/* Of a test; 0 where there is none of the student. */
double speeds_of(const struct speed_test *test, size_t student);
