/* Texts that are not UTF-8: what editors of other systems save a source as. */
#pragma once

#include <stddef.h>

/* The text as UTF-8 with newlines, where it is UTF-16 (with or without a mark of byte order), is in
 * a code of one byte a character, or ends its lines by a carriage return alone; `was` then says
 * so: "is UTF-16". A code of one byte is taken for Windows-1252, which has Latin-1 in it: nothing
 * in a file says which one it is, but all have ASCII's characters in common. NULL where the text is
 * UTF-8 as it stands, or no text. The caller frees it; it ends with a NUL, which is not counted. */
char *encoding_to_utf8(const char *bytes, size_t n_bytes, size_t *n_text, const char **was);
