/* Keeps students by what they are known by; then goes through students and people, and says who is
 * missing on either side. */
#include "grader/class/intake/people.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/text.h"
#include "grader/class/intake/submission.h"
#include "grader/class/intake/unpack/name.h"

struct roster_student *people_add(struct roster *roster, const char *id, const char *name) {
    roster->students = grow_list(roster->students, roster->n, sizeof *roster->students);
    struct roster_student *student = &roster->students[roster->n++];
    bool is_changed;
    *student = (struct roster_student){
        .id = name_clean(id, &is_changed),
        .name = name_clean(name, NULL),
        .files = make_zeroed(roster->n_labs, sizeof *student->files),
    };
    if (is_changed)
        notes_add(&student->notes, "the name %s was cleaned", id);
    return student;
}

struct roster_student *people_find(struct roster *roster, const char *id) {
    return find_in_list(id, roster->students, roster->n, sizeof *roster->students);
}

/* Adds a student. Where another has the same id, the new one gets a number, and both a note. */
static struct roster_student *new_student(struct roster *roster, const char *id, const char *name,
                                          const char *place) {
    char *clean = name_clean(id, NULL), *own = text_format("%s", id);
    struct roster_student *first = people_find(roster, clean);
    if (first)
        notes_add(&first->doubts, "another submission has the same id, too: %s", place);
    for (unsigned i = 2; people_find(roster, clean); i++) {
        free(own);
        free(clean);
        own = text_format("%.100s (%u)", id, i);
        clean = name_clean(own, NULL);
    }
    struct roster_student *student = people_add(roster, own, name);
    if (first)
        notes_add(&student->doubts, "the id %s is another's, too; this is the one of %s", id,
                  place);
    free(clean);
    free(own);
    return student;
}

static struct roster_student *find_key(struct roster *roster, const char *key) {
    for (size_t i = 0; i < roster->n; i++) {
        if (roster->students[i].key && strcmp(roster->students[i].key, key) == 0)
            return &roster->students[i];
    }
    return NULL;
}

/* A person's row. NULL where this export has another submission of the person's, by another number:
 * so two people of one name are not taken for one. */
static struct roster_student *of_person(struct roster *roster, const struct claim *claim,
                                        const struct person *person) {
    OWNED char *key = text_format("person %s", person->id);
    struct roster_student *student = find_key(roster, key);
    if (student && student->export == claim->export && strcmp(student->number, claim->id) != 0) {
        notes_add(&student->doubts, "%s may be %s's, too: look whose it is", claim->place,
                  person->name);
        return NULL;
    }
    if (!student) {
        student = new_student(roster, person->id, *person->name ? person->name : claim->name,
                              claim->place);
        student->key = text_format("%s", key);
        student->person = person;
        student->group = *person->group ? text_format("%s", person->group) : NULL;
    }
    free(student->number);
    student->number = text_format("%s", claim->id);
    return student;
}

struct roster_student *people_owner(struct roster *roster, const struct enrolment *enrolment,
                                    const struct claim *claim) {
    const struct person *person =
        enrolment ? enrolment_find(enrolment, claim->source, claim->id, claim->name) : NULL;
    struct roster_student *student = person ? of_person(roster, claim, person) : NULL;
    if (!student) {
        OWNED char *key =
            text_format("%d %u %s %s", (int)claim->source, claim->has_export_id ? claim->export : 0,
                        claim->id, claim->name);
        student = claim->is_joined ? find_key(roster, key) : NULL;
        if (!student) {
            OWNED char *id = enrolment_strangers_id(enrolment, claim->id);
            student = new_student(roster, id, claim->name, claim->place);
            student->key = text_format("%s", key);
        }
    }
    student->export = claim->export;
    student->system = claim->system;
    free(student->called);
    student->called = claim->system ? text_format("%s", claim->id) : NULL;
    return student;
}

enum { NAMED = 10 };

/* A list of names in the making: the first ten, and how many there are. */
struct named {
    char *text;
    size_t n;
};

