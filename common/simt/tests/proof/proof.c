/*
 * The differential suite on the simulator: every kernel against what the hardware gave.
 *
 *   proof kernels RECORDS TARGET PTX.. : FILE.cu..   compare, as TAP
 *   proof show RECORDS TARGET PTX FILE.cu KERNEL     one kernel: every mismatch, then its PTX
 *   proof pack FROM TO                               compress outputs that the hardware gave
 *   proof add FROM TO                                the same of some kernels, beside the others
 *   proof random RECORDS FIRST COUNT                 compare random programs, as TAP
 *   proof counters RECORDS PTX.. : FILE.cu..         compare counters, as TAP
 *   proof program NUMBER                             the PTX of a random program
 *   proof dump NUMBER                                its outputs
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/tests/proof/compare.h"
#include "common/simt/tests/proof/proof.h"
#include "common/simt/tests/proof/records.h"

/* Word i of the outputs in the kernel's own terms, with the inputs of its thread. */
static void print_word(const struct proof_case *one, const struct proof_result *got,
                       const char *wanted, size_t i) {
    const size_t n = proof_n_threads(one), thread = i % n;
    uint32_t word;
    memcpy(&word, wanted + i * sizeof(word), sizeof(word));
    printf("# %s: out[%zu], word %zu of thread %zu: expected %08x, got %08x; inputs %016lx %016lx "
           "%016lx\n",
           one->kernel, i, i / n, thread, word, got->out[i], (unsigned long)got->in[thread],
           (unsigned long)got->in[n + thread], (unsigned long)got->in[2 * n + thread]);
}

static bool check_case(struct proof_device *device, const struct proof_case *one,
                       const struct proof_records *records, int target) {
    struct proof_result result;
    size_t n_words = 0;
    const char *const wanted = proof_records_find(records, one->kernel, target, &n_words);
    bool ok = proof_run_case(device, one, &result);
    if (!ok) {
        printf("# %s: %s\n", one->kernel, proof_error(device));
    } else if (!wanted || n_words != result.n_out) {
        printf("# %s: there is no record of the hardware's %zu words; see README.md\n", one->kernel,
               result.n_out);
        ok = false;
    } else {
        const size_t i = proof_first_mismatch(one, &result, wanted);
        ok = i == result.n_out;
        if (!ok)
            print_word(one, &result, wanted, i);
    }
    proof_result_free(&result);
    return ok;
}

/* All kernels of one file; returns how many there are. */
static size_t check_file(struct proof_device *device, const struct proof_records *records,
                         int target, const char *ptx_path, const char *source_path,
                         size_t n_before) {
    char error[512];
    struct proof_corpus corpus;
    size_t bytes = 0;
    if (!proof_corpus_read(&corpus, source_path, error, sizeof(error))) {
        printf("not ok %zu - %s\n", n_before + 1, error);
        return 1;
    }
    char *const ptx = proof_read_file(ptx_path, &bytes);
    const bool is_loaded = ptx && proof_load(device, ptx, bytes);
    if (!is_loaded)
        printf("# %s: %s\n", ptx_path, ptx ? proof_error(device) : "can't be read");
    for (size_t i = 0; i < corpus.n_cases; i++) {
        const struct proof_case *const one = &corpus.cases[i];
        const bool ok = is_loaded && check_case(device, one, records, target);
        const bool is_expected = !ok && one->pending;
        printf("%s %zu - %s gives the hardware's outputs%s\n", ok ? "ok" : "not ok",
               n_before + i + 1, one->kernel,
               is_expected ? " # TODO known to differ, or not to be supported" : "");
    }
    const size_t n = corpus.n_cases;
    proof_corpus_free(&corpus);
    free(ptx);
    return n;
}

/* kernels RECORDS TARGET PTX.. : FILE.cu.. */
static int command_kernels(struct proof_device *device, int argc, char **argv) {
    struct proof_records records;
    const int n_files = (argc - 3) / 2;
    size_t n = 0;
    if (!proof_records_read(&records, argv[0]))
        printf("# %s is damaged\n", argv[0]);
    for (int i = 0; i < n_files; i++)
        n += check_file(device, &records, atoi(argv[1]), argv[2 + i], argv[3 + n_files + i], n);
    printf("1..%zu\n", n);
    proof_records_free(&records);
    return 0;
}

