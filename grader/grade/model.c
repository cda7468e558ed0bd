/* BUILD/state/model-NN-name.json: {"key": what it depends on, "gbps": {"speed.at_2_22": [288.0]}}.
 */
#include "grader/grade/model.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/digest.h"
#include "common/base/file.h"
#include "grader/grade/identity.h"
#include "grader/grade/record.h"
#include "common/base/text.h"

/* GB/s of each measurement in a lab's record, by test. */
static json_t *speeds_of(const json_t *lab) {
    json_t *speeds = json_object();
    size_t index, k;
    json_t *test, *bench;
    json_array_foreach(json_object_get(lab, "tests"), index, test) {
        json_t *list = json_array();
        json_array_foreach(json_object_get(test, "bench"), k, bench)
            json_array_append(list, json_object_get(bench, "gbps"));
        if (json_array_size(list) > 0)
            json_object_set(speeds, record_text(test, "name"), list);
        json_decref(list);
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

/* Writes what was measured; where that fails it is measured again next time. */
static void keep(const char *path, const char *key, json_t *speeds) {
    json_t *kept = json_pack("{s:s, s:O}", "key", key, "gbps", speeds);
    char *text = json_dumps(kept, JSON_INDENT(2));
    if (text)
        file_write(path, text, strlen(text), NULL);
    json_decref(kept);
    free(text);
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

/* The model answer's speeds: its own where it is what was graded, else remembered or measured. */
static json_t *model_speeds(struct grading *grading, struct grading_job *job) {
    const struct session *session = grading->session;
    const struct workbook_lab *lab = job->target->lab;
    char *solution = workbook_solution(&session->book, lab);
    char *source = text_format("%s/%s", solution, job->target->manifest->source);
    char *path = text_format("%s/state/model-%s.json", session->book.build, lab->name);
    char *bytes = NULL, sha256[DIGEST_TEXT], key[DIGEST_TEXT];
    size_t n_bytes;
    json_t *speeds = NULL, *kept = NULL;
    if (file_read_source(source, &bytes, &n_bytes, NULL) != GRADER_OK)
        goto out;
    digest_of(bytes, n_bytes, sha256);
    measurement_key(session, lab, sha256, key);
    kept = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
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
    if (!is_kept && is_whole)
        keep(path, key, speeds);
out:
    json_decref(kept);
    free(bytes);
    free(path);
    free(source);
    free(solution);
    return speeds;
}

void model_compare(struct grading *grading, struct grading_job *job) {
    json_t *own = speeds_of(job->lab), *model = NULL;
    if (json_object_size(own) > 0) {
        pthread_mutex_lock(&grading->models);
        model = model_speeds(grading, job);
        pthread_mutex_unlock(&grading->models);
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
        json_decref(model);
    }
    json_decref(own);
}
