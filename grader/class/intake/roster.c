/* Finds the students of a folder, and whose each file in it is. */
#include "grader/class/intake/roster.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/system/folder.h"
#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/class/intake/people.h"
#include "grader/class/intake/unpack/name.h"
#include "grader/class/intake/submission.h"
#include "grader/report/scoring/handed_in.h"

enum { MAX_STUDENTS = 20000, MAX_WRAPPINGS = 4 };

static const char metadata_name[] = "submission_metadata.yml";

struct reading {
    const struct targets *labs;
    const struct map *map;
    const struct enrolment *enrolment;
    int interrupt_fd;
    struct roster *roster;
    struct metadata metadata;
    unsigned export; /* that is being read, from 1 */
};

/* The claim that a name makes. */
static struct claim claim_of(const struct reading *reading, const struct name_parts *parts,
                             const char *place) {
    static const char *const systems[] = {
        [NAME_CANVAS] = "canvas", [NAME_MOODLE] = "moodle", [NAME_GRADESCOPE] = "gradescope"};
    bool is_moodle = parts->kind == NAME_MOODLE, is_canvas = parts->kind == NAME_CANVAS;
    return (struct claim){
        .source = is_canvas   ? ENROLMENT_CANVAS
                  : is_moodle ? ENROLMENT_MOODLE
                              : ENROLMENT_OTHER,
        .id = parts->id,
        .name = parts->name,
        .place = place,
        .system = systems[parts->kind],
        .export = reading->export,
        .is_joined = is_canvas || is_moodle,
        .has_export_id = is_moodle,
    };
}

/* Exports are stamped when they are made, and files in them by whom they were packed. */
static void set_times(struct roster_student *student, size_t n_labs, time_t handed) {
    for (size_t lab = 0; lab < n_labs; lab++) {
        if (student->files[lab].export == student->export)
            student->files[lab].modified = handed;
    }
}

/* A folder is one student's, or that of a group's members. */
static void add_folder(struct reading *reading, const char *path, const char *base) {
    OWNED_BY(name_parts_free) struct name_parts parts;
    size_t n_members = 0;
    name_read(base, &parts);
    for (size_t i = 0; parts.kind == NAME_GRADESCOPE && i < reading->metadata.n; i++) {
        const struct metadata_entry *entry = &reading->metadata.entries[i];
        if (strcmp(entry->folder, base) != 0)
            continue;
        const struct claim claim = {.source = ENROLMENT_OTHER,
                                    .id = *entry->id ? entry->id : parts.id,
                                    .name = entry->name,
                                    .place = base,
                                    .system = "gradescope",
                                    .export = reading->export};
        struct roster_student *student = people_owner(reading->roster, reading->enrolment, &claim);
        submission_read(path, base, reading->labs, reading->map, parts.is_late, student);
        set_times(student, reading->labs->n, entry->created);
        n_members++;
    }
    if (n_members == 0) {
        const struct claim claim = claim_of(reading, &parts, base);
        struct roster_student *student = people_owner(reading->roster, reading->enrolment, &claim);
        if (parts.kind == NAME_GRADESCOPE && reading->metadata.n > 0)
            notes_add(&student->notes, "%s does not say whose %s is", metadata_name, base);
        submission_read(path, base, reading->labs, reading->map, parts.is_late, student);
        if (parts.kind != NAME_PLAIN)
            set_times(student, reading->labs->n, 0);
    }
}

/* A file beside others': its name says whose it is, or the instructor does. */
static void add_file(struct reading *reading, const char *path, const char *base,
                     const struct stat *status) {
    OWNED_BY(name_parts_free) struct name_parts parts;
    name_read(base, &parts);
    const char *said = parts.file ? NULL : map_owner(reading->map, base);
    if (!parts.file && !said) {
        if (strcmp(base, metadata_name) != 0)
            notes_add(&reading->roster->notes,
                      "%s is nobody's: its name says no student; --map says whose it is, by a line "
                      "such as STUDENT,%s,LAB",
                      base, base);
        return;
    }
    const struct claim claim = claim_of(reading, &parts, base);
    struct roster_student *student =
        said ? people_find(reading->roster, said)
             : people_owner(reading->roster, reading->enrolment, &claim);
    if (!student)
        student = people_add(reading->roster, said, said);
    submission_add(&(struct submission_file){.path = path,
                                             .shown = base,
                                             .name = said ? base : parts.file,
                                             .is_late = parts.is_late,
                                             .status = status},
                   reading->labs, reading->map, student);
    if (!said)
        set_times(student, reading->labs->n, 0);
}

