/* Points as fixed-point numbers; the schema of course.yaml, the checks that a schema cannot say,
 * and the rules that follow from the file. */
#include "grader/report/scoring/course.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/text.h"
#include "grader/report/scoring/handed_in.h"
#include "grader/report/text/render.h"
#include "grader/workbook/yaml.h"

enum { LARGEST = 1000000 };

bool points_read(double number, points_t *points) {
    if (!(number >= 0 && number <= LARGEST))
        return false;
    double scaled = number * POINTS_ONE;
    *points = llround(scaled);
    return fabs(scaled - (double)*points) < 1e-6;
}

char *points_text(points_t points) {
    long long size = llabs((long long)points), rest = size % POINTS_ONE;
    const char *sign = points < 0 ? "-" : "";
    if (rest == 0)
        return text_format("%s%lld", sign, size / POINTS_ONE);
    return rest % 10 == 0 ? text_format("%s%lld.%lld", sign, size / POINTS_ONE, rest / 10)
                          : text_format("%s%lld.%02lld", sign, size / POINTS_ONE, rest);
}

json_t *points_json(points_t points) {
    if (points % POINTS_ONE == 0)
        return json_integer(points / POINTS_ONE);
    return json_real((double)points / POINTS_ONE);
}

points_t points_share(points_t points, int64_t part, int64_t whole) {
    return whole > 0 ? (points * part * 2 + whole) / (whole * 2) : 0;
}

points_t points_round(points_t points, points_t step) {
    return (points * 2 + step) / (step * 2) * step;
}

enum { MAX_LABS = 256, MAX_TESTS = 1024, MAX_NAMES = 64, MOST_HINTS = 3, DAY_SECONDS = 86400 };

static const cyaml_strval_t show_words[] = {
    {"visible", COURSE_VISIBLE},
    {"hidden", COURSE_HIDDEN},
    {"after_due_date", COURSE_AFTER_DUE_DATE},
    {"after_published", COURSE_AFTER_PUBLISHED},
};
static const cyaml_strval_t board_words[] = {
    {"off", COURSE_OFF},
    {"names", COURSE_NAMES},
    {"pseudonyms", COURSE_PSEUDONYMS},
};
static const cyaml_strval_t reveal_words[] = {
    {"line", RENDER_LINE},
    {"kind", RENDER_KIND},
    {"edit", RENDER_EDIT},
};
static const cyaml_strval_t part_words[] = {
    {"case", RENDER_CASE},
    {"diagnosis", RENDER_DIAGNOSIS},
    {"findings", RENDER_FINDINGS},
    {"output", RENDER_OUTPUT},
};

#define COUNT(words) (sizeof words / sizeof *words)
#define OPTIONAL_TEXT(key, type)                                                                   \
    CYAML_FIELD_STRING_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, type, key, 1,           \
                           CYAML_UNLIMITED)
#define OPTIONAL_NUMBER(key, type)                                                                 \
    CYAML_FIELD_FLOAT_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, type, key)
#define OPTIONAL_LATE(type)                                                                        \
    CYAML_FIELD_MAPPING_PTR("late", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, type, late,          \
                            late_fields)
#define OPTIONAL_BOARD(type)                                                                       \
    CYAML_FIELD_ENUM_PTR("leaderboard",                                                            \
                         CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, type,       \
                         leaderboard, board_words, COUNT(board_words))
#define OPTIONAL_LIST(key, type, entry, most)                                                      \
    CYAML_FIELD_SEQUENCE_COUNT(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, type, key, n_##key, \
                               &entry, 0, most)

static const cyaml_schema_field_t late_fields[] = {
    CYAML_FIELD_FLOAT("percent_per_day", CYAML_FLAG_OPTIONAL, struct course_late, percent_per_day),
    CYAML_FIELD_FLOAT("grace_hours", CYAML_FLAG_OPTIONAL, struct course_late, grace_hours),
    OPTIONAL_NUMBER(cutoff_days, struct course_late),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t test_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct course_test, name, 1,
                           CYAML_UNLIMITED),
    OPTIONAL_NUMBER(points, struct course_test),
    CYAML_FIELD_ENUM_PTR("show", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT,
                         struct course_test, show, show_words, COUNT(show_words)),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t test_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct course_test, test_fields),
};
static const cyaml_schema_field_t lab_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct course_lab, name, 1, CYAML_UNLIMITED),
    OPTIONAL_TEXT(column, struct course_lab),
    OPTIONAL_NUMBER(points, struct course_lab),
    OPTIONAL_TEXT(due, struct course_lab),
    OPTIONAL_LATE(struct course_lab),
    OPTIONAL_BOARD(struct course_lab),
    OPTIONAL_LIST(tests, struct course_lab, test_schema, MAX_TESTS),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t lab_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct course_lab, lab_fields),
};
static const cyaml_schema_field_t course_fields[] = {
    OPTIONAL_TEXT(title, struct course),
    OPTIONAL_TEXT(handed_in, struct course),
    OPTIONAL_NUMBER(rounding, struct course),
    CYAML_FIELD_UINT("hints", CYAML_FLAG_OPTIONAL, struct course, hints),
    CYAML_FIELD_FLAGS("hidden", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, struct course, hidden,
                      part_words, COUNT(part_words)),
    CYAML_FIELD_ENUM("reveal", CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, struct course, reveal,
                     reveal_words, COUNT(reveal_words)),
    OPTIONAL_LATE(struct course),
    OPTIONAL_BOARD(struct course),
    OPTIONAL_LIST(tests, struct course, test_schema, MAX_TESTS),
    OPTIONAL_LIST(labs, struct course, lab_schema, MAX_LABS),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t course_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct course, course_fields),
};

