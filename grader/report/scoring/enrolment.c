/* Reads the table by its headings, and looks for people in it. */
#include "grader/report/scoring/enrolment.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/grow.h"
#include "common/base/text.h"
#include "grader/report/scoring/handed_in.h"
#include "grader/report/scoring/table.h"

enum { MAX_EXTRA_DAYS = 1000, DAY_S = 86400 };

/* The columns that hold a text, by their headings. */
static const struct {
    const char *headings;
    size_t member;
} columns[] = {
    {"id|student id|student|sid|id number|sis user id|username", offsetof(struct person, id)},
    {"name|full name|student name", offsetof(struct person, name)},
    {"email|e-mail|email address", offsetof(struct person, email)},
    {"section", offsetof(struct person, section)},
    {"login|sis login id", offsetof(struct person, login)},
    {"canvas|canvas id|canvas user id", offsetof(struct person, canvas)},
    {"moodle|moodle participant|participant|identifier", offsetof(struct person, moodle)},
    {"last modified (grade)", offsetof(struct person, graded)},
    {"group|team", offsetof(struct person, group)},
};

enum { N_COLUMNS = sizeof columns / sizeof *columns };

static char **member_of(struct person *person, size_t column) {
    return (char **)((char *)person + columns[column].member);
}

/* What is allowed beyond the due dates; false with a sentence. */
static bool read_extension(const struct table *table, const struct table_row *row,
                           struct person *person, struct diag *diag) {
    int days = table_column(table, "extra days|extra_days|extension");
    int until = table_column(table, "until|extended until|due");
    const char *n = days < 0 ? "" : table_cell(row, (size_t)days);
    const char *when = until < 0 ? "" : table_cell(row, (size_t)until);
    char *end = NULL;
    person->extra_days = *n ? strtod(n, &end) : 0;
    person->until = *when ? handed_in_time(when) : 0;
    if (*n && (*end || !(person->extra_days >= 0) || person->extra_days > MAX_EXTRA_DAYS)) {
        diag_set(diag, NULL, 0, "extra days are a number from 0 to %d, not '%.40s'", MAX_EXTRA_DAYS,
                 n);
        return false;
    }
    if (*when && person->until <= 0) {
        diag_set(diag, NULL, 0, "until wants a time such as 2026-11-21 23:59, not '%.40s'", when);
        return false;
    }
    return true;
}

/* Moodle writes "Participant 123", in whatever language: the numbers count. */
static void keep_numbers(char *text) {
    size_t n = 0;
    for (const char *c = text; *c; c++) {
        bool is_digit = isdigit((unsigned char)*c);
        if (is_digit || (n > 0 && text[n - 1] != ' '))
            text[n++] = (char)(is_digit ? *c : ' ');
    }
    text[n] = '\0';
}

static void free_person(struct person *person) {
    for (size_t i = 0; i < N_COLUMNS; i++)
        free(*member_of(person, i));
}

/* Reads a row; false with a sentence. */
static bool read_row(const struct table *table, const struct table_row *row,
                     struct enrolment *enrolment, struct diag *diag) {
    struct person person = {0};
    for (size_t i = 0; i < N_COLUMNS; i++) {
        int column = table_column(table, columns[i].headings);
        *member_of(&person, i) =
            text_format("%s", column < 0 ? "" : table_cell(row, (size_t)column));
    }
    keep_numbers(person.moodle);
    bool ok = read_extension(table, row, &person, diag);
    if (ok && !*person.id) { /* Moodle's worksheet may have none */
        free(person.id);
        person.id = text_format("%s", *person.email ? person.email : person.moodle);
    }
    if (ok && !*person.id) {
        diag_set(diag, NULL, 0, "a person wants an id, or an e-mail address");
        ok = false;
    }
    for (size_t i = 0; ok && i < enrolment->n; i++) {
        const struct person *other = &enrolment->people[i];
        bool is_mail = *person.email && strcasecmp(other->email, person.email) == 0;
        bool is_canvas = *person.canvas && strcmp(other->canvas, person.canvas) == 0;
        ok = strcmp(other->id, person.id) != 0 && !is_mail && !is_canvas;
        if (!ok)
            diag_set(diag, NULL, 0, "the %s is that of %s, too",
                     is_mail     ? "address"
                     : is_canvas ? "Canvas id"
                                 : "id",
                     other->id);
    }
    if (ok) {
        enrolment->people = grow_list(enrolment->people, enrolment->n, sizeof *enrolment->people);
        enrolment->people[enrolment->n++] = person;
    } else {
        free_person(&person);
    }
    return ok;
}

enum grader_status enrolment_read(const char *path, struct enrolment *enrolment,
                                  struct diag *diag) {
    OWNED_BY(table_finish) struct table table;
    struct diag problem = {0};
    *enrolment = (struct enrolment){0};
    enum grader_status status = table_read(path, &table, diag);
    if (status != GRADER_OK)
        return status;
    if (table_column(&table, columns[0].headings) < 0 &&
        table_column(&table, "identifier|email|email address") < 0) {
        diag_set(diag, path, 1,
                 "a roster begins with a line of headings: id, and of name, email, section, "
                 "moodle, canvas, group, extra days, until those that there are");
        return GRADER_BAD_INPUT;
    }
    enrolment->has_canvas = table_column(&table, "canvas|canvas id|canvas user id") >= 0;
    for (size_t i = 1; i < table.n; i++) {
        if (read_row(&table, &table.rows[i], enrolment, &problem))
            continue;
        diag_set(diag, path, table.rows[i].line, "%s", problem.message);
        return GRADER_BAD_INPUT;
    }
    if (enrolment->n > 0)
        return GRADER_OK;
    diag_set(diag, path, 0, "the roster has nobody in it");
    return GRADER_BAD_INPUT;
}