/* Not what systems leave of their own: macOS, git. */
static bool is_shown(const char *name) {
    return strcmp(name, "__MACOSX") != 0 && strcmp(name, ".DS_Store") != 0 &&
           strncmp(name, "._", 2) != 0 && strncmp(name, ".git", 4) != 0;
}

static int by_id(const void *a, const void *b) {
    const struct roster_student *one = a, *other = b;
    return strcmp(one->id, other->id);
}

/* The name of the only thing in a folder, where that is a folder and nothing says that it is a
 * student's; NULL otherwise. */
static char *only_folder(const struct reading *reading, const char *folder) {
    OWNED_BY(folder_finish) struct folder entries;
    char *only = NULL;
    folder_read(&entries, folder);
    folder_keep(&entries, is_shown);
    if (entries.n == 1) {
        OWNED char *path = text_format("%s/%s", folder, entries.names[0]);
        struct stat status;
        OWNED_BY(name_parts_free) struct name_parts parts;
        name_read(entries.names[0], &parts);
        if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && parts.kind == NAME_PLAIN &&
            !submission_is_one(path, reading->labs))
            only = text_format("%s", path);
    }
    return only;
}

/* In which turn an entry is read. Whose number the roster has comes before who is known by name
 * alone, so that nobody takes the place of a namesake; files that no name gives to anybody come
 * once all others are there. */
enum turn { TURN_NUMBER, TURN_NAME, TURN_NOBODY, N_TURNS };

static enum turn turn_of(const struct reading *reading, const char *path,
                         const struct name_parts *parts) {
    if (!parts->file && file_is_regular(path) && !file_is_link(path))
        return TURN_NOBODY;
    return parts->kind == NAME_MOODLE && reading->enrolment &&
                   !enrolment_has_number(reading->enrolment, ENROLMENT_MOODLE, parts->id,
                                         parts->name)
               ? TURN_NAME
               : TURN_NUMBER;
}

static void read_entry(struct reading *reading, const char *folder, const char *base,
                       enum turn turn) {
    OWNED char *path = text_format("%s/%s", folder, base);
    struct stat status;
    OWNED_BY(name_parts_free) struct name_parts parts;
    name_read(base, &parts);
    if (turn_of(reading, path, &parts) != turn)
        return;
    if (reading->roster->n >= MAX_STUDENTS)
        notes_add_loss(&reading->roster->notes, "%s was left out: a class has at most %d students",
                       base, MAX_STUDENTS);
    else if (lstat(path, &status) != 0)
        notes_add_loss(&reading->roster->notes, "%s cannot be looked at: %s", base,
                       strerror(errno));
    else if (S_ISDIR(status.st_mode))
        add_folder(reading, path, base);
    else if (S_ISREG(status.st_mode))
        add_file(reading, path, base, &status);
    else
        notes_add(&reading->roster->notes, "%s is a link, a pipe or a device, and was left out",
                  base);
}

static void read_folder(struct reading *reading, const char *folder) {
    OWNED_BY(folder_finish) struct folder entries;
    reading->export ++;
    if (!folder_read(&entries, folder))
        notes_add_loss(&reading->roster->notes, "this folder cannot be read: %s", strerror(errno));
    folder_keep(&entries, is_shown);
    for (size_t i = 0; i < N_TURNS * entries.n && !process_is_interrupted(reading->interrupt_fd);
         i++)
        read_entry(reading, folder, entries.names[i % entries.n], i / entries.n);
}

