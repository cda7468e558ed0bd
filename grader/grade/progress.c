/*
 * BUILD/state/progress-NN-name.json: {"key": what the check depends on, "checked": when, "lab": the
 * record of the lab}. BUILD/state/model-NN-name.json: {"key": what it depends on, "gbps":
 * {"speed.at_2_22": [288.0]}}. labs/recorded.json: {GPU: {LAB: what "gbps" has}}.
 */
#include "grader/grade/progress.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/digest.h"
#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/workbook/selection.h"

static char *path_of(const struct workbook *book, const char *lab) {
    return text_format("%s/state/progress-%s.json", book->build, lab);
}

/* What was remembered of a lab; NULL where there is nothing, or the file is damaged. */
static json_t *load(const struct workbook *book, const char *lab) {
    OWNED char *path = path_of(book, lab);
    json_auto_t *kept = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    return json_is_object(json_object_get(kept, "lab")) ? json_incref(kept) : NULL;
}

/* True where the file is still the one of the record. */
static bool is_same_file(const struct target *target, const json_t *lab) {
    OWNED char *bytes = NULL;
    char sha256[DIGEST_TEXT] = "";
    size_t n_bytes;
    if (file_read_source(target->source, &bytes, &n_bytes, NULL) == GRADER_OK)
        digest_of(bytes, n_bytes, sha256);
    return *sha256 && strcmp(sha256, record_text(lab, "sha256")) == 0;
}

void progress_read(const struct workbook *book, const struct target *target,
                   struct progress *progress) {
    json_t *kept = load(book, target->lab->name), *lab = json_object_get(kept, "lab");
    *progress = (struct progress){.state = PROGRESS_NONE};
    if (!kept)
        return;
    progress->points = (unsigned)record_count(lab, "points");
    progress->max_points = (unsigned)record_count(lab, "max_points");
    snprintf(progress->verdict, sizeof progress->verdict, "%s", record_text(lab, "verdict"));
    snprintf(progress->checked, sizeof progress->checked, "%s", record_text(kept, "checked"));
    progress->state = strcmp(progress->verdict, "pass") != 0 ? PROGRESS_OPEN
                      : is_same_file(target, lab)            ? PROGRESS_SOLVED
                                                             : PROGRESS_CHANGED;
    json_decref(kept);
}

const struct target *progress_next(const struct workbook *book, const struct targets *targets) {
    for (size_t i = 0; i < targets->n; i++) {
        struct progress progress;
        progress_read(book, &targets->items[i], &progress);
        if (progress.state != PROGRESS_SOLVED)
            return &targets->items[i];
    }
    return NULL;
}

/* All that a check depends on but the student's file. */
static void make_key(const struct session *session, const struct target *target,
                     char key[DIGEST_TEXT]) {
    char tests[DIGEST_TEXT], grader[DIGEST_TEXT];
    struct digest digest;
    identity_tests(session, target->lab, tests);
    identity_grader(session, grader);
    digest_init(&digest);
    digest_add_text(&digest, tests);
    digest_add_text(&digest, grader);
    digest_add_text(&digest, identity_backend(session));
    digest_finish(&digest, key);
}

void progress_note(const struct session *session, const struct target *target, const json_t *lab) {
    char key[DIGEST_TEXT], checked[32];
    time_t now = time(NULL);
    struct tm local;
    if (!target->manifest || !json_is_true(json_object_get(lab, "complete")) ||
        strcmp(record_text(lab, "verdict"), "infrastructure") == 0)
        return;
    make_key(session, target, key);
    strftime(checked, sizeof checked, "%Y-%m-%d %H:%M", localtime_r(&now, &local));
    json_t *kept = json_pack("{s:s, s:s, s:O}", "key", key, "checked", checked, "lab", lab);
    OWNED char *path = path_of(&session->book, target->lab->name);
    record_keep(path, kept, NULL);
}

json_t *progress_recall(const struct session *session, const struct target *target) {
    char key[DIGEST_TEXT];
    json_auto_t *kept = target->manifest ? load(&session->book, target->lab->name) : NULL;
    json_t *lab = json_object_get(kept, "lab"), *recalled = NULL;
    if (!kept)
        return NULL;
    make_key(session, target, key);
    if (strcmp(record_text(lab, "verdict"), "pass") == 0 &&
        strcmp(record_text(kept, "key"), key) == 0 && is_same_file(target, lab))
        recalled = json_copy(lab);
    if (recalled) /* as it is written from here */
        json_object_set_new(recalled, "source", json_string(target->source));
    return recalled;
}

json_t *progress_last(const struct workbook *book, const struct target *target, bool *is_current) {
    json_auto_t *kept = load(book, target->lab->name);
    json_t *lab = json_incref(json_object_get(kept, "lab"));
    *is_current = lab && is_same_file(target, lab);
    return lab;
}

void progress_forget(const struct workbook *book, const char *lab) {
    OWNED char *path = path_of(book, lab);
    remove(path);
}

/* GB/s of each measurement in a lab's record, by test. */
static json_t *speeds_of(const json_t *lab) {
    json_t *speeds = json_object();
    size_t index, k;
    json_t *test, *bench;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        json_auto_t *list = json_array();
        json_array_foreach(json_object_get(test, "bench"), k, bench)
            json_array_append(list, json_object_get(bench, "gbps"));
        if (json_array_size(list) > 0)
            json_object_set(speeds, record_text(test, "name"), list);
    }
    return speeds;
}

