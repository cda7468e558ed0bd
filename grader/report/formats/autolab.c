/*
 * Autolab: the last line has the scores, a problem a lab; the one before it feedback by stages. A
 * lab that could not be graded is no problem of the last line, so that no score of it is stored or
 * overwritten; where there is no other, there is no such line.
 */
#include <string.h>

#include "grader/report/formats/format.h"

static json_t *stage(const struct scored_lab *lab) {
    json_t *stage = json_object();
    for (size_t i = 0; i < lab->n_tests; i++) {
        const struct scored_test *test = &lab->tests[i];
        json_t *entry = json_pack(
            "{s:b}", "passed", test->outcome == SCORED_PASSED || test->outcome == SCORED_SKIPPED);
        if (test->outcome != SCORED_PASSED)
            json_object_set_new(entry, "hint",
                                json_string(*test->message ? test->message : test->verdict));
        json_object_set_new(stage, test->name, entry);
    }
    if (lab->adjusted)
        json_object_set_new(
            stage, "adjustment",
            json_pack("{s:b, s:s}", "passed", lab->adjustment >= 0, "hint", lab->adjusted));
    return stage;
}

FORMAT_WRITER(format_autolab) {
    const struct scored_student *student = students;
    json_t *feedback = json_object(), *stages = json_array(), *scores = json_object();
    json_object_set_new(feedback, "_presentation", json_string("semantic"));
    json_object_set_new(feedback, "stages", stages);
    for (size_t i = 0; i < student->n_labs; i++) {
        const struct scored_lab *lab = &student->labs[i];
        json_array_append_new(stages, json_string(lab->name));
        json_object_set_new(feedback, lab->name, stage(lab));
        if (*lab->hints)
            fprintf(out, "%s\n%s\n", lab->name, lab->hints);
        if (lab->is_graded)
            json_object_set_new(scores, lab->name, points_json(lab->points));
    }
    if (json_object_size(scores) > 0) {
        format_print(feedback, JSON_COMPACT, out);
        format_print(
            json_pack("{s:o, s:[o]}", "scores", scores, "scoreboard", points_json(student->points)),
            JSON_COMPACT, out);
    } else {
        fputs("Nothing could be graded, by no fault of the code. There is no score.\n", out);
        json_decref(feedback);
        json_decref(scores);
    }
    return student->is_graded ? GRADER_OK : format_refuse(student, diag);
}
