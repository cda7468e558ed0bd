/*
 * The search: one failing test after the other, its most promising edits first.
 */
#include "common/harness/experiment/experiment.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/owned.h"
#include "common/base/text.h"

/* Work is counted in warp instructions; all of it is about a second of one core. */
enum {
    WORK = 40000000,       /* of all tests of a lab together */
    KNOWN_WORK = WORK / 2, /* then what mended one test is tried on others, beside that */
    TRY_WORK = 100000,     /* a try beside its instructions: a process for it, its parts loaded */
    CASE_BUDGET = 200000,  /* of each launch of a try on the failing case … */
    BUDGET_PER_N = 16,     /* … and for each of its elements … */
    MOST_N = 1 << 20,      /* … of more, a launch is run in samples */
    HANG_WORK = WORK / 16, /* a try that the clock had to stop */
    MAX_PROVEN = 4,        /* of one test, in a search of its own … */
    MAX_KEPT = 8,          /* … and with what mends other tests */
    MORE_TRIES = 64,       /* after the first edit that is proven */
    TERMS_WORK = WORK / 4, /* what the elements that differ are made of, beside all that */
    WHERE_WORK = WORK / 4, /* where the functions fail, beside that */
};

/* An edit that mends a test. */
struct proven {
    struct simt_edit edit;
    bool silences; /* lines that ran in the failing case don't run with it */
    bool is_wrong; /* a test that passed fails with it */
};

struct search {
    struct lab_tested tested;
    json_t *base; /* the failing case alone, without an edit */
    struct proven proven[MAX_KEPT];
    size_t n_proven;
    struct simt_edit *tried;
    size_t n_tried;
    json_t *terms; /* what lab_terms found, or NULL */
    bool is_surveyed;
    json_t *where; /* what lab_survey_where found, or NULL */
};

struct lab_experiments {
    struct lab_settings settings;
    struct search *searches; /* of all tests */
    size_t n;
    uint64_t work_left, known_left;
};

struct lab_experiments *lab_experiments_open(const struct lab_settings *settings) {
    struct lab_experiments *experiments = calloc(1, sizeof *experiments);

    if (!experiments)
        return NULL;
    experiments->settings = *settings;
    experiments->settings.backend = CALL_SIM;
    experiments->settings.is_first_try = false;
    experiments->work_left = WORK;
    experiments->known_left = KNOWN_WORK;
    return experiments;
}

void lab_experiments_close(struct lab_experiments *experiments) {
    for (size_t i = 0; i < experiments->n; i++) {
        json_decref(experiments->searches[i].tested.document);
        json_decref(experiments->searches[i].base);
        json_decref(experiments->searches[i].terms);
        json_decref(experiments->searches[i].where);
        free(experiments->searches[i].tried);
    }
    free(experiments->searches);
    free(experiments);
}

/* Elements and threads of the failing case. */
static json_int_t size_of(const struct lab_tested *tested) {
    const json_t *c = json_object_get(tested->document, "case");

    return json_integer_value(json_object_get(c, "n")) +
           json_integer_value(json_object_get(c, "block"));
}

/* Smaller cases first, which cost least; equal ones as they were added, tier by tier. */
static bool comes_before(const struct lab_tested *a, const struct lab_tested *b) {
    return size_of(a) < size_of(b);
}

void lab_experiments_add(struct lab_experiments *experiments, const char *tier, const char *name,
                         lab_body *body) {
    OWNED char *path = lab_result_path(experiments->settings.results, tier, name);
    json_t *document = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);

    if (!document)
        return;
    experiments->searches =
        grow_list(experiments->searches, experiments->n, sizeof *experiments->searches);
    const struct search search = {.tested = {tier, name, body, document}};
    size_t at = experiments->n++;
    for (; at > 0 && comes_before(&search.tested, &experiments->searches[at - 1].tested); at--)
        experiments->searches[at] = experiments->searches[at - 1];
    experiments->searches[at] = search;
}

