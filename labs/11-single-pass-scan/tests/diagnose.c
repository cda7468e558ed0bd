/*
 * Known mistakes, recognised by what they do: by the simulator's findings, or by a result that is
 * just what the mistake makes of these inputs. A mistake is named only where all that its text says
 * was seen; where that is true of none, none is. The ids are the manifest's `diagnoses`.
 */
#include <string.h>

#include "labs/11-single-pass-scan/tests/single.h"

void scan_diagnose(struct lab *lab, const struct lab_case *c, const char *verdict) {
    const char *id = NULL;

    if (c == NULL)
        return;
    if (strcmp(verdict, "cuda_error") == 0)
        id = c->n == 0 && lab_grid_was_empty(lab, c->block) ? "empty_input_not_handled" : NULL;
    else if (strcmp(verdict, "damage") == 0 && lab_last(lab)->damage.kind == CALL_INPUT_CHANGED)
        id = "input_modified";
    else if (strcmp(verdict, "wrong_answer") == 0 && c->n > 0 && lab_launched_nothing(lab))
        id = "nothing_launched";
    else if (lab_touched_device_memory(lab))
        id = "device_pointer_on_host";
    if (id != NULL)
        lab_diagnose(lab, id);
}
