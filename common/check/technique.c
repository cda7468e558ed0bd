/*
 * How the result was reached, by the simulator's counters, and what the student thought it would
 * be.
 */
#include <stdio.h>

#include "common/check/context.h"

bool lab_technique(struct lab *lab, bool holds, const char *what, uint64_t got,
                   const char *relation, uint64_t wanted) {
    json_t *check = json_pack("{s:s, s:I, s:s, s:I, s:b}", "what", what, "got", (json_int_t)got,
                              "relation", relation, "wanted", (json_int_t)wanted, "holds", holds);
    char called[160];

    json_array_append_new(lab->technique, check);
    if (!holds)
        lab_note(lab, LAB_TECHNIQUE, NULL,
                 "%s gave the right result, but not in this lab's way: %s: %llu counted, %s %llu "
                 "wanted.",
                 lab_called(lab, called, sizeof called), what, (unsigned long long)got, relation,
                 (unsigned long long)wanted);
    return holds;
}

void lab_predict(struct lab *lab, const char *variable, const char *question, int64_t counted,
                 const char *explanation) {
    int32_t predicted = -1;
    struct call_result result = {0};
    enum call_outcome outcome =
        call_read_variable(lab_worker(lab), variable, &predicted, sizeof predicted, &result);
    bool answered = outcome == CALL_OK && predicted != -1;

    call_result_clear(&result);
    json_array_append_new(lab->predictions,
                          json_pack("{s:s, s:s, s:b, s:o, s:I, s:b, s:s}", "variable", variable,
                                    "question", question, "answered", answered, "predicted",
                                    answered ? json_integer(predicted) : json_null(), "counted",
                                    (json_int_t)counted, "right", answered && predicted == counted,
                                    "explanation", explanation));
}
