/* BUILD/state/progress-NN-name.json: {"key": what the check depends on, "checked": when, "lab": the
 * record of the lab}. */
#include "grader/grade/progress.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/digest.h"
#include "common/base/file.h"
#include "grader/grade/identity.h"
#include "grader/grade/record.h"
#include "common/base/text.h"

static char *path_of(const struct workbook *book, const char *lab) {
    return text_format("%s/state/progress-%s.json", book->build, lab);
}

/* What was remembered of a lab; NULL where there is nothing, or the file is damaged. */
static json_t *load(const struct workbook *book, const char *lab) {
    char *path = path_of(book, lab);
    json_t *kept = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    free(path);
    if (json_is_object(kept) && json_is_object(json_object_get(kept, "lab")))
        return kept;
    json_decref(kept);
    return NULL;
}

/* True where the file is still the one of the record. */
static bool is_same_file(const struct target *target, const json_t *lab) {
    char *bytes = NULL, sha256[DIGEST_TEXT] = "";
    size_t n_bytes;
    if (file_read_source(target->source, &bytes, &n_bytes, NULL) == GRADER_OK)
        digest_of(bytes, n_bytes, sha256);
    free(bytes);
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
    char *text = json_dumps(kept, JSON_COMPACT), *path = path_of(&session->book, target->lab->name);
    if (text)
        file_write(path, text, strlen(text), NULL);
    free(path);
    free(text);
    json_decref(kept);
}

json_t *progress_recall(const struct session *session, const struct target *target) {
    char key[DIGEST_TEXT];
    json_t *kept = target->manifest ? load(&session->book, target->lab->name) : NULL;
    json_t *lab = json_object_get(kept, "lab"), *recalled = NULL;
    if (!kept)
        return NULL;
    make_key(session, target, key);
    if (strcmp(record_text(lab, "verdict"), "pass") == 0 &&
        strcmp(record_text(kept, "key"), key) == 0 && is_same_file(target, lab))
        recalled = json_copy(lab);
    if (recalled) /* as it is written from here */
        json_object_set_new(recalled, "source", json_string(target->source));
    json_decref(kept);
    return recalled;
}

void progress_forget(const struct workbook *book, const char *lab) {
    char *path = path_of(book, lab);
    remove(path);
    free(path);
}
