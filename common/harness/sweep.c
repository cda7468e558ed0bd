/*
 * Cases of a test: one, or all sizes with all block sizes; and the search for the smallest one that
 * fails. A student who sees n = 33 fail has less to think about than one who sees n = 1,048,577.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "common/harness/context.h"
#include "common/harness/random.h"
#include "common/base/splitmix.h"

/* Bisection stops after so many cases or so much time, whichever comes first. */
enum { MAX_SHRINK_CASES = 24, MAX_SHRINK_MS = 600 };

void lab_case_clear(struct lab *lab) {
    while (lab->blocks != NULL) {
        struct lab_block *block = lab->blocks;

        lab->blocks = block->next;
        free(block);
    }
    lab->current = NULL;
}

/* Gigabytes are there sooner by 2 MiB at a time, where the kernel has such pages. */
static void wish_huge_pages(char *start, size_t bytes) {
    const uintptr_t huge = (uintptr_t)2 << 20;
    uintptr_t first = ((uintptr_t)start + huge - 1) & ~(huge - 1);
    uintptr_t end = ((uintptr_t)start + bytes) & ~(huge - 1);

    if (first < end)
        madvise((void *)first, end - first, MADV_HUGEPAGE);
}

void *lab_memory(struct lab *lab, size_t bytes) {
    struct lab_block *block = NULL;

    if (bytes <= SIZE_MAX / 2)
        block = calloc(1, sizeof *block + bytes);
    if (block != NULL)
        wish_huge_pages(block->bytes, bytes);
    if (block == NULL)
        lab_stop(lab, LAB_INFRASTRUCTURE, "This machine has no %zu bytes of memory for a test.",
                 bytes);
    block->next = lab->blocks;
    lab->blocks = block;
    return block->bytes;
}

/* The seed of the case's next array. */
static uint64_t next_seed(struct lab *lab) {
    return (lab->current != NULL ? lab->current->seed : lab->seed) + lab->n_arrays++;
}

int32_t *lab_random_i32(struct lab *lab, size_t n) {
    int32_t *data = lab_memory(lab, n * sizeof *data);

    lab_fill_i32(data, n, next_seed(lab));
    return data;
}

struct lab_drawn lab_draw(struct lab *lab, int type, size_t n) {
    return (struct lab_drawn){.type = type, .seed = next_seed(lab), .n = n};
}

float *lab_drawn_f32(struct lab *lab, const struct lab_drawn *drawn) {
    float *data = lab_memory(lab, drawn->n * sizeof *data);

    lab_drawn_make(drawn, 0, drawn->n, data);
    return data;
}

/* Runs one case; true when it passed. Its failure is left in lab->now. */
static bool run_case(struct lab *lab, size_t n, unsigned block, lab_case_body *body) {
    struct lab_case c = {.n = n, .block = block};
    uint64_t state = lab->seed ^ (n * 2048 + block);

    c.seed = lab->settings->has_case_seed ? lab->settings->only.seed : splitmix_next(&state);
    lab->current = &c;
    lab->n_arrays = 0;
    body(lab, &c);
    if (lab->now.verdict == LAB_PASS && strcmp(lab->tier, "technique") == 0)
        lab_judge_launches(lab);
    lab_case_clear(lab);
    return lab->now.verdict == LAB_PASS;
}

/* The running case's failure becomes the test's. */
static void keep(struct lab *lab) {
    lab_failure_clear(&lab->kept);
    lab->kept = lab->now;
    lab->now = (struct lab_failure){.verdict = LAB_PASS};
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Failures that no smaller n explains better, or that cost the whole time limit each. */
static bool is_worth_shrinking(enum lab_verdict verdict) {
    return verdict == LAB_WRONG_ANSWER || verdict == LAB_FINDING || verdict == LAB_CUDA_ERROR ||
           verdict == LAB_DAMAGE || verdict == LAB_CRASH;
}

/* Tries a smaller n; keeps its failure and returns true where that is the same story. */
static bool fails_too(struct lab *lab, size_t n, lab_case_body *body) {
    if (!run_case(lab, n, lab->kept.c.block, body) && lab->now.verdict == lab->kept.verdict &&
        same_text(lab->now.diagnosis, lab->kept.diagnosis)) {
        keep(lab);
        return true;
    }
    lab_failure_clear(&lab->now); /* another failure is another story */
    return false;
}

/* Looks for a smaller n, not below `low`, that fails as the one kept does: first at sizes where
 * things change, since many mistakes come and go with n, then by bisection. */
static void shrink(struct lab *lab, size_t low, lab_case_body *body) {
    const size_t block = lab->kept.c.block;
    const size_t sizes[] = {0, 1, block - 1, block, block + 1, 2 * block + 1, block * block + 1};
    /* What the simulator says is the same however busy the machine is: there, only cases count. */
    double deadline_ms = lab_on_gpu(lab) ? lab_now_ms() + MAX_SHRINK_MS : INFINITY;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && lab_now_ms() < deadline_ms; i++) {
        if (sizes[i] < low || sizes[i] >= lab->kept.c.n)
            continue;
        if (fails_too(lab, sizes[i], body))
            break;
        low = sizes[i] + 1;
    }
    for (int i = 0; i < MAX_SHRINK_CASES && low < lab->kept.c.n && lab_now_ms() < deadline_ms;
         i++) {
        size_t middle = low + (lab->kept.c.n - low) / 2;

        if (!fails_too(lab, middle, body))
            low = middle + 1;
    }
}

/* Runs a case and records how it ended; true when it passed. */
static bool try_case(struct lab *lab, size_t n, unsigned block, lab_case_body *body) {
    if (run_case(lab, n, block, body)) {
        lab->cases_passed++;
        return true;
    }
    keep(lab);
    return false;
}

void lab_sweep(struct lab *lab, const size_t *sizes, size_t n_sizes, const unsigned *blocks,
               size_t n_blocks, lab_case_body *body) {
    if (lab_failed(lab))
        return;
    if (lab->settings->has_case) {
        try_case(lab, lab->settings->only.n, lab->settings->only.block, body);
        return;
    }
    for (size_t i = 0; i < n_sizes; i++)
        for (size_t j = 0; j < n_blocks; j++) {
            if (try_case(lab, sizes[i], blocks[j], body))
                continue;
            if (is_worth_shrinking(lab->kept.verdict))
                shrink(lab, i > 0 ? sizes[i - 1] + 1 : 0, body);
            return;
        }
}

void lab_one(struct lab *lab, size_t n, unsigned block, lab_case_body *body) {
    if (!lab_failed(lab))
        try_case(lab, n, block, body);
}