/* The text of one kernel within its module. */
static void print_kernel(const char *ptx, const char *kernel) {
    char entry[96];
    snprintf(entry, sizeof(entry), ".entry %s(", kernel);
    const char *const from = strstr(ptx, entry);
    const char *const to = from ? strstr(from, "\n}") : NULL;
    if (to)
        printf("%.*s\n}\n", (int)(to - from), from);
}

static void show_case(struct proof_device *device, const struct proof_case *one,
                      const struct proof_records *records, int target) {
    struct proof_result result;
    size_t n_words = 0;
    const char *const wanted = proof_records_find(records, one->kernel, target, &n_words);
    if (!proof_run_case(device, one, &result))
        printf("# %s\n", proof_error(device));
    for (size_t i = 0; i < result.n_out; i++) {
        uint32_t word = 0;
        if (wanted && n_words == result.n_out)
            memcpy(&word, wanted + i * sizeof(word), sizeof(word));
        if (!wanted || word != result.out[i])
            print_word(one, &result, wanted ? wanted : (const char *)result.out, i);
    }
    proof_result_free(&result);
}

/* show RECORDS TARGET PTX FILE.cu KERNEL */
static int command_show(struct proof_device *device, int argc, char **argv) {
    char error[512];
    struct proof_records records;
    struct proof_corpus corpus;
    size_t bytes = 0;
    char *const ptx = proof_read_file(argv[2], &bytes);
    (void)argc;
    if (!proof_records_read(&records, argv[0]) || !ptx || !proof_load(device, ptx, bytes) ||
        !proof_corpus_read(&corpus, argv[3], error, sizeof(error))) {
        printf("# %s, %s or %s can't be used: %s\n", argv[0], argv[2], argv[3],
               proof_error(device));
        free(ptx);
        return 1;
    }
    for (size_t i = 0; i < corpus.n_cases; i++) {
        if (strcmp(corpus.cases[i].kernel, argv[4]) == 0)
            show_case(device, &corpus.cases[i], &records, atoi(argv[1]));
    }
    print_kernel(ptx, argv[4]);
    proof_corpus_free(&corpus);
    proof_records_free(&records);
    free(ptx);
    return 0;
}

static int pack(char **argv, bool keep) {
    if (proof_records_pack(argv[0], argv[1], keep))
        return 0;
    printf("# %s can't be packed into %s\n", argv[0], argv[1]);
    return 1;
}

/* pack FROM TO */
static int command_pack(struct proof_device *device, int argc, char **argv) {
    (void)device;
    (void)argc;
    return pack(argv, false);
}

/* add FROM TO */
static int command_add(struct proof_device *device, int argc, char **argv) {
    (void)device;
    (void)argc;
    return pack(argv, true);
}

static const struct {
    const char *name;
    int least;
    int (*run)(struct proof_device *device, int argc, char **argv);
} commands[] = {
    {"kernels", 5, command_kernels},   {"show", 5, command_show},       {"pack", 2, command_pack},
    {"random", 3, command_random},     {"program", 1, command_program}, {"dump", 1, command_dump},
    {"counters", 4, command_counters}, {"add", 2, command_add},
};

int main(int argc, char **argv) {
    char error[512];
    struct proof_device *const device = proof_open(error, sizeof(error));
    int status = 2;
    if (!device) {
        printf("Bail out! %s\n", error);
        return 1;
    }
    for (size_t i = 0; argc > 1 && i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (strcmp(commands[i].name, argv[1]) == 0 && argc - 2 >= commands[i].least)
            status = commands[i].run(device, argc - 2, argv + 2);
    }
    if (status == 2)
        fprintf(stderr, "usage: see the head of common/simt/tests/proof/proof.c\n");
    proof_close(device);
    return status;
}
