/*
 * The part of recording that runs on the hardware, linked with NVIDIA's runtime library.
 *
 *   proof-record kernels TARGET IMAGE FILE.cu         outputs of a file's kernels, to stdout
 *   proof-record kernel TARGET IMAGE FILE.cu KERNEL   the same of one kernel
 *   proof-record emit FOLDER FIRST COUNT              random programs, as PTX, a file a module
 *   proof-record random FOLDER SUFFIX FIRST END       digests of programs, to stdout
 *   proof-record dump IMAGE NUMBER                    outputs of one random program, to stdout
 *   proof-record once IMAGE FILE.cu KERNEL            runs a kernel once, for a profiler
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/simt/tests/proof/compare.h"
#include "common/simt/tests/proof/random.h"

static bool load_file(struct proof_device *device, const char *path) {
    size_t bytes = 0;
    char *const image = proof_read_file(path, &bytes);
    const bool ok = image && proof_load(device, image, bytes);
    if (!ok)
        fprintf(stderr, "%s: %s\n", path, image ? proof_error(device) : "can't be read");
    free(image);
    return ok;
}

/* Runs every kernel of a file, or one; writes outputs where `target` is not NULL. */
static int run_file(struct proof_device *device, const char *target, const char *image,
                    const char *source, const char *only) {
    char error[512];
    struct proof_corpus corpus;
    int status = 0;
    if (!proof_corpus_read(&corpus, source, error, sizeof(error))) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    if (!load_file(device, image))
        status = 1;
    for (size_t i = 0; i < corpus.n_cases && status == 0; i++) {
        const struct proof_case *const one = &corpus.cases[i];
        struct proof_result result;
        if (only && strcmp(only, one->kernel) != 0)
            continue;
        if (!proof_run_case(device, one, &result)) {
            fprintf(stderr, "%s: %s\n", one->kernel, proof_error(device));
            status = 1;
        } else if (target) {
            printf("kernel %s %s %zu\n", one->kernel, target, result.n_out);
            fwrite(result.out, sizeof(uint32_t), result.n_out, stdout);
        }
        proof_result_free(&result);
    }
    proof_corpus_free(&corpus);
    return status;
}

static int command_kernels(struct proof_device *device, char **argv) {
    return run_file(device, argv[0], argv[1], argv[2], NULL);
}

static int command_kernel(struct proof_device *device, char **argv) {
    return run_file(device, argv[0], argv[1], argv[2], argv[3]);
}

static int command_once(struct proof_device *device, char **argv) {
    return run_file(device, NULL, argv[0], argv[1], argv[2]);
}

static int command_emit(struct proof_device *device, char **argv) {
    (void)device;
    const unsigned first = (unsigned)atoi(argv[1]), count = (unsigned)atoi(argv[2]);
    for (unsigned module = first; module < first + count; module++) {
        char path[512];
        snprintf(path, sizeof(path), "%s/%u.ptx", argv[0], module);
        FILE *const file = fopen(path, "w");
        char *const ptx = proof_random_module(module);
        const bool ok = file && fputs(ptx, file) >= 0;
        free(ptx);
        if (!file || fclose(file) != 0 || !ok) {
            fprintf(stderr, "%s can't be written\n", path);
            return 1;
        }
    }
    return 0;
}

static int command_random(struct proof_device *device, char **argv) {
    const unsigned first = (unsigned)atoi(argv[2]), end = (unsigned)atoi(argv[3]);
    for (unsigned program = first; program < end; program++) {
        const unsigned module = program / PROOF_MODULE_PROGRAMS;
        char path[512];
        uint64_t digest;
        snprintf(path, sizeof(path), "%s/%u.%s", argv[0], module, argv[1]);
        if ((program == first || program % PROOF_MODULE_PROGRAMS == 0) && !load_file(device, path))
            return 1;
        if (!proof_random_run(device, program, &digest, NULL)) {
            fprintf(stderr, "program %u: %s\n", program, proof_error(device));
            return 1;
        }
        printf("%u %016lx\n", program, (unsigned long)digest);
    }
    return 0;
}

static int command_dump(struct proof_device *device, char **argv) {
    uint32_t out[PROOF_RANDOM_WORDS];
    uint64_t digest;
    if (!load_file(device, argv[0]))
        return 1;
    if (!proof_random_run(device, (unsigned)atoi(argv[1]), &digest, out)) {
        fprintf(stderr, "%s\n", proof_error(device));
        return 1;
    }
    for (size_t i = 0; i < PROOF_RANDOM_WORDS; i++)
        printf("%zu %08x\n", i, out[i]);
    return 0;
}

static const struct {
    const char *name;
    int n_arguments;
    bool needs_device;
    int (*run)(struct proof_device *device, char **argv);
} commands[] = {
    {"kernels", 3, true, command_kernels}, {"kernel", 4, true, command_kernel},
    {"emit", 3, false, command_emit},      {"random", 4, true, command_random},
    {"dump", 2, true, command_dump},       {"once", 3, true, command_once},
};

int main(int argc, char **argv) {
    char error[512];
    for (size_t i = 0; argc > 1 && i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (strcmp(commands[i].name, argv[1]) != 0 || commands[i].n_arguments != argc - 2)
            continue;
        struct proof_device *device = NULL;
        if (commands[i].needs_device && !(device = proof_open(error, sizeof(error)))) {
            fprintf(stderr, "no device: %s\n", error);
            return 1;
        }
        const int status = commands[i].run(device, argv + 2);
        fflush(stdout);
        if (status != 0)
            _exit(status); /* a kernel may hang, and the library's own clean-up would wait for it */
        proof_close(device);
        return status;
    }
    fprintf(stderr, "usage: see the head of common/simt/tests/proof/proof_record.c\n");
    return 2;
}
