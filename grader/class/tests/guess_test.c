/* Which lab a file is for, by its name and its text. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "grader/class/intake/guess.h"
#include "grader/tests/support.h"

static char *folder;
static struct workbook book;
static struct targets own_labs;

static void set_up(void) {
    struct diag diag;
    folder = support_folder();
    support_prepare(folder);
    cr_assert_eq(workbook_init(&book, &diag), GRADER_OK, "%s", diag.message);
    cr_assert_eq(targets_own(&book, NULL, &own_labs, &diag), GRADER_OK);
}

static void tear_down(void) {
    targets_finish(&own_labs);
    workbook_finish(&book);
    support_remove(folder);
}

TestSuite(guess, .init = set_up, .fini = tear_down);

static const char alpha[] = "#include <cuda.h>\n#include \"alpha.h\"\nint x;\n";
static const char beta[] = "  # include \"labs/beta.h\"\nint beta(int x);\n";

/* A file of the student "ann". */
static struct guess guess_of(const char *below, const char *text) {
    OWNED char *shown = text_format("ann/%s", below);
    const char *name = strrchr(shown, '/') + 1;
    return guess_lab(support_write(folder, "file", text), shown, name, true, &own_labs);
}

static void expect(const char *below, const char *text, enum guess_by by, size_t lab) {
    struct guess guess = guess_of(below, text);
    cr_expect_eq(guess.by, by, "%s: by %d, not %d", below, (int)guess.by, (int)by);
    if (by > GUESS_SEVERAL)
        cr_expect_eq(guess.lab, lab, "%s: lab %zu, not %zu", below, guess.lab, lab);
}

Test(guess, knows_what_a_skeleton_includes_in_place_of_the_header) {
    expect("main.cu", "#include \"beta_parts.cuh\"\nint x;\n", GUESS_TEXT, 1);
    expect("main.cu", "#include \"other_parts.cuh\"\nint x;\n", GUESS_NOTHING, 0);
}

Test(guess, believes_the_sources_own_name) {
    expect("alpha.cu", "int x;\n", GUESS_EXACT, 0);
    expect("Beta (2).cu", "int x;\n", GUESS_EXACT, 1);
    cr_expect_eq(guess_of("beta-3.cu", "").attempt, 3);
}

Test(guess, sees_through_what_systems_put_around_a_name) {
    static const char *const names[] = {
        "Copy of alpha.cu", "alpha - Copy.cu",     "alpha.cu.txt", "alpha.cu-2.txt", "alpha_1.cu",
        " alpha.cu",        "alpha - Copy (2).cu", "alpha.cu~",    "alpha.cu.bak",   "ALPHA.CU.TXT",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect(names[i], "int x;\n", GUESS_NAME, 0);
    cr_expect_eq(guess_of("alpha.cu-2.txt", "").attempt, 2);
}

Test(guess, takes_a_text_of_a_labs_name_only_where_it_is_a_program) {
    expect("alpha.txt", "My notes on Alpha.\n", GUESS_NOTHING, 0);
    expect("alpha.txt", alpha, GUESS_NAME, 0);
    expect("alpha.cpp", "int alpha(int x) { return x; }\n", GUESS_NAME, 0);
}

Test(guess, knows_a_file_by_the_labs_header) {
    expect("main.cu", alpha, GUESS_TEXT, 0);
    expect("homework", beta, GUESS_TEXT, 1);
    expect("lab1.cu", beta, GUESS_TEXT, 1);
    expect("main.cu", "// #include \"alpha.h\"\n#include \"my_alpha.h\"\n", GUESS_NOTHING, 0);
    expect("notes.pdf", alpha, GUESS_NOTHING, 0);
    expect("alpha.cuh", alpha, GUESS_NOTHING, 0);
}

Test(guess, knows_a_file_by_number_or_folder_only_where_it_has_the_labs_function) {
    expect("lab1.cu", "int alpha(int x);\n", GUESS_PLACE, 0);
    expect("lab 02/main.cu", "int beta(int x);\n", GUESS_PLACE, 1);
    expect("02-beta/main.cu", "int beta(int x);\n", GUESS_PLACE, 1);
    expect("lab1.cu", "int alphabet(int x);\n", GUESS_NOTHING, 0);
    expect("lab2.cu", "int alpha(int x);\n", GUESS_NOTHING, 0);
}

Test(guess, goes_by_the_text_where_the_name_is_another_labs) {
    expect("02-beta/alpha.cu", beta, GUESS_TEXT, 1);
    expect("alpha.cu", beta, GUESS_TEXT, 1);
    expect("02-beta/alpha.cu", "int x;\n", GUESS_EXACT, 0);
    cr_expect(guess_of("02-beta/alpha.cu", "int x;\n").is_elsewhere);
    /* So Slurm's parts have what the instructor's map said: nothing is guessed anew. */
    expect("01-alpha/alpha.cu", beta, GUESS_EXACT, 0);
    cr_expect_not(guess_of("01-alpha/alpha.cu", beta).is_elsewhere);
}

Test(guess, is_of_no_lab_where_two_have_the_same_reasons) {
    OWNED char *both = text_format("%s%s", alpha, beta);
    expect("main.cu", both, GUESS_SEVERAL, 0);
    expect("beta.cu", both, GUESS_EXACT, 1);
}

Test(guess, reads_texts_in_other_codes) {
    char text[] = "\xff\xfe#\0i\0n\0c\0l\0u\0d\0e\0\"\0b\0e\0t\0a\0.\0h\0\"\0\n";
    char *path = support_text("%s/wide.cu", folder);
    FILE *out = fopen(path, "wb");
    cr_assert(out && fwrite(text, 1, sizeof text, out) == sizeof text && fclose(out) == 0);
    struct guess guess = guess_lab(path, "ann/wide.cu", "wide.cu", true, &own_labs);
    cr_expect_eq(guess.by, GUESS_TEXT);
    cr_expect_eq(guess.lab, 1);
    cr_expect_str_eq(guess.was, "is UTF-16");
}
