/* Picks the files of labs out of whatever a student handed in. */
#include "grader/class/intake/submission.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/folder.h"
#include "common/base/text.h"
#include "grader/class/intake/archive.h"
#include "grader/class/intake/name.h"

enum { MAX_DEPTH = 6, MAX_ENTRIES = 4096 };

/* A walk through one student's folder. */
struct walk {
    const struct targets *labs;
    struct roster_student *student;
    unsigned n_entries;
};

static const char *source_of(const struct target *lab) {
    return lab->manifest ? lab->manifest->source : "";
}

static const char *problem_of(mode_t mode) {
    return S_ISREG(mode)   ? NULL
           : S_ISDIR(mode) ? "this is a folder; a source file is needed"
           : S_ISLNK(mode) ? "this is a symbolic link, and is not followed"
                           : "this is a pipe or a device; a regular file is needed";
}

/* The later attempt counts; of the same, what lies less deep, then what came first. */
static bool is_better(const struct roster_file *old, unsigned attempt, unsigned depth) {
    return !old->shown || attempt > old->attempt || (attempt == old->attempt && depth < old->depth);
}

void submission_add(const char *path, const char *shown, const char *name, unsigned depth,
                    bool is_late, const struct stat *status, const struct targets *labs,
                    struct roster_student *student) {
    for (size_t i = 0; i < labs->n; i++) {
        struct roster_file *file = &student->files[i];
        unsigned attempt;
        if (!name_is_source(name, source_of(&labs->items[i]), &attempt))
            continue;
        bool is_taken = is_better(file, attempt, depth);
        if (file->shown)
            notes_add(&student->notes, "several files for lab %.2s; %s is graded, %s is not",
                      labs->items[i].lab->name, is_taken ? shown : file->shown,
                      is_taken ? file->shown : shown);
        if (!is_taken)
            continue;
        const char *problem = problem_of(status->st_mode);
        free(file->path);
        free(file->shown);
        free(file->problem);
        *file = (struct roster_file){
            .path = problem ? NULL : text_format("%s", path),
            .shown = text_clean(shown, strlen(shown), false),
            .problem = problem ? text_format("%s", problem) : NULL,
            .modified = status->st_mtime,
            .is_late = is_late,
            .attempt = attempt,
            .depth = depth,
        };
    }
}

/* Not what macOS leaves of its own. */
static bool is_students(const char *name) {
    return strcmp(name, "__MACOSX") != 0 && strncmp(name, "._", 2) != 0;
}

static void walk_folder(struct walk *walk, const char *folder, const char *shown, unsigned depth) {
    OWNED_BY(folder_finish) struct folder entries;
    if (!folder_read(&entries, folder))
        notes_add_loss(&walk->student->notes, "the folder %s cannot be read: %s", shown,
                       strerror(errno));
    folder_keep(&entries, is_students);
    for (size_t i = 0; i < entries.n; i++) {
        const char *name = entries.names[i];
        OWNED char *path = text_format("%s/%s", folder, name);
        OWNED char *below = text_format("%s/%s", shown, name);
        struct stat status;
        if (walk->n_entries++ == MAX_ENTRIES)
            notes_add(&walk->student->notes, "the folder has more than %d files; not all were seen",
                      MAX_ENTRIES);
        if (walk->n_entries > MAX_ENTRIES) {
            ; /* noted */
        } else if (lstat(path, &status) != 0) {
            notes_add_loss(&walk->student->notes, "%s cannot be looked at: %s", below,
                           strerror(errno));
        } else {
            submission_add(path, below, name, depth, false, &status, walk->labs, walk->student);
            if (S_ISREG(status.st_mode) && archive_is_named(name))
                notes_add(&walk->student->notes,
                          "%s was not unpacked: grade an archive of the whole class, or unpack it",
                          below);
            if (S_ISDIR(status.st_mode) && depth < MAX_DEPTH)
                walk_folder(walk, path, below, depth + 1);
        }
    }
}

void submission_read(const char *folder, const char *shown, const struct targets *labs,
                     struct roster_student *student) {
    struct walk walk = {.labs = labs, .student = student};
    walk_folder(&walk, folder, shown, 0);
}

void submission_end(const struct targets *labs, struct roster_student *student) {
    for (size_t i = 0; i < labs->n; i++) {
        if (student->files[i].shown || student->notes.has_losses)
            return;
    }
    const struct manifest *manifest = labs->n > 0 ? labs->items[0].manifest : NULL;
    notes_add(&student->notes, "no file of any lab was handed in%s%s", manifest ? ", such as " : "",
              manifest ? manifest->source : "");
}

bool submission_is_one(const char *folder, const struct targets *labs) {
    OWNED_BY(folder_finish) struct folder entries;
    bool found = false;
    folder_read(&entries, folder);
    for (size_t i = 0; i < entries.n; i++) {
        unsigned attempt;
        for (size_t lab = 0; lab < labs->n; lab++)
            found |= strcmp(entries.names[i], labs->items[lab].lab->name) == 0 ||
                     name_is_source(entries.names[i], source_of(&labs->items[lab]), &attempt);
    }
    return found;
}
