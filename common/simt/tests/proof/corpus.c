/*
 * Reads the lines of a kernel file that describe its kernels.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/tests/proof/corpus.h"

char *proof_read_file(const char *path, size_t *bytes) {
    FILE *const file = fopen(path, "rb");
    char *text = NULL;
    long size;
    if (file && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 &&
        (text = malloc((size_t)size + 1))) {
        rewind(file);
        *bytes = fread(text, 1, (size_t)size, file);
        text[*bytes] = 0;
    }
    if (file)
        fclose(file);
    return text;
}

static bool read_word(struct proof_case *one, char *word) {
    const struct {
        const char *name;
        uint32_t *to;
    } numbers[] = {
        {"grid", &one->grid},
        {"block", &one->block},
        {"words", &one->words},
        {"ulp", &one->ulp},
        {"lsb", &one->lsb},
        {"load_wavefronts", &one->load_wavefronts},
        {"store_wavefronts", &one->store_wavefronts},
    };
    if (strcmp(word, "counters") == 0)
        return one->counters = true;
    if (strcmp(word, "lanes") == 0)
        return one->lanes = true;
    if (strcmp(word, "pending") == 0)
        return one->pending = true;
    char *const value = strchr(word, '=');
    if (!value)
        return false;
    *value = 0;
    if (strcmp(word, "kernel") == 0)
        return (size_t)snprintf(one->kernel, sizeof(one->kernel), "%s", value + 1) <
               sizeof(one->kernel);
    if (strcmp(word, "fill") == 0)
        return (one->fill = proof_fill_find(value + 1)) < PROOF_N_FILLS;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (strcmp(word, numbers[i].name) == 0) {
            char *end;
            *numbers[i].to = (uint32_t)strtoul(value + 1, &end, 10);
            return *end == 0 && end != value + 1;
        }
    }
    return false;
}

/* One line, without its "//:". */
static bool read_line(struct proof_case *one, char *line) {
    *one = (struct proof_case){.grid = 3, .block = 128, .words = 1};
    char *rest = NULL;
    for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (!read_word(one, word))
            return false;
    }
    return one->kernel[0] && one->grid && one->block && one->words;
}

bool proof_corpus_read(struct proof_corpus *corpus, const char *path, char *error,
                       size_t error_bytes) {
    size_t bytes = 0;
    char *const text = proof_read_file(path, &bytes);
    bool ok = text;
    int line_number = 0;
    char *rest = NULL;
    *corpus = (struct proof_corpus){0};
    snprintf(error, error_bytes, "%s can't be read", path);
    for (char *line = text; ok && line; line = rest) {
        rest = strchr(line, '\n');
        if (rest)
            *rest++ = 0;
        line_number++;
        if (strncmp(line, "//:", 3) != 0)
            continue;
        struct proof_case *const grown =
            realloc(corpus->cases, (corpus->n_cases + 1) * sizeof(*grown));
        if (!grown)
            abort();
        corpus->cases = grown;
        ok = read_line(&grown[corpus->n_cases++], line + 3);
        if (!ok)
            snprintf(error, error_bytes, "%s:%d: no such description of a kernel", path,
                     line_number);
    }
    free(text);
    if (!ok)
        proof_corpus_free(corpus);
    return ok;
}

void proof_corpus_free(struct proof_corpus *corpus) {
    free(corpus->cases);
    *corpus = (struct proof_corpus){0};
}
