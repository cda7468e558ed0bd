/* Runs of the real program. */
#include "grader/tests/support.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/grade/grading.h"

/* The build folder that the stand-ins make up. */
static void make_build(const char *folder) {
    static const char *const labs[] = {"01-alpha", "02-beta"};
    char *fake = support_text("%s/workbook/fake-tests", getenv("WARPBOOK_TEST_DATA"));
    for (size_t i = 0; i < sizeof labs / sizeof *labs; i++) {
        char *lab = support_text("%s/build/labs/%s", folder, labs[i]);
        char *tests = support_text("%s/tests", lab);
        cr_assert(file_make_folders(lab));
        if (!file_exists(tests))
            cr_assert_eq(symlink(fake, tests), 0);
    }
}

struct support_run support_run(const char *folder, const char *environment, const char *arguments) {
    const char *data = getenv("WARPBOOK_TEST_DATA"), *program = getenv("WARPBOOK_TEST_GRADER");
    struct support_run run;
    cr_assert(data && program, "run by meson test");
    make_build(folder);
    /* The stand-ins read files here and there, and are no danger. */
    bool is_foreign = strncmp(arguments, "grade ", 6) == 0;
    char *command = support_text(
        "cd '%s' && WARPBOOK_ROOT='%s/workbook' WARPBOOK_BUILD='%s/build' "
        "WARPBOOK_NVCC='%s/workbook/fake-nvcc' COLUMNS=80 %s '%s' %s %s >out 2>err </dev/null",
        folder, data, folder, data, environment, program, arguments,
        is_foreign ? "--no-sandbox" : "");
    int status = system(command);
    run.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    char *out = support_text("%s/out", folder), *err = support_text("%s/err", folder);
    run.out = support_read(out);
    run.err = support_read(err);
    return run;
}

void support_run_free(struct support_run *run) {
    free(run->out);
    free(run->err);
}

void support_expect(const char *folder, const char *environment, const char *arguments, int code,
                    const char *word) {
    struct support_run run = support_run(folder, environment, arguments);
    cr_expect_eq(run.code, code, "%s %s: exit code %d, not %d\n%s%s", environment, arguments,
                 run.code, code, run.out, run.err);
    cr_expect(strstr(run.out, word) || strstr(run.err, word), "%s %s: no «%s» in\n%s%s",
              environment, arguments, word, run.out, run.err);
    support_run_free(&run);
}

json_t *support_record(const char *folder, const char *environment, const char *arguments) {
    OWNED_BY(support_run_free) struct support_run run = support_run(folder, environment, arguments);
    json_error_t error;
    json_t *record = json_loads(run.out, 0, &error);
    cr_assert(record, "%d %s: %s%s", run.code, error.text, run.out, run.err);
    return record;
}

json_t *support_student(const json_t *class, const char *id) {
    size_t index;
    json_t *who;
    json_array_foreach(json_object_get(class, "students"), index, who) {
        if (strcmp(json_string_value(json_object_get(who, "id")), id) == 0)
            return who;
    }
    cr_assert(false, "there is no student %s", id);
    return NULL;
}

void support_expect_points(const json_t *class, const char *id, int points) {
    int got = (int)json_integer_value(json_object_get(support_student(class, id), "points"));
    cr_expect_eq(got, points, "%s: %d points, not %d", id, got, points);
}

void support_expect_note(const json_t *class, const char *id, const char *word) {
    const json_t *of = id ? support_student(class, id) : class;
    OWNED char *notes = json_dumps(json_object_get(of, "notes"), 0);
    OWNED char *doubts = json_dumps(json_object_get(of, "doubts"), JSON_ENCODE_ANY);
    OWNED char *text = support_text("%s %s", notes, doubts ? doubts : "");
    cr_expect(strstr(text, word), "%s: no «%s» in %s", id ? id : "class", word, text);
}

void support_prepare(const char *folder) {
    const char *data = getenv("WARPBOOK_TEST_DATA");
    cr_assert(data, "run by meson test");
    char *variables[] = {
        text_format("WARPBOOK_ROOT=%s/workbook", data),
        text_format("WARPBOOK_BUILD=%s/build", folder),
        text_format("WARPBOOK_NVCC=%s/workbook/fake-nvcc", data),
        text_format("FAKE_LOG=%s/log", folder),
    };
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        putenv(variables[i]); /* which keeps the text: not freed */
    make_build(folder);
}

/* What one of several threads grades. */
struct piece {
    struct grading *grading;
    struct grading_job job;
};

static void *grade_piece(void *context) {
    struct piece *piece = context;
    grading_run(piece->grading, &piece->job);
    return NULL;
}

json_t *support_grade_on_gpu(const char *path, size_t n, bool is_untimed) {
    struct options options = {.jobs = 2, .backend = DEVICE_SIM};
    OWNED_BY(session_finish) struct session session;
    OWNED_BY(targets_finish) struct targets targets;
    OWNED_BY(grading_finish) struct grading grading;
    struct diag diag = {0};
    cr_assert_eq(session_init(&session, &options, &diag), GRADER_OK, "%s", diag.message);
    session.device.is_gpu = true;
    snprintf(session.device.gpu.name, sizeof session.device.gpu.name, "pretended");
    session.device.gpu.major = 9;
    cr_assert_eq(targets_at(&session.book, path, &targets, &diag), GRADER_OK, "%s", diag.message);
    grading_init(&grading, &session);
    struct piece pieces[SUPPORT_AT_ONCE];
    pthread_t threads[SUPPORT_AT_ONCE];
    cr_assert(n > 0 && n <= SUPPORT_AT_ONCE);
    for (size_t i = 0; i < n; i++) {
        pieces[i] = (struct piece){&grading,
                                   {.target = &targets.items[0],
                                    .again = "again",
                                    .jobs = n > 1 ? 1 : 2,
                                    .is_untimed = is_untimed}};
        cr_assert_eq(pthread_create(&threads[i], NULL, grade_piece, &pieces[i]), 0);
    }
    for (size_t i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 1; i < n; i++)
        json_decref(pieces[i].job.lab);
    return pieces[0].job.lab;
}

void support_expect_golden(const char *name, const char *text) {
    char *path = support_text("%s/%s", getenv("WARPBOOK_TEST_DATA"), name);
    if (getenv("WARPBOOK_GOLDEN_UPDATE")) {
        FILE *out = fopen(path, "w");
        cr_assert(out && fputs(text, out) >= 0 && fclose(out) == 0);
    }
    char *golden = support_read(path);
    size_t same = 0;
    while (text[same] && text[same] == golden[same])
        same++;
    cr_expect(text[same] == golden[same], "%s: differs from byte %zu on: «%.60s», not «%.60s»",
              name, same, text + same, golden + same);
}
