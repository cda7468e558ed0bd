/*
 * Random programs on the simulator against the digests that the hardware gave. README.md says what
 * ptxas does to some of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/proof/corpus.h"
#include "common/simt/proof/proof.h"
#include "common/simt/proof/random.h"

/* Digests by program; lines "NUMBER DIGEST" in any order, others are comments. The digest is '-' of
 * a program that hangs the hardware: there the simulator only has to end. */
struct digests {
    uint64_t *values;
    bool *known, *hangs, *miscompiled;
    unsigned n;
};

static void read_digests(struct digests *digests, const char *path, unsigned n) {
    size_t bytes = 0;
    char *const text = proof_read_file(path, &bytes);
    *digests = (struct digests){calloc(n + 1, sizeof(uint64_t)), calloc(n + 1, sizeof(bool)),
                                calloc(n + 1, sizeof(bool)), calloc(n + 1, sizeof(bool)), n};
    if (!digests->values || !digests->known || !digests->hangs || !digests->miscompiled)
        abort();
    char *rest = NULL;
    for (char *line = text; line; line = rest) {
        unsigned number;
        unsigned long digest;
        rest = strchr(line, '\n');
        if (rest)
            *rest++ = 0;
        char mark;
        if (sscanf(line, "%u %c", &number, &mark) == 2 && mark == '-' && number < n) {
            digests->hangs[number] = true;
        } else if (sscanf(line, "%u %lx", &number, &digest) == 2 && number < n) {
            digests->values[number] = digest;
            digests->known[number] = true;
        }
    }
    free(text);
}

/* Numbers of programs, a line each, that ptxas is known to miscompile: they only have to end. */
static void read_miscompiled(struct digests *digests, const char *path) {
    size_t bytes = 0;
    char *const text = proof_read_file(path, &bytes);
    for (char *line = text; line && *line; line = strchr(line, '\n') + 1) {
        unsigned number;
        if (sscanf(line, "%u", &number) == 1 && number < digests->n)
            digests->miscompiled[number] = true;
        if (!strchr(line, '\n'))
            break;
    }
    free(text);
}

/* ptxas 13.0 runs `@%p0 testp.finite.f32` (and .subnormal) for all lanes, whatever the guard says:
 * so that the rest of the program can be compared, the guard goes. */
static void drop_guards_of_testp(char *ptx) {
    for (char *at = ptx; (at = strstr(at, " testp.")); at++) {
        char *const line = at - strlen("@!%p0") > ptx ? at - strlen("@!%p0") : at;
        char *const guard = memchr(line, '@', (size_t)(at - line));
        if (guard)
            memset(guard, ' ', (size_t)(at - guard));
    }
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
    else if (digests->hangs[program] || digests->miscompiled[program])
        return;
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
    drop_guards_of_testp(ptx);
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
    const unsigned first = (unsigned)atoi(argv[2]), count = (unsigned)atoi(argv[3]);
    struct digests digests;
    (void)argc;
    read_digests(&digests, argv[0], (first + count) * PROOF_MODULE_PROGRAMS);
    read_miscompiled(&digests, argv[1]);
    printf("1..%u\n", count);
    for (unsigned i = 0; i < count; i++)
        check_module(device, &digests, first + i, i + 1);
    free(digests.values);
    free(digests.known);
    free(digests.hangs);
    free(digests.miscompiled);
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
