/* What a student's sheet says, in its order: who and how many points, what to do next, and lab by
 * lab the rules, what failed by its causes, hints, and what passed. */
#include "grader/report/sheet/sheet.h"

#include <ctype.h>
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

/* How a lab ended, in a word: what is not there has no verdict of its own. */
static const char *verdict_words(const struct scored_lab *lab) {
    return lab->is_handed_in ? lab->verdict : "not handed in";
}

/* True where nothing else is wrong with a lab than that it is not written yet, or not there. */
static bool is_waiting(const struct scored_lab *lab) {
    for (size_t i = 0; i < lab->n_tests && lab->is_handed_in; i++) {
        if (has_failed(&lab->tests[i]) && !lab->tests[i].is_waiting)
            return false;
    }
    return true;
}

static const char *mark_of(const struct scored_lab *lab) {
    return lab->outcome == SCORED_PASSED    ? "✓"
           : lab->outcome == SCORED_SKIPPED ? "–"
           : !lab->is_graded                ? "!"
           : is_waiting(lab)                ? "○"
                                            : "✗";
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
        item(sheet, "%s Lab %.2s · %s: %s, %s", mark_of(lab), lab->name, lab->title,
             verdict_words(lab), own);
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
        OWNED char *command =
            text_format("./warpbook check %.2s%s%s", lab->name, test->is_waiting ? "" : " --test ",
                        test->is_waiting ? "" : name);
        if (test->is_waiting)
            paragraph(sheet, "Begin with lab %.2s: %s At home:", lab->name, test->message);
        else
            paragraph(sheet, "Begin with lab %.2s, %s (%s)%s At home:", lab->name, test->name,
                      test->verdict,
                      lab->n_causes > 1 ? ": what else failed may follow from it." : ".");
        sheet->form->command(sheet->document, command);
        return true;
    }
    if (lab->has_tests || !has_failed(&lab->tests[0]) || lab->tests[0].outcome == SCORED_OURS)
        return false;
    OWNED char *command = text_format("./warpbook check %.2s", lab->name);
    paragraph(sheet, "Begin with lab %.2s: %s. At home:", lab->name, verdict_words(lab));
    sheet->form->command(sheet->document, command);
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

static size_t tier_bytes(const struct scored_test *test) {
    size_t bytes = strcspn(test->name, ".");
    return test->name[bytes] ? bytes : 0;
}

/* True where two tests are told of in one line: of one tier, and there is the same to say. */
static bool are_together(const struct scored_test *a, const struct scored_test *b) {
    size_t bytes = tier_bytes(a);
    if (bytes == 0 || bytes != tier_bytes(b) || strncmp(a->name, b->name, bytes) != 0)
        return a == b;
    if (a->cause != b->cause || a->is_elsewhere != b->is_elsewhere ||
        (a->max_points == 0) != (b->max_points == 0))
        return false;
    return a->cause > 0 || (a->outcome == b->outcome &&
                            (a->outcome != SCORED_SKIPPED || strcmp(a->message, b->message) == 0));
}

/* One line for the tests that belong to the first of them: their names, and their points or why
 * they were skipped. */
static void together(const struct sheet *sheet, const struct scored_lab *lab,
                     const struct scored_test *first) {
    size_t bytes = tier_bytes(first), n = 0;
    points_t points = 0, max_points = 0;
    OWNED char *names = NULL;
    for (const struct scored_test *test = first; test < lab->tests + lab->n_tests; test++) {
        if (!are_together(first, test))
            continue;
        const char *name = bytes          ? test->name + bytes + 1
                           : *test->claim ? test->claim /* of several that are not shown */
                                          : test->name;
        text_add(&names, "%s%s", n ? ", " : "", name);
        points += test->points;
        max_points += test->max_points;
        n++;
    }
    OWNED char *words = points_words(lab->is_graded, points, max_points);
    bool is_skipped = first->outcome == SCORED_SKIPPED, is_uncounted = first->max_points == 0;
    item(sheet, "%.*s%s%s%s: %s%s", (int)bytes, first->name,
         n > 1   ? ": "
         : bytes ? "."
                 : "",
         names, first->is_elsewhere ? " (likewise, perhaps in another place)" : "",
         is_skipped ? first->message : words,
         is_skipped || !is_uncounted ? ""
         : n > 1                     ? " (the course does not count these tests)"
                                     : " (the course does not count this test)");
}

