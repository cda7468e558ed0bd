/* Picks the files of labs out of whatever a student handed in. */
#include "grader/class/intake/submission.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/system/folder.h"
#include "common/base/text.h"
#include "grader/class/intake/unpack/archive.h"
#include "grader/class/intake/guess.h"
#include "grader/class/intake/unpack/name.h"

enum { MAX_DEPTH = 6, MAX_ENTRIES = 4096 };

struct walk_folder {
    char *path, *shown;
    unsigned depth;
};

/* A walk through one student's folder: all that lies less deep first, so that a folder full of
 * libraries does not use up the walk before the student's own files. */
struct walk {
    const struct targets *labs;
    const struct map *map;
    struct roster_student *student;
    bool is_late;
    unsigned n_entries;
    struct walk_folder *folders; /* in the order in which they are walked */
    size_t n_folders;
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

/* Why a file was taken that is not called, or does not lie, as the lab's source should; NULL where
 * that needs no word. The caller frees it. */
static char *reason(const struct guess *guess, bool is_mapped, const char *shown,
                    const struct target *lab) {
    static const char *const words[] = {
        [GUESS_PLACE] = "its name or folder and its text say that lab",
        [GUESS_NAME] = "its name is nearly that",
        [GUESS_TEXT] = "its text includes that lab's header",
        [GUESS_EXACT] = "its name counts, not its folder's",
    };
    const char *why = is_mapped                                          ? "--map says so"
                      : guess->by == GUESS_EXACT && !guess->is_elsewhere ? NULL
                                                                         : words[guess->by];
    return why ? text_format("%s was taken for lab %.2s's %s: %s", shown, lab->lab->name,
                             source_of(lab), why)
               : NULL;
}

bool submission_is_same(const struct roster_file *one, const struct roster_file *other) {
    char *bytes[2] = {NULL};
    size_t n[2] = {0};
    bool are_same =
        one->path && other->path &&
        file_read(one->path, FILE_SOURCE_BYTES, &bytes[0], &n[0], NULL) == GRADER_OK &&
        file_read(other->path, FILE_SOURCE_BYTES, &bytes[1], &n[1], NULL) == GRADER_OK &&
        n[0] == n[1] && memcmp(bytes[0], bytes[1], n[0]) == 0;
    free(bytes[0]);
    free(bytes[1]);
    return are_same;
}

static void free_file(struct roster_file *file) {
    free(file->path);
    free(file->shown);
    free(file->problem);
    free(file->why);
    free(file->called);
}

/* Which of two files counts. What surely is the lab's goes before what only seems so; then the
 * later attempt counts; of the same, a file before what is none, such as the folder that a program
 * unpacked it to; then what lies less deep, then what came first. */
static bool is_better(const struct roster_file *old, const struct roster_file *file) {
    return file->rank != old->rank         ? file->rank > old->rank
           : file->attempt != old->attempt ? file->attempt > old->attempt
           : !file->path != !old->path     ? file->path != NULL
                                           : file->depth < old->depth;
}

/* Takes one of two files that are both not called as they should be: neither, where they differ. */
static void doubt(struct roster_file *old, const struct roster_file *file,
                  const struct target *lab) {
    if (submission_is_same(old, file) || old->problem)
        return;
    old->problem = text_format("%s may be meant as well; hand in one file, called %s, or say which "
                               "by --map",
                               file->shown, source_of(lab));
    free(old->path);
    old->path = NULL;
}

/* Puts a file in its lab's place, or leaves it; takes what `file` owns. */
static void take(struct roster_student *student, const struct target *lab, size_t index,
                 struct roster_file *file) {
    struct roster_file *old = &student->files[index];
    bool is_taken = !old->shown || is_better(old, file);
    bool is_unsure = old->shown && old->rank == file->rank && file->rank == ROSTER_SEEMS;
    if (is_unsure) {
        doubt(old, file, lab);
        is_taken = false;
    } else if (old->shown) {
        notes_add(&student->notes, "several files for lab %.2s; %s is graded, %s is not",
                  lab->lab->name, is_taken ? file->shown : old->shown,
                  is_taken ? old->shown : file->shown);
    }
    if (is_taken) {
        free_file(old);
        *old = *file;
    } else {
        free_file(file);
    }
}

void submission_add(const struct submission_file *file, const struct targets *labs,
                    const struct map *map, struct roster_student *student) {
    const struct map_entry *said = map_find(map, student->id, file->shown, file->name);
    bool is_regular = S_ISREG(file->status->st_mode);
    struct guess guess = guess_lab(file->path, file->shown, file->name, is_regular, labs);
    if (said && said->lab == MAP_NO_LAB)
        return;
    bool is_known = said || guess.by > GUESS_SEVERAL;
    /* What is no file is somebody's mistake where it is called like one, and else a folder. */
    if (!is_known || (!is_regular && !said && guess.by != GUESS_EXACT)) {
        if (is_regular && file->name[0] != '.')
            notes_add(&student->others, "%s", file->shown);
        return;
    }
    size_t lab = said ? said->lab : guess.lab;
    const char *problem = problem_of(file->status->st_mode);
    struct roster_file taken = {
        .path = problem ? NULL : text_format("%s", file->path),
        .shown = text_clean(file->shown, strlen(file->shown), false),
        .problem = problem ? text_format("%s", problem) : NULL,
        .why = reason(&guess, said != NULL, file->shown, &labs->items[lab]),
        .was = guess.was,
        .modified = file->status->st_mtime,
        .is_late = file->is_late,
        .attempt = guess.attempt,
        .depth = file->depth,
        .export = student->export,
        .called = student->called ? text_format("%s", student->called) : NULL,
        .system = student->system,
        .rank = said                      ? ROSTER_SAID
                : guess.by == GUESS_EXACT ? ROSTER_NAMED
                                          : ROSTER_SEEMS,
    };
    take(student, &labs->items[lab], lab, &taken);
}

/* Not what macOS leaves of its own. */
static bool is_students(const char *name) {
    return strcmp(name, "__MACOSX") != 0 && strncmp(name, "._", 2) != 0;
}

/* Remembers a folder, to be walked once all that lie less deep are. */
static void walk_later(struct walk *walk, const char *path, const char *shown, unsigned depth) {
    if (depth > MAX_DEPTH) {
        notes_add(&walk->student->notes,
                  "%s lies more than %d folders deep, and was not looked into", shown, MAX_DEPTH);
        return;
    }
    walk->folders = grow_list(walk->folders, walk->n_folders, sizeof *walk->folders);
    walk->folders[walk->n_folders++] =
        (struct walk_folder){text_format("%s", path), text_format("%s", shown), depth};
}

static void walk_entry(struct walk *walk, const char *path, const char *shown, unsigned depth) {
    const char *name = file_base(path);
    struct stat status;
    if (lstat(path, &status) != 0) {
        notes_add_loss(&walk->student->notes, "%s cannot be looked at: %s", shown, strerror(errno));
        return;
    }
    submission_add(&(struct submission_file){path, shown, name, depth, walk->is_late, &status},
                   walk->labs, walk->map, walk->student);
    if (S_ISREG(status.st_mode) && archive_is_named(name))
        notes_add(&walk->student->notes,
                  "%s was not unpacked: grade an archive of the whole class, or unpack it", shown);
    if (S_ISDIR(status.st_mode))
        walk_later(walk, path, shown, depth + 1);
}

/* Looks at what lies in a folder; at most MAX_ENTRIES of all the student's folders. */
static void walk_folder(struct walk *walk, const struct walk_folder *at) {
    OWNED_BY(folder_finish) struct folder entries;
    if (!folder_read(&entries, at->path))
        notes_add_loss(&walk->student->notes, "the folder %s cannot be read: %s", at->shown,
                       strerror(errno));
    folder_keep(&entries, is_students);
    for (size_t i = 0; i < entries.n && walk->n_entries <= MAX_ENTRIES; i++) {
        OWNED char *path = text_format("%s/%s", at->path, entries.names[i]);
        OWNED char *shown = text_format("%s/%s", at->shown, entries.names[i]);
        if (walk->n_entries++ == MAX_ENTRIES)
            notes_add(&walk->student->notes, "the folder has more than %d files; not all were seen",
                      MAX_ENTRIES);
        else
            walk_entry(walk, path, shown, at->depth);
    }
}

void submission_read(const char *folder, const char *shown, const struct targets *labs,
                     const struct map *map, bool is_late, struct roster_student *student) {
    struct walk walk = {.labs = labs, .map = map, .student = student, .is_late = is_late};
    walk_later(&walk, folder, shown, 0);
    for (size_t i = 0; i < walk.n_folders; i++) {
        const struct walk_folder at = walk.folders[i]; /* the list may move while it grows */
        walk_folder(&walk, &at);
        free(at.path);
        free(at.shown);
    }
    free(walk.folders);
}

/* "a.cu, b.cu and 3 more", of the files of no lab; the caller frees it. */
static char *list_others(const struct roster_student *student) {
    enum { NAMED = 4 };
    char *list = text_format("%s", "");
    const struct notes *others = &student->others;
    for (size_t i = 0; i < others->n && i < NAMED; i++)
        text_add(&list, "%s%s", i > 0 ? ", " : "", others->items[i]);
    if (others->n + others->n_dropped > NAMED)
        text_add(&list, " and %zu more", others->n + others->n_dropped - NAMED);
    return list;
}

/* What was taken for a lab's file though it is called otherwise, or is in another code. */
static void note_taken(const struct targets *labs, struct roster_student *student) {
    for (size_t i = 0; i < labs->n; i++) {
        const struct roster_file *file = &student->files[i];
        if (file->why && file->path)
            notes_add(&student->notes, "%s", file->why);
        if (file->was && file->path)
            notes_add(&student->notes, "%s %s, and was converted for the compiler", file->shown,
                      file->was);
    }
}

/* The sentence on a student who has no file for some lab of the class; students read it, too. Where
 * a file may be lost by no fault of the student's, nobody says that there was none. */
static void note_missing(const struct targets *labs, bool may_have_any,
                         struct roster_student *student) {
    const struct manifest *manifest = labs->n > 0 ? labs->items[0].manifest : NULL;
    OWNED char *others = list_others(student);
    if (may_have_any && *others)
        notes_add(&student->notes, "of no lab that can be told, and not graded: %s", others);
    else if (!may_have_any)
        notes_add(&student->notes, "no file of any lab was handed in%s%s%s%s",
                  manifest ? ", such as " : "", manifest ? manifest->source : "",
                  *others ? "; there were: " : "", others);
}

void submission_end(const struct targets *labs, const struct roster *class,
                    struct roster_student *student) {
    bool has_any = false, has_all = true;
    for (size_t i = 0; i < labs->n; i++) {
        has_any |= student->files[i].shown != NULL;
        has_all &= student->files[i].shown != NULL || !roster_has_lab(class, i);
    }
    note_taken(labs, student);
    student->is_unclear = (!has_any || !has_all) && student->others.n > 0;
    bool may_be_lost = student->notes.has_losses || class->notes.has_losses;
    if (!has_any || !has_all)
        note_missing(labs, has_any || may_be_lost, student);
}

/* A file in a folder of which nobody knows yet whether it is a student's: by its text alone where
 * its name is no lab's. Adds to `n_near`, one a lab, where it is only near. */
static bool is_labs_file(const char *folder, const char *name, const struct targets *labs,
                         unsigned *n_near) {
    OWNED_BY(name_parts_free) struct name_parts parts;
    OWNED char *path = text_format("%s/%s", folder, name);
    struct stat status;
    name_read(name, &parts);
    bool is_regular = lstat(path, &status) == 0 && S_ISREG(status.st_mode);
    const struct guess guess = guess_lab(path, name, name, is_regular, labs);
    if (guess.by == GUESS_EXACT)
        return true;
    if (is_regular && parts.kind == NAME_PLAIN && guess.by > GUESS_SEVERAL)
        n_near[guess.lab]++;
    return false;
}

bool submission_is_one(const char *folder, const struct targets *labs) {
    OWNED_BY(folder_finish) struct folder entries;
    OWNED unsigned *n_near = make_zeroed(labs->n, sizeof *n_near);
    bool found = false, is_near = false, is_odd = false;
    folder_read(&entries, folder);
    for (size_t i = 0; i < entries.n && !found; i++) {
        for (size_t lab = 0; lab < labs->n; lab++)
            found |= strcmp(entries.names[i], labs->items[lab].lab->name) == 0;
        found = found || is_labs_file(folder, entries.names[i], labs, n_near);
        OWNED char *path = text_format("%s/%s", folder, entries.names[i]);
        is_odd |= file_is_directory(path);
    }
    for (size_t lab = 0; lab < labs->n; lab++) {
        is_near |= n_near[lab] == 1;
        is_odd |= n_near[lab] > 1; /* of several students, each called by the name? */
    }
    return found || (is_near && !is_odd);
}
