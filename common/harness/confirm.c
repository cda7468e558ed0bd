/*
 * A wrong result is told as a known mistake where it is just what that mistake makes of the inputs.
 * Of few numbers several mistakes make the same: so the mistake has to be seen again in cases that
 * it was not guessed from, with inputs of their own.
 */
#include <stdlib.h>
#include <string.h>

#include "common/harness/context.h"

enum { MOST_CASES = 6, LARGEST_N = 1 << 14 };

/* What other cases say of the mistake: it was seen again; nothing known was, or another one. */
struct votes {
    unsigned n_for, n_silent, n_against;
};

/* Runs another case. Where it is right, or fails in another way, it says nothing. */
static void ask(struct lab *lab, const struct lab_case *c, lab_case_body *body,
                struct votes *votes) {
    if (!lab_run_case(lab, c, body) && lab->now.verdict == lab->kept.verdict) {
        votes->n_silent += !lab->now.diagnosis;
        if (lab->now.diagnosis && strcmp(lab->now.diagnosis, lab->kept.diagnosis) == 0)
            votes->n_for++;
        else if (lab->now.diagnosis)
            votes->n_against++;
    }
    lab_failure_clear(&lab->now);
}

/* The same case with new inputs, then some of the sweep's, from one end to the other. */
static struct votes ask_others(struct lab *lab, const struct lab_cases *cases,
                               lab_case_body *body) {
    const size_t n = cases->n_sizes * cases->n_blocks;
    const size_t step = n > MOST_CASES ? n / MOST_CASES : 1;
    struct lab_case again = lab->kept.c;
    struct votes votes = {0};

    again.seed = lab_random_seed(again.seed, "anew", lab->name);
    ask(lab, &again, body, &votes);
    for (size_t i = step / 2; i < n; i += step) {
        struct lab_case c = {.n = cases->sizes[i / cases->n_blocks],
                             .block = cases->blocks[i % cases->n_blocks]};
        if (c.n > LARGEST_N || (c.n == again.n && c.block == again.block))
            continue;
        c.seed = lab_case_seed(lab, c.n, c.block);
        ask(lab, &c, body, &votes);
    }
    return votes;
}

void lab_confirm(struct lab *lab, const struct lab_cases *cases, lab_case_body *body) {
    struct lab_failure *kept = &lab->kept;

    if (kept->verdict != LAB_WRONG_ANSWER || !kept->diagnosis || !kept->has_case ||
        lab->settings->trial)
        return;
    const struct votes votes = ask_others(lab, cases, body);
    if (votes.n_against == 0 && votes.n_silent <= votes.n_for)
        return;
    free(kept->diagnosis);
    kept->diagnosis = NULL;
}