/* What was not as the labs want it, in all. */
static void note_unclear(struct roster *roster, const struct targets *labs, const struct map *map) {
    const struct roster_student *first = NULL;
    size_t n = 0;
    for (size_t i = 0; i < roster->n; i++) {
        n += roster->students[i].is_unclear;
        first = first || !roster->students[i].is_unclear ? first : &roster->students[i];
    }
    if (first)
        notes_add(
            &roster->notes,
            "%zu student%s nothing for some lab, but files of which nobody can tell a lab, "
            "such as %s: look at their notes, and say by --map FILE, in lines such as %s,%s,%s",
            n, n == 1 ? " has" : "s have", first->others.items[0], first->id,
            first->others.items[0], labs->n > 0 ? labs->items[0].lab->name : "01-name");
    for (size_t i = 0; map && i < map->n; i++) {
        const struct map_entry *entry = &map->entries[i];
        bool is_all = strcmp(entry->student, "*") == 0;
        if (!entry->is_used)
            notes_add(&roster->notes, "line %u of the --map: %s has no file %s", entry->line,
                      is_all ? "nobody here" : entry->student, entry->file);
    }
}

/* A folder in which students' folders lie is a class, whatever lies beside them. */
static bool is_of_one(const char *folder, const struct targets *labs) {
    OWNED_BY(folder_finish) struct folder entries;
    size_t n_students = 0;
    folder_read(&entries, folder);
    for (size_t i = 0; i < entries.n; i++) {
        OWNED char *path = text_format("%s/%s", folder, entries.names[i]);
        bool is_labs = false;
        for (size_t lab = 0; lab < labs->n; lab++)
            is_labs |= strcmp(entries.names[i], labs->items[lab].lab->name) == 0;
        n_students += !is_labs && file_is_directory(path) && !file_is_link(path) &&
                      submission_is_one(path, labs);
    }
    return n_students < 2 && submission_is_one(folder, labs);
}

/* The folder, or the one that is all that it has, or that has. The caller frees it. */
static char *unwrap(const struct reading *reading, const char *folder) {
    char *top = text_format("%s", folder), *below;
    for (int i = 0; i < MAX_WRAPPINGS && (below = only_folder(reading, top)); i++) {
        free(top);
        top = below;
    }
    return top;
}

/* True where names in the folder say that a school's system made them. */
static bool is_export(const struct reading *reading, const char *folder) {
    OWNED char *top = unwrap(reading, folder);
    OWNED_BY(folder_finish) struct folder entries;
    bool found = false;
    folder_read(&entries, top);
    for (size_t i = 0; i < entries.n && !found; i++) {
        OWNED_BY(name_parts_free) struct name_parts parts;
        name_read(entries.names[i], &parts);
        found = parts.kind != NAME_PLAIN;
    }
    return found && !submission_is_one(top, reading->labs);
}

/* True where all folders in a folder are exports: of several assignments, say. Where one is not,
 * none is taken for one: students choose the names within their own folders. */
static bool has_exports(const struct reading *reading, const struct folder *entries,
                        const char *folder) {
    size_t n_exports = 0;
    for (size_t i = 0; i < entries->n; i++) {
        OWNED char *path = text_format("%s/%s", folder, entries->names[i]);
        OWNED_BY(name_parts_free) struct name_parts parts;
        name_read(entries->names[i], &parts);
        if (parts.kind != NAME_PLAIN)
            return false;
        if (!file_is_directory(path) || file_is_link(path))
            continue;
        if (!is_export(reading, path))
            return false;
        n_exports++;
    }
    return n_exports > 1;
}

/* Reads the folder of an export or of a class, with what Gradescope says of it. */
static void read_class(struct reading *reading, const char *folder) {
    struct diag problem;
    OWNED char *path = text_format("%s/%s", folder, metadata_name);
    metadata_finish(&reading->metadata);
    if (file_exists(path) && metadata_read(path, &reading->metadata, &problem) != GRADER_OK)
        notes_add(&reading->roster->notes, "%s: %s", metadata_name, problem.message);
    read_folder(reading, folder);
}

