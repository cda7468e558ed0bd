/* Known mistakes, recognised by what they do. The ids are the manifest's `diagnoses`. */
#include <string.h>

#include "labs/12-streams/tests/pipeline.h"

/* Words from some place on are as they were before the call, or not mixed. */
static const char *wrong_answer(const struct lab *lab) {
    const struct call_arg *out = lab_argument(lab, "out"), *in = lab_argument(lab, "in");
    const size_t at = lab_mismatch_index(lab);

    if (out == NULL || out->data == NULL || in == NULL || in->data == NULL || at >= out->count)
        return NULL;
    for (size_t i = at; i < out->count; i++)
        if (((const unsigned *)out->data)[i] != ((const unsigned *)in->data)[i])
            return NULL;
    return "copied_unmixed";
}

void flow_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    const json_t *finding = lab_finding(lab, "global_race");
    const char *id = NULL;

    if (c == NULL || lab_function(lab) == NULL)
        return;
    if (strcmp(verdict, "finding") == 0 && finding != NULL)
        id = lab_is_between_streams(finding) ? "streams_not_ordered" : NULL;
    else if (strcmp(verdict, "wrong_answer") == 0)
        id = c->n > 0 && lab_launched_nothing(lab) ? "nothing_launched" : wrong_answer(lab);
    else if (lab_touched_device_memory(lab))
        id = "device_pointer_on_host";
    if (id != NULL)
        lab_diagnose(lab, id);
}
