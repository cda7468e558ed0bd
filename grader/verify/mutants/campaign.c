/* Makes the mutants of a lab's answers, and finds out what comes of each. */
#include "grader/verify/mutants/campaign.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/splitmix.h"
#include "common/base/system/file.h"
#include "common/base/system/folder.h"
#include "common/base/system/parallel.h"
#include "grader/grade/record.h"
#include "grader/verify/mutants/known.h"
#include "grader/verify/mutants/mutant.h"
#include "grader/verify/mutation/meaning.h"

struct run {
    const struct campaign *campaign;
    const struct workbook_lab *lab;
    struct manifest *manifest;
    struct known *known;
    char *folder; /* for the mutants' files */
    struct answer *answers;
    size_t n_answers;
    struct mutant *mutants;
    size_t n;
    const char *step;
    atomic_size_t n_done;
    struct campaign_lab *result;
};

static void note(struct run *run, char *problem) {
    json_array_append_new(run->result->problems, json_string(problem));
    free(problem);
}

/* Reads an answer; takes its name. */
static enum grader_status add_answer(struct run *run, const char *solution, char *name,
                                     struct diag *diag) {
    char *text = NULL;
    size_t bytes;
    run->answers = grow_list(run->answers, run->n_answers, sizeof *run->answers);
    struct answer *answer = &run->answers[run->n_answers];
    *answer = (struct answer){.name = name, .path = text_format("%s/%s", solution, name)};
    run->n_answers++;
    enum grader_status status = file_read_source(answer->path, &text, &bytes, diag);
    if (status == GRADER_OK)
        source_init(&answer->source, text, bytes);
    return status;
}

static bool is_source(const char *name) {
    return text_ends_with(name, ".cu");
}

/* The model answer, and the variants where there are any. */
static enum grader_status add_answers(struct run *run, struct diag *diag) {
    OWNED char *solution = workbook_solution(&run->campaign->grading->session->book, run->lab);
    OWNED char *variants = text_format("%s/variants", solution);
    OWNED_BY(folder_finish) struct folder files;
    folder_read(&files, variants);
    folder_keep(&files, is_source);
    enum grader_status status =
        add_answer(run, solution, text_format("%s", run->manifest->source), diag);
    for (size_t i = 0; i < files.n && status == GRADER_OK; i++)
        status = add_answer(run, solution, text_format("variants/%s", files.names[i]), diag);
    for (size_t i = 0; i < run->n_answers && status == GRADER_OK; i++)
        mutations_init(&run->answers[i].mutations, &run->answers[i].source);
    run->known = status == GRADER_OK ? known_load(solution, diag) : NULL;
    return run->known ? status : status == GRADER_OK ? GRADER_FAILED : status;
}

/* The second change of a mutant of second order: another one, drawn by the first one's rank, that
 * does not touch the same tokens; NULL where a few draws find none. */
static const struct mutation *draw_second(const struct answer *answer, const struct mutation *one,
                                          uint64_t rank) {
    for (int i = 0; i < 16; i++) {
        const struct mutation *two =
            &answer->mutations.items[splitmix_next(&rank) % answer->mutations.n];
        if (!mutation_overlaps(one, two))
            return two;
    }
    return NULL;
}

/* Writes what a mutant is to its file. */
static bool write_mutant(const struct mutant *mutant, struct diag *diag) {
    OWNED char *text = mutation_apply(&mutant->answer->source, mutant->one, mutant->two);
    return file_write(mutant->target.source, text, strlen(text), diag) == GRADER_OK;
}

static bool add_mutant(struct run *run, struct answer *answer, const struct mutation *one,
                       const struct mutation *two, struct diag *diag) {
    run->mutants = grow_list(run->mutants, run->n, sizeof *run->mutants);
    struct mutant *mutant = &run->mutants[run->n];
    *mutant = (struct mutant){.answer = answer, .one = one, .two = two};
    mutant->target = (struct target){
        .lab = run->lab,
        .manifest = run->manifest,
        .source = text_format("%s/%zu/%s", run->folder, run->n, run->manifest->source),
    };
    run->n++;
    answer->n_mutants++;
    return write_mutant(mutant, diag);
}

/* The entry of equivalent.yaml for a change. */
static const struct known_mutant *find_known(const struct run *run, const struct answer *answer,
                                             const struct mutation *one, const char *change) {
    const struct source_token *first = &answer->source.tokens[one->first];
    const struct known_place place = {answer->source.text, first->line, first->at};
    return known_find(run->known, answer->name, &place, change);
}

static bool is_hole(const struct known_mutant *known) {
    return known && known->is_hole && *known->is_hole;
}

static bool is_listed_hole(const struct run *run, const struct answer *answer,
                           const struct mutation *one) {
    OWNED char *change = mutation_text(&answer->source, one);
    return is_hole(find_known(run, answer, one, change));
}

