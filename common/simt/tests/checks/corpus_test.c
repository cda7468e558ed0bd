/*
 * Wrong kernels are found, right ones are left alone. The kernels carry the expectation themselves:
 * see wrong.cu. A right kernel has to stay silent in drawn orders as well.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "common/simt/tests/run/fixture.h"

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
    for (int kind = 0; kind < SIMT_N_FINDINGS; kind++)
        if (strlen(simt_finding_word(kind)) == length &&
            strncmp(simt_finding_word(kind), word, length) == 0)
            return kind;
    return -1;
}

/* The kernels of FIXTURE_SOURCE with their marks. */
static size_t list_kernels(struct kernel *kernels) {
    FILE *file = fopen(FIXTURE_SOURCE, "r");
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

static void run(struct fixture *fixture, const char *kernel, uint64_t seed) {
    fixture_open(fixture);
    simt_options(fixture->simt)->seed = seed;
    uint64_t params[3] = {fixture_ramp(fixture, "a", N), fixture_zeros(fixture, "b", N),
                          fixture_unwritten(fixture, "u", N)};
    fixture_run(fixture, kernel, 2, 64, 1024, params);
}

#if defined FIXTURE_WRONG || defined FIXTURE_WRONG_COPIES
static bool is_marked(const struct kernel *kernel, enum simt_finding_kind kind, unsigned line) {
    for (size_t i = 0; i < kernel->n_marks; i++)
        if (kernel->marks[i].kind == (int)kind && kernel->marks[i].line == line)
            return true;
    return false;
}

static bool has_kind(const struct fixture *fixture, int kind) {
    for (size_t i = 0; i < fixture->report.n_findings; i++)
        if ((int)fixture->report.findings[i].kind == kind)
            return true;
    return false;
}

Test(corpus, each_mistake_is_found_at_its_lines_and_no_other) {
    struct kernel kernels[MAX_KERNELS];
    size_t n = list_kernels(kernels);
    for (size_t i = 0; i < n; i++) {
        struct fixture fixture;
        cr_assert_gt(kernels[i].n_marks, 0, "%s", kernels[i].name);
        run(&fixture, kernels[i].name, 0);
        cr_expect(has_kind(&fixture, kernels[i].marks[0].kind), "%s: not found", kernels[i].name);
        for (size_t k = 0; k < fixture.report.n_findings; k++) {
            const struct simt_finding *finding = &fixture.report.findings[k];
            cr_expect(is_marked(&kernels[i], finding->kind, finding->here.line) &&
                          (!finding->other.what ||
                           is_marked(&kernels[i], finding->kind, finding->other.line)),
                      "%s: %s: %s", kernels[i].name, simt_finding_word(finding->kind),
                      finding->message);
            cr_expect_gt(strlen(finding->advice), 0);
        }
        fixture_close(&fixture);
    }
}

#ifdef FIXTURE_WRONG
Test(corpus, has_enough_of_each_mistake) {
    static const enum {
        CHECK,
        LIMIT,
        KERNEL
    } by[SIMT_N_FINDINGS] = {
#define FINDING(name, word, by, failure, what) by,
#include "common/simt/findings.def"
#undef FINDING
    };
    struct kernel kernels[MAX_KERNELS];
    size_t n = list_kernels(kernels), of_kind[SIMT_N_FINDINGS] = {0};
    for (size_t i = 0; i < n; i++)
        of_kind[kernels[i].marks[0].kind]++;
    for (int kind = 0; kind < SIMT_N_FINDINGS; kind++)
        if (by[kind] == CHECK)
            cr_expect_geq(of_kind[kind], LEAST_OF_A_KIND, "%s", simt_finding_word(kind));
}
#endif
#else
Test(corpus, right_kernels_are_left_alone) {
    struct kernel kernels[MAX_KERNELS];
    size_t n = list_kernels(kernels);
    for (size_t i = 0; i < n; i++) {
        for (uint64_t seed = 0; seed <= N_SEEDS; seed++) {
            struct fixture fixture;
            run(&fixture, kernels[i].name, seed);
            cr_expect_eq(fixture.diag.status, SIMT_OK, "%s: %s", kernels[i].name,
                         fixture.diag.message);
            cr_expect_eq(fixture.report.n_findings, 0, "%s, seed %d: %s", kernels[i].name,
                         (int)seed,
                         fixture.report.n_findings ? fixture.report.findings[0].message : "");
            fixture_close(&fixture);
        }
    }
}
#endif
