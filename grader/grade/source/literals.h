/*
 * Whether a number that the compiled code has in a line stands there in the source. The compiler
 * puts it where it is used: it may be that of a function that was inlined, or of a constant with a
 * name.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

/* True where a proven edit is of a floating-point number, and its line in the source has neither a
 * number nor a name in capitals, such as FLT_MAX. */
bool literals_lack(const char *text, const json_t *proven);
