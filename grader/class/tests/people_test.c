/* Who is who: a roster over exports that each name people in their own way. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/report/scoring/enrolment.h"
#include "grader/report/scoring/handed_in.h"
#include "grader/tests/support.h"

FOLDER_SUITE(people);

static const char right[] = "// gives example.adds_one pass\n// gives safety.has_no_race pass\n"
                            "// gives edge.handles_nothing pass\n// gives speed.at_2_22 skipped\n";

static void hand_in(const char *name, const char *more) {
    support_write(folder, support_text("class/%s", name), support_text("%s%s", right, more));
}

static const char people[] = "id,name,email,section,moodle,canvas,group,extra days,until\n"
                             "s1,Jane Doe,jane@x.edu,A,7 31,12,,,\n"
                             "s2,\"Roe, Richard\",rr@x.edu,A,8,13,g1,,\n"
                             "s3,Kim Lee,kim@x.edu,B,9,14 anon_x1y2z,g1,,\n"
                             "s4,Lee Kim,lee@x.edu,B,,15,,2,\n"
                             "12,Zoe Zed,zoe@x.edu,B,31,16,,,2026-11-30 12:00 Z\n";

static json_t *class_of(const char *more) {
    support_write(folder, "people.csv", people);
    json_t *class = support_record(
        folder, "",
        support_text("grade class --backend sim --seed 1 --roster people.csv --json %s", more));
    OWNED char *text = json_dumps(class, 0);
    support_write(folder, "class.json", text);
    return class;
}

static size_t n_students(const json_t *class) {
    return json_array_size(json_object_get(class, "students"));
}

static void expect_person(const struct enrolment *all, enum enrolment_source source, const char *id,
                          const char *name, const char *wanted) {
    const struct person *person = enrolment_find(all, source, id, name);
    const char *got = person ? person->id : "nobody";
    cr_expect_str_eq(got, wanted, "%s %s is %s, not %s", id, name, got, wanted);
}

Test(people, are_found_by_the_numbers_of_each_system_and_never_by_another_ones) {
    OWNED_BY(enrolment_finish) struct enrolment all;
    struct diag diag = {0};
    char *path = support_write(folder, "people.csv", people);
    cr_assert_eq(enrolment_read(path, &all, &diag), GRADER_OK, "%s", diag.message);
    expect_person(&all, ENROLMENT_CANVAS, "12", "doejane", "s1");
    expect_person(&all, ENROLMENT_CANVAS, "anon_x1y2z", "anon_x1y2z", "s3");
    expect_person(&all, ENROLMENT_CANVAS, "99", "doejane", "nobody"); /* s1 has another number */
    expect_person(&all, ENROLMENT_MOODLE, "7", "Jane Doe", "s1");
    expect_person(&all, ENROLMENT_MOODLE, "31", "Zoe Zed", "12");
    expect_person(&all, ENROLMENT_MOODLE, "31", "Jane Doe", "s1");
    expect_person(&all, ENROLMENT_MOODLE, "31", "Participant", "nobody"); /* of two */
    expect_person(&all, ENROLMENT_MOODLE, "8", "Participant", "s2");
    expect_person(&all, ENROLMENT_MOODLE, "7", "Bob Ray", "nobody"); /* of another assignment */
    expect_person(&all, ENROLMENT_MOODLE, "55", "Group B-Jane Doe", "s1");
    expect_person(&all, ENROLMENT_OTHER, "KIM@x.edu", "Kim Lee", "s3");
    expect_person(&all, ENROLMENT_OTHER, "s4", "", "s4");
    expect_person(&all, ENROLMENT_OTHER, "12", "Jane Doe", "12");
    expect_person(&all, ENROLMENT_OTHER, "jane-doe", "jane-doe", "s1");
    expect_person(&all, ENROLMENT_OTHER, "kim-lee", "kim-lee", "nobody"); /* of two */
    expect_person(&all, ENROLMENT_ANY, "12", "doejane", "s1");
    expect_person(&all, ENROLMENT_ANY, "12", "12", "nobody"); /* s1's of Canvas, or Zoe's own */
}

Test(people, allow_what_the_table_says_after_a_due_date) {
    OWNED_BY(enrolment_finish) struct enrolment all;
    struct diag diag = {0};
    char *path = support_write(folder, "people.csv", people);
    cr_assert_eq(enrolment_read(path, &all, &diag), GRADER_OK, "%s", diag.message);
    time_t due = handed_in_time("2026-11-29 12:00 Z");
    cr_expect_eq(person_extension(enrolment_by_id(&all, "s1"), due), 0);
    cr_expect_eq(person_extension(enrolment_by_id(&all, "s4"), due), 2 * 86400);
    cr_expect_eq(person_extension(enrolment_by_id(&all, "12"), due), 86400);
    cr_expect_eq(person_extension(enrolment_by_id(&all, "12"), due + 2 * 86400), 0);
    cr_expect_eq(person_extension(NULL, due), 0);
}

