/* Files that are nearly what was asked for, by the real program: taken with a note where nothing
 * else can be meant, named where something can, and told by --map. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/tests/support.h"

FOLDER_SUITE(near);

static const char right[] = "#include \"alpha.h\"\n// gives example.adds_one pass\n"
                            "// gives safety.has_no_race pass\n// gives edge.handles_nothing pass\n"
                            "// gives speed.at_2_22 skipped\n";

static void hand_in(const char *name, const char *text) {
    support_write(folder, support_text("class/%s", name), text);
}

static json_t *class_of(const char *more) {
    return support_record(folder, "",
                          support_text("grade class --backend sim --seed 1 --json %s", more));
}

Test(near, takes_what_can_be_nothing_else_and_says_so_in_each_export) {
    static const char *const names[] = {"lab1.cu", "Copy of alpha.cu", "alpha.cu.txt",
                                        "alpha - Copy.cu"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        hand_in(support_text("plain%zu/%s", i, names[i]), right);
        hand_in(support_text("doejane_1%zu_900_%s", i, names[i]), right);
        hand_in(support_text("Jane Doe_2%zu_assignsubmission_file_/%s", i, names[i]), right);
        hand_in(support_text("submission_3%zu/%s", i, names[i]), right);
    }
    json_auto_t *class = class_of("");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *const ids[] = {support_text("plain%zu", i), support_text("1%zu", i),
                                   support_text("2%zu", i), support_text("3%zu", i)};
        for (size_t k = 0; k < 4; k++) {
            support_expect_points(class, ids[k], 19);
            support_expect_note(class, ids[k], names[i]);
            support_expect_note(class, ids[k], "was taken for lab 01's alpha.cu: its ");
        }
    }
}

Test(near, grades_what_lies_in_another_labs_folder_or_is_called_as_its_source) {
    hand_in("ann/02-beta/alpha.cu", right);
    hand_in("ben/01-alpha/alpha.cu", right);
    hand_in("ben/02-beta/alpha.cu", "#include \"beta.h\"\n// gives example.adds_one pass\n");
    json_auto_t *class = class_of("");
    support_expect_points(class, "ann", 19);
    support_expect_note(class, "ann", "its name counts, not its folder's");
    support_expect_note(class, "ben", "ben/02-beta/alpha.cu was taken for lab 02's beta.cu");
}

Test(near, converts_texts_of_other_codes_and_says_so) {
    OWNED char *latin = text_format("%s// M\xfcller\n", right);
    OWNED char *crlf = text_replace(right, "\n", "\r\n"), *cr = text_replace(right, "\n", "\r");
    char wide[2 * sizeof right + 2] = "\xff\xfe";
    for (size_t i = 0; i < sizeof right - 1; i++)
        wide[2 + 2 * i] = right[i];
    hand_in("latin/alpha.cu", latin);
    hand_in("crlf/alpha.cu", crlf);
    hand_in("cr/alpha.cu", cr);
    hand_in("wide/alpha.cu", "");
    FILE *out = fopen(support_text("%s/class/wide/alpha.cu", folder), "wb");
    cr_assert(out && fwrite(wide, 1, 2 * sizeof right, out) == 2 * sizeof right &&
              fclose(out) == 0);
    json_auto_t *class = class_of("");
    static const char *const ids[] = {"latin", "crlf", "cr", "wide"};
    for (size_t i = 0; i < 4; i++)
        support_expect_points(class, ids[i], 19);
    support_expect_note(class, "latin", "is Windows-1252 or Latin-1, and was converted");
    support_expect_note(class, "wide", "is UTF-16, and was converted");
    support_expect_note(class, "cr", "ends its lines as old Macintoshes did");
}

Test(near, grades_none_of_two_files_that_may_both_be_meant) {
    hand_in("ann/one.cu", right);
    hand_in("ann/two.cu", "#include \"alpha.h\"\n");
    hand_in("ben/one.cu", right);
    hand_in("ben/two.cu", right);
    hand_in("cy/Copy of alpha.cu", "#include \"alpha.h\"\n");
    hand_in("cy/alpha.cu", right);
    json_auto_t *class = class_of("");
    support_expect_points(class, "ann", 0);
    OWNED char *text = json_dumps(support_student(class, "ann"), 0);
    cr_expect(strstr(text, "ann/two.cu may be meant as well") && strstr(text, "bad_file"), "%s",
              text);
    support_expect_points(class, "ben", 19);
    support_expect_points(class, "cy", 19);
    support_expect_note(class, "cy", "cy/alpha.cu is graded, cy/Copy of alpha.cu is not");
}

Test(near, names_what_is_of_no_lab_where_one_is_missing) {
    hand_in("ann/alpha.cu", right);
    hand_in("ann/other.cu", "int x;\n");
    hand_in("ben/beta.cu", "// gives example.adds_one pass\n");
    hand_in("ben/other.cu", "int x;\n");
    hand_in("cy/report.pdf", "PDF");
    json_auto_t *class = class_of("");
    support_expect_note(class, "ann", "and not graded: ann/other.cu");
    support_expect_note(class, "cy", "there were: cy/report.pdf");
    support_expect_note(class, NULL, "files of which nobody can tell a lab");
    OWNED char *text = json_dumps(support_student(class, "cy"), 0);
    cr_expect(strstr(text, "alpha.cu was not handed in. There was cy/report.pdf"), "%s", text);
}

Test(near, believes_the_instructors_map) {
    OWNED char *unnamed = text_format("%s", strchr(right, '\n') + 1); /* without the header */
    hand_in("ann/alpha.cu", "#error no\n");
    hand_in("ann/final.cu", unnamed);
    hand_in("ben/final.cu", right);
    hand_in("cy/notes.txt", "x");
    hand_in("stray.cu", right);
    support_write(folder, "map.csv",
                  "student,file,lab\n*,final.cu,alpha\nben,ben/final.cu,-\ncy,stray.cu,01\n"
                  "dee,x.cu,01\n");
    json_auto_t *class = class_of("--map map.csv");
    support_expect_points(class, "ann", 19);
    support_expect_points(class, "ben", 0);
    support_expect_points(class, "cy", 19);
    support_expect_note(class, "ann", "--map says so");
    support_expect_note(class, NULL, "line 5 of the --map: dee has no file x.cu");
}

