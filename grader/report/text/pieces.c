/* Takes a page's text: sentences one by one, lines that follow each other together. */
#include "grader/report/text/pieces.h"

#include <stdlib.h>

#include "common/base/grow.h"
#include "common/base/text.h"

void pieces_add(struct pieces *pieces, enum piece_kind kind, const char *label, const char *text) {
    pieces->items = grow_list(pieces->items, pieces->n, sizeof *pieces->items);
    pieces->items[pieces->n++] =
        (struct piece){kind, text_format("%s", label), text_format("%s", text)};
}

static void take_text(void *to, const char *label, const char *text) {
    struct pieces *pieces = to;
    pieces->is_apart = !*label && !*text;
    if (!pieces->is_apart)
        pieces_add(pieces, PIECE_TEXT, label, text);
}

static void take_line(void *to, const char *text) {
    struct pieces *pieces = to;
    struct piece *last = pieces->n ? &pieces->items[pieces->n - 1] : NULL;
    if (last && last->kind == PIECE_LINES && !pieces->is_apart)
        text_add(&last->text, "\n%s", text);
    else
        pieces_add(pieces, PIECE_LINES, "", text);
    pieces->is_apart = false;
}

static void take_command(void *pieces, const char *label, const char *command) {
    pieces_add(pieces, PIECE_COMMAND, label, command);
}

struct page pieces_page(struct pieces *pieces, unsigned width) {
    static const struct page_taker taker = {take_text, take_line, take_command};
    return (struct page){.width = width, .taker = &taker, .to = pieces};
}

void pieces_finish(struct pieces *pieces) {
    for (size_t i = 0; i < pieces->n; i++) {
        free(pieces->items[i].label);
        free(pieces->items[i].text);
    }
    free(pieces->items);
    *pieces = (struct pieces){0};
}
