/* BUILD/state/hints.json: {"01-name": hints seen}. */
#include "grader/cli/state.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/file.h"
#include "common/base/text.h"

/* What is remembered; an empty object where that is nothing, or torn. */
static json_t *load(const char *path) {
    json_t *state = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(state))
        return state;
    json_decref(state);
    return json_object();
}

unsigned state_hints_seen(const char *build, const char *lab) {
    char *path = text_format("%s/state/hints.json", build);
    json_t *state = load(path);
    json_int_t seen = json_integer_value(json_object_get(state, lab));
    json_decref(state);
    free(path);
    return seen > 0 && seen < 1000 ? (unsigned)seen : 0;
}

enum grader_status state_see_hints(const char *build, const char *lab, unsigned n,
                                   struct diag *diag) {
    char *path = text_format("%s/state/hints.json", build);
    json_t *state = load(path);
    json_object_set_new(state, lab, json_integer(n));
    char *text = json_dumps(state, JSON_INDENT(2));
    enum grader_status status = file_write(path, text ? text : "", text ? strlen(text) : 0, diag);
    json_decref(state);
    free(text);
    free(path);
    return status;
}
