/*
 * Where a function fails: its tests' cases, and more of such sizes, are run one after the other,
 * and none ends the test. One fact of the cases' numbers is looked for that holds in all those that
 * fail, and in no other.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/owned.h"
#include "common/base/text.h"
#include "common/harness/experiment/experiment.h"

enum {
    MOST_N = 1 << 17, /* of a case that is run for it */
    MOST_CASES = 240,
    FEWEST_FAILED = 3,
    FEWEST_PASSED = 3
};

/* -- The cases -- */

static void add_number(struct lab_surveyed *one, const char *name, uint64_t value) {
    const size_t length = strlen(name);

    if (one->n_numbers == LAB_SURVEY_NUMBERS || length >= sizeof one->numbers->name)
        return;
    memcpy(one->numbers[one->n_numbers].name, name, length);
    one->numbers[one->n_numbers++].value = value;
}

/* The numbers that the function is given, and not a factor, say. */
static void read_numbers(struct lab_surveyed *one, const struct lab *lab) {
    for (size_t i = 0; i < lab->n_args; i++) {
        const struct call_arg *arg = &lab->args[i];
        if (arg->kind == CALL_ARG_U64 || arg->kind == CALL_ARG_U32)
            add_number(one, arg->name, arg->value.u64);
    }
}

/* The case with the same numbers; NULL where there is none yet. Tests share many. */
static const struct lab_surveyed *same_case(const struct lab_survey *survey,
                                            const struct lab_surveyed *one) {
    for (size_t i = 0; i < survey->n; i++)
        if (survey->list[i].n_numbers == one->n_numbers &&
            memcmp(survey->list[i].numbers, one->numbers, sizeof one->numbers) == 0)
            return &survey->list[i];
    return NULL;
}

/* False for a case of another function, which says nothing: whether this one would have failed is
 * not known. */
static bool note_case(const struct lab *lab, struct lab_survey *survey) {
    struct lab_surveyed one;

    memset(&one, 0, sizeof one); /* padding, too: cases are compared as bytes */
    one.fails = lab->now.verdict != LAB_PASS;
    if (strcmp(lab->function, survey->function) != 0)
        return false;
    read_numbers(&one, lab);
    const struct lab_surveyed *same = same_case(survey, &one);
    if (!same) {
        survey->list = grow_list(survey->list, survey->n, sizeof *survey->list);
        survey->list[survey->n++] = one;
    }
    /* With the same numbers it failed once, and once it did not: they don't decide. */
    survey->is_over |= same && same->fails != one.fails;
    return true;
}

/* A case that the clock ends costs too much, and one that the machine ends says nothing. */
static bool is_of_use(enum lab_verdict verdict) {
    return verdict == LAB_PASS || verdict == LAB_WRONG_ANSWER || verdict == LAB_FINDING ||
           verdict == LAB_DAMAGE || verdict == LAB_CUDA_ERROR;
}

/* Runs a case, unless it is a large one; false where those to come need not be run. */
static bool run(struct lab *lab, size_t n, unsigned block, lab_case_body *body) {
    struct lab_survey *survey = lab->settings->trial->survey;
    const struct lab_case c = {.n = n, .block = block, .seed = lab_case_seed(lab, n, block)};

    if (survey->is_over || survey->n == MOST_CASES || lab->settings->trial->work > survey->work)
        return false;
    if (n > MOST_N)
        return true;
    lab_run_case(lab, &c, body);
    survey->is_over = !is_of_use(lab->now.verdict);
    const bool goes_on = !survey->is_over && note_case(lab, survey) && !survey->is_over;
    lab_failure_clear(&lab->now);
    return goes_on;
}

bool lab_survey_is_on(const struct lab *lab) {
    return lab->settings->trial && lab->settings->trial->survey;
}

/* Sizes that tell facts apart which hold together in those of the test. */
static bool run_others(struct lab *lab, const struct lab_cases *cases, size_t block,
                       lab_case_body *body) {
    const size_t more[] = {1,         2,         3,  7,  block - 1,     block,     block + 1,
                           2 * block, 3 * block, 64, 66, 2 * block + 2, 4 * block, 97};
    size_t least = SIZE_MAX, most = 0;

    for (size_t i = 0; i < cases->n_sizes; i++) {
        least = cases->sizes[i] < least ? cases->sizes[i] : least;
        most = cases->sizes[i] > most ? cases->sizes[i] : most;
    }
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (more[i] >= least && more[i] <= most && !run(lab, more[i], (unsigned)block, body))
            return false;
    return true;
}

