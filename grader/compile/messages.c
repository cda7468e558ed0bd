/* Cuts a compiler's output into messages, each up to where the next one starts, and drops a message
 * that is there already: nvcc compiles a source twice, and says things twice. */
#include "grader/compile/messages.h"

#include <stdbool.h>
#include <string.h>

static const char origin[] = "In file included from ";

static size_t line_length(const char *line) {
    const char *end = strchr(line, '\n');
    return end ? (size_t)(end - line) + 1 : strlen(line);
}

static size_t message_length(const char *text) {
    bool is_origin = true;
    size_t n = 0;
    while (text[n] && (is_origin || strchr(" \t\n", text[n]))) {
        if (!strchr(" \t\n", text[n]))
            is_origin = strncmp(text + n, origin, sizeof origin - 1) == 0;
        n += line_length(text + n);
    }
    return n;
}

/* True where the kept lines have that message. */
static bool is_among(const char *kept, size_t n_kept, const char *message, size_t n) {
    for (const char *at = kept; (at = memmem(at, (size_t)(kept + n_kept - at), message, n)); at++) {
        if (at == kept || at[-1] == '\n')
            return true;
    }
    return false;
}

void messages_say_once(char *text) {
    char *out = text;
    for (const char *from = text; *from;) {
        size_t n = message_length(from);
        if (!is_among(text, (size_t)(out - text), from, n)) {
            memmove(out, from, n);
            out += n;
        }
        from += n;
    }
    *out = '\0';
}