/* Chooses the mutants of an answer by their rank. */
static bool choose(struct run *run, struct answer *answer, struct diag *diag) {
    const struct campaign *campaign = run->campaign;
    for (size_t i = 0; i < answer->mutations.n; i++) {
        const struct mutation *one = &answer->mutations.items[i];
        uint64_t rank = mutation_rank(&answer->source, one, campaign->seed);
        if (!share_has(&campaign->share, rank) ||
            (campaign->holes_alone && !is_listed_hole(run, answer, one)))
            continue;
        const struct mutation *two = campaign->order > 1 ? draw_second(answer, one, rank) : NULL;
        if ((campaign->order == 1 || two) && !add_mutant(run, answer, one, two, diag))
            return false;
    }
    return true;
}

/* Grades a file, or compiles it alone. */
static struct grading_job grade(const struct run *run, const struct target *target, bool is_build) {
    struct grading_job job = {
        .target = target,
        .again = "./warpbook grade",
        .jobs = 1,
        .is_build = is_build,
        .experiments = true, /* as in `check` */
        .is_untimed = true,
        .seed = &run->campaign->seed,
    };
    grading_run(run->campaign->grading, &job);
    return job;
}

static void work_answer(void *context, size_t index) {
    struct run *run = context;
    struct answer *answer = &run->answers[index];
    if (answer->n_mutants == 0)
        return;
    struct target target = {.lab = run->lab, .manifest = run->manifest, .source = answer->path};
    struct grading_job job = grade(run, &target, true);
    bool is_read = job.object && object_init(&answer->object, job.object);
    answer->is_interrupted = job.is_interrupted;
    free(job.object);
    json_decref(job.lab);
    if (!is_read)
        return;
    job = grade(run, &target, false);
    answer->is_interrupted = job.is_interrupted;
    answer->is_sound = strcmp(record_text(job.lab, "verdict"), "pass") == 0;
    json_decref(job.lab);
}

static void done(struct run *run, const struct mutant *mutant) {
    if (mutant->is_interrupted)
        return;
    size_t n_done = atomic_fetch_add(&run->n_done, 1) + 1;
    run->campaign->progress(run->lab->name, run->step, n_done, run->n);
}

static void work_build(void *context, size_t index) {
    struct run *run = context;
    struct mutant *mutant = &run->mutants[index];
    mutant->is_interrupted = mutant->answer->is_interrupted;
    if (!mutant->answer->is_sound) {
        mutant->end = mutant->is_interrupted ? MUTANT_OPEN : MUTANT_UNJUDGED;
        return;
    }
    struct grading_job job = grade(run, &mutant->target, true);
    mutant->is_interrupted = job.is_interrupted;
    if (job.object)
        mutant->has_object = object_init(&mutant->object, job.object);
    if (strcmp(record_text(job.lab, "verdict"), "compile_error") == 0)
        mutant->end = MUTANT_REFUSED;
    else if (!mutant->has_object && !mutant->is_interrupted)
        mutant->end = MUTANT_UNJUDGED;
    free(job.object);
    json_decref(job.lab);
    done(run, mutant);
}

static void compare_with_others(struct run *run, size_t index) {
    struct mutant *mutant = &run->mutants[index];
    if (mutant->end != MUTANT_OPEN || !mutant->has_object) /* not compiled: interrupted */
        return;
    if (mutant_means_its_answer(mutant))
        mutant->end = MUTANT_EQUIVALENT;
    for (size_t i = 0; i < index && mutant->end == MUTANT_OPEN; i++) {
        const struct mutant *other = &run->mutants[i];
        if (other->end == MUTANT_OPEN && other->has_object && mutant_means(mutant, other))
            mutant->end = MUTANT_DUPLICATE;
    }
}

static json_t *failed_tests(const json_t *lab) {
    json_t *names = json_array(), *test;
    size_t index;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        enum verdict_kind kind = verdict_of_test(record_text(test, "verdict"))->kind;
        if (kind != VERDICT_GOOD && kind != VERDICT_NOTHING)
            json_array_append(names, json_object_get(test, "name"));
    }
    return names;
}

static void work_grade(void *context, size_t index) {
    struct run *run = context;
    struct mutant *mutant = &run->mutants[index];
    if (mutant->end == MUTANT_OPEN && !mutant->is_interrupted) {
        struct grading_job job = grade(run, &mutant->target, false);
        const char *verdict = record_text(job.lab, "verdict");
        mutant->is_interrupted = job.is_interrupted;
        mutant->points = record_count(job.lab, "points");
        mutant->max_points = record_count(job.lab, "max_points");
        mutant->failed = failed_tests(job.lab);
        mutant_tell(mutant, job.lab);
        if (!job.is_interrupted)
            mutant->end = strcmp(verdict, "infrastructure") == 0 ? MUTANT_UNJUDGED
                          : strcmp(verdict, "pass") == 0         ? MUTANT_SURVIVED
                                                                 : MUTANT_KILLED;
        json_decref(job.lab);
    }
    done(run, mutant);
}

