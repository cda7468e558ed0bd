/* A list of sentences that stops growing. */
#include "grader/class/intake/notes.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/text.h"

void notes_add(struct notes *notes, const char *format, ...) {
    if (notes->n >= NOTES_MAX) {
        notes->n_dropped++;
        return;
    }
    va_list args;
    va_start(args, format);
    char *text = text_vformat(format, args);
    va_end(args);
    notes->items = grow_list(notes->items, notes->n, sizeof *notes->items);
    notes->items[notes->n++] = text_clean(text, strlen(text), false);
    free(text);
}

json_t *notes_json(const struct notes *notes) {
    json_t *list = json_array();
    for (size_t i = 0; i < notes->n; i++)
        json_array_append_new(list, json_string(notes->items[i]));
    if (notes->n_dropped > 0)
        json_array_append_new(list, json_sprintf("… and %zu more of the kind", notes->n_dropped));
    return list;
}

void notes_finish(struct notes *notes) {
    for (size_t i = 0; i < notes->n; i++)
        free(notes->items[i]);
    free(notes->items);
    *notes = (struct notes){0};
}
