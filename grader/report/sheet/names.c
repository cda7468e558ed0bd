/*
 * Canvas splits a name at underscores, without LATE; the first part that is a number is the user,
 * the second the attachment that is commented on. Behind a first part "anon" come the student's
 * anonymous name and the attachment. Moodle wants a folder NAME_NUMBER_assignsubmission_file_.
 * Canvas has the attachment's number in the names of its export alone, so it is looked for in the
 * path that the graded file has there.
 */
#include "grader/report/sheet/names.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/report/formats/format.h"

/* How many bytes of a name Canvas reads up to the attachment's number and the underscore behind it,
 * where the user's number is this one; 0 where it would read another, or none. */
static size_t canvas_bytes(const char *name, size_t bytes, const char *user) {
    unsigned n_numbers = 0;
    for (size_t at = 0; at < bytes;) {
        size_t part = strcspn(name + at, "_/");
        if (at + part >= bytes || name[at + part] != '_')
            return 0;
        if (text_is_number(name + at, part)) {
            n_numbers++;
            if (n_numbers == 1 && (part != strlen(user) || strncmp(name + at, user, part) != 0))
                return 0;
            if (n_numbers == 2)
                return at + part + 1;
        }
        at += part + 1;
    }
    return 0;
}

/* The same of a name in an anonymous export, "LATE_anon_x1y2z_345_", of the student who is called
 * anon_x1y2z there. */
static size_t anonymous_bytes(const char *name, size_t bytes, const char *who) {
    static const char late[] = "LATE_";
    size_t n_who = strlen(who), at = strncmp(name, late, strlen(late)) == 0 ? strlen(late) : 0;
    if (strncmp(who, "anon_", strlen("anon_")) != 0 || strncmp(name + at, who, n_who) != 0 ||
        name[at + n_who] != '_')
        return 0;
    at += n_who + 1;
    size_t part = strspn(name + at, "0123456789");
    return part > 0 && name[at + part] == '_' && at + part < bytes ? at + part + 1 : 0;
}

/* The start of the name that Canvas gave a file of the student, whose number or anonymous name this
 * is; NULL where there is none. */
static char *canvas_start(const struct scored_student *student, const char *who) {
    for (size_t i = 0; i < student->n_labs; i++) {
        for (const char *at = student->labs[i].source; *at;
             at += strcspn(at, "/"), at += *at == '/') {
            size_t length = strcspn(at, "/");
            size_t bytes = text_is_number(who, strlen(who)) ? canvas_bytes(at, length, who)
                                                            : anonymous_bytes(at, length, who);
            if (bytes > 0)
                return text_format("%.*s", (int)bytes, at);
        }
    }
    return NULL;
}

/* A name without what means something to Moodle, to zips or to Windows. */
static char *plain_name(const char *name) {
    char *plain = text_clean(name, strlen(name), false);
    for (char *at = plain; *at; at++) {
        if (strchr("_/\\:*?\"<>|", *at))
            *at = ' ';
    }
    return plain;
}

enum names_taker names_start(const struct scored_student *student, size_t place, char **start) {
    const struct person *person = student->person;
    if (strcmp(student->system, "canvas") == 0) {
        const char *user = format_number(student, "canvas", person ? person->canvas : "");
        const char *called = student->number ? student->number : student->id;
        *start = canvas_start(student, *user ? user : called);
        if (*start)
            return NAMES_CANVAS;
    } else if (strcmp(student->system, "moodle") == 0) {
        const char *number = format_number(student, "moodle", person ? person->moodle : "");
        OWNED char *name = plain_name(student->name);
        *start = text_format("%s_%s_assignsubmission_file_/", name, number);
        if (*number)
            return NAMES_MOODLE;
        free(*start);
    }
    OWNED char *id = plain_name(student->id);
    *start = text_format("%zu %s/", place + 1, id);
    return NAMES_NOBODY;
}