/* All that a measurement depends on: the model answer, the tests, the device. */
static void measurement_key(const struct session *session, const struct workbook_lab *lab,
                            const char *model_sha256, char key[DIGEST_TEXT]) {
    char tests[DIGEST_TEXT], *driver = text_format("%d", session->device.gpu.driver_version);
    struct digest digest;
    identity_tests(session, lab, tests);
    digest_init(&digest);
    digest_add_text(&digest, model_sha256);
    digest_add_text(&digest, tests);
    digest_add_text(&digest, identity_backend(session));
    digest_add_text(&digest, driver);
    digest_finish(&digest, key);
    free(driver);
}

static json_t *measure(struct grading *grading, const struct workbook_lab *lab, char *source,
                       bool *is_interrupted) {
    struct targets targets = {0};
    targets_add(&targets, lab, source);
    struct grading_job job = {
        .target = &targets.items[0],
        .test = "speed",
        .again = "./warpbook grade",
        .jobs = 1,
        .is_model = true,
    };
    grading_run(grading, &job);
    json_t *speeds = speeds_of(job.lab);
    *is_interrupted = job.is_interrupted;
    json_decref(job.lab);
    targets_finish(&targets);
    return speeds;
}

/* The model answer's speeds as somebody measured them on a GPU of this name: for workbooks without
 * model answers. A new reference, or NULL. */
static json_t *recorded_speeds(const struct session *session, const struct workbook_lab *lab) {
    OWNED char *path = text_format("%s/labs/recorded.json", session->book.root);
    json_auto_t *all = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    const json_t *of_gpu = json_object_get(all, identity_backend(session));
    return json_incref(json_object_get(of_gpu, lab->name));
}

/* The model answer's speeds: its own where it is what was graded, else remembered or measured;
 * recorded ones where there is no model answer. */
static json_t *model_speeds(struct grading *grading, struct grading_job *job) {
    const struct session *session = grading->session;
    const struct workbook_lab *lab = job->target->lab;
    OWNED char *solution = workbook_solution(&session->book, lab);
    OWNED char *source = text_format("%s/%s", solution, job->target->manifest->source);
    OWNED char *path = text_format("%s/state/model-%s.json", session->book.build, lab->name);
    OWNED char *bytes = NULL;
    char sha256[DIGEST_TEXT], key[DIGEST_TEXT];
    size_t n_bytes;
    json_t *speeds;
    if (!file_exists(source))
        return recorded_speeds(session, lab);
    if (file_read_source(source, &bytes, &n_bytes, NULL) != GRADER_OK)
        return NULL;
    digest_of(bytes, n_bytes, sha256);
    measurement_key(session, lab, sha256, key);
    json_auto_t *kept = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    bool is_itself = strcmp(sha256, record_text(job->lab, "sha256")) == 0;
    bool is_kept = strcmp(record_text(kept, "key"), key) == 0, is_whole = true;
    if (is_itself) {
        speeds = speeds_of(job->lab);
        is_whole = strcmp(record_text(job->lab, "verdict"), "pass") == 0 && !job->test;
    } else if (is_kept) {
        speeds = json_incref(json_object_get(kept, "gbps"));
    } else {
        speeds = measure(grading, lab, text_format("%s", source), &job->is_interrupted);
        is_whole = json_object_size(speeds) > 0 && !job->is_interrupted;
    }
    if (!is_kept && is_whole) /* where it can't be written it is measured again next time */
        record_keep(path, json_pack("{s:s, s:O}", "key", key, "gbps", speeds), NULL);
    return speeds;
}

/* model_speeds, once nobody else measures that model answer. */
static json_t *speeds_of_model(struct grading *grading, struct grading_job *job) {
    const struct workbook *book = &grading->session->book;
    size_t i = 0;
    while (i < book->n_labs && strcmp(book->labs[i].name, job->target->lab->name) != 0)
        i++;
    pthread_mutex_lock(&grading->models[i]);
    json_t *speeds = model_speeds(grading, job);
    pthread_mutex_unlock(&grading->models[i]);
    return speeds;
}

void model_prepare(struct grading *grading, const struct target *target) {
    const struct selection all = {.manifest = target->manifest};
    if (!grading->session->device.is_gpu || !target->manifest)
        return;
    OWNED char *filter = selection_filter(&all, SELECTION_SPEED);
    struct grading_job job = {.target = target};
    if (filter)
        json_decref(speeds_of_model(grading, &job));
}

void model_compare(struct grading *grading, struct grading_job *job) {
    json_auto_t *own = speeds_of(job->lab);
    if (json_object_size(own) == 0)
        return;
    json_auto_t *model = speeds_of_model(grading, job);
    size_t index, k;
    json_t *test, *bench;
    json_array_foreach(json_object_get(job->lab, "tests"), index, test) {
        const json_t *list = json_object_get(model, record_text(test, "name"));
        json_array_foreach(json_object_get(test, "bench"), k, bench) {
            double gbps = json_number_value(json_array_get(list, k));
            if (!(gbps > 0))
                continue;
            double share = json_number_value(json_object_get(bench, "gbps")) / gbps;
            json_object_set_new(bench, "model_gbps", json_real(gbps));
            json_object_set_new(bench, "share_of_model", json_real(share));
        }
    }
}
