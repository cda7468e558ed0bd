/*
 * Wrong kernels are found, right ones are left alone. The kernels carry the expectation themselves:
 * see wrong.cu. A right kernel has to stay silent in drawn orders as well.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "common/simt/tests/run/rig.h"

TestSuite(corpus, .timeout = 120);

enum { MAX_KERNELS = 128, MAX_MARKS = 8, LEAST_OF_A_KIND = 8, N_SEEDS = 10, N = 256 };

struct mark {
    unsigned line;
    int kind;
};

struct kernel {
    char name[64];
    struct mark marks[MAX_MARKS];
    size_t n_marks;
};

static int kind_of(const char *word, size_t length) {
    for (int kind = 0; kind <= SIMT_FINDING_TRAP; kind++)
        if (strlen(simt_finding_word(kind)) == length &&
            strncmp(simt_finding_word(kind), word, length) == 0)
            return kind;
    return -1;
}

/* The kernels of RIG_SOURCE with their marks. */
static size_t list_kernels(struct kernel *kernels) {
    FILE *file = fopen(RIG_SOURCE, "r");
    cr_assert_not_null(file);
    char text[256];
    size_t n = 0;
    for (unsigned line = 1; fgets(text, sizeof text, file); line++) {
        const char *at;
        if (strncmp(text, "KERNEL(", 7) == 0) {
            cr_assert_lt(n, MAX_KERNELS);
            kernels[n] = (struct kernel){0};
            snprintf(kernels[n++].name, sizeof kernels[0].name, "%.*s", (int)strcspn(text + 7, ")"),
                     text + 7);
        } else if (n && (at = strstr(text, "// @")) != NULL) {
            struct kernel *kernel = &kernels[n - 1];
            for (; (at = strchr(at, '@')) != NULL; at++) {
                int kind = kind_of(at + 1, strcspn(at + 1, " \n"));
                cr_assert(kind >= 0 && kernel->n_marks < MAX_MARKS, "%s", text);
                kernel->marks[kernel->n_marks++] = (struct mark){line, kind};
            }
        }
    }
    fclose(file);
    cr_assert_gt(n, 0);
    return n;
}

static void run(struct rig *rig, const char *kernel, uint64_t seed) {
    rig_open(rig);
    simt_options(rig->simt)->seed = seed;
    uint64_t params[3] = {rig_ramp(rig, "a", N), rig_zeros(rig, "b", N),
                          rig_unwritten(rig, "u", N)};
    rig_run(rig, kernel, 2, 64, 1024, params);
}

#if defined RIG_WRONG || defined RIG_WRONG_COPIES
static bool is_marked(const struct kernel *kernel, enum simt_finding_kind kind, unsigned line) {
    for (size_t i = 0; i < kernel->n_marks; i++)
        if (kernel->marks[i].kind == (int)kind && kernel->marks[i].line == line)
            return true;
    return false;
}

static bool has_kind(const struct rig *rig, int kind) {
    for (size_t i = 0; i < rig->report.n_findings; i++)
        if ((int)rig->report.findings[i].kind == kind)
            return true;
    return false;
}

Test(corpus, each_mistake_is_found_at_its_lines_and_no_other) {
    struct kernel kernels[MAX_KERNELS];
    size_t n = list_kernels(kernels);
    for (size_t i = 0; i < n; i++) {
        struct rig rig;
        cr_assert_gt(kernels[i].n_marks, 0, "%s", kernels[i].name);
        run(&rig, kernels[i].name, 0);
        cr_expect(has_kind(&rig, kernels[i].marks[0].kind), "%s: not found", kernels[i].name);
        for (size_t k = 0; k < rig.report.n_findings; k++) {
            const struct simt_finding *finding = &rig.report.findings[k];
            cr_expect(is_marked(&kernels[i], finding->kind, finding->here.line) &&
                          (!finding->other.what ||
                           is_marked(&kernels[i], finding->kind, finding->other.line)),
                      "%s: %s: %s", kernels[i].name, simt_finding_word(finding->kind),
                      finding->message);
            cr_expect_gt(strlen(finding->advice), 0);
        }
        rig_close(&rig);
    }
}

#ifdef RIG_WRONG
Test(corpus, has_enough_of_each_mistake) {
    struct kernel kernels[MAX_KERNELS];
    size_t n = list_kernels(kernels), of_kind[SIMT_FINDING_TRAP + 1] = {0};
    for (size_t i = 0; i < n; i++)
        of_kind[kernels[i].marks[0].kind]++;
    for (int kind = 0; kind <= SIMT_FINDING_TRAP; kind++)
        if (kind < SIMT_FINDING_ENDLESS || kind == SIMT_FINDING_DEADLOCK)
            cr_expect_geq(of_kind[kind], LEAST_OF_A_KIND, "%s", simt_finding_word(kind));
}
#endif
#else
Test(corpus, right_kernels_are_left_alone) {
    struct kernel kernels[MAX_KERNELS];
    size_t n = list_kernels(kernels);
    for (size_t i = 0; i < n; i++) {
        for (uint64_t seed = 0; seed <= N_SEEDS; seed++) {
            struct rig rig;
            run(&rig, kernels[i].name, seed);
            cr_expect_eq(rig.diag.status, SIMT_OK, "%s: %s", kernels[i].name, rig.diag.message);
            cr_expect_eq(rig.report.n_findings, 0, "%s, seed %d: %s", kernels[i].name, (int)seed,
                         rig.report.n_findings ? rig.report.findings[0].message : "");
            rig_close(&rig);
        }
    }
}
#endif
