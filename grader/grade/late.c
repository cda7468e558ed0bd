#include "grader/grade/late.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/grade/record.h"

/* Per processor: with more, other programs use the machine, too. */
static const double busy_load = 1.75;

bool late_is_likely(void) {
    const char *text = getenv("WARPBOOK_BUSY_LOAD");
    double load, busy = text ? atof(text) : busy_load * (double)sysconf(_SC_NPROCESSORS_ONLN);
    return getloadavg(&load, 1) == 1 && load >= busy;
}

static bool has_spent_budget(const json_t *test) {
    size_t index;
    json_t *finding;
    json_array_foreach(json_object_get(test, "findings"), index, finding) {
        const char *kind = record_text(finding, "kind");
        if (strcmp(kind, "endless") == 0 || strcmp(kind, "costly") == 0)
            return true;
    }
    return false;
}

bool late_is(const json_t *test) {
    return strcmp(record_text(test, "verdict"), "timeout") == 0 && !has_spent_budget(test);
}
