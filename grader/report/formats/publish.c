/* Keeps scored students, then hands them to a format's writer. */
#include "grader/report/formats/publish.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/report/scoring/handed_in.h"

/* Reads when students handed in: --handed-in has a time or a table, else the course may have one.
 */
static enum grader_status read_dates(struct publication *publication, const struct workbook *book,
                                     struct diag *diag) {
    const struct options *options = publication->options;
    const char *said = options->handed_in, *named = publication->course->handed_in;
    if (said && handed_in_time(said) > 0) {
        publication->handed = handed_in_time(said);
        return GRADER_OK;
    }
    if (said && file_is_regular(said))
        return dates_read(said, book, &publication->dates, diag);
    if (said) {
        diag_set(diag, NULL, 0,
                 "--handed-in wants a time such as '2026-11-21 23:59', or a table's file");
        return GRADER_BAD_INPUT;
    }
    if (!named)
        return GRADER_OK;
    int n_folder = *named == '/' ? 0 : (int)(file_base(options->course) - options->course);
    char *path = text_format("%.*s%s", n_folder, options->course, named);
    enum grader_status status = dates_read(path, book, &publication->dates, diag);
    free(path);
    return status;
}

enum grader_status publish_begin(struct publication *publication, const struct options *options,
                                 const struct workbook *book, struct diag *diag) {
    *publication = (struct publication){
        .options = options,
        .format = &formats[options->format],
    };
    enum grader_status status = targets_own(book, NULL, &publication->labs, diag);
    if (status != GRADER_OK)
        return status;
    publication->course = course_load(options->course, &publication->labs, diag);
    if (!publication->course)
        return GRADER_BAD_INPUT;
    if (options->roster)
        status = enrolment_read(options->roster, &publication->enrolment, diag);
    return status == GRADER_OK ? read_dates(publication, book, diag) : status;
}

time_t publish_handed(const struct publication *publication, const char *student, const char *from,
                      const char *lab) {
    time_t own =
        publication->handed ? publication->handed : dates_find(&publication->dates, student, lab);
    return own > 0 || !from ? own : dates_find(&publication->dates, from, lab);
}

void publish_head(struct publication *publication, const json_t *head) {
    json_decref(publication->head);
    publication->head = json_copy((json_t *)head); /* shallow */
    json_object_del(publication->head, "students");
}

/* The id as it is shown, or with a number where somebody has it; the caller frees it. */
static char *unique_id(const struct publication *publication, const char *id) {
    OWNED char *clean = text_clean(id, strlen(id), false);
    char *unique = text_format("%s", clean);
    for (unsigned i = 2;
         find_in_list(unique, publication->students, publication->n, sizeof *publication->students);
         i++) {
        free(unique);
        unique = text_format("%s (%u)", clean, i);
    }
    return unique;
}

/* What a system called the student in the exports of the labs that count. Moodle's numbers are
 * others in each assignment, so that none of another lab's stays; records of other programs have
 * but one. */
static void set_number(const json_t *student, struct scored_student *scored) {
    const json_t *called = json_object_get(student, "called");
    const char *number = json_string_value(json_object_get(student, "number"));
    const char *system = record_text(student, "system");
    if (json_object_size(called) > 0)
        number = "";
    for (size_t i = 0; i < scored->n_labs; i++) {
        const json_t *one = json_object_get(called, scored->labs[i].name);
        number = one ? record_text(one, "number") : number;
        system = one ? record_text(one, "system") : system;
    }
    scored->number = number ? text_format("%s", number) : NULL;
    scored->system = text_format("%s", system);
}

/* Scores a student's labs into `*scored`. */
static enum grader_status score(const struct publication *publication, const char *id,
                                const json_t *student, struct scored_student *scored,
                                struct diag *diag) {
    const struct person *person = enrolment_by_id(&publication->enrolment, id);
    const struct scoring scoring = {
        .course = publication->course,
        .labs = &publication->labs,
        .is_shown_by_the_format = publication->format->shows_tests,
        .is_for_teachers = publication->format->is_for_teachers,
        .person = person,
        .now = time(NULL),
    };
    enum grader_status status = scored_student(
        &scoring, id, record_text(student, "name"), json_object_get(student, "labs"),
        json_object_get(student, "modified"), json_object_get(student, "late"), scored, diag);
    scored->notes = json_incref(json_object_get(student, "notes"));
    scored->doubts = json_incref(json_object_get(student, "doubts"));
    set_number(student, scored);
    scored->person = person;
    return status;
}