Test(near, refuses_a_map_that_makes_no_sense) {
    static const struct {
        const char *text, *word;
    } cases[] = {{"ann,final.cu\n", "map.csv:1: a line wants a student's id"},
                 {"student,file,lab\nann,a.cu,gamma\n", "map.csv:2: there is no lab 'gamma'"},
                 {"ann,\"a.cu,01\n", "map.csv:1: a quote is opened"}};
    hand_in("ann/final.cu", right);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        support_write(folder, "map.csv", cases[i].text);
        support_expect(folder, "", "grade class --map map.csv", 2, cases[i].word);
    }
    support_expect(folder, "", "grade class --map none.csv", 2, "none.csv");
    support_expect(folder, "", "report x.json --format csv --map map.csv", 2,
                   "--map means nothing to report");
}

Test(near, takes_a_folder_of_folders_for_a_class_whatever_lies_beside_them) {
    hand_in("alpha.cu", right);
    hand_in("ann/alpha.cu", right);
    hand_in("ben/main.cu", right);
    json_auto_t *class = class_of("");
    cr_expect_eq(json_array_size(json_object_get(class, "students")), 2);
    support_expect_points(class, "ben", 19);
    support_expect_note(class, NULL, "alpha.cu is nobody's");
}

Test(near, has_a_class_of_one_by_a_near_miss_and_never_of_files_by_students_names) {
    hand_in("lab1.cu", right);
    support_expect(folder, "", "grade class --backend sim --seed 1", 0, "was taken for lab 01's");
    hand_in("lab2.cu", right);
    support_expect(folder, "", "grade class --backend sim --seed 1", 2, "no student");
}