/* Looks whether a mutant means the same by itself, or by what equivalent.yaml says of it. */
static void look_up(struct run *run, struct mutant *mutant, const char *change) {
    const struct source *source = &mutant->answer->source;
    const unsigned line = source->tokens[mutant->one->first].line;
    const struct known_mutant *known = find_known(run, mutant->answer, mutant->one, change);
    bool is_same = mutation_means_the_same(source, mutant->one) && !mutant->two;
    /* What a pattern lists as a hole may be one in another of its files. */
    const bool is_elsewhere = is_hole(known) && strpbrk(known->file, "*?[");
    if ((known || is_same) && !is_elsewhere && mutant->end == MUTANT_KILLED)
        note(run,
             text_format("%s:%u: %s: %s, but it loses points", mutant->answer->path, line, change,
                         is_hole(known) ? "equivalent.yaml lists it as a hole"
                         : known        ? "equivalent.yaml lists it"
                                        : "it means the same"));
    if ((known || is_same) && mutant->end == MUTANT_SURVIVED)
        mutant->end = is_same || !is_hole(known) ? MUTANT_LISTED : MUTANT_KNOWN;
}

static json_t *make_row(struct run *run, struct mutant *mutant) {
    const struct source *source = &mutant->answer->source;
    const struct source_token *first = &source->tokens[mutant->one->first];
    size_t bytes;
    const char *line = text_line(source->text, first->line, &bytes);
    OWNED char *change = mutant_change(mutant);
    look_up(run, mutant, change);
    json_t *row = json_pack("{s:s, s:s, s:i, s:i, s:s, s:s, s:s%, s:s, s:I, s:I, s:O*}", "lab",
                            run->lab->name, "file", mutant->answer->name, "line", (int)first->line,
                            "column", (int)(first->at - line) + 1, "family",
                            family_words[mutant->one->by->family], "change", change, "source", line,
                            bytes, "end", mutant_end_words[mutant->end], "points", mutant->points,
                            "max_points", mutant->max_points, "failed", mutant->failed);
    if (mutant->telling.causes)
        json_object_update_new(
            row,
            json_pack("{s:b, s:b, s:b, s:b, s:b, s:O}", "has_line", mutant->telling.has_line,
                      "line_told", mutant->telling.line, "has_cause", mutant->telling.has_cause,
                      "kind_told", mutant->telling.kind, "false_cause", mutant->telling.is_false,
                      "causes", mutant->telling.causes));
    return row;
}

static void work_through(struct run *run, const char *step, queue_work *work, size_t n) {
    run->step = step;
    atomic_store(&run->n_done, 0);
    struct queue *queue = queue_start(n, run->campaign->grading->session->options->jobs, work, run);
    queue_finish(queue);
}

static void look_at_all(struct run *run) {
    work_through(run, "answers", work_answer, run->n_answers);
    for (size_t i = 0; i < run->n_answers; i++) {
        const struct answer *answer = &run->answers[i];
        if (answer->n_mutants > 0 && !answer->is_sound && !answer->is_interrupted)
            note(run, text_format("%s does not get all points, so its mutants say nothing",
                                  answer->path));
    }
    work_through(run, "compiled", work_build, run->n);
    for (size_t i = 0; i < run->n; i++)
        compare_with_others(run, i);
    for (size_t i = 0; i < run->n; i++) {
        if (run->mutants[i].has_object)
            object_finish(&run->mutants[i].object);
    }
    work_through(run, "graded", work_grade, run->n);
    for (size_t i = 0; i < run->n; i++) {
        run->result->is_interrupted |= run->mutants[i].is_interrupted;
        if (run->mutants[i].end != MUTANT_OPEN)
            json_array_append_new(run->result->rows, make_row(run, &run->mutants[i]));
    }
}

static void run_finish(struct run *run) {
    for (size_t i = 0; i < run->n; i++) {
        json_decref(run->mutants[i].telling.causes);
        json_decref(run->mutants[i].failed);
        free(run->mutants[i].target.source);
    }
    for (size_t i = 0; i < run->n_answers; i++) {
        mutations_finish(&run->answers[i].mutations);
        source_finish(&run->answers[i].source);
        object_finish(&run->answers[i].object);
        free(run->answers[i].path);
        free(run->answers[i].name);
    }
    if (run->folder)
        file_remove_tree(run->folder);
    if (run->known)
        known_free(run->known);
    manifest_free(run->manifest);
    free(run->folder);
    free(run->mutants);
    free(run->answers);
}

enum grader_status campaign_run(const struct campaign *campaign, const struct workbook_lab *lab,
                                struct campaign_lab *result, struct diag *diag) {
    struct run run = {.campaign = campaign, .lab = lab, .result = result};
    *result = (struct campaign_lab){.rows = json_array(), .problems = json_array()};
    run.manifest = manifest_load(lab->folder, diag);
    run.folder = scratch_folder(campaign->grading->session->scratch.path, "mutants", diag);
    enum grader_status status = run.manifest && run.folder ? GRADER_OK : GRADER_FAILED;
    if (status == GRADER_OK)
        status = add_answers(&run, diag);
    for (size_t i = 0; i < run.n_answers && status == GRADER_OK; i++) {
        if (!choose(&run, &run.answers[i], diag))
            status = GRADER_FAILED;
    }
    if (status == GRADER_OK)
        look_at_all(&run);
    run_finish(&run);
    return status;
}

void campaign_lab_finish(struct campaign_lab *result) {
    json_decref(result->rows);
    json_decref(result->problems);
}