static void name_one(struct named *named, const char *id, const char *name) {
    bool has_name = *name && strcmp(id, name) != 0;
    if (named->n++ < NAMED)
        text_add(&named->text, "%s%s%s%s%s", named->n > 1 ? ", " : "", id, has_name ? " (" : "",
                 has_name ? name : "", has_name ? ")" : "");
}

static void note_named(struct roster *roster, struct named *named, const char *format) {
    if (named->n > NAMED)
        text_add(&named->text, " and %zu more", named->n - NAMED);
    if (named->n > 0) {
        OWNED char *text = text_replace(format, "%s", named->text);
        notes_add(&roster->notes, "%zu %s", named->n, text);
    }
    free(named->text);
}

/* Whoever is in the enrolment and handed in nothing has a row, too. */
static void add_absent(struct roster *roster, const struct enrolment *enrolment) {
    struct named absent = {0};
    size_t n_present = roster->n;
    for (size_t i = 0; i < enrolment->n; i++) {
        const struct person *person = &enrolment->people[i];
        bool is_there = false;
        for (size_t k = 0; k < n_present; k++)
            is_there |= roster->students[k].person == person;
        if (is_there)
            continue;
        name_one(&absent, person->id, person->name);
        struct roster_student *student =
            people_add(roster, person->id, *person->name ? person->name : person->id);
        student->person = person;
        student->group = *person->group ? text_format("%s", person->group) : NULL;
    }
    note_named(roster, &absent, "of the roster handed in nothing: %s");
}

/* What one of a group handed in counts for those who have nothing for the lab. Where several
 * differ, nobody knows which is the group's. */
static void share_lab(struct roster *roster, size_t index, size_t lab) {
    struct roster_student *student = &roster->students[index];
    const struct roster_student *from = NULL;
    bool is_unsure = false;
    for (size_t i = 0; i < roster->n; i++) {
        const struct roster_student *other = &roster->students[i];
        const struct roster_file *file = &other->files[lab];
        if (i == index || !other->person || strcmp(other->person->group, student->person->group) ||
            !file->shown || file->from)
            continue;
        is_unsure |= from && !submission_is_same(&from->files[lab], file);
        from = from ? from : other;
    }
    if (is_unsure)
        notes_add(&student->notes,
                  "others of group %s handed in different files for a lab; none was taken for %s's",
                  student->person->group, student->name);
    if (!from || is_unsure)
        return;
    const struct roster_file *file = &from->files[lab];
    student->files[lab] = *file;
    student->files[lab].from = from->id;
    student->files[lab].path = file->path ? text_format("%s", file->path) : NULL;
    student->files[lab].shown = text_format("%s", file->shown);
    student->files[lab].called = NULL;
    student->files[lab].problem = file->problem ? text_format("%s", file->problem) : NULL;
    student->files[lab].why = text_format("%s is that of %s, for group %s", file->shown, from->name,
                                          student->person->group);
}

static void share(struct roster *roster) {
    for (size_t i = 0; i < roster->n; i++) {
        const struct person *person = roster->students[i].person;
        for (size_t lab = 0; person && *person->group && lab < roster->n_labs; lab++) {
            if (!roster->students[i].files[lab].shown)
                share_lab(roster, i, lab);
        }
    }
}

enum grader_status people_settle(struct roster *roster, const struct intake *intake,
                                 struct diag *diag) {
    struct named strangers = {0};
    for (size_t i = 0; i < roster->n; i++) {
        struct roster_student *student = &roster->students[i];
        if (student->person)
            continue;
        name_one(&strangers, student->id, student->name);
        notes_add(&student->doubts, "is nobody of the roster, by the id %s", student->id);
    }
    if (strangers.n == roster->n) {
        diag_set(
            diag, NULL, 0,
            "none of the %zu who handed in is in the roster: %s. Its columns id, email, moodle "
            "and canvas are what names in exports are looked up in",
            strangers.n, strangers.text);
        free(strangers.text);
        return GRADER_BAD_INPUT;
    }
    note_named(roster, &strangers, "who handed in are not in the roster: %s");
    add_absent(roster, intake->enrolment);
    share(roster);
    return GRADER_OK;
}
