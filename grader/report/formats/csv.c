/*
 * Gradebooks as CSV (RFC 4180): a row a student, a column a lab. An empty cell is a lab that could
 * not be graded. A column that a system finds people by is empty where it is not known: none of
 * ours may be taken for somebody else's. Spreadsheets take a cell that begins with = + - or @ for a
 * formula, and students choose their names: such a name gets an apostrophe.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/text.h"
#include "grader/report/formats/format.h"

/* A row in the making. */
struct row {
    FILE *out;
    bool has_cells;
    bool has_people, has_mail, has_ids; /* anybody of the class: of a roster, an address, an id */
};

static void cell(struct row *row, const char *text, bool is_ours) {
    if (row->has_cells)
        fputc(',', row->out);
    row->has_cells = true;
    bool is_formula = !is_ours && *text && strchr("=+-@\t\r", *text);
    if (!is_formula && !text[strcspn(text, ",\"\r\n")]) {
        fputs(text, row->out);
        return;
    }
    fputc('"', row->out);
    if (is_formula)
        fputc('\'', row->out);
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            fputc('"', row->out);
        fputc(*c, row->out);
    }
    fputc('"', row->out);
}

static void text_cell(struct row *row, const char *text) {
    OWNED char *clean = text_clean(text, strlen(text), false);
    cell(row, clean, false);
}

static void points_cell(struct row *row, bool is_known, points_t points) {
    OWNED char *text = is_known ? points_text(points) : text_format("%s", "");
    cell(row, text, true);
}

static void end(struct row *row) {
    fputs("\r\n", row->out);
    row->has_cells = false;
}

static int by_name(const void *a, const void *b) {
    return strcmp((*(const struct scored_lab *const *)a)->name,
                  (*(const struct scored_lab *const *)b)->name);
}

/* The labs that anybody has, each once, by name; the caller frees the list. */
static const struct scored_lab **columns_of(const struct scored_student *students, size_t n,
                                            size_t *n_columns) {
    size_t room = 0;
    for (size_t i = 0; i < n; i++)
        room += students[i].n_labs;
    const struct scored_lab **columns = make_zeroed(room, sizeof *columns);
    *n_columns = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < students[i].n_labs; k++) {
            bool is_there = false;
            for (size_t c = 0; c < *n_columns; c++)
                is_there |= strcmp(columns[c]->name, students[i].labs[k].name) == 0;
            if (!is_there)
                columns[(*n_columns)++] = &students[i].labs[k];
        }
    }
    qsort(columns, *n_columns, sizeof *columns, by_name);
    return columns;
}

/* What a gradebook looks like around the labs. */
struct gradebook {
    const char *const *before, *const *after; /* headings, ending with NULL */
    bool has_possible;                        /* a row with what each lab is worth */
    void (*row_before)(struct row *row, const struct scored_student *student);
    bool (*is_known)(const struct row *row, const struct scored_student *student); /* or NULL */
};

static void headings(struct row *row, const char *const *names) {
    for (; *names; names++)
        cell(row, *names, true);
}

/* The id that the school itself gave, as far as that is known. */
static const char *school_id(const struct scored_student *student) {
    bool is_systems =
        strcmp(student->system, "canvas") == 0 || strcmp(student->system, "moodle") == 0;
    return student->person ? student->person->id : is_systems ? "" : student->id;
}

/* A row in the making, which knows what the class has. */
static struct row row_of(const struct scored_student *students, size_t n, FILE *out) {
    struct row row = {.out = out};
    for (size_t i = 0; i < n; i++) {
        row.has_people |= students[i].person != NULL;
        row.has_mail |= students[i].person && *students[i].person->email;
        row.has_ids |= *school_id(&students[i]) != '\0';
    }
    return row;
}

/* Leaves out whom the book's system would take for somebody else. */
static enum grader_status write_book(const struct gradebook *book,
                                     const struct scored_student *students, size_t n, FILE *out,
                                     struct diag *diag) {
    size_t n_columns, n_unknown = 0;
    const struct scored_lab **columns = columns_of(students, n, &n_columns);
    struct row row = row_of(students, n, out);
    bool is_graded = true;
    headings(&row, book->before);
    for (size_t c = 0; c < n_columns; c++)
        text_cell(&row, columns[c]->column);
    headings(&row, book->after);
    end(&row);
    if (book->has_possible) {
        cell(&row, "    Points Possible", true);
        for (size_t i = 1; book->before[i]; i++)
            cell(&row, "", true);
        for (size_t c = 0; c < n_columns; c++)
            points_cell(&row, true, columns[c]->max_points);
        end(&row);
    }
    for (size_t i = 0; i < n; i++) {
        if (book->is_known && !book->is_known(&row, &students[i])) {
            n_unknown++;
            continue;
        }
        book->row_before(&row, &students[i]);
        for (size_t c = 0; c < n_columns; c++) {
            const struct scored_lab *lab = scored_lab(&students[i], columns[c]->name);
            points_cell(&row, lab && lab->is_graded, lab ? lab->points : 0);
        }
        if (*book->after) {
            points_cell(&row, students[i].is_graded, students[i].points);
            points_cell(&row, true, students[i].max_points);
        }
        end(&row);
        is_graded &= students[i].is_graded;
    }
    free(columns);
    if (n_unknown > 0)
        diag_set(diag, NULL, 0,
                 "%zu of %zu students are left out, since their ids are not known: they are in no "
                 "row of "
                 "the roster, or there is none",
                 n_unknown, n);
    return is_graded && n_unknown == 0 ? GRADER_OK : GRADER_FAILED;
}