Test(people, are_one_row_for_all_exports) {
    hand_in("hw1/doejane_12_900_alpha.cu", "");
    hand_in("hw1/roerichard_LATE_13_901_alpha.cu", "");
    hand_in("hw1/strange_77_902_alpha.cu", "");
    hand_in("hw2/Jane Doe_31_assignsubmission_file_/beta.cu", "");
    hand_in("hw2/Zoe Zed_31_assignsubmission_file_/beta.cu", "");
    hand_in("hw2/Richard Roe_40_assignsubmission_file_/beta.cu", "");
    json_auto_t *class = class_of("");
    cr_expect_eq(n_students(class), 6, "%zu students", n_students(class));
    support_expect_points(class, "s1", 38);
    support_expect_points(class, "s2", 38);
    support_expect_points(class, "12", 19);
    support_expect_points(class, "77", 19);
    support_expect_points(class, "s4", 0);
    support_expect_note(class, "77", "nobody of the roster");
    support_expect_note(class, NULL, "1 who handed in are not in the roster: 77 (strange)");
    support_expect_note(class, NULL,
                        "2 of the roster handed in nothing: s3 (Kim Lee), s4 (Lee Kim)");
    support_expect_note(class, "s3", "alpha.cu is that of Roe, Richard, for group g1");
}

Test(people, are_never_taken_from_names_that_students_choose) {
    hand_in("ann/x_12_900_alpha.cu", "");
    hand_in("ann/Jane Doe_7_assignsubmission_file_alpha.cu", "");
    hand_in("jane-doe/alpha.cu", "");
    hand_in("bob_77_900_x_12_901_alpha.cu", "#include \"alpha.h\"\n");
    json_auto_t *class = class_of("");
    support_expect_points(class, "s1", 19);
    support_expect_points(class, "77", 19);
    support_expect_note(class, NULL, "not in the roster: ann, 77 (bob)");
}

/* Moodle's participant 12 is not the school's 12. */
Test(people, keep_their_ids_from_strangers) {
    hand_in("Bob Ray_12_assignsubmission_file_/alpha.cu", "");
    hand_in("Jane Doe_7_assignsubmission_file_/beta.cu", "");
    json_auto_t *class = class_of("");
    support_expect_points(class, "12 (not of the roster)", 19);
    support_expect_points(class, "12", 0);
    cr_expect_str_eq(json_string_value(json_object_get(support_student(class, "12"), "name")),
                     "Zoe Zed");
}

/* Only where all folders are exports is any of them one. */
Test(people, cannot_make_an_export_of_their_own_folder) {
    hand_in("ann/x_12_900_alpha.cu", "");
    hand_in("ben/x_12_901_alpha.cu", "");
    hand_in("jane-doe/alpha.cu", "// Jane's\n");
    json_auto_t *class = class_of("");
    cr_expect_eq(n_students(class), 7, "%zu students", n_students(class));
    support_expect_points(class, "s1", 19);
    const json_t *lab = json_array_get(json_object_get(support_student(class, "s1"), "labs"), 0);
    cr_expect_str_eq(json_string_value(json_object_get(lab, "source")), "jane-doe/alpha.cu");
}

Test(people, of_one_name_are_not_taken_for_one) {
    hand_in("Jane Doe_7_assignsubmission_file_/alpha.cu", "");
    hand_in("Jane Doe_50_assignsubmission_file_/beta.cu", "");
    json_auto_t *class = class_of("");
    support_expect_points(class, "s1", 19);
    support_expect_points(class, "50", 0 + 19);
    support_expect_note(class, "s1", "Jane Doe_50_assignsubmission_file_ may be Jane Doe's, too");
    const json_t *lab = json_array_get(json_object_get(support_student(class, "s1"), "labs"), 0);
    cr_expect_str_eq(json_string_value(json_object_get(lab, "source")),
                     "Jane Doe_7_assignsubmission_file_/alpha.cu",
                     "by the number, not by the name");
}

