/*
 * What is said of a failed test in pieces, for documents that wrap and mark sentences themselves: a
 * telephone has no room for lines of eighty columns. The words are render_failure's own.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "grader/terminal/page.h"

enum piece_kind {
    PIECE_TEXT,    /* sentences; of a label alone, what follows is */
    PIECE_LINES,   /* lines of the student's file, numbers in columns: as they are */
    PIECE_COMMAND, /* to be copied */
};

struct piece {
    enum piece_kind kind;
    char *label; /* what the piece is: "likely cause"; or "" */
    char *text;
};

struct pieces {
    struct piece *items;
    size_t n;
    bool is_apart; /* a line that is added does not belong to the last piece */
};

/* A page whose text becomes pieces at the end of a list; `width` is that of numbers in columns.
 * The list is the caller's, who frees it by pieces_finish. */
struct page pieces_page(struct pieces *pieces, unsigned width);
void pieces_add(struct pieces *pieces, enum piece_kind kind, const char *label, const char *text);
void pieces_finish(struct pieces *pieces);
