/* BUILD/state/hints.json: {"01-name": hints seen}. Written whole under another name, then renamed,
 * so that a kill leaves the old or the new one. */
#include "grader/state.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/file.h"
#include "grader/text.h"

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
    char *folder = text_format("%s/state", build);
    char *path = text_format("%s/hints.json", folder);
    char *temporary = text_format("%s/.hints.%ld", folder, (long)getpid());
    enum grader_status status = GRADER_OK;
    json_t *state = load(path);
    json_object_set_new(state, lab, json_integer(n));
    if (!file_make_folders(folder) || json_dump_file(state, temporary, JSON_INDENT(2)) != 0 ||
        rename(temporary, path) != 0) {
        diag_set(diag, path, 0, "what was seen cannot be remembered: %s", strerror(errno));
        unlink(temporary);
        status = GRADER_FAILED;
    }
    json_decref(state);
    free(temporary);
    free(path);
    free(folder);
    return status;
}