/* Moodle 50 is no number of Jane Doe's, and her own is there, too. */
Test(people, of_one_name_are_not_joined_by_report_either) {
    hand_in("hw1/doejane_12_900_alpha.cu", "");
    hand_in("hw2/Jane Doe_7_assignsubmission_file_/beta.cu", "// hers\n");
    hand_in("hw2/Jane Doe_50_assignsubmission_file_/beta.cu", "// another's\n");
    json_decref(class_of(""));
    const char *command = "report class.json --roster people.csv --format";
    support_expect(folder, "", support_text("%s csv", command), 0,
                   "s1,Jane Doe,jane@x.edu,A,19,19,38");
    support_expect(folder, "", support_text("%s csv", command), 0, "50,Jane Doe,,,0,19,19");
    /* Canvas looks for the name where it knows no id. */
    support_expect(folder, "", support_text("%s canvas", command), 0, "Jane Doe,12,s1,,A,19,19");
    support_expect(folder, "", support_text("%s canvas", command), 0,
                   "Jane Doe (not of the roster),,,,,0,19");
    /* Moodle takes a row without an id for one of the person of the row before. */
    OWNED_BY(support_run_free)
    struct support_run run = support_run(folder, "", support_text("%s moodle", command));
    cr_expect_eq(run.code, 3, "code %d", run.code);
    cr_expect_not_null(strstr(run.out, "s1,Jane Doe,jane@x.edu,19,19,"), "%s", run.out);
    cr_expect_null(strstr(run.out, "\n,Jane Doe"), "%s", run.out);
    cr_expect_not_null(strstr(run.err, "1 of 6 students are left out"), "%s", run.err);
}

Test(people, have_in_a_worksheet_the_number_of_that_assignment) {
    hand_in("hw1/Jane Doe_7_assignsubmission_file_/alpha.cu", "");
    hand_in("hw1/Bob Ray_8_assignsubmission_file_/alpha.cu", "");
    hand_in("hw2/Jane Doe_31_assignsubmission_file_/beta.cu", "");
    hand_in("hw2/Zoe Zed_31_assignsubmission_file_/beta.cu", "");
    json_decref(class_of(""));
    support_write(folder, "one.yaml", "labs: [{name: 01-alpha}]\n");
    support_write(folder, "two.yaml", "labs: [{name: 02-beta}]\n");
    const char *command = "report class.json --roster people.csv --format moodle-worksheet";
    support_expect(folder, "", support_text("%s --course one.yaml", command), 3,
                   "Participant 7,Jane Doe,s1,jane@x.edu,19,19,-");
    support_expect(folder, "", support_text("%s --course one.yaml", command), 3,
                   "Participant 8,Bob Ray,,,19,19,-");
    support_expect(folder, "", support_text("%s --course two.yaml", command), 3,
                   "Participant 31,Jane Doe,s1,jane@x.edu,19,19,-");
    support_expect(folder, "", support_text("%s --course two.yaml", command), 3,
                   "\n,Bob Ray,,,19,0,-");
}

Test(people, of_a_group_came_when_the_one_came_who_handed_in) {
    hand_in("s2/alpha.cu", "");
    support_write(folder, "people.csv", people);
    support_write(
        folder, "course.yaml",
        "late: {percent_per_day: 10}\nlabs: [{name: 01-alpha, due: 2026-11-28 12:00 Z}]\n");
    support_write(folder, "dates.csv", "s2,2026-11-29 11:00 Z\n");
    const char *rules = "--course course.yaml --handed-in dates.csv --roster people.csv";
    support_expect(folder, "",
                   support_text("grade class --backend sim --seed 1 --format csv %s", rules), 0,
                   "s3,Kim Lee,kim@x.edu,B,17.1,17.1");
    json_decref(class_of(""));
    support_expect(folder, "", support_text("report class.json --format csv %s", rules), 0,
                   "s3,Kim Lee,kim@x.edu,B,17.1,17.1");
}

Test(people, of_a_group_share_what_one_handed_in_and_are_not_alike) {
    OWNED char *text = text_format("%s", "");
    for (int i = 0; i < 12; i++)
        text_add(&text, "int part_%d(int a) {\n    return a * %d + (a %% %d);\n}\n", i,
                 31 * (i + 3) % 97, 31 * (i + 7) % 89);
    hand_in("s1/alpha.cu", "// short\n");
    hand_in("s2/alpha.cu", text);
    hand_in("s2/beta.cu", "// one\n");
    hand_in("s3/beta.cu", "// another\n");
    json_auto_t *class = class_of("");
    support_expect_points(class, "s2", 38);
    support_expect_points(class, "s3", 38);
    cr_expect_eq(json_array_size(json_object_get(class, "alike")), 0);
    hand_in("s4/alpha.cu", text);
    json_auto_t *copied = class_of("");
    cr_expect_eq(json_array_size(json_object_get(copied, "alike")), 1, "s4 is of no group");
}