static const char *verdict_of(const json_t *document) {
    const char *verdict = json_string_value(json_object_get(document, "verdict"));

    return verdict ? verdict : "";
}

static bool has_passed(const json_t *document) {
    return strcmp(verdict_of(document), "pass") == 0;
}

/* Streams without an order were seen: alone the case may pass, since it runs on its own; that says
 * nothing. So with an error that the call before has left behind. Or an access that is wider than
 * its address allows: what sends the launch another way round mends that by chance, and no edit
 * makes it narrower. */
static bool is_known_for_sure(const json_t *document) {
    const char *diagnosis = json_string_value(json_object_get(document, "diagnosis"));
    const json_t *first = json_array_get(json_object_get(document, "findings"), 0);
    const char *kind = json_string_value(json_object_get(first, "kind"));

    return (diagnosis && strcmp(diagnosis, "error_left_pending") == 0) ||
           lab_is_between_streams(first) || (kind && strcmp(kind, "misaligned") == 0);
}

/* A failure that an edit of a kernel or launch may mend. */
static bool is_worth_a_search(const json_t *document) {
    static const char *const verdicts[] = {"wrong_answer", "finding", "damage", "cuda_error"};

    if (!json_is_object(json_object_get(document, "case")) || is_known_for_sure(document))
        return false;
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        if (strcmp(verdict_of(document), verdicts[i]) == 0)
            return true;
    /* A kernel that the simulator stopped; not host code that hangs. */
    return strcmp(verdict_of(document), "timeout") == 0 && !lab_result_hangs(document);
}

/* The failing case of a document becomes the only one. */
static void choose_case(struct lab_settings *settings, const json_t *document) {
    const json_t *c = json_object_get(document, "case");
    const char *seed = json_string_value(json_object_get(c, "seed"));

    settings->has_case = settings->has_case_seed = true;
    settings->only = (struct lab_case){
        .n = (size_t)json_integer_value(json_object_get(c, "n")),
        .block = (unsigned)json_integer_value(json_object_get(c, "block")),
        .seed = seed ? strtoull(seed, NULL, 16) : 0,
    };
}

/* What a try runs of a test: its failing case, all of it, or all of it with other inputs. */
enum part { FAILING_CASE, WHOLE, WHOLE_ANEW };

/* Runs a part of a test with the edits of a trial; its document, which the caller owns. */
static json_t *perform(struct lab_experiments *experiments, const struct search *search,
                       enum part part, struct lab_trial *trial) {
    struct lab_settings settings = experiments->settings;
    const struct lab_tested *tested = &search->tested;

    settings.trial = trial;
    if (part == FAILING_CASE)
        choose_case(&settings, tested->document);
    if (part == WHOLE_ANEW)
        settings.seed = lab_random_seed(settings.seed, "anew", tested->name);
    json_t *document = lab_perform(&settings, tested->tier, tested->name, tested->body);
    uint64_t work = trial->work + TRY_WORK * (trial->is_fresh ? 1 + trial->n_calls : 1);
    if (lab_result_hangs(document))
        work += HANG_WORK;
    uint64_t *left =
        experiments->work_left > 0 ? &experiments->work_left : &experiments->known_left;
    *left -= work < *left ? work : *left;
    return document;
}

static bool is_over(const struct lab_experiments *experiments) {
    return experiments->work_left == 0 && experiments->known_left == 0;
}

/* What a launch may cost that nothing else bounds; 0: as much as it takes. */
static uint64_t whole_budget(const struct lab_experiments *experiments) {
    return experiments->work_left > 0 ? 0 : experiments->known_left;
}

static struct lab_trial trial_of(const struct simt_edit *edit, uint64_t budget) {
    const bool is_fresh = edit->kind == SIMT_EDIT_FRESH;

    return (struct lab_trial){
        .call = {.edits = edit, .n_edits = !is_fresh, .budget = budget},
        .is_fresh = is_fresh,
    };
}