/* The tests that failed by a cause; of no cause (0), those that ended so. */
static void tests_of(const struct sheet *sheet, const struct scored_lab *lab, size_t cause,
                     enum scored_outcome outcome) {
    list(sheet, true);
    for (size_t i = 0; i < lab->n_tests; i++) {
        const struct scored_test *test = &lab->tests[i];
        bool is_first = test->cause == cause && (cause > 0 || test->outcome == outcome);
        for (size_t k = 0; k < i && is_first; k++)
            is_first = !are_together(&lab->tests[k], test);
        if (is_first)
            together(sheet, lab, test);
    }
    list(sheet, false);
}

static size_t count_tests(const struct scored_lab *lab, size_t cause) {
    size_t n = 0;
    for (size_t i = 0; i < lab->n_tests; i++)
        n += lab->tests[i].cause == cause;
    return n;
}

static void cause_heading(const struct sheet *sheet, const struct scored_test *test) {
    bool is_ours = test->outcome == SCORED_OURS;
    if (test->is_waiting && *test->message)
        heading(sheet, 3, SHEET_WAITING, "○ %s", test->message);
    else
        heading(sheet, 3, is_ours ? SHEET_WAITING : SHEET_BAD, "%s %s: %s", is_ours ? "!" : "✗",
                test->name, test->verdict);
    if (is_ours)
        paragraph(sheet, "This could not be judged, by no fault of your code.");
}

/* A piece's label as the beginning of a sentence. */
static char *label_words(const struct piece *piece) {
    char *words = text_format("%s", piece->label);
    *words = (char)toupper((unsigned char)*words);
    return words;
}

/* What is said of a failed test. */
static void pieces(const struct sheet *sheet, const struct pieces *pieces) {
    for (size_t i = 0; i < pieces->n; i++) {
        const struct piece *piece = &pieces->items[i];
        OWNED char *label = label_words(piece);
        if (piece->kind == PIECE_COMMAND || !*piece->text)
            sheet->form->labelled(sheet->document, label, "");
        else if (piece->kind == PIECE_TEXT && *label)
            sheet->form->labelled(sheet->document, label, piece->text);
        else if (piece->kind == PIECE_TEXT)
            paragraph(sheet, "%s", piece->text);
        if (piece->kind == PIECE_LINES)
            sheet->form->verbatim(sheet->document, piece->text);
        else if (piece->kind == PIECE_COMMAND)
            sheet->form->command(sheet->document, piece->text);
    }
}

static void cause(const struct sheet *sheet, const struct scored_lab *lab, size_t number) {
    const struct scored_test *test = teller(lab, number);
    if (!test)
        return;
    cause_heading(sheet, test);
    if (!test->is_waiting) {
        if (*test->claim)
            paragraph(sheet, "Tested here: %s.", test->claim);
        pieces(sheet, &test->pieces);
    }
    size_t n = count_tests(lab, number);
    if (n > 1)
        paragraph(sheet, "%zu tests failed so:", n);
    tests_of(sheet, lab, number, test->outcome);
}

/* Where no test ran, why. */
static void refusal(const struct sheet *sheet, const struct scored_lab *lab) {
    const struct scored_test *test = &lab->tests[0];
    if (lab->is_handed_in)
        heading(sheet, 3, test->outcome == SCORED_OURS ? SHEET_WAITING : SHEET_BAD, "%s %s",
                test->outcome == SCORED_OURS ? "!" : "✗", test->verdict);
    pieces(sheet, &test->pieces);
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
    tests_of(sheet, lab, 0, outcome);
    sheet->form->fold(sheet->document, summary, false);
}

/* What was handed in, without the folder that Moodle or Gradescope makes for each student. */
static const char *own_path(const char *path) {
    static const char gradescopes[] = "submission_";
    const char *slash = strchr(path, '/'), *moodles = strstr(path, "_assignsubmission_");
    bool is_systems = (moodles && slash && moodles < slash) ||
                      strncmp(path, gradescopes, strlen(gradescopes)) == 0;
    return is_systems && slash && slash[1] ? slash + 1 : path;
}

static void lab_part(const struct sheet *sheet, const struct scored_lab *lab) {
    OWNED char *points = points_words(lab->is_graded, lab->points, lab->max_points);
    heading(sheet, 2, SHEET_PLAIN, "Lab %.2s · %s", lab->name, lab->title);
    sheet->form->points(sheet->document, points);
    if (lab->is_handed_in && *lab->source)
        paragraph(sheet, "File: %s", own_path(lab->source));
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