Test(people, of_gradescopes_groups_are_not_alike) {
    OWNED char *text = text_format("%s", "");
    for (int i = 0; i < 12; i++)
        text_add(&text, "int part_%d(int a) {\n    return a * %d + (a %% %d);\n}\n", i,
                 31 * (i + 3) % 97, 31 * (i + 7) % 89);
    hand_in("submission_5/alpha.cu", text);
    hand_in("submission_6/alpha.cu", "");
    support_write(folder, "class/submission_metadata.yml",
                  "---\nsubmission_5:\n  :submitters:\n  - :name: Kim Lee\n    :sid: ''\n"
                  "    :email: kim@x.edu\n  - :name: Lee Kim\n    :sid: s4\n"
                  "  :created_at: 2026-11-20 12:00:00 Z\n"
                  "submission_6:\n  :submitters:\n  - :name: Jane Doe\n    :sid: s1\n");
    json_auto_t *class = class_of("");
    support_expect_points(class, "s3", 19);
    support_expect_points(class, "s4", 19);
    support_expect_points(class, "s1", 19);
    cr_expect_eq(json_array_size(json_object_get(class, "alike")), 0);
}

Test(people, have_their_extensions_in_points) {
    hand_in("s1/alpha.cu", "");
    hand_in("s4/alpha.cu", "");
    hand_in("12/alpha.cu", "");
    support_write(folder, "people.csv", people);
    support_write(
        folder, "course.yaml",
        "late: {percent_per_day: 10}\nlabs: [{name: 01-alpha, due: 2026-11-28 12:00 Z}]\n");
    support_write(folder, "dates.csv",
                  "s1,2026-11-29 11:00 Z\ns4,2026-12-01 11:00 Z\n12,2026-11-30 11:00 Z\n");
    const char *command = "grade class --backend sim --seed 1 --format csv --course course.yaml "
                          "--handed-in dates.csv --roster people.csv";
    support_expect(folder, "", command, 0, "s1,Jane Doe,jane@x.edu,A,17.1,17.1");
    support_expect(folder, "", command, 0, "s4,Lee Kim,lee@x.edu,B,17.1,17.1");
    support_expect(folder, "", command, 0, "12,Zoe Zed,zoe@x.edu,B,19,19");
    OWNED char *deadline =
        text_format("%s --output a.csv --deadline '2026-11-28 12:00 Z'", command);
    support_expect(folder, "", deadline, 0, "2 files are late");
}

Test(people, of_several_records_are_joined_by_report) {
    hand_in("doejane_12_900_alpha.cu", "");
    OWNED_BY(support_run_free)
    struct support_run one = support_run(folder, "", "grade class --backend sim --seed 1 --json");
    support_write(folder, "one.json", one.out);
    cr_assert_eq(system(support_text("rm -r '%s/class'", folder)), 0);
    hand_in("Jane Doe_7_assignsubmission_file_/beta.cu", "");
    OWNED_BY(support_run_free)
    struct support_run two = support_run(folder, "", "grade class --backend sim --seed 1 --json");
    support_write(folder, "two.json", two.out);
    support_write(folder, "people.csv", people);
    support_expect(folder, "", "report one.json two.json --format csv --roster people.csv", 0,
                   "s1,Jane Doe,jane@x.edu,A,19,19,38");
    support_expect(folder, "", "report one.json one.json --format csv --roster people.csv", 2,
                   "01-alpha of s1 is in two of the records");
    support_expect(folder, "", "report one.json two.json --format csv", 0, "12,doejane,19,,19");
}

Test(people, have_a_table_that_makes_sense) {
    static const struct {
        const char *text, *word;
    } cases[] = {
        {"name,section\nAnn,A\n", "people.csv:1: a roster begins with a line of headings"},
        {"id,name\n", "people.csv: the roster has nobody"},
        {"id,name\n1,Ann\n\n1,Bob\n", "people.csv:4: the id is that of 1, too"},
        {"id,canvas\n1,5\n2,5\n", "people.csv:3: the Canvas id is that of 1, too"},
        {"id,extra days\n1,two\n", "people.csv:2: extra days are a number"},
        {"id,until\n1,soon\n", "people.csv:2: until wants a time"},
        {"id,name\n1,\"Ann\n", "people.csv:2: a quote is opened"},
        {"id,name\nzoe,Zoe\n", "none of the 1 who handed in is in the roster: ann"},
    };
    hand_in("ann/alpha.cu", "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        support_write(folder, "people.csv", cases[i].text);
        support_expect(folder, "", "grade class --backend sim --roster people.csv", 2,
                       cases[i].word);
    }
}
