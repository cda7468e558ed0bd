/*
 * A proven edit in the result document, and which failures it has to explain.
 */
#include <string.h>

#include "common/base/text.h"
#include "common/harness/experiment/experiment.h"

bool lab_are_of_one_function(const json_t *a, const json_t *b) {
    const char *one = json_string_value(json_object_get(a, "reason"));
    const char *other = json_string_value(json_object_get(b, "reason"));
    const size_t bytes = one ? strcspn(one, " (:") : 0;

    return one && other && strcspn(other, " (:") == bytes && strncmp(one, other, bytes) == 0;
}

char *lab_function_of(const json_t *document) {
    const char *reason = json_string_value(json_object_get(document, "reason"));

    return reason ? text_format("%.*s", (int)strcspn(reason, " (:"), reason) : NULL;
}

static json_t *text_or_null(const char *text, bool is_there) {
    return is_there ? json_string(text) : json_null();
}

json_t *lab_proof_json(const struct simt_edit *edit) {
    const enum simt_edit_scope scope = simt_edit_scope_of(edit->kind);
    const bool is_line = scope == SIMT_SCOPE_LINE;
    char sentence[512];

    simt_edit_sentence(edit, sentence, sizeof sentence);
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:I, s:I, s:s}", "edit",
                     simt_edit_kind_word(edit->kind), "is", simt_edit_is(edit->kind), "file",
                     text_or_null(edit->place, is_line), "line",
                     is_line ? json_integer(edit->line) : json_null(), "kernel",
                     text_or_null(edit->place, scope == SIMT_SCOPE_KERNEL), "from",
                     (json_int_t)edit->from, "to", (json_int_t)edit->to, "sentence", sentence);
}