/* What is checked, and where errors go. */
struct check {
    const char *path;
    const struct targets *labs;
    struct diag *diag;
};

/* A wrong value, at the line where `key` has it; false. */
static bool wrong(const struct check *check, const char *key, const char *value,
                  const char *message) {
    diag_set(check->diag, check->path, yaml_line_of(check->path, key, value), "%s", message);
    return false;
}

static bool wrong_number(const struct check *check, const char *key, double number,
                         const char *wanted) {
    char *value = text_format("%g", number);
    char *message = text_format("%s is %g; it wants %s", key, number, wanted);
    wrong(check, key, value, message);
    free(message);
    free(value);
    return false;
}

static bool are_points(const struct check *check, const char *key, const double *number,
                       bool may_be_0) {
    points_t points;
    return !number || (points_read(*number, &points) && (may_be_0 || points > 0)) ||
           wrong_number(check, key, *number, "a number of at most two decimals, not below 0");
}

static bool is_late_rule(const struct check *check, const struct course_late *late) {
    if (!late)
        return true;
    if (!(late->percent_per_day >= 0 && late->percent_per_day <= 100))
        return wrong_number(check, "percent_per_day", late->percent_per_day, "0 to 100");
    if (!(late->grace_hours >= 0 && late->grace_hours <= 8784))
        return wrong_number(check, "grace_hours", late->grace_hours, "a number of hours");
    if (late->cutoff_days && !(*late->cutoff_days >= 0 && *late->cutoff_days <= 3660))
        return wrong_number(check, "cutoff_days", *late->cutoff_days, "a number of days");
    return true;
}

/* True where `name` is the tier of a test, or the test. */
static bool is_of(const char *test, const char *name) {
    size_t length = strlen(name);
    return strncmp(test, name, length) == 0 && (test[length] == '\0' || test[length] == '.');
}

/* A test's or tier's name is one of the lab's, or of any lab where that is NULL. */
static bool is_test(const struct check *check, const struct target *lab, const char *name) {
    const char *names[MAX_NAMES];
    size_t n = 0;
    for (size_t i = 0; i < check->labs->n; i++) {
        const struct manifest *manifest = check->labs->items[i].manifest;
        if (!manifest || (lab && lab != &check->labs->items[i]))
            continue;
        for (unsigned k = 0; k < manifest->n_tests; k++) {
            if (is_of(manifest->tests[k].name, name))
                return true;
            if (n < MAX_NAMES)
                names[n++] = manifest->tests[k].name;
        }
    }
    int nearest = nearest_index(name, names, n);
    OWNED char *message = text_format("%s%s '%s'%s%s%s", lab ? lab->lab->name : "no lab",
                                      lab ? " has no test or tier" : " has a test or tier", name,
                                      nearest >= 0 ? "; did you mean '" : "",
                                      nearest >= 0 ? names[nearest] : "", nearest >= 0 ? "'?" : "");
    wrong(check, "name", name, message);
    return false;
}

static bool are_tests(const struct check *check, const struct target *lab,
                      const struct course_test *tests, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        if (!is_test(check, lab, tests[i].name) ||
            !are_points(check, "points", tests[i].points, true))
            return false;
    }
    return true;
}

/* By its whole name; a nearest one is suggested. */
static const struct target *find_lab(const struct check *check, const char *name) {
    const char *names[MAX_LABS];
    size_t n = 0;
    for (; n < check->labs->n && n < MAX_LABS; n++) {
        names[n] = check->labs->items[n].lab->name;
        if (strcmp(names[n], name) == 0)
            return &check->labs->items[n];
    }
    int nearest = nearest_index(name, names, n);
    OWNED char *message =
        nearest >= 0 ? text_format("there is no lab '%s'; did you mean '%s'?", name, names[nearest])
                     : text_format("there is no lab '%s'", name);
    wrong(check, "name", name, message);
    return NULL;
}

static bool is_lab(const struct check *check, const struct course *course, unsigned index) {
    const struct course_lab *lab = &course->labs[index];
    const struct target *target = find_lab(check, lab->name);
    if (!target || !are_tests(check, target, lab->tests, lab->n_tests) ||
        !are_points(check, "points", lab->points, true) || !is_late_rule(check, lab->late))
        return false;
    if (find_in_list(lab->name, course->labs, index, sizeof *lab))
        return wrong(check, "name", lab->name, "this lab is named twice");
    return !lab->due || handed_in_time(lab->due) != -1 ||
           wrong(check, "due", lab->due, "due wants a time such as 2026-11-21 23:59");
}