void lab_survey_cases(struct lab *lab, const struct lab_cases *cases, lab_case_body *body) {
    enum { MANY_SIZES = 3 };

    for (size_t i = 0; i < cases->n_sizes; i++)
        for (size_t j = 0; j < cases->n_blocks; j++)
            if (!run(lab, cases->sizes[i], cases->blocks[j], body))
                return;
    for (size_t j = 0; j < cases->n_blocks && cases->n_sizes >= MANY_SIZES; j++)
        if (!run_others(lab, cases, cases->blocks[j], body))
            return;
}

/* -- What they have in common -- */

/* How many pieces of y each x makes, the last of which may be smaller. */
static uint64_t parts(uint64_t x, uint64_t y) {
    return x / y + (x % y != 0);
}

static bool is_power_of_two(uint64_t x) {
    return x > 0 && (x & (x - 1)) == 0;
}

enum role { ALONE = 1, BESIDE = 2, BOTH = ALONE | BESIDE };
struct fact {
    const char *name, *text;
    enum role role;
    unsigned n;
    bool (*holds)(uint64_t x, uint64_t y, uint64_t z);
};

#define WHERE(name, role, n, condition, text)                                                      \
    static bool holds_##name(uint64_t x, uint64_t y, uint64_t z) {                                 \
        (void)x, (void)y, (void)z;                                                                 \
        return condition;                                                                          \
    }
#include "common/harness/experiment/where.def"
#undef WHERE

static const struct fact facts[] = {
#define WHERE(name, role, n, condition, text) {#name, text, role, n, holds_##name},
#include "common/harness/experiment/where.def"
#undef WHERE
};

/* The value of a number that all cases are told by; false where one is not. */
static bool value_of(const struct lab_surveyed *one, const char *name, uint64_t *value) {
    for (unsigned i = 0; i < one->n_numbers; i++)
        if (strcmp(one->numbers[i].name, name) == 0) {
            *value = one->numbers[i].value;
            return true;
        }
    return false;
}

/* A fact of numbers of these names. */
struct claim {
    const struct fact *fact;
    const char *names[3];
};

static bool holds(const struct claim *claim, const struct lab_surveyed *one, bool *is_known) {
    uint64_t values[3] = {0};

    for (unsigned k = 0; k < claim->fact->n; k++)
        *is_known &= value_of(one, claim->names[k], &values[k]);
    return claim->fact->holds(values[0], values[1], values[2]);
}

/* True for a case without work that passed: where nothing is to be done, most mistakes do no harm.
 */
static bool is_idle(const struct lab_surveyed *one) {
    bool has_nothing = false;

    for (unsigned k = 0; k < one->n_numbers; k++)
        has_nothing |= one->numbers[k].value == 0;
    return has_nothing && !one->fails;
}

/* True where both claims (the second one may be NULL) hold in each case that fails, and in no
 * other. */
static bool separate(const struct lab_survey *survey, const struct claim *claim,
                     const struct claim *second) {
    bool is_known = true;

    for (size_t i = 0; i < survey->n; i++) {
        const struct lab_surveyed *one = &survey->list[i];
        const bool hold =
            holds(claim, one, &is_known) && (!second || holds(second, one, &is_known));
        if (!is_known || (hold != one->fails && !is_idle(one)))
            return false;
    }
    return true;
}

/* The claim's text with the names in place of {x}, {y} and {z}. */
static char *words_of(const struct claim *claim) {
    char *words = text_format("%s", "");
    const char *at = claim->fact->text;

    for (const char *mark; (mark = strchr(at, '{')) != NULL; at = mark + 3)
        text_add(&words, "%.*s%s", (int)(mark - at), at, claim->names[mark[1] - 'x']);
    text_add(&words, "%s", at);
    return words;
}

static json_t *say(const struct lab_survey *survey, const char *is, const char *words) {
    size_t n_failed = 0, n_idle = 0;

    for (size_t i = 0; i < survey->n; i++) {
        n_failed += survey->list[i].fails;
        n_idle += is_idle(&survey->list[i]);
    }
    return json_pack("{s:s, s:s, s:I, s:I}", "is", is, "where", words, "failed",
                     (json_int_t)n_failed, "passed", (json_int_t)(survey->n - n_failed - n_idle));
}

static json_t *say_claim(const struct lab_survey *survey, const struct claim *claim) {
    OWNED char *words = words_of(claim);

    return say(survey, claim->fact->name, words);
}

