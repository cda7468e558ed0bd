/*
 * A fat binary from anywhere, in memory of exactly its size, aligned as in an object.
 */
#include <stdlib.h>
#include <string.h>

#include "common/simt/cudart/module/fatbin.h"
#include "common/simt/tests/fuzz/target.h"

/* Reads a text's every byte, for a sanitizer to watch. */
static unsigned sum(const struct fatbin_text *text) {
    unsigned total = 0;
    for (size_t i = 0; i < text->bytes; i++)
        total += (unsigned char)text->ptx[i];
    return total;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
    static volatile unsigned total; /* keeps the sums from being left out */
    if (bytes == 0)
        return 0;
    void *copy = malloc(bytes);
    if (copy == NULL)
        return 0;
    memcpy(copy, data, bytes);
    struct fatbin_texts texts;
    fatbin_find_in(copy, bytes, 75, &texts);
    for (size_t i = 0; i < texts.n_texts; i++)
        if (texts.texts[i].ptx != NULL)
            total += sum(&texts.texts[i]);
    fatbin_free(&texts);
    free(copy);
    return 0;
}