static bool is_course(const struct check *check, const struct course *course) {
    for (unsigned i = 0; i < course->n_labs; i++) {
        if (!is_lab(check, course, i))
            return false;
    }
    if (course->hints > MOST_HINTS)
        return wrong_number(check, "hints", course->hints, "0 to 3");
    return are_points(check, "rounding", course->rounding, false) &&
           is_late_rule(check, course->late) &&
           are_tests(check, NULL, course->tests, course->n_tests);
}

struct course *course_load(const char *path, const struct targets *labs, struct diag *diag) {
    const struct check check = {path, labs, diag};
    void *data = NULL;
    if (!path) {
        /* By libcyaml as well, since course_free is by it. */
        cyaml_load_data((const uint8_t *)"{}", 2, yaml_config(), &course_schema, &data, NULL);
        if (!data)
            abort();
        return data;
    }
    if (yaml_load(path, &course_schema, &data, diag) != GRADER_OK)
        return NULL;
    if (is_course(&check, data))
        return data;
    course_free(data);
    return NULL;
}

void course_free(struct course *course) {
    cyaml_free(yaml_config(), &course_schema, course, 0);
}

const struct course_lab *course_lab(const struct course *course, const char *lab,
                                    bool *is_counted) {
    const struct course_lab *own =
        find_in_list(lab, course->labs, course->n_labs, sizeof *course->labs);
    *is_counted = own || course->n_labs == 0;
    return own;
}

/* The last entry of a list that names a test, or its tier, and sets points (or `show`) for it. */
static const struct course_test *last_entry(const struct course_test *tests, unsigned n,
                                            const char *test, bool is_show) {
    while (n-- > 0) {
        bool is_set = is_show ? tests[n].show != NULL : tests[n].points != NULL;
        if (is_set && is_of(test, tests[n].name))
            return &tests[n];
    }
    return NULL;
}

/* The same by a lab's own list, and where that has none, by the course's. */
static const struct course_test *find_entry(const struct course *course,
                                            const struct course_lab *lab, const char *test,
                                            bool is_show) {
    const struct course_test *own =
        lab ? last_entry(lab->tests, lab->n_tests, test, is_show) : NULL;
    return own ? own : last_entry(course->tests, course->n_tests, test, is_show);
}

bool course_test_points(const struct course *course, const struct course_lab *lab, const char *test,
                        points_t *points) {
    const struct course_test *found = find_entry(course, lab, test, false);
    return found && points_read(*found->points, points);
}

enum course_show course_test_show(const struct course *course, const struct course_lab *lab,
                                  const char *test) {
    const struct course_test *found = find_entry(course, lab, test, true);
    return found ? *found->show : COURSE_VISIBLE;
}

const char *course_show_word(enum course_show show) {
    return show_words[show].str;
}

enum course_board course_board(const struct course *course, const char *lab, bool *is_own) {
    bool is_counted;
    const struct course_lab *own = course_lab(course, lab, &is_counted);
    *is_own = own && own->leaderboard;
    if (*is_own)
        return *own->leaderboard;
    return course->leaderboard ? *course->leaderboard : COURSE_OFF;
}

points_t course_step(const struct course *course) {
    points_t step = 1;
    if (course->rounding)
        points_read(*course->rounding, &step);
    return step;
}

time_t course_due(const struct course_lab *lab) {
    return lab && lab->due ? handed_in_time(lab->due) : 0;
}

const struct course_late *course_late_rule(const struct course *course,
                                           const struct course_lab *lab) {
    return lab && lab->late ? lab->late : course->late;
}

unsigned course_days_late(const struct course *course, const struct course_lab *lab, time_t handed,
                          bool is_marked) {
    const struct course_late *late = course_late_rule(course, lab);
    time_t due = course_due(lab);
    if (due == 0 || handed == 0 || handed <= due)
        return is_marked ? 1 : 0; /* marked as late, at a time that nobody knows: one day */
    double seconds = (double)(handed - due);
    if (late && seconds <= late->grace_hours * 3600)
        return 0;
    return (unsigned)ceil(seconds / DAY_SECONDS);
}

int64_t course_penalty(const struct course *course, const struct course_lab *lab, time_t handed,
                       bool is_marked) {
    const struct course_late *late = course_late_rule(course, lab);
    unsigned days = course_days_late(course, lab, handed, is_marked);
    if (!late || days == 0)
        return 0;
    if (late->cutoff_days && course_due(lab) > 0 &&
        (double)(handed - course_due(lab)) > *late->cutoff_days * DAY_SECONDS)
        return 10000;
    double percent = late->percent_per_day * days;
    return percent >= 100 ? 10000 : llround(percent * 100);
}
