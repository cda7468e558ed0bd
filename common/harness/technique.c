/*
 * How the result was reached, by the simulator's counters, and what the student thought it would
 * be.
 */
#include <stdio.h>
#include <string.h>

#include "common/harness/context.h"

/* True where a name is, or lies in, this namespace: "cub::CUB_300001::DeviceReduceKernel". */
static bool is_within(const char *name, const char *space) {
    size_t length = strlen(space);

    for (const char *at = name; (at = strstr(at, space)) != NULL; at += length)
        if (at == name || at[-1] == ':')
            return true;
    return false;
}

bool lab_judge_kernels(struct lab *lab) {
    const json_t *launches = json_object_get(lab_report(lab), "launches");

    for (size_t i = 0; i < json_array_size(launches); i++) {
        const char *kernel =
            json_string_value(json_object_get(json_array_get(launches, i), "kernel"));

        if (kernel == NULL || !(is_within(kernel, "cub::") || is_within(kernel, "thrust::")))
            continue;
        lab_note(lab, LAB_TECHNIQUE, NULL,
                 "%s had a library's kernel do the work, %.160s. This lab is about your own.",
                 lab->function, kernel);
        lab_diagnose(lab, "library_kernel");
        return false;
    }
    return true;
}

bool lab_judge_launches(struct lab *lab) {
    char called[160];

    if (!lab->has_last || lab->last.outcome != CALL_OK || !json_is_object(lab_report(lab)) ||
        lab_n_launches(lab) > 0)
        return true;
    lab_note(lab, LAB_TECHNIQUE, NULL, "%s gave the right result, but no kernel was launched.",
             lab_called(lab, called, sizeof called));
    lab_diagnose(lab, "nothing_launched");
    return false;
}

bool lab_technique(struct lab *lab, bool holds, const char *what, uint64_t got,
                   const char *relation, uint64_t wanted) {
    json_t *check = json_pack("{s:s, s:I, s:s, s:I, s:b}", "what", what, "got", (json_int_t)got,
                              "relation", relation, "wanted", (json_int_t)wanted, "holds", holds);
    char called[160];

    json_array_append_new(lab->technique, check);
    if (!holds && lab_judge_launches(lab))
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
