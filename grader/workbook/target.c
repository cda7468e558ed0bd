/* Finds the files to grade in the workbook, in a tree like it, or by name. */
#include "grader/workbook/target.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/text.h"

struct target *targets_add(struct targets *targets, const struct workbook_lab *lab, char *source) {
    targets->items = grow_list(targets->items, targets->n, sizeof *targets->items);
    struct target *target = &targets->items[targets->n++];
    *target = (struct target){.lab = lab, .source = source};
    target->manifest = manifest_load(lab->folder, &target->diag);
    return target;
}

/* The lab's source file in `folder`, which may be relative. */
static void add_in_folder(struct targets *targets, const struct workbook_lab *lab,
                          const char *folder) {
    struct target *target = targets_add(targets, lab, NULL);
    const char *name = target->manifest ? target->manifest->source : "";
    char *path = text_format("%s%s%s", folder, *name ? "/" : "", name);
    target->source = file_display(path);
    free(path);
}

enum grader_status targets_own(const struct workbook *book, const char *argument,
                               struct targets *targets, struct diag *diag) {
    *targets = (struct targets){0};
    const struct workbook_lab *lab = argument ? workbook_find(book, argument, diag) : NULL;
    if (argument && !lab)
        return GRADER_BAD_INPUT;
    for (size_t i = 0; i < book->n_labs; i++) {
        if (!lab || lab == &book->labs[i])
            add_in_folder(targets, &book->labs[i], book->labs[i].folder);
    }
    if (targets->n > 0)
        return GRADER_OK;
    diag_set(diag, book->root, 0, "the workbook has no labs");
    return GRADER_FAILED;
}

/* The lab whose name is part of the path, the last one first: solutions/01-x/mistakes/y.cu. */
static const struct workbook_lab *lab_of_path(const struct workbook *book, const char *path) {
    OWNED char *real = realpath(path, NULL);
    const struct workbook_lab *found = NULL;
    for (char *slash; real && !found && (slash = strrchr(real, '/')); *slash = '\0')
        found = find_in_list(slash + 1, book->labs, book->n_labs, sizeof *book->labs);
    return found;
}

/* The only lab whose source file has this name. */
static const struct workbook_lab *lab_of_source(const struct workbook *book, const char *name) {
    const struct workbook_lab *found = NULL;
    for (size_t i = 0; i < book->n_labs && !found; i++) {
        struct manifest *manifest = manifest_load(book->labs[i].folder, NULL);
        if (manifest && strcmp(manifest->source, name) == 0)
            found = &book->labs[i];
        manifest_free(manifest);
    }
    return found;
}

static enum grader_status add_file(const struct workbook *book, const char *path,
                                   struct targets *targets, struct diag *diag) {
    const struct workbook_lab *lab = lab_of_path(book, path);
    if (!lab)
        lab = lab_of_source(book, file_base(path));
    if (!lab) {
        diag_set(diag, path, 0,
                 "no lab has a file of this name, and it lies in no folder named like a lab");
        return GRADER_BAD_INPUT;
    }
    targets_add(targets, lab, file_display(path));
    return GRADER_OK;
}

/* Labs by the names of folders. */
static void add_labs(const struct workbook *book, const char *folder, struct targets *targets) {
    for (size_t i = 0; i < book->n_labs; i++) {
        OWNED char *below = text_format("%s/%s", folder, book->labs[i].name);
        if (file_exists(below))
            add_in_folder(targets, &book->labs[i], below);
    }
}

enum grader_status targets_at(const struct workbook *book, const char *path,
                              struct targets *targets, struct diag *diag) {
    *targets = (struct targets){0};
    char *folder = text_format("%s", path);
    for (size_t n = strlen(folder); n > 1 && folder[n - 1] == '/'; n--)
        folder[n - 1] = '\0';
    enum grader_status status = GRADER_OK;
    if (!file_is_directory(folder)) {
        if (file_exists(folder)) {
            status = add_file(book, folder, targets, diag);
        } else {
            diag_set(diag, path, 0, "there is no such file or folder");
            status = GRADER_BAD_INPUT;
        }
        goto out;
    }
    add_labs(book, folder, targets);
    char *labs = text_format("%s/labs", folder);
    if (targets->n == 0 && file_is_directory(labs)) /* a checkout of the workbook */
        add_labs(book, labs, targets);
    free(labs);
    const struct workbook_lab *lab = targets->n == 0 ? lab_of_path(book, folder) : NULL;
    if (lab)
        add_in_folder(targets, lab, folder);
    if (targets->n == 0) {
        diag_set(diag, path, 0, "the folder has nothing named like a lab, such as %s/",
                 book->n_labs > 0 ? book->labs[0].name : "01-name");
        status = GRADER_BAD_INPUT;
    }
out:
    free(folder);
    return status;
}

void targets_finish(struct targets *targets) {
    for (size_t i = 0; i < targets->n; i++) {
        manifest_free(targets->items[i].manifest);
        free(targets->items[i].source);
    }
    free(targets->items);
}
