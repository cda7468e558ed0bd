/* Names of strangers. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "grader/class/intake/unpack/name.h"

static void expect_clean(const char *name, const char *start, bool wanted_change) {
    bool is_changed;
    char *clean = name_clean(name, &is_changed);
    cr_expect_eq(is_changed, wanted_change, "%s", clean);
    cr_expect_eq(strncmp(clean, start, strlen(start)), 0, "«%s», not «%s»", clean, start);
    cr_expect_leq(strlen(clean), NAME_BYTES);
    free(clean);
}

Test(name, keeps_what_is_harmless) {
    expect_clean("Zoë Müller-Łukasz (3)", "Zoë Müller-Łukasz (3)", false);
    expect_clean("o'brien@school.edu", "o'brien@school.edu", false);
}

Test(name, cleans_controls_marks_of_direction_slashes_and_dashes) {
    expect_clean("ann\nbob", "ann_bob~", true);
    expect_clean("gpj.\xe2\x80\xae"
                 "exe",
                 "gpj._exe~", true);
    expect_clean("a/../b", "a_.._b~", true);
    expect_clean("-rf", "_-rf~", true);
    expect_clean("\xff\xfe", "__~", true);
    expect_clean("", "_~", true);
}

static void expect_end(const char *name, const char *end) {
    char *clean = name_clean(name, NULL);
    cr_expect_leq(strlen(clean), NAME_BYTES);
    cr_expect(strlen(clean) > strlen(end) && strcmp(clean + strlen(clean) - strlen(end), end) == 0,
              "«%s» ends without «%s»", clean, end);
    free(clean);
}

Test(name, keeps_the_suffix_by_which_a_file_is_known) {
    char name[600] = "";
    for (int i = 0; i < 100; i++)
        strcat(name, "ü€");
    strcat(name, ".zip");
    expect_end("L\x94sung.cu", ".cu");
    expect_end(name, ".zip");
    expect_end("Александра Константиновна "
               "Преображенская_123456_assignsubmission_file_sum_divergent.cu",
               "_assignsubmission_file_sum_divergent.cu");
}

Test(name, keeps_two_names_apart_that_clean_alike) {
    char *one = name_clean("a\nb", NULL), *other = name_clean("a\tb", NULL);
    cr_expect_str_neq(one, other);
    free(one);
    free(other);
}

Test(name, cuts_a_long_name_between_characters) {
    char name[600] = "";
    for (int i = 0; i < 100; i++)
        strcat(name, "ü€");
    expect_clean(name, "ü€ü€", true);
}

static void expect_parts(const char *text, const char *id, const char *name, const char *file,
                         bool is_late) {
    struct name_parts parts;
    name_read(text, &parts);
    cr_expect_str_eq(parts.id, id);
    cr_expect_str_eq(parts.name, name);
    if (file)
        cr_expect(parts.file && strcmp(parts.file, file) == 0, "%s", text);
    else
        cr_expect_null(parts.file);
    cr_expect_eq(parts.is_late, is_late);
    name_parts_free(&parts);
}

Test(name, knows_what_schools_systems_put_into_names) {
    expect_parts("doejane_12345_678910_sum.cu", "12345", "doejane", "sum.cu", false);
    expect_parts("doejane_LATE_12345_678910_sum-2.cu", "12345", "doejane", "sum-2.cu", true);
    expect_parts("van_der_doe_12345_678910_lab_1.cu", "12345", "van_der_doe", "lab_1.cu", false);
    expect_parts("doe_12_900_x_777_888_sum.cu", "12", "doe", "x_777_888_sum.cu", false);
    expect_parts("doe_12_900_x_777_assignsubmission_file_a.cu", "12", "doe",
                 "x_777_assignsubmission_file_a.cu", false);
    expect_parts("anon_x1Y2z_900_sum.cu", "anon_x1Y2z", "anon_x1Y2z", "sum.cu", false);
    expect_parts("LATE_anon_x1Y2z_900_sum.cu", "anon_x1Y2z", "anon_x1Y2z", "sum.cu", true);
    expect_parts("Jane Doe_4711_assignsubmission_file_x_777_888_a.cu", "4711", "Jane Doe",
                 "x_777_888_a.cu", false);
    expect_parts("Jane van Doe_4711_assignsubmission_file_", "4711", "Jane van Doe", NULL, false);
    expect_parts("Jane Doe_4711_assignsubmission_file_a.cu", "4711", "Jane Doe", "a.cu", false);
    expect_parts("Jane Doe_4711_assignsubmission_file_x_777_assignsubmission_file_a.cu", "4711",
                 "Jane Doe", "x_777_assignsubmission_file_a.cu", false);
    expect_parts("J_assignsubmission_file_4711_assignsubmission_file_x_7_assignsubmission_file_",
                 "4711", "J_assignsubmission_file", "x_7_assignsubmission_file_", false);
    expect_parts("submission_99", "99", "99", NULL, false);
    expect_parts("jane-doe", "jane-doe", "jane-doe", NULL, false);
}

Test(name, knows_a_source_by_what_browsers_make_of_its_name) {
    unsigned attempt;
    cr_expect(name_is_source("sum.cu", "sum.cu", &attempt) && attempt == 0);
    cr_expect(name_is_source("Sum.CU", "sum.cu", &attempt) && attempt == 0);
    cr_expect(name_is_source("sum-3.cu", "sum.cu", &attempt) && attempt == 3);
    cr_expect(name_is_source("sum (2).cu", "sum.cu", &attempt) && attempt == 2);
    cr_expect_not(name_is_source("sum--3.cu", "sum.cu", &attempt));
    cr_expect_not(name_is_source("sum-3x.cu", "sum.cu", &attempt));
    cr_expect_not(name_is_source("sums.cu", "sum.cu", &attempt));
    cr_expect_not(name_is_source("sum.cu.txt", "sum.cu", &attempt));
}
