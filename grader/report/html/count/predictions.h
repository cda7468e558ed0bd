/* What the class answered to a lab's questions, TODO 0 of its file: how many are right, and which
 * wrong answers are common. What is right is counted of each one's own code. */
#pragma once

#include "grader/report/scoring/scored.h"

struct prediction_answer {
    json_int_t value;
    size_t n; /* students */
};

/* Answers, once they are sorted what most gave first, the smaller of two. */
struct prediction_answers {
    struct prediction_answer *list;
    size_t n;
};

/* A question, and what became of it. */
struct prediction {
    const char *variable; /* of the file: its name in the lab */
    const char *question, *explanation;
    size_t n_asked, n_answered, n_right;
    size_t n_otherwise;                /* said `counted` of most, while their own code does not */
    struct prediction_answers counted; /* what is right; of nearly all code one number */
    struct prediction_answers wrong;
};

struct predictions {
    struct prediction *list; /* in the order of the lab's tests */
    size_t n;
};

/* Of one lab. Borrows from the students. */
void predictions_make(struct predictions *predictions, const char *lab,
                      const struct scored_student *students, size_t n);
void predictions_finish(struct predictions *predictions);
