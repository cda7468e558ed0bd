/* Known mistakes, recognised by what they do. The ids are the manifest's `diagnoses`. */
#include <string.h>

#include "labs/12-streams/tests/pipeline.h"

enum { MIX_THREADS = 256 };

static const char *const inputs[] = {"in", "a", "b"};

/* True where the words were copied to the device, but as many bytes as there are words. */
static bool has_copied_words_as_bytes(const struct lab *lab) {
    const struct call_memory *memory = &lab_last(lab)->memory;
    size_t n = 0;

    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        const struct call_arg *in = lab_argument(lab, inputs[i]);
        n += in != NULL ? in->count : 0;
    }
    return memory->is_known && n > 0 && memory->from_host == n;
}

static size_t value_of(const struct lab *lab, const char *name) {
    const struct call_arg *arg = lab_argument(lab, name);

    return arg != NULL ? arg->value.u64 : 0;
}

/* True where a word of map_staged is that of a later chunk in the same place of stage. */
static bool has_later_chunk(const struct lab *lab, const unsigned *in, const unsigned *out,
                            size_t n, size_t at) {
    const size_t step = value_of(lab, "chunk") * value_of(lab, "n_streams");

    for (size_t i = at + step; step > 0 && i < n; i += step)
        if (out[at] == flow_mixed(in[i], (unsigned)value_of(lab, "rounds")))
            return true;
    return false;
}

/* Words are those of another chunk, or from some place on they are as they were before the call, or
 * not mixed. */
static const char *wrong_answer(const struct lab *lab) {
    const struct call_arg *out = lab_argument(lab, "out"), *in = lab_argument(lab, "in");
    const size_t at = lab_mismatch_index(lab);

    if (has_copied_words_as_bytes(lab))
        return "words_for_bytes";
    if (out == NULL || out->data == NULL || in == NULL || in->data == NULL || at >= out->count)
        return NULL;
    if (lab_argument(lab, "stage") != NULL &&
        has_later_chunk(lab, in->data, out->data, out->count, at))
        return "place_taken_too_early";
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
    else if (strcmp(verdict, "finding") == 0 && lab_finding(lab, "uninitialised") != NULL)
        id = has_copied_words_as_bytes(lab) ? "words_for_bytes" : NULL;
    else if (strcmp(verdict, "wrong_answer") == 0)
        id = c->n > 0 && lab_launched_nothing(lab) ? "nothing_launched" : wrong_answer(lab);
    else if (c->n == 0 && lab_grid_was_empty(lab, MIX_THREADS))
        id = "empty_input_not_handled";
    else if (lab_touched_device_memory(lab))
        id = "device_pointer_on_host";
    if (id != NULL)
        lab_diagnose(lab, id);
}
