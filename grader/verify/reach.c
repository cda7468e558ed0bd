/* Compares what a lab's program, its manifest, its code and its catalogue of mistakes name. */
#include "grader/verify/reach.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/system/folder.h"
#include "common/base/system/process.h"

enum { LIST_MS = 60000 };

/* The tests that the lab's program has, a line each; NULL where it does not say. */
static char *list_tests(const struct workbook *book, const struct target *target) {
    OWNED char *tests = workbook_tests(book, target->lab);
    char *argv[] = {tests, (char *)"--list", NULL};
    struct process_result run;
    process_run(
        &(struct process){.path = tests, .argv = argv, .timeout_ms = LIST_MS, .interrupt_fd = -1},
        &run);
    if (run.how == PROCESS_ENDED && run.exit_status == 0)
        return run.output;
    free(run.output);
    return NULL;
}

/* True where a line of the text is the word. */
static bool has_line(const char *text, const char *word) {
    size_t length;
    const char *line;
    for (unsigned i = 1; (line = text_line(text, i, &length)); i++) {
        if (length == strlen(word) && strncmp(line, word, length) == 0)
            return true;
    }
    return false;
}

char *reach_tests(const struct workbook *book, const struct target *target) {
    const struct manifest *manifest = target->manifest;
    OWNED char *said = list_tests(book, target);
    if (!said)
        return text_format("the lab's test program does not list its tests: it is not built");
    size_t length;
    const char *line;
    for (unsigned i = 1; (line = text_line(said, i, &length)); i++) {
        OWNED char *name = text_format("%.*s", (int)length, line);
        if (length > 0 && !manifest_test_find(manifest, name))
            return text_format("the test %s is in no list: lab.yaml gives it no points, and nobody "
                               "is told what it finds",
                               name);
    }
    for (unsigned i = 0; i < manifest->n_tests; i++) {
        if (!has_line(said, manifest->tests[i].name))
            return text_format("lab.yaml names the test %s, which the lab's C does not have",
                               manifest->tests[i].name);
    }
    return NULL;
}

char *reach_twins(const struct workbook *book, const struct target *target) {
    for (size_t i = 0; i < book->n_labs; i++) {
        const struct workbook_lab *other = &book->labs[i];
        if (strcmp(other->name, target->lab->name) == 0)
            continue;
        if (strncmp(other->name, target->lab->name, 2) == 0)
            return text_format("%s has the same number", other->name);
        struct manifest *manifest = manifest_load(other->folder, NULL);
        bool is_twin = manifest && strcmp(manifest->source, target->manifest->source) == 0;
        manifest_free(manifest);
        if (is_twin)
            return text_format("%s has a file %s, too: where somebody hands that in, nobody knows "
                               "for which lab",
                               other->name, target->manifest->source);
    }
    return NULL;
}

/* True where a C file in the folder, or in one below it, has the word in quotes. */
static bool is_in_code(const char *path, const char *word) {
    OWNED_BY(folder_finish) struct folder files;
    folder_read(&files, path);
    for (size_t i = 0; i < files.n; i++) {
        OWNED char *below = text_format("%s/%s", path, files.names[i]), *bytes = NULL;
        size_t n_bytes;
        if (file_is_directory(below) && !file_is_link(below)) {
            if (is_in_code(below, word))
                return true;
        } else if (text_is_like(files.names[i], "*.[ch]") &&
                   file_read(below, FILE_SOURCE_BYTES, &bytes, &n_bytes, NULL) == GRADER_OK &&
                   strstr(bytes, word)) {
            return true;
        }
    }
    return false;
}

static bool has_mistake(const struct mistakes *mistakes, const char *diagnosis) {
    for (unsigned i = 0; i < mistakes->n_mistakes; i++) {
        const char *id = mistakes->mistakes[i].diagnosis;
        if (id && strcmp(id, diagnosis) == 0)
            return true;
    }
    return false;
}

char *reach_diagnoses(const struct workbook *book, const struct target *target,
                      const struct mistakes *mistakes) {
    OWNED char *common = text_format("%s/labs/common", book->root);
    OWNED char *harness = text_format("%s/common/harness", book->root);
    const struct manifest *manifest = target->manifest;
    for (unsigned i = 0; i < manifest->n_diagnoses; i++) {
        const struct manifest_diagnosis *diagnosis = &manifest->diagnoses[i];
        OWNED char *word = text_format("\"%s\"", diagnosis->id);
        if (!diagnosis->finding && !has_mistake(mistakes, diagnosis->id) &&
            !is_in_code(target->lab->folder, word) && !is_in_code(common, word) &&
            !is_in_code(harness, word))
            return text_format("no test's code names the diagnosis '%s', it has no finding, and no "
                               "mistake is told it: nobody ever is",
                               diagnosis->id);
    }
    return NULL;
}

char *reach_mistakes(const struct target *target, const struct mistakes *mistakes) {
    const struct manifest *manifest = target->manifest;
    char *names = NULL;
    unsigned n_diagnoses = 0, n_tests = 0;
    for (unsigned i = 0; i < manifest->n_diagnoses; i++) {
        const char *id = manifest->diagnoses[i].id;
        bool has = has_mistake(mistakes, id);
        n_diagnoses += has;
        if (!has)
            text_add(&names, " %s", id);
    }
    for (unsigned i = 0; i < manifest->n_tests; i++) {
        const char *name = manifest->tests[i].name;
        bool has = false;
        for (unsigned k = 0; k < mistakes->n_mistakes; k++)
            has |= strcmp(mistakes->mistakes[k].test, name) == 0;
        n_tests += has;
        if (!has)
            text_add(&names, " %s", name);
    }
    char *text = text_format("%u of %u diagnoses and %u of %u tests%s%s", n_diagnoses,
                             manifest->n_diagnoses, n_tests, manifest->n_tests,
                             names ? "\nWithout a mistake:" : "", names ? names : "");
    free(names);
    return text;
}
