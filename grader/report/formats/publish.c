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
    return publication->course ? read_dates(publication, book, diag) : GRADER_BAD_INPUT;
}

time_t publish_handed(const struct publication *publication, const char *student, const char *lab) {
    return publication->handed ? publication->handed
                               : dates_find(&publication->dates, student, lab);
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

enum grader_status publish_student(struct publication *publication, const json_t *student,
                                   struct diag *diag) {
    const struct scoring scoring = {
        .course = publication->course,
        .labs = &publication->labs,
        .is_shown_by_the_format = publication->format->shows_tests,
        .is_for_teachers = publication->format->is_for_teachers,
        .now = time(NULL),
    };
    const json_t *labs = json_object_get(student, "labs");
    publication->students =
        grow_list(publication->students, publication->n, sizeof *publication->students);
    struct scored_student *added = &publication->students[publication->n];
    char *id = unique_id(publication, record_text(student, "id"));
    enum grader_status status = scored_student(&scoring, id, record_text(student, "name"), labs,
                                               json_object_get(student, "modified"),
                                               json_object_get(student, "late"), added, diag);
    added->notes = json_incref(json_object_get(student, "notes"));
    publication->n++;
    free(id);
    return status;
}

enum grader_status publish_again(struct publication *publication, const json_t *student,
                                 struct diag *diag) {
    json_t *dated = json_copy((json_t *)student), *lab; /* shallow, but for what changes */
    json_t *times = json_object(), *late = json_copy(json_object_get(student, "late"));
    size_t index;
    json_object_update(times, json_object_get(student, "modified"));
    json_object_set_new(dated, "modified", times);
    json_array_foreach(json_object_get(student, "labs"), index, lab) {
        const char *name = record_text(lab, "name");
        time_t handed = publish_handed(publication, record_text(student, "id"), name);
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
        OWNED char *name = text_replace(student->id, "/", "_");
        bool is_dots = strspn(name, ".") == strlen(name);
        OWNED char *path =
            text_format("%s/%s%s%s", folder, is_dots ? "_" : "", name, publication->format->suffix);
        enum grader_status one = write_one(publication, student, 1, path, diag);
        status = one > status ? one : status;
        if (one == GRADER_BAD_INPUT)
            break;
    }
    return status;
}

enum grader_status publish_end(struct publication *publication, struct diag *diag) {
    struct scored_student *students = publication->students;
    scored_level(students, publication->n);
    enum grader_status status =
        publication->n != 1 && !publication->format->is_of_class
            ? write_each(publication, diag)
            : write_one(publication, students, publication->n, publication->options->output, diag);
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
    targets_finish(&publication->labs);
    *publication = (struct publication){0};
}
