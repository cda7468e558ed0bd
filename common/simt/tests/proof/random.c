/*
 * Random programs as modules, and how to run one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/tests/proof/generate.h"
#include "common/simt/tests/proof/inputs.h"
#include "common/simt/tests/proof/random.h"

char *proof_random_module(unsigned module) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *const file = open_memstream(&text, &bytes);
    if (!file)
        abort();
    const bool is_wide = module >= PROOF_NARROW_MODULES;
    proof_generate_header(file, is_wide);
    for (unsigned i = 0; i < PROOF_MODULE_PROGRAMS; i++)
        proof_generate(file, module * PROOF_MODULE_PROGRAMS + i, is_wide);
    if (fclose(file) != 0)
        abort();
    return text;
}

bool proof_random_run(struct proof_device *device, unsigned program, uint64_t *digest,
                      uint32_t *out) {
    enum { N_IN = PROOF_COLUMNS * PROOF_RANDOM_THREADS * PROOF_RANDOM_CTAS };
    static const enum proof_fill fills[] = {PROOF_FILL_INT, PROOF_FILL_F32, PROOF_FILL_F64};
    uint64_t in[N_IN];
    uint32_t *const words = calloc(PROOF_RANDOM_WORDS, sizeof(*words));
    char name[16];
    if (!words)
        abort();
    snprintf(name, sizeof(name), "r%u", program);
    /* A column of each kind, from the program's name. */
    for (size_t i = 0; i < PROOF_COLUMNS; i++) {
        uint64_t cells[N_IN];
        proof_fill(fills[i], name, cells, N_IN / PROOF_COLUMNS);
        memcpy(in + i * (N_IN / PROOF_COLUMNS), cells + i % 2 * (N_IN / PROOF_COLUMNS),
               sizeof(in) / PROOF_COLUMNS);
    }
    const struct proof_launch launch = {
        .kernel = name,
        .grid = PROOF_RANDOM_CTAS,
        .block = PROOF_RANDOM_THREADS,
        .in = in,
        .n_in = N_IN,
        .out = words,
        .n_out = PROOF_RANDOM_WORDS,
    };
    const bool ok = proof_run(device, &launch);
    *digest = proof_digest(PROOF_DIGEST_START, words, PROOF_RANDOM_WORDS * sizeof(*words));
    if (out)
        memcpy(out, words, PROOF_RANDOM_WORDS * sizeof(*words));
    free(words);
    return ok;
}