/* The row of a student who is in another record, too; NULL where there is none. */
static struct scored_student *row_of(const struct publication *publication, const char *id,
                                     const char *name) {
    struct scored_student *row =
        find_in_list(id, publication->students, publication->n, sizeof *publication->students);
    return row && (row->person || strcmp(row->name, name) == 0) ? row : NULL;
}

enum grader_status publish_student(struct publication *publication, const json_t *student,
                                   struct diag *diag) {
    const char *id = record_text(student, "id");
    OWNED char *clean = text_clean(id, strlen(id), false);
    struct scored_student added = {0};
    struct scored_student *row = row_of(publication, clean, record_text(student, "name"));
    enum grader_status status = score(publication, clean, student, &added, diag);
    if (status == GRADER_OK && row) {
        status = scored_join(row, &added, diag);
        if (status == GRADER_OK || row->person) {
            scored_finish(&added);
            return status;
        }
        *diag = (struct diag){0}; /* two of one name, as far as anybody knows */
        status = GRADER_OK;
    }
    publication->students =
        grow_list(publication->students, publication->n, sizeof *publication->students);
    free(added.id);
    added.id = unique_id(publication, id);
    publication->students[publication->n++] = added;
    return status;
}

/* Who gave a student of a record the id. */
static enum enrolment_source source_of(const json_t *student) {
    const char *system = record_text(student, "system");
    return strcmp(system, "canvas") == 0                ? ENROLMENT_CANVAS
           : strcmp(system, "moodle") == 0              ? ENROLMENT_MOODLE
           : json_object_get(student, "system") != NULL ? ENROLMENT_OTHER
                                                        : ENROLMENT_ANY;
}

/* Gives a student of a record the roster's id and name, and says who has none. */
static void identify(struct publication *publication, json_t *student) {
    const struct enrolment *people = &publication->enrolment;
    const char *id = record_text(student, "id"), *name = record_text(student, "name");
    bool is_known = json_is_string(json_object_get(student, "number")); /* by the roster */
    if (!publication->options->roster || (is_known && enrolment_by_id(people, id)))
        return;
    const struct person *person = enrolment_find(people, source_of(student), id, name);
    bool is_doubted = json_array_size(json_object_get(student, "doubts")) > 0;
    if (is_doubted && !enrolment_has_number(people, source_of(student), id, name))
        person = NULL; /* a namesake's: whoever looked closer was not sure */
    if (!person) {
        OWNED char *clean = text_clean(id, strnlen(id, 100), false);
        OWNED char *own = enrolment_strangers_id(people, id);
        fprintf(stderr, "warpbook: %s of the records is nobody of the roster\n", clean);
        json_object_set_new(student, "id", json_string(own));
        return;
    }
    json_object_set(student, "number", json_object_get(student, "id"));
    json_object_set_new(student, "id", json_string(person->id));
    if (*person->name)
        json_object_set_new(student, "name", json_string(person->name));
}

enum grader_status publish_again(struct publication *publication, const json_t *student,
                                 struct diag *diag) {
    json_t *dated = json_copy((json_t *)student), *lab; /* shallow, but for what changes */
    json_t *times = json_object(), *late = json_copy(json_object_get(student, "late"));
    size_t index;
    identify(publication, dated);
    json_object_update(times, json_object_get(student, "modified"));
    json_object_set_new(dated, "modified", times);
    json_array_foreach(json_object_get(student, "labs"), index, lab) {
        const char *name = record_text(lab, "name");
        const json_t *from = json_object_get(json_object_get(student, "handed_in_by"), name);
        time_t handed =
            publish_handed(publication, record_text(dated, "id"), json_string_value(from), name);
        if (handed == 0)
            continue;
        json_object_set_new(times, name, handed_in_json(handed));
        while (json_array_remove(late, record_index(late, name)) == 0)
            ; /* in whatever number it is there */
    }
    json_object_set_new(dated, "late", late ? late : json_array());
    enum grader_status status = publish_student(publication, dated, diag);
    json_decref(dated);
    return status;
}

