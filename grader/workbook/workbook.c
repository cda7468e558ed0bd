/* Finds the workbook's root, its build folder and its labs. */
#include "grader/workbook/workbook.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/system/folder.h"
#include "common/base/text.h"

/* A folder is the root when it has the labs and the simulator. */
static bool is_root(const char *path) {
    OWNED char *labs = text_format("%s/labs", path), *common = text_format("%s/common/simt", path);
    return file_is_directory(labs) && file_is_directory(common);
}

/* The root as an absolute path, or NULL. */
static char *find_root(void) {
    const char *named = getenv("WARPBOOK_ROOT");
    char *path = named && *named ? realpath(named, NULL) : getcwd(NULL, 0);
    if (named && *named)
        return path;
    while (path && !is_root(path)) {
        char *slash = strrchr(path, '/');
        if (!slash || slash == path) {
            free(path);
            return NULL;
        }
        *slash = '\0';
    }
    return path;
}

/* "01-divergent": two digits, a dash, a name. */
static bool is_lab_name(const char *name) {
    return isdigit((unsigned char)name[0]) && isdigit((unsigned char)name[1]) && name[2] == '-' &&
           name[3] != '\0';
}

static enum grader_status list_labs(struct workbook *book, struct diag *diag) {
    char *labs = text_format("%s/labs", book->root);
    struct folder names;
    if (!folder_read(&names, labs)) {
        diag_set(diag, labs, 0, "the labs are not there; the folder cannot be read");
        free(labs);
        return GRADER_FAILED;
    }
    folder_keep(&names, is_lab_name);
    book->labs = make_zeroed(names.n, sizeof *book->labs);
    for (size_t i = 0; i < names.n; i++) {
        OWNED char *folder = text_format("%s/%s", labs, names.names[i]);
        OWNED char *manifest = text_format("%s/lab.yaml", folder);
        if (file_is_regular(manifest))
            book->labs[book->n_labs++] = (struct workbook_lab){
                .name = text_format("%s", names.names[i]), .folder = text_format("%s", folder)};
    }
    folder_finish(&names);
    free(labs);
    return GRADER_OK;
}

enum grader_status workbook_init(struct workbook *book, struct diag *diag) {
    memset(book, 0, sizeof *book);
    book->root = find_root();
    if (!book->root) {
        diag_set(diag, NULL, 0,
                 "this is not inside a workbook: no folder from here upwards has labs/");
        return GRADER_BAD_INPUT;
    }
    const char *build = getenv("WARPBOOK_BUILD");
    if (build && build[0] == '/')
        book->build = text_format("%s", build);
    else
        book->build = text_format("%s/%s", book->root, build && *build ? build : ".build");
    return list_labs(book, diag);
}

void workbook_finish(struct workbook *book) {
    for (size_t i = 0; i < book->n_labs; i++) {
        free(book->labs[i].name);
        free(book->labs[i].folder);
    }
    free(book->labs);
    free(book->root);
    free(book->build);
}

/* True where `argument` is a name of the lab: its number, its words or the first of them, or all
 * of it. */
static bool is_named(const struct workbook_lab *lab, const char *argument) {
    const char *words = lab->name + 3;
    size_t length = strlen(argument);
    if (strcmp(lab->name, argument) == 0 || strcmp(words, argument) == 0)
        return true;
    if (length > 0 && strncmp(words, argument, length) == 0 && words[length] == '-')
        return true;
    char *end;
    unsigned long number = strtoul(argument, &end, 10);
    return isdigit((unsigned char)argument[0]) && *end == '\0' &&
           number == strtoul(lab->name, NULL, 10);
}

/* The lab in whose folder a file or folder lies; NULL where it lies elsewhere, or is not there. */
static const struct workbook_lab *lab_around(const struct workbook *book, const char *path) {
    OWNED char *real = realpath(path, NULL);
    const struct workbook_lab *found = NULL;
    for (size_t i = 0; real && i < book->n_labs && !found; i++) {
        OWNED char *folder = realpath(book->labs[i].folder, NULL);
        size_t length = folder ? strlen(folder) : 0;
        if (folder && strncmp(real, folder, length) == 0 && real[length] == '/')
            found = &book->labs[i];
    }
    return found;
}

/* The names of all labs that have the argument in them, where it is in several: what is to be
 * asked. NULL otherwise. */
static char *list_matches(const struct workbook *book, const char *argument) {
    char *names = NULL;
    size_t n = 0;
    for (size_t i = 0; i < book->n_labs && *argument; i++) {
        if (!strstr(book->labs[i].name, argument))
            continue;
        char *more =
            text_format("%s%s%s", names ? names : "", names ? ", " : "", book->labs[i].name);
        free(names);
        names = more;
        n++;
    }
    if (n > 1)
        return names;
    free(names);
    return NULL;
}

static void suggest(const struct workbook *book, const char *argument, struct diag *diag) {
    const char **names = make_zeroed(2 * book->n_labs, sizeof *names);
    for (size_t i = 0; i < book->n_labs; i++) {
        names[2 * i] = book->labs[i].name + 3;
        names[2 * i + 1] = book->labs[i].name;
    }
    int nearest = nearest_index(argument, names, 2 * book->n_labs);
    OWNED char *clean = text_clean(argument, strnlen(argument, 60), false);
    OWNED char *matches = list_matches(book, argument);
    if (matches)
        diag_set(diag, NULL, 0, "'%s' is in the names of several labs: %.300s", clean, matches);
    else if (file_is_regular(argument))
        diag_set(diag, NULL, 0, "'%s' is in no lab's folder; './warpbook grade %s' grades it",
                 clean, clean);
    else if (nearest >= 0)
        diag_set(diag, NULL, 0, "there is no lab '%s'; did you mean '%s'? (./warpbook list)", clean,
                 book->labs[nearest / 2].name);
    else
        diag_set(diag, NULL, 0, "there is no lab '%s'; './warpbook list' shows all labs", clean);
    free(names);
}

const struct workbook_lab *workbook_find(const struct workbook *book, const char *argument,
                                         struct diag *diag) {
    char *word = text_format("%s", argument);
    for (size_t n = strlen(word); n > 1 && word[n - 1] == '/'; n--)
        word[n - 1] = '\0';
    const char *base = file_base(word);
    const struct workbook_lab *found = NULL;
    for (size_t i = 0; i < book->n_labs && !found; i++) {
        if (is_named(&book->labs[i], base))
            found = &book->labs[i];
    }
    found = found ? found : lab_around(book, argument);
    if (!found)
        suggest(book, argument, diag);
    free(word);
    return found;
}

char *workbook_solution(const struct workbook *book, const struct workbook_lab *lab) {
    return text_format("%s/solutions/%s", book->root, lab->name);
}

char *workbook_skeleton(const struct workbook *book, const struct workbook_lab *lab,
                        const char *source) {
    char *path = text_format("%s/solutions/%s/skeleton/%s", book->root, lab->name, source);
    if (file_exists(path))
        return path;
    free(path); /* where students have it, who have no solutions/ */
    return text_format("%s/skeletons/%s/%s", book->root, lab->name, source);
}

char *workbook_tests(const struct workbook *book, const struct workbook_lab *lab) {
    return text_format("%s/labs/%s/tests", book->build, lab->name);
}