static bool is_same(const struct simt_edit *a, const struct simt_edit *b) {
    return a->kind == b->kind && a->line == b->line && memcmp(a, b, sizeof *a) == 0;
}

static bool was_tried(const struct search *search, const struct simt_edit *edit) {
    for (size_t i = 0; i < search->n_tried; i++)
        if (is_same(&search->tried[i], edit))
            return true;
    return false;
}

static void note_try(struct search *search, const struct simt_edit *edit) {
    search->tried = grow_list(search->tried, search->n_tried, sizeof *search->tried);
    search->tried[search->n_tried++] = *edit;
}

/* The launch did what it should until its budget was spent: nothing is known of the edit. */
static bool is_undecided(const json_t *document) {
    const json_t *findings = json_object_get(document, "findings"), *finding;
    size_t i;

    json_array_foreach(findings, i, finding) {
        const char *kind = json_string_value(json_object_get(finding, "kind"));
        if (kind && strcmp(kind, "costly") == 0)
            return true;
    }
    return false;
}

/* Tries an edit on the failing case, and where that passes, on the whole test: with inputs that are
 * new, since what is right for those of one case may be so by chance. What mends other tests
 * (`is_hopeful`) may cost as much as a test. */
static void try_edit(struct lab_experiments *experiments, struct search *search,
                     const struct simt_edit *edit, bool is_hopeful) {
    const json_t *c = json_object_get(search->tested.document, "case");
    const uint64_t given = (uint64_t)json_integer_value(json_object_get(c, "n")),
                   n = given < MOST_N ? given : MOST_N;
    struct lab_trial quick =
        trial_of(edit, is_hopeful ? whole_budget(experiments) : CASE_BUDGET + BUDGET_PER_N * n);
    struct lab_trial whole = trial_of(edit, 0);
    json_t *mended = perform(experiments, search, FAILING_CASE, &quick);

    if (!is_undecided(mended))
        note_try(search, edit);
    if (has_passed(mended) && !lab_edit_mutes(search->base, mended)) {
        json_t *all = perform(experiments, search, WHOLE_ANEW, &whole);
        if (has_passed(all))
            search->proven[search->n_proven++] =
                (struct proven){.edit = *edit, .silences = lab_edit_silences(search->base, mended)};
        json_decref(all);
    }
    json_decref(mended);
}

static bool is_known(const struct search *search, const struct simt_edit *edit) {
    for (size_t i = 0; i < search->n_proven; i++)
        if (is_same(&search->proven[i].edit, edit))
            return true;
    return false;
}

/* What mended an earlier test is tried first; true where it mends this one. */
static bool try_known(struct lab_experiments *experiments, struct search *search) {
    for (const struct search *other = experiments->searches; other < search; other++)
        for (size_t i = 0; i < other->n_proven && search->n_proven < MAX_PROVEN; i++)
            if (!is_over(experiments) && !was_tried(search, &other->proven[i].edit))
                try_edit(experiments, search, &other->proven[i].edit, true);
    return search->n_proven > 0;
}

static bool was_tried_before(const struct lab_experiments *experiments, const struct search *search,
                             const struct simt_edit *edit) {
    for (const struct search *other = experiments->searches; other <= search; other++)
        if (was_tried(other, edit))
            return true;
    return false;
}

/* What was tried on earlier tests, and did not mend them, comes behind the rest: their failures
 * have the same cause, as a rule. */
static void put_tried_last(const struct lab_experiments *experiments, const struct search *search,
                           struct lab_suspect *suspects, size_t n) {
    struct lab_suspect *tried = calloc(n + 1, sizeof *tried);
    size_t n_new = 0, n_tried = 0;

    for (size_t i = 0; tried && i < n; i++) {
        if (was_tried_before(experiments, search, &suspects[i].edit))
            tried[n_tried++] = suspects[i];
        else
            suspects[n_new++] = suspects[i];
    }
    if (tried)
        memcpy(suspects + n_new, tried, n_tried * sizeof *tried);
    free(tried);
}