static void plain_row(struct row *row, const struct scored_student *student) {
    text_cell(row, student->id);
    text_cell(row, student->name);
}

static void enrolled_row(struct row *row, const struct scored_student *student) {
    plain_row(row, student);
    text_cell(row, student->person ? student->person->email : "");
    text_cell(row, student->person ? student->person->section : "");
}

FORMAT_WRITER(format_csv) {
    static const char *const before[] = {"student", "name", NULL};
    static const char *const enrolled[] = {"student", "name", "email", "section", NULL};
    static const char *const after[] = {"total", "out of", NULL};
    bool has_people = row_of(students, n, out).has_people;
    const struct gradebook book = {has_people ? enrolled : before, after, false,
                                   has_people ? enrolled_row : plain_row, NULL};
    return write_book(&book, students, n, out, diag);
}

/* Canvas looks for the ID (a number of its own), then for the SIS ids, then for the name: somebody
 * who is not in the roster must not be called like somebody who is. A name that says so is its row
 * of points instead. */
static void canvas_row(struct row *row, const struct scored_student *student) {
    const struct person *person = student->person;
    bool is_odd = strstr(student->name, "Points Possible") != NULL;
    OWNED char *name = text_format("%s%s", is_odd ? student->id : student->name,
                                   row->has_people && !person ? " (not of the roster)" : "");
    text_cell(row, name);
    if (!person && !*student->system)
        text_cell(row, student->id); /* of a document that does not say */
    else
        text_cell(row, format_number(student, "canvas", person ? person->canvas : ""));
    text_cell(row, *student->system || person ? school_id(student) : "");
    text_cell(row, person ? person->login : "");
    text_cell(row, person ? person->section : "");
}

FORMAT_WRITER(format_canvas) {
    static const char *const before[] = {"Student",      "ID",      "SIS User ID",
                                         "SIS Login ID", "Section", NULL};
    static const char *const after[] = {NULL};
    const struct gradebook book = {before, after, true, canvas_row, NULL};
    return write_book(&book, students, n, out, diag);
}

/* Moodle gives a row without the id or address by which it looks to the person of the row before.
 * So there is no row of who has neither, and in place of an address a sign that ends the import. */
static bool is_known_to_moodle(const struct row *row, const struct scored_student *student) {
    return student->person || (!row->has_people && (*school_id(student) || !row->has_ids));
}

static void moodle_row(struct row *row, const struct scored_student *student) {
    text_cell(row, school_id(student));
    text_cell(row, student->name);
    if (student->person && *student->person->email)
        text_cell(row, student->person->email);
    else
        cell(row, row->has_mail ? "-" : "", true);
}

FORMAT_WRITER(format_moodle) {
    static const char *const before[] = {"ID number", "Full name", "Email address", NULL};
    static const char *const after[] = {"Course total", "Maximum", NULL};
    const struct gradebook book = {before, after, false, moodle_row, is_known_to_moodle};
    return write_book(&book, students, n, out, diag);
}

/* Moodle's worksheet of one assignment: it takes a grade back by the participant's number, and
 * where it has one already only if that is not younger than the worksheet says. */
FORMAT_WRITER(format_moodle_worksheet) {
    static const char *const before[] = {"Identifier",    "Full name", "ID number", "Email address",
                                         "Maximum Grade", "Grade",     NULL};
    struct row row = {.out = out};
    size_t n_unknown = 0;
    bool is_graded = true;
    headings(&row, before);
    cell(&row, "Last modified (grade)", true);
    end(&row);
    for (size_t i = 0; i < n; i++) {
        const struct person *person = students[i].person;
        const char *number = format_number(&students[i], "moodle", person ? person->moodle : "");
        OWNED char *identifier = text_format("%s%s", *number ? "Participant " : "", number);
        cell(&row, identifier, true);
        text_cell(&row, students[i].name);
        text_cell(&row, school_id(&students[i]));
        text_cell(&row, person ? person->email : "");
        points_cell(&row, true, students[i].max_points);
        points_cell(&row, students[i].is_graded, students[i].points);
        cell(&row, person && *person->graded ? person->graded : "-", true);
        end(&row);
        n_unknown += !*number;
        is_graded &= students[i].is_graded;
    }
    if (n_unknown > 0)
        diag_set(diag, NULL, 0,
                 "of %zu of %zu students Moodle's number as a participant is not known, so that "
                 "Moodle will leave them out: give the worksheet that Moodle made, or a table with "
                 "a column moodle, by --roster",
                 n_unknown, n);
    return is_graded && n_unknown == 0 ? GRADER_OK : GRADER_FAILED;
}
