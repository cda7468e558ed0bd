/*
 * Random programs on the simulator against the digests that the hardware gave.
 *
 * The record has one digest of what a program gave as ptxas optimised it, and a second of what it
 * gave unoptimised where that is another: a program whose results depend on the optimiser must give
 * the second.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/tests/proof/corpus.h"
#include "common/simt/tests/proof/proof.h"
#include "common/simt/tests/proof/random.h"

/* What each program must give, and whether that is known. */
struct digests {
    uint64_t *values;
    bool *known;
    unsigned n;
};

/* Lines "NUMBER DIGEST" or "NUMBER DIGEST DIGEST" in any order, others are comments. */
static void read_digests(struct digests *digests, const char *path, unsigned n) {
    size_t bytes = 0;
    char *const text = proof_read_file(path, &bytes);
    *digests = (struct digests){calloc(n + 1, sizeof(uint64_t)), calloc(n + 1, sizeof(bool)), n};
    if (!digests->values || !digests->known)
        abort();
    char *rest = NULL;
    for (char *line = text; line; line = rest) {
        unsigned number;
        char words[2][20];
        rest = strchr(line, '\n');
        if (rest)
            *rest++ = 0;
        const int n_words = sscanf(line, "%u %19s %19s", &number, words[0], words[1]);
        if (n_words < 2 || number >= n)
            continue;
        char *end;
        digests->values[number] = strtoull(words[n_words - 2], &end, 16);
        digests->known[number] = *end == 0;
    }
    free(text);
}

/* How a module's programs ended. */
struct tally {
    unsigned n_wrong, n_unsupported;
};

static void check_program(struct proof_device *device, const struct digests *digests,
                          unsigned program, struct tally *tally) {
    uint64_t digest;
    const bool ran = proof_random_run(device, program, &digest, NULL);
    const bool is_unsupported = !ran && proof_is_unsupported(device);
    tally->n_unsupported += is_unsupported;
    if (!ran)
        printf("# program %u: %s\n", program, proof_error(device));
    else if (!digests->known[program])
        printf("# program %u: there is no record of the hardware's outputs\n", program);
    else if (digest != digests->values[program])
        printf("# program %u: expected digest %016lx, got %016lx\n", program,
               (unsigned long)digests->values[program], (unsigned long)digest);
    else
        return;
    tally->n_wrong += !is_unsupported;
}

static void check_module(struct proof_device *device, const struct digests *digests,
                         unsigned module, unsigned number) {
    const unsigned first = module * PROOF_MODULE_PROGRAMS;
    struct tally tally = {0};
    char *const ptx = proof_random_module(module);
    if (proof_load(device, ptx, strlen(ptx))) {
        for (unsigned i = 0; i < PROOF_MODULE_PROGRAMS; i++)
            check_program(device, digests, first + i, &tally);
    } else {
        printf("# module %u: %s\n", module, proof_error(device));
        tally.n_wrong = PROOF_MODULE_PROGRAMS;
    }
    free(ptx);
    const bool ok = !tally.n_wrong && !tally.n_unsupported;
    printf("%s %u - programs %u to %u give the hardware's outputs\n", ok ? "ok" : "not ok", number,
           first, first + PROOF_MODULE_PROGRAMS - 1);
}

int command_random(struct proof_device *device, int argc, char **argv) {
    const unsigned first = (unsigned)atoi(argv[1]), count = (unsigned)atoi(argv[2]);
    struct digests digests;
    (void)argc;
    read_digests(&digests, argv[0], (first + count) * PROOF_MODULE_PROGRAMS);
    printf("1..%u\n", count);
    for (unsigned i = 0; i < count; i++)
        check_module(device, &digests, first + i, i + 1);
    free(digests.values);
    free(digests.known);
    return 0;
}

int command_program(struct proof_device *device, int argc, char **argv) {
    const unsigned number = (unsigned)atoi(argv[0]);
    char entry[32];
    char *const ptx = proof_random_module(number / PROOF_MODULE_PROGRAMS);
    (void)device;
    (void)argc;
    snprintf(entry, sizeof(entry), ".visible .entry r%u(", number);
    const char *const from = strstr(ptx, entry);
    const char *const to = from ? strstr(from, "\n}\n") : NULL;
    const char *const head = strstr(ptx, ".visible"); /* the functions and tables before it */
    if (to)
        printf("%.*s%.*s\n}\n", (int)(head - ptx), ptx, (int)(to - from), from);
    free(ptx);
    return to ? 0 : 1;
}

int command_dump(struct proof_device *device, int argc, char **argv) {
    uint32_t out[PROOF_RANDOM_WORDS];
    const unsigned number = (unsigned)atoi(argv[0]);
    uint64_t digest;
    char *const ptx = proof_random_module(number / PROOF_MODULE_PROGRAMS);
    (void)argc;
    const bool ok =
        proof_load(device, ptx, strlen(ptx)) && proof_random_run(device, number, &digest, out);
    free(ptx);
    for (size_t i = 0; ok && i < PROOF_RANDOM_WORDS; i++)
        printf("%zu %08x\n", i, out[i]);
    if (!ok)
        printf("# %s\n", proof_error(device));
    return ok ? 0 : 1;
}