/* Tries what the failing call offers, within half of the work that is left. */
static void try_suspects(struct lab_experiments *experiments, struct search *search,
                         const json_t *candidates, size_t n_calls) {
    struct lab_suspect *suspects;
    const size_t n = lab_suspects(search->base, candidates, n_calls, &suspects);
    const uint64_t reserve = experiments->work_left / 2;
    size_t last = n;

    put_tried_last(experiments, search, suspects, n);
    for (size_t i = 0; i < last && experiments->work_left > reserve; i++) {
        const size_t n_proven = search->n_proven;
        if (!was_tried(search, &suspects[i].edit))
            try_edit(experiments, search, &suspects[i].edit, false);
        if (search->n_proven == MAX_PROVEN)
            break;
        if (n_proven == 0 && search->n_proven > 0 && last - i > MORE_TRIES)
            last = i + MORE_TRIES;
    }
    free(suspects);
}

/* A failing case that passes by itself: where all of the test fails again, and does not with a
 * process for each call, something is left from an earlier one. */
static void try_fresh(struct lab_experiments *experiments, struct search *search) {
    const struct simt_edit edit = {.kind = SIMT_EDIT_FRESH};
    struct lab_trial plain = {.call = {0}}, fresh = trial_of(&edit, 0);
    json_t *again = perform(experiments, search, WHOLE, &plain);
    json_t *mended = perform(experiments, search, WHOLE, &fresh);

    note_try(search, &edit);
    if (!has_passed(again) && has_passed(mended))
        search->proven[search->n_proven++] = (struct proven){.edit = edit};
    json_decref(again);
    json_decref(mended);
}

static void search_one(struct lab_experiments *experiments, struct search *search) {
    struct lab_trial base = {.call = {.lists = true, .budget = whole_budget(experiments)}};

    if (is_over(experiments))
        return;
    search->base = perform(experiments, search, FAILING_CASE, &base);
    if (base.call.budget > 0 && is_undecided(search->base)) { /* nothing is told of it */
        json_decref(search->base);
        search->base = NULL;
    } else if (has_passed(search->base)) {
        try_fresh(experiments, search);
    } else if (!try_known(experiments, search)) {
        try_suspects(experiments, search, base.candidates, base.n_calls);
    }
    json_decref(base.candidates);
}

/* True where a test that passed fails with the edit: that is no mend. */
static bool breaks(struct lab_experiments *experiments, const struct simt_edit *edit) {
    for (size_t i = 0; i < experiments->n && experiments->work_left > 0; i++) {
        const struct search *search = &experiments->searches[i];
        if (!has_passed(search->tested.document) ||
            !lab_edit_concerns(search->tested.document, edit))
            continue;
        struct lab_trial trial = trial_of(edit, 0);
        json_auto_t *document = perform(experiments, search, WHOLE, &trial);
        const bool is_broken = !has_passed(document);
        if (is_broken)
            return true;
    }
    return false;
}

/* Marks an edit in all tests that it mends. */
static void mark_wrong(struct lab_experiments *experiments, struct simt_edit edit) {
    for (size_t i = 0; i < experiments->n; i++)
        for (size_t k = 0; k < experiments->searches[i].n_proven; k++) {
            struct proven *proven = &experiments->searches[i].proven[k];
            proven->is_wrong |= is_same(&proven->edit, &edit);
        }
}

static bool is_state(const struct search *search) {
    return search->n_proven > 0 && search->proven[0].edit.kind == SIMT_EDIT_FRESH;
}

/* True where a test was looked into whose failing case comes to what the edit changes. */
static bool is_asked(const struct search *search, const struct simt_edit *edit) {
    return search->base && (edit->kind == SIMT_EDIT_FRESH ||
                            (!is_state(search) && lab_edit_concerns(search->base, edit)));
}

