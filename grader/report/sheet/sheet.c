/* What a student's sheet says, in its order: who and how many points, what to do next, and lab by
 * lab the rules, what failed by its causes, hints, and what passed. */
#include "grader/report/sheet/sheet.h"

#include <stdarg.h>
#include <string.h>

#include "common/base/text.h"

struct sheet {
    const struct sheet_form *form;
    void *document;
    const struct scored_student *student;
};

static void __attribute__((format(printf, 2, 3)))
paragraph(const struct sheet *sheet, const char *format, ...) {
    va_list args;
    va_start(args, format);
    OWNED char *text = text_vformat(format, args);
    va_end(args);
    sheet->form->paragraph(sheet->document, text);
}

static void __attribute__((format(printf, 2, 3)))
item(const struct sheet *sheet, const char *format, ...) {
    va_list args;
    va_start(args, format);
    OWNED char *text = text_vformat(format, args);
    va_end(args);
    sheet->form->item(sheet->document, text);
}

static void __attribute__((format(printf, 4, 5)))
heading(const struct sheet *sheet, unsigned level, enum sheet_tone tone, const char *format, ...) {
    va_list args;
    va_start(args, format);
    OWNED char *text = text_vformat(format, args);
    va_end(args);
    sheet->form->heading(sheet->document, level, tone, text);
}

static void list(const struct sheet *sheet, bool is_begin) {
    sheet->form->list(sheet->document, is_begin);
}

/* Each line of a text as an item. */
static void lines(const struct sheet *sheet, const char *text) {
    size_t bytes;
    const char *line;
    list(sheet, true);
    for (unsigned i = 1; (line = text_line(text, i, &bytes)); i++) {
        if (bytes > 0)
            item(sheet, "%.*s", (int)bytes, line);
    }
    list(sheet, false);
}

/* "12 of 20 points", or that nobody knows. */
static char *points_words(bool is_graded, points_t points, points_t max_points) {
    OWNED char *got = points_text(points), *all = points_text(max_points);
    return is_graded ? text_format("%s of %s points", got, all) : text_format("not graded");
}

static bool has_failed(const struct scored_test *test) {
    return test->outcome != SCORED_PASSED && test->outcome != SCORED_SKIPPED;
}

/* The test that tells of a cause; NULL where no test has it. */
static const struct scored_test *teller(const struct scored_lab *lab, size_t cause) {
    for (size_t i = 0; i < lab->n_tests; i++) {
        if (lab->tests[i].cause == cause && lab->tests[i].tells)
            return &lab->tests[i];
    }
    return NULL;
}

static void opening(const struct sheet *sheet, const struct course *course) {
    const struct scored_student *student = sheet->student;
    bool is_named = *student->name && strcmp(student->id, student->name) != 0;
    OWNED char *points = points_words(student->is_graded, student->points, student->max_points);
    heading(sheet, 1, SHEET_PLAIN, "Feedback%s%s", course->title ? ": " : "",
            course->title ? course->title : "");
    paragraph(sheet, "%s%s%s%s", is_named ? student->name : student->id, is_named ? " (" : "",
              is_named ? student->id : "", is_named ? ")" : "");
    sheet->form->points(sheet->document, points);
    if (!student->is_graded)
        paragraph(sheet, "Something could not be graded, by no fault of your code. Nobody loses "
                         "points by that: it has to be graded again, and until then there is no "
                         "total.");
    list(sheet, true);
    for (size_t i = 0; i < student->n_labs; i++) {
        const struct scored_lab *lab = &student->labs[i];
        OWNED char *own = points_words(lab->is_graded, lab->points, lab->max_points);
        item(sheet, "Lab %.2s · %s: %s, %s", lab->name, lab->title, lab->verdict, own);
    }
    list(sheet, false);
}

static void notes(const struct sheet *sheet) {
    size_t index;
    json_t *note;
    if (json_array_size(sheet->student->notes) == 0)
        return;
    heading(sheet, 2, SHEET_PLAIN, "About the files that you handed in");
    list(sheet, true);
    json_array_foreach(sheet->student->notes, index, note)
        item(sheet, "%s", json_is_string(note) ? json_string_value(note) : "");
    list(sheet, false);
}

/* The first failure of a lab that can be mended, and how to see it at home; false where there is
 * none. */
static bool step_in(const struct sheet *sheet, const struct scored_lab *lab) {
    for (size_t cause = 1; cause <= lab->n_causes; cause++) {
        const struct scored_test *test = teller(lab, cause);
        if (!test || test->outcome == SCORED_OURS)
            continue;
        OWNED char *name = text_quote(test->name);
        OWNED char *command = text_format("./warpbook check %.2s --test %s", lab->name, name);
        paragraph(sheet, "Begin with lab %.2s, %s (%s)%s At home:", lab->name, test->name,
                  test->verdict,
                  lab->n_causes > 1 ? ": what else failed may follow from it." : ".");
        sheet->form->verbatim(sheet->document, command);
        return true;
    }
    if (lab->has_tests || !has_failed(&lab->tests[0]) || lab->tests[0].outcome == SCORED_OURS)
        return false;
    OWNED char *command = text_format("./warpbook check %.2s", lab->name);
    paragraph(sheet, "Begin with lab %.2s: %s. At home:", lab->name, lab->verdict);
    sheet->form->verbatim(sheet->document, command);
    return true;
}