void enrolment_finish(struct enrolment *enrolment) {
    for (size_t i = 0; i < enrolment->n; i++)
        free_person(&enrolment->people[i]);
    free(enrolment->people);
    *enrolment = (struct enrolment){0};
}

/* True where one of the words, between blanks, is this. */
static bool has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words; length > 0 && (at = strstr(at, word)); at++) {
        if ((at == words || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return true;
    }
    return false;
}

/* Counts the bytes of a name that are no blanks or signs; small letters as large ones. */
static size_t count_letters(const char *name, unsigned counts[256]) {
    size_t n = 0;
    memset(counts, 0, 256 * sizeof *counts);
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        if (!isalnum(c) && c < 0x80)
            continue;
        counts[toupper(c)]++;
        n++;
    }
    return n;
}

/* True where two names have the same letters: "Doe, Jane", "doejane", "Jane Doe". */
static bool are_alike(const char *one, const char *other) {
    unsigned counts[2][256];
    size_t n = count_letters(one, counts[0]);
    return n > 0 && count_letters(other, counts[1]) == n &&
           memcmp(counts[0], counts[1], sizeof counts[0]) == 0;
}

/* The same of a name that Moodle may have put a group's before: "Group A-Jane Doe". */
static bool is_named(const struct person *person, const char *name) {
    for (const char *at = name; at; at = strchr(at, '-') ? strchr(at, '-') + 1 : NULL) {
        if (are_alike(person->name, at))
            return true;
    }
    return false;
}

static bool is_mail(const struct person *person, const char *id) {
    return *id && strcasecmp(person->email, id) == 0;
}

/* Whether the id alone is the person's, as a system knows it. */
static bool has_id(const struct enrolment *enrolment, enum enrolment_source source,
                   const struct person *person, const char *id, const char *name) {
    bool is_own = strcmp(person->id, id) == 0;
    bool is_others = is_mail(person, id) || (*id && strcasecmp(person->login, id) == 0);
    bool is_canvas = has_word(person->canvas, id);
    bool is_moodle =
        has_word(person->moodle, id) && (!*person->name || is_named(person, name) ||
                                         strncmp(name, "Participant", strlen("Participant")) == 0);
    switch (source) {
    case ENROLMENT_CANVAS:
        return enrolment->has_canvas ? is_canvas : is_own && is_named(person, name);
    case ENROLMENT_MOODLE:
        return is_moodle;
    case ENROLMENT_OTHER:
        return is_own || is_others;
    default:
        is_own &= !*person->name || strcmp(id, name) == 0 || is_named(person, name);
        return is_own || is_others || is_canvas || is_moodle;
    }
}

/* Whether a name is enough: never for whom the table has another number of that system. */
static bool is_by_name(enum enrolment_source source, const struct person *person, const char *id,
                       const char *name) {
    bool is_all = !*id || strcmp(id, name) == 0; /* a folder's name is both */
    bool is_enough =
        source == ENROLMENT_CANVAS ? !*person->canvas : source == ENROLMENT_MOODLE || is_all;
    return is_enough && is_named(person, name);
}

const struct person *enrolment_find(const struct enrolment *enrolment, enum enrolment_source source,
                                    const char *id, const char *name) {
    const struct person *found[2] = {NULL};
    size_t n[2] = {0};
    for (size_t i = 0; i < enrolment->n; i++) {
        const struct person *person = &enrolment->people[i];
        if (has_id(enrolment, source, person, id, name)) {
            found[0] = person;
            n[0]++;
        }
        if (is_by_name(source, person, id, name)) {
            found[1] = person;
            n[1]++;
        }
    }
    return n[0] == 1 ? found[0] : n[0] == 0 && n[1] == 1 ? found[1] : NULL;
}

bool enrolment_has_number(const struct enrolment *enrolment, enum enrolment_source source,
                          const char *id, const char *name) {
    bool found = false;
    for (size_t i = 0; i < enrolment->n; i++)
        found |= has_id(enrolment, source, &enrolment->people[i], id, name);
    return found;
}

const struct person *enrolment_by_id(const struct enrolment *enrolment, const char *id) {
    return find_in_list(id, enrolment->people, enrolment->n, sizeof *enrolment->people);
}

char *enrolment_strangers_id(const struct enrolment *enrolment, const char *id) {
    bool is_taken = enrolment && enrolment_by_id(enrolment, id);
    return text_format("%s%s", id, is_taken ? " (not of the roster)" : "");
}

time_t person_extension(const struct person *person, time_t due) {
    if (!person || due == 0)
        return 0;
    time_t by_days = (time_t)(person->extra_days * DAY_S);
    time_t by_date = person->until > due ? person->until - due : 0;
    return by_days > by_date ? by_days : by_date;
}