/* What mends one test is tried on all others that come to its place, also on those that were looked
 * into before. */
static void cross_check(struct lab_experiments *experiments, const struct search *search) {
    for (size_t k = 0; k < search->n_proven; k++)
        for (size_t i = 0; i < experiments->n && experiments->work_left > 0; i++) {
            struct search *other = &experiments->searches[i];
            const struct simt_edit edit = search->proven[k].edit;
            if (other->n_proven < MAX_KEPT && is_asked(other, &edit) && !was_tried(other, &edit))
                try_edit(experiments, other, &edit, true);
        }
}

/* How many tests an edit mends. */
static unsigned count_mended(const struct lab_experiments *experiments,
                             const struct simt_edit *edit) {
    unsigned n = 0;

    for (size_t i = 0; i < experiments->n; i++)
        n += is_known(&experiments->searches[i], edit);
    return n;
}

/* What mends no more than half of the function's tests that it was tried on, or than a third of
 * those that come to its place, mends by chance. */
static bool is_telling(const struct lab_experiments *experiments, const struct search *search,
                       const struct proven *proven) {
    size_t n = 0, n_tried = 0, n_mended = 0;

    for (size_t i = 0; i < experiments->n; i++) {
        const struct search *other = &experiments->searches[i];
        if (!lab_are_of_one_function(search->tested.document, other->tested.document))
            continue;
        const bool is_one = is_asked(other, &proven->edit);
        n += is_one;
        n_tried += is_one && was_tried(other, &proven->edit);
        n_mended += is_known(other, &proven->edit);
    }
    return !proven->is_wrong && 2 * n_mended > n_tried && 3 * n_mended > n;
}

static unsigned worth(const struct lab_experiments *experiments, const struct proven *proven) {
    return 16 * count_mended(experiments, &proven->edit) + lab_specificity(proven->edit.kind) +
           (proven->silences ? 0 : 8);
}

/* The best first; equals stay as they were found. */
static void sort_proven(const struct lab_experiments *experiments, struct search *search) {
    for (size_t i = 1; i < search->n_proven; i++) {
        const struct proven proven = search->proven[i];
        size_t k = i;
        for (; k > 0 && worth(experiments, &search->proven[k - 1]) < worth(experiments, &proven);
             k--)
            search->proven[k] = search->proven[k - 1];
        search->proven[k] = proven;
    }
}

/* What was made of a failure that the same call does not have where it is the first one: its cause
 * is what is left from before, whatever it looks like. */
static void correct_diagnosis(const struct lab_experiments *experiments, struct search *search) {
    if (search->n_proven > 0 && search->proven[0].edit.kind == SIMT_EDIT_FRESH &&
        is_telling(experiments, search, &search->proven[0]))
        json_object_set_new(search->tested.document, "diagnosis",
                            json_string("state_between_calls"));
}

/* A search whose case is run with probes. */
struct probing {
    struct lab_experiments *experiments;
    const struct search *search;
};

static void run_probe(void *context, struct lab_probe *probe) {
    const struct probing *probing = context;
    struct lab_trial trial = {.probe = probe};

    json_decref(perform(probing->experiments, probing->search, FAILING_CASE, &trial));
}

/* True where an element of another test of the function was looked into. */
static bool has_terms(const struct lab_experiments *experiments, const struct search *search) {
    for (const struct search *other = experiments->searches; other < search; other++)
        if (other->terms &&
            lab_are_of_one_function(search->tested.document, other->tested.document))
            return true;
    return false;
}

/* Looks into what the wrong results of each function are made of that no edit mends. */
static void find_terms(struct lab_experiments *experiments) {
    experiments->work_left = TERMS_WORK;
    for (size_t i = 0; i < experiments->n && experiments->work_left > 0; i++) {
        struct search *search = &experiments->searches[i];
        struct probing probing = {experiments, search};
        if (search->base && search->n_proven == 0 &&
            strcmp(verdict_of(search->base), "wrong_answer") == 0 &&
            !has_terms(experiments, search))
            search->terms = lab_terms(run_probe, &probing);
    }
}

