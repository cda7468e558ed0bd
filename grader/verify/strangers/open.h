/* solutions/NN-name/strangers/open.yaml: answers that are not judged as they should be, and why. */
#pragma once

#include "common/base/text.h"

struct open_answer {
    char *file; /* "ROUND/NAME.cu" */
    char *end;  /* what comes of it: "accepted", "lost", "false", "disputed" */
    char *why;  /* for people: what is missing */
};

struct open_answers {
    struct open_answer *open;
    unsigned n_open;
};

/* Loads FOLDER/open.yaml; an empty list where there is none. NULL with file, line and reason in
 * `diag`. */
struct open_answers *open_load(const char *folder, struct diag *diag);
void open_free(struct open_answers *answers);

/* The entry of a file, or NULL. */
const struct open_answer *open_find(const struct open_answers *answers, const char *file);
