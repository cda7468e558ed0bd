/* See words.h. */
#include "common/sandbox/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes the word. */
static void append(struct words *words, char *word) {
    if (words->n + 1 >= words->capacity) {
        size_t capacity = words->capacity ? 2 * words->capacity : 64;
        char **list = realloc(words->list, capacity * sizeof *list);
        if (list) {
            words->list = list;
            words->capacity = capacity;
        }
    }
    if (!word || words->n + 1 >= words->capacity) {
        words->has_failed = true;
        free(word);
        return;
    }
    words->list[words->n++] = word;
    words->list[words->n] = NULL;
}

void words_add(struct words *words, ...) {
    va_list list;

    va_start(list, words);
    for (const char *word; (word = va_arg(list, const char *));)
        append(words, strdup(word));
    va_end(list);
}

void words_format(struct words *words, const char *format, ...) {
    char *word = NULL;
    va_list list;

    va_start(list, format);
    if (vasprintf(&word, format, list) < 0)
        word = NULL;
    va_end(list);
    append(words, word);
}

void words_free(char **list) {
    for (char **word = list; word && *word; word++)
        free(*word);
    free(list);
}