/* Tests of results alone; others look at more than what a case gives. */
static bool is_of_results(const struct lab_tested *tested) {
    return strcmp(tested->tier, "example") == 0 || strcmp(tested->tier, "edge") == 0;
}

/* The cases of all tests of a function, as far as the work goes: those that failed come first. */
static json_t *survey(struct lab_experiments *experiments, const char *function) {
    struct lab_survey survey = {.function = function};
    struct lab_trial trial = {.survey = &survey};

    for (size_t i = 0; i < 2 * experiments->n && experiments->work_left > 0; i++) {
        const struct search *search = &experiments->searches[i % experiments->n];
        trial.work = 0;
        survey.work = experiments->work_left;
        if (is_of_results(&search->tested) &&
            has_passed(search->tested.document) == (i >= experiments->n))
            json_decref(perform(experiments, search, WHOLE, &trial));
    }
    json_t *where = lab_survey_where(&survey);
    free(survey.list);
    return where;
}

/* A failure that nothing explains. */
static bool is_unexplained(const struct search *search) {
    return search->base && search->n_proven == 0 &&
           !json_is_string(json_object_get(search->tested.document, "diagnosis"));
}

/* Looks where each function fails of which nothing explains a failure: once, so that nothing is
 * told of a part of the cases that the others speak against. All failures of it that no edit mends
 * get that: what explains one of them may be taken back. */
static void find_where(struct lab_experiments *experiments) {
    const struct search *end = experiments->searches + experiments->n;

    experiments->work_left = WHERE_WORK;
    for (struct search *search = experiments->searches; search < end; search++) {
        if (!is_unexplained(search) || search->is_surveyed || experiments->work_left == 0)
            continue;
        OWNED char *function = lab_function_of(search->tested.document);
        json_t *where = function ? survey(experiments, function) : NULL;
        for (struct search *other = experiments->searches; other < end; other++)
            if (!other->is_surveyed &&
                lab_are_of_one_function(search->tested.document, other->tested.document)) {
                other->is_surveyed = true;
                if (other->base && other->n_proven == 0)
                    other->where = json_incref(where);
            }
        json_decref(where);
    }
}

static void write_down(const struct lab_experiments *experiments, struct search *search) {
    json_t *list = json_array();

    sort_proven(experiments, search);
    for (size_t i = 0; i < search->n_proven; i++)
        if (is_telling(experiments, search, &search->proven[i]))
            json_array_append_new(list, lab_proof_json(&search->proven[i].edit));
    correct_diagnosis(experiments, search);
    json_object_set_new(search->tested.document, "experiment",
                        json_pack("{s:I, s:o, s:O?, s:O?}", "tried", (json_int_t)search->n_tried,
                                  "proven", list, "terms", search->terms, "where", search->where));
    lab_result_write(search->tested.document, experiments->settings.results);
}

void lab_experiments_run(struct lab_experiments *experiments) {
    for (size_t i = 0; i < experiments->n; i++)
        if (is_worth_a_search(experiments->searches[i].tested.document))
            search_one(experiments, &experiments->searches[i]);
    for (size_t i = 0; i < experiments->n; i++)
        cross_check(experiments, &experiments->searches[i]);
    for (size_t i = 0; i < experiments->n; i++)
        for (size_t k = 0; k < experiments->searches[i].n_proven; k++) {
            const struct proven *proven = &experiments->searches[i].proven[k];
            if (!proven->is_wrong && breaks(experiments, &proven->edit))
                mark_wrong(experiments, proven->edit);
        }
    find_terms(experiments);
    find_where(experiments);
    for (size_t i = 0; i < experiments->n; i++)
        if (experiments->searches[i].base)
            write_down(experiments, &experiments->searches[i]);
}