/* Reads all that there is. */
static void read_all(struct reading *reading, const char *folder) {
    OWNED char *top = unwrap(reading, folder);
    OWNED_BY(folder_finish) struct folder entries;
    folder_read(&entries, top);
    folder_keep(&entries, is_shown);
    if (is_of_one(top, reading->labs)) {
        add_folder(reading, top, file_base(top)); /* a class of one */
        return;
    }
    if (!has_exports(reading, &entries, top)) {
        read_class(reading, top);
        return;
    }
    for (size_t i = 0; i < entries.n; i++) {
        OWNED char *path = text_format("%s/%s", top, entries.names[i]);
        OWNED char *below = unwrap(reading, path);
        if (file_is_directory(path) && !file_is_link(path))
            read_class(reading, below);
        else if (file_is_regular(path))
            read_entry(reading, top, entries.names[i], TURN_NOBODY);
    }
}

enum grader_status roster_read(const char *folder, const struct intake *intake,
                               struct roster *roster, struct diag *diag) {
    const struct targets *labs = intake->labs;
    struct reading reading = {.labs = labs,
                              .map = intake->map,
                              .enrolment = intake->enrolment,
                              .interrupt_fd = intake->interrupt_fd,
                              .roster = roster};
    *roster = (struct roster){.n_labs = labs->n};
    if (intake->unpacked)
        notes_take(&roster->notes, intake->unpacked);
    read_all(&reading, folder);
    metadata_finish(&reading.metadata);
    if (process_is_interrupted(intake->interrupt_fd))
        return GRADER_INTERRUPTED;
    enum grader_status status =
        roster->n > 0 && intake->enrolment ? people_settle(roster, intake, diag) : GRADER_OK;
    for (size_t i = 0; i < roster->n; i++)
        submission_end(labs, roster, &roster->students[i]);
    note_unclear(roster, labs, intake->map);
    if (roster->n > 0) {
        qsort(roster->students, roster->n, sizeof *roster->students, by_id);
        return status;
    }
    if (roster->notes.has_losses) {
        diag_set(diag, folder, 0, "%s", roster->notes.items[roster->notes.loss]);
        return GRADER_FAILED;
    }
    diag_set(diag, folder, 0, "it has nothing named like a lab, such as %s/, and no student",
             labs->n > 0 ? labs->items[0].lab->name : "01-name");
    return GRADER_BAD_INPUT;
}

void roster_set_time(struct roster *roster, size_t student, size_t lab, time_t handed) {
    struct roster_file *file = &roster->students[student].files[lab];
    file->modified = handed;
    file->is_late = false;
}

void roster_mark_late(struct roster *roster, time_t deadline) {
    size_t n_unknown = 0;
    for (size_t i = 0; i < roster->n; i++) {
        for (size_t lab = 0; lab < roster->n_labs; lab++) {
            struct roster_file *file = &roster->students[i].files[lab];
            n_unknown += file->path && file->modified == 0 && !file->is_late;
            time_t own = deadline + person_extension(roster->students[i].person, deadline);
            if (file->path && file->modified > own)
                file->is_late = true;
        }
    }
    if (n_unknown > 0)
        notes_add(&roster->notes,
                  "of %zu file%s it is not known when %s handed in, so --deadline says nothing of "
                  "%s",
                  n_unknown, n_unknown == 1 ? "" : "s", n_unknown == 1 ? "it was" : "they were",
                  n_unknown == 1 ? "it" : "them");
}

bool roster_has_lab(const struct roster *roster, size_t lab) {
    for (size_t i = 0; i < roster->n; i++) {
        const struct roster_file *file = &roster->students[i].files[lab];
        if (file->path || file->problem)
            return true;
    }
    return false;
}

void roster_finish(struct roster *roster) {
    for (size_t i = 0; i < roster->n; i++) {
        struct roster_student *student = &roster->students[i];
        for (size_t lab = 0; lab < roster->n_labs; lab++) {
            free(student->files[lab].path);
            free(student->files[lab].shown);
            free(student->files[lab].problem);
            free(student->files[lab].why);
            free(student->files[lab].called);
        }
        free(student->files);
        free(student->id);
        free(student->name);
        free(student->key);
        free(student->number);
        free(student->called);
        free(student->group);
        notes_finish(&student->notes);
        notes_finish(&student->doubts);
        notes_finish(&student->others);
    }
    free(roster->students);
    notes_finish(&roster->notes);
    *roster = (struct roster){0};
}