enum grader_status publish_labs(struct publication *publication, const char *id, const json_t *labs,
                                struct diag *diag) {
    json_t *student = json_pack("{s:s, s:s, s:O}", "id", id, "name", id, "labs", labs);
    if (!student)
        abort();
    enum grader_status status = publish_again(publication, student, diag);
    json_decref(student);
    return status;
}

/* Writes one document, whole, to a file or to stdout (NULL). */
static enum grader_status write_one(const struct publication *publication,
                                    const struct scored_student *students, size_t n,
                                    const char *path, struct diag *diag) {
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        abort();
    enum grader_status status =
        publication->format->write(publication->course, publication->head, students, n, out, diag);
    if (fclose(out) != 0)
        abort();
    enum grader_status written = GRADER_OK;
    if (bytes > 0 && path) {
        written = file_write(path, text, bytes, diag);
    } else if (bytes > 0 && (fwrite(text, 1, bytes, stdout) != bytes || fflush(stdout) != 0)) {
        diag_set(diag, NULL, 0, "the report could not be written to standard output");
        written = GRADER_FAILED;
    }
    free(text);
    return written == GRADER_OK ? status : written;
}

/* An id as a file's name, of no other id's: what would be a path, or hidden, is written as in
 * addresses. The caller frees it. */
static char *file_name(const char *id) {
    char *name = text_format("%s", *id ? "" : "%");
    for (const char *at = id; *at; at++)
        text_add(&name, *at == '/' || *at == '%' || (at == id && *at == '.') ? "%%%02X" : "%c",
                 *at);
    return name;
}

/* A file a student in a folder. */
static enum grader_status write_each(const struct publication *publication, struct diag *diag) {
    const char *folder = publication->options->output;
    enum grader_status status = GRADER_OK;
    if (!folder) {
        diag_set(diag, NULL, 0,
                 "%s has one document a student, and there are %zu: name a folder by --output",
                 publication->format->name, publication->n);
        return GRADER_BAD_INPUT;
    }
    for (size_t i = 0; i < publication->n; i++) {
        const struct scored_student *student = &publication->students[i];
        OWNED char *name = file_name(student->id);
        OWNED char *path = text_format("%s/%s%s", folder, name, publication->format->suffix);
        enum grader_status one = write_one(publication, student, 1, path, diag);
        status = one > status ? one : status;
        if (one == GRADER_BAD_INPUT)
            break;
    }
    return status;
}

enum grader_status publish_end(struct publication *publication, struct diag *diag) {
    struct scored_student *students = publication->students;
    if (publication->n == 0) {
        diag_set(diag, NULL, 0, "there is no student to report on");
        return GRADER_BAD_INPUT;
    }
    scored_level(students, publication->n);
    const char *output = publication->options->output;
    bool is_folder = publication->n != 1 || (output && file_is_directory(output));
    enum grader_status status =
        is_folder && !publication->format->is_of_class
            ? write_each(publication, diag)
            : write_one(publication, students, publication->n, output, diag);
    if (status == GRADER_FAILED && !diag->message[0])
        diag_set(diag, NULL, 0,
                 "something could not be graded, by no fault of the code; the report has no points "
                 "for it");
    return status;
}

void publish_finish(struct publication *publication) {
    for (size_t i = 0; i < publication->n; i++)
        scored_finish(&publication->students[i]);
    free(publication->students);
    json_decref(publication->head);
    course_free(publication->course);
    dates_finish(&publication->dates);
    enrolment_finish(&publication->enrolment);
    targets_finish(&publication->labs);
    *publication = (struct publication){0};
}