static json_t *say_both(const struct lab_survey *survey, const struct claim *claim,
                        const struct claim *second) {
    OWNED char *words = words_of(claim), *more = words_of(second);
    OWNED char *both = text_format("%s and %s", words, more);

    return say(survey, claim->fact->name, both);
}

/* The claim with this number, of all facts of all numbers of the first case, each another one;
 * false where there is none: where the fact has none of these roles, fewer numbers, or one twice.
 */
static bool claim_of(const struct lab_survey *survey, size_t number, enum role roles,
                     struct claim *claim) {
    const struct lab_surveyed *first = &survey->list[0];
    const unsigned n = first->n_numbers;
    const unsigned at[] = {(unsigned)(number / n / n % n), (unsigned)(number / n % n),
                           (unsigned)(number % n)};

    claim->fact = &facts[number / n / n / n];
    if (!(claim->fact->role & roles))
        return false;
    for (unsigned k = 0; k < 3; k++) {
        claim->names[k] = first->numbers[at[k]].name;
        if (k >= claim->fact->n && at[k] != 0)
            return false;
        for (unsigned j = 0; j < k && k < claim->fact->n; j++)
            if (at[j] == at[k])
                return false;
    }
    return true;
}

/* The least and the largest value of a number, of cases that fail and of the others. */
struct span {
    uint64_t least, most;
};

/* Of the number x, or of x / y, rounded up, where y is not NULL. False where one is not known. */
static bool spans_of(const struct lab_survey *survey, const char *x, const char *y,
                     struct span spans[2]) {
    uint64_t value = 0, by = 1;

    spans[0] = spans[1] = (struct span){UINT64_MAX, 0};
    for (size_t i = 0; i < survey->n; i++) {
        struct span *span = &spans[survey->list[i].fails];
        if (is_idle(&survey->list[i]))
            continue;
        if (!value_of(&survey->list[i], x, &value) || (y && !value_of(&survey->list[i], y, &by)) ||
            by == 0)
            return false;
        value = parts(value, by);
        span->least = value < span->least ? value : span->least;
        span->most = value > span->most ? value : span->most;
    }
    return true;
}

/* Larger numbers fail, and smaller ones don't; or the other way round. */
static json_t *say_limit(const struct lab_survey *survey, const char *x, const char *y) {
    struct span spans[2];

    if (!spans_of(survey, x, y, spans))
        return NULL;
    const bool is_above = spans[0].most < spans[1].least;
    if (!is_above && spans[1].most >= spans[0].least)
        return NULL;
    OWNED char *what = y ? text_format("%s / %s, rounded up,", x, y) : text_format("%s", x);
    OWNED char *words = text_format("%s is %llu or %s", what,
                                    (unsigned long long)(is_above ? spans[1].least : spans[1].most),
                                    is_above ? "more" : "less");
    return say(survey, "limit", words);
}

static json_t *find_limit(const struct lab_survey *survey) {
    const struct lab_surveyed *first = &survey->list[0];
    json_t *found = NULL;

    for (unsigned x = 0; x < first->n_numbers && !found; x++)
        found = say_limit(survey, first->numbers[x].name, NULL);
    for (unsigned x = 0; x < first->n_numbers; x++)
        for (unsigned y = 0; y < first->n_numbers && !found; y++)
            if (x != y)
                found = say_limit(survey, first->numbers[x].name, first->numbers[y].name);
    return found;
}

static json_t *find(const struct lab_survey *survey) {
    const size_t n = survey->list[0].n_numbers, n_claims = sizeof facts / sizeof *facts * n * n * n;
    struct claim claim, second;

    for (size_t i = 0; i < n_claims; i++)
        if (claim_of(survey, i, ALONE, &claim) && separate(survey, &claim, NULL))
            return say_claim(survey, &claim);
    for (size_t j = 0; j < n_claims; j++) {
        if (!claim_of(survey, j, BESIDE, &second))
            continue;
        for (size_t i = 0; i < n_claims; i++)
            if (i != j && claim_of(survey, i, BOTH, &claim) && separate(survey, &claim, &second))
                return say_both(survey, &claim, &second);
    }
    return find_limit(survey);
}

json_t *lab_survey_where(const struct lab_survey *survey) {
    size_t n_failed = 0, n_passed = 0;

    for (size_t i = 0; i < survey->n; i++) {
        n_failed += survey->list[i].fails;
        n_passed += !survey->list[i].fails && !is_idle(&survey->list[i]);
    }
    if (survey->is_over || n_failed < FEWEST_FAILED || n_passed < FEWEST_PASSED)
        return NULL;
    return find(survey);
}
