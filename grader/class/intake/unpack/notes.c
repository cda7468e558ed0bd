/* A bounded list of clean sentences. */
#include "grader/class/intake/unpack/notes.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/text.h"

static void add(struct notes *notes, size_t most, const char *format, va_list args) {
    if (notes->n >= most) {
        notes->n_dropped++;
        return;
    }
    OWNED char *text = text_vformat(format, args);
    notes->items = grow_list(notes->items, notes->n, sizeof *notes->items);
    notes->items[notes->n++] = text_clean(text, strlen(text), false);
}

void notes_add(struct notes *notes, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add(notes, NOTES_MAX, format, args);
    va_end(args);
}

void notes_add_loss(struct notes *notes, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (!notes->has_losses)
        notes->loss = notes->n;
    add(notes, 2 * NOTES_MAX, format, args);
    va_end(args);
    notes->has_losses = true;
}

void notes_take(struct notes *notes, const struct notes *more) {
    for (size_t i = 0; i < more->n; i++)
        (more->has_losses && i >= more->loss ? notes_add_loss : notes_add)(notes, "%s",
                                                                           more->items[i]);
    notes->n_dropped += more->n_dropped;
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