/* What was handed in comes before what was not. */
static void next_step(const struct sheet *sheet) {
    const struct scored_student *student = sheet->student;
    bool is_passed = student->n_labs > 0;
    for (size_t i = 0; i < student->n_labs; i++)
        is_passed &= student->labs[i].outcome == SCORED_PASSED;
    heading(sheet, 2, SHEET_PLAIN, "Next step");
    for (int is_missing = 0; is_missing < 2; is_missing++) {
        for (size_t i = 0; i < student->n_labs; i++) {
            const struct scored_lab *lab = &student->labs[i];
            if (lab->is_handed_in == !is_missing && step_in(sheet, lab))
                return;
        }
    }
    paragraph(sheet, is_passed ? "None: all that you handed in passed."
                               : "Nothing that is shown here is yours to mend.");
}

/* "12 of 20 points", and why it may be of none. */
static char *test_points(const struct scored_lab *lab, const struct scored_test *test) {
    OWNED char *points = points_words(lab->is_graded, test->points, test->max_points);
    return text_format("%s%s", points,
                       test->max_points == 0 ? " (the course does not count this test)" : "");
}

/* Points of the tests that a cause hit. */
static void tests_of(const struct sheet *sheet, const struct scored_lab *lab, size_t cause) {
    list(sheet, true);
    for (size_t i = 0; i < lab->n_tests; i++) {
        const struct scored_test *test = &lab->tests[i];
        if (test->cause != cause)
            continue;
        OWNED char *points = test_points(lab, test);
        item(sheet, "%s%s%s%s: %s", test->name, *test->claim ? ", " : "", test->claim,
             test->is_elsewhere ? " (likewise, perhaps in another place)" : "", points);
    }
    list(sheet, false);
}

static void cause(const struct sheet *sheet, const struct scored_lab *lab, size_t number) {
    const struct scored_test *test = teller(lab, number);
    if (!test)
        return;
    bool is_ours = test->outcome == SCORED_OURS;
    heading(sheet, 3, is_ours ? SHEET_WAITING : SHEET_BAD, "%s %s: %s", is_ours ? "!" : "✗",
            test->name, test->verdict);
    if (is_ours)
        paragraph(sheet, "This could not be judged, by no fault of your code.");
    if (*test->message)
        sheet->form->verbatim(sheet->document, test->message);
    tests_of(sheet, lab, number);
}

/* Where no test ran, why. */
static void refusal(const struct sheet *sheet, const struct scored_lab *lab) {
    const struct scored_test *test = &lab->tests[0];
    heading(sheet, 3, test->outcome == SCORED_OURS ? SHEET_WAITING : SHEET_BAD, "%s",
            test->verdict);
    if (*test->message)
        sheet->form->verbatim(sheet->document, test->message);
}

/* What failed and is shown as one, without a cause. */
static void hidden(const struct sheet *sheet, const struct scored_lab *lab) {
    for (size_t i = 0; i < lab->n_tests; i++) {
        const struct scored_test *test = &lab->tests[i];
        if (!has_failed(test) || test->cause > 0)
            continue;
        OWNED char *points = points_words(lab->is_graded, test->points, test->max_points);
        heading(sheet, 3, SHEET_BAD, "%s: %s", test->claim, test->verdict);
        paragraph(sheet, "Together: %s.", points);
    }
}

static void folded(const struct sheet *sheet, const struct scored_lab *lab,
                   enum scored_outcome outcome, const char *what) {
    size_t n = 0;
    for (size_t i = 0; i < lab->n_tests; i++)
        n += lab->tests[i].outcome == outcome;
    if (n == 0)
        return;
    OWNED char *summary = text_format("%s (%zu)", what, n);
    sheet->form->fold(sheet->document, summary, true);
    list(sheet, true);
    for (size_t i = 0; i < lab->n_tests; i++) {
        const struct scored_test *test = &lab->tests[i];
        if (test->outcome != outcome)
            continue;
        OWNED char *points = test_points(lab, test);
        item(sheet, "%s%s%s: %s", test->name, *test->claim ? ", " : "", test->claim,
             outcome == SCORED_SKIPPED ? test->message : points);
    }
    list(sheet, false);
    sheet->form->fold(sheet->document, summary, false);
}

static void lab_part(const struct sheet *sheet, const struct scored_lab *lab) {
    OWNED char *points = points_words(lab->is_graded, lab->points, lab->max_points);
    heading(sheet, 2, SHEET_PLAIN, "Lab %.2s · %s", lab->name, lab->title);
    sheet->form->points(sheet->document, points);
    if (lab->is_handed_in && *lab->source)
        paragraph(sheet, "File: %s", lab->source);
    if (!lab->is_graded)
        paragraph(sheet, "This lab could not be graded, by no fault of your code: it has to be "
                         "graded again.");
    else if (lab->rules)
        lines(sheet, lab->rules);
    if (lab->has_tests) {
        for (size_t i = 1; i <= lab->n_causes; i++)
            cause(sheet, lab, i);
        hidden(sheet, lab);
    } else {
        refusal(sheet, lab);
    }
    if (*lab->hints) {
        heading(sheet, 3, SHEET_PLAIN, "Hints");
        lines(sheet, lab->hints);
    }
    if (lab->has_tests) {
        folded(sheet, lab, SCORED_PASSED, "Passed");
        folded(sheet, lab, SCORED_SKIPPED, "Could not run here, and counts for nothing");
    }
}

void sheet_write(const struct sheet_form *form, const struct course *course,
                 const struct scored_student *student, FILE *out) {
    OWNED char *title = text_format("Feedback for %s", student->id);
    const struct sheet sheet = {form, form->begin(out, title), student};
    opening(&sheet, course);
    next_step(&sheet);
    notes(&sheet);
    for (size_t i = 0; i < student->n_labs; i++)
        lab_part(&sheet, &student->labs[i]);
    form->end(sheet.document);
}
