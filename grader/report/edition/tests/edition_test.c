/* What becomes of files on their way to students, and what may not get there. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/seal.h"
#include "common/base/system/file.h"
#include "grader/report/edition/edition.h"
#include "grader/report/edition/leaks.h"
#include "grader/report/edition/sources.h"
#include "grader/report/edition/words.h"
#include "grader/tests/support.h"

FOLDER_SUITE(edition);

static void expect_strip(const char *text, const char *wanted, unsigned line) {
    struct diag diag = {0};
    OWNED char *got = sources_strip(text, "a.c", &diag);
    if (wanted)
        cr_expect_str_eq(got, wanted);
    else
        cr_expect(!got && diag.line == line, "line %u: %s", diag.line, diag.message);
}

Test(edition, leaves_out_what_is_marked) {
    expect_strip("a\nb", "a\nb", 0);
    expect_strip("a\n/* full edition: begin */\nb\n/* full edition: end */\nc\n", "a\nc\n", 0);
    expect_strip("# full edition: begin\nb\n# full edition: end", "", 0);
    expect_strip("a\n# full edition: begin\nb\n", NULL, 2);
    expect_strip("a\n# full edition: end\nb\n", NULL, 2);
    expect_strip("# full edition: begin\n# full edition: begin\n# full edition: end\n", NULL, 2);
}

static const char with_call[] = "void count(struct lab *lab) {\n"
                                "    lab_predict(lab, \"predicted_x\", \"How many (a, b)?\",\n"
                                "                (int64_t)f(1, 2), \"Forty and \"\n"
                                "                \"two.\");\n"
                                "    done();\n"
                                "}\n";

/* The literals of C that stand one after the other from `text` on, as one text. */
static char *joined(const char *text) {
    char *out = text_format("%s", "");
    while (*text == '"') {
        size_t n = strcspn(text + 1, "\"");
        text_add(&out, "%.*s", (int)n, text + 1);
        text += n + 2;
        text += strspn(text, " \n");
    }
    return out;
}

Test(edition, seals_explanations_by_the_answer) {
    struct diag diag;
    json_auto_t *answers =
        json_pack("{s:{s:i, s:s}}", "predicted_x", "counted", 42, "explanation", "Forty and two.");
    OWNED char *got = sources_seal(with_call, "t.c", answers, &diag);
    const char *sealed = strstr(got, "\"sealed:");
    cr_assert(sealed);
    cr_expect_eq(sealed - got, strstr(with_call, "\"Forty") - with_call);
    cr_expect_str_eq(strstr(sealed, ");\n    done();"), ");\n    done();\n}\n");
    OWNED char *whole = joined(sealed), *opened = seal_open(whole, "predicted_x 42");
    cr_expect_str_eq(opened, "Forty and two.");
    cr_expect_null(seal_open(whole, "predicted_x 41"));
    cr_expect_null(strstr(got, "Forty"));
}

Test(edition, seals_all_explanations_or_none) {
    struct diag diag = {0};
    json_auto_t *none = json_object();
    cr_expect_null(sources_seal(with_call, "t.c", none, &diag));
    cr_expect(diag.line == 2 && strstr(diag.message, "predicted_x"), "%s", diag.message);
    cr_expect_null(sources_seal("lab_predict(lab, \"x\", \"?\", 1, why);", "t.c", none, &diag));
    cr_expect(strstr(diag.message, "in quotes"), "%s", diag.message);
    cr_expect_null(sources_seal("lab_predict(lab, \"x\", ", "t.c", none, &diag));
}

/* The manifest of a lab, sealed and read again. */
Test(edition, seals_words_that_are_told_as_before) {
    struct diag diag;
    const char *lab = support_text("%s/workbook/labs/01-alpha", getenv("WARPBOOK_TEST_DATA"));
    struct manifest *before = manifest_load(lab, &diag);
    cr_assert(before, "%s", diag.message);
    OWNED char *sealed = words_seal(before), *path = text_format("%s/lab.yaml", folder);
    cr_assert_eq(file_write(path, sealed, strlen(sealed), &diag), GRADER_OK);
    struct manifest *after = manifest_load(folder, &diag);
    cr_assert(after, "%s:%u: %s", diag.file, diag.line, diag.message);
    cr_assert_eq(after->n_hints, before->n_hints);
    cr_assert_eq(after->n_diagnoses, before->n_diagnoses);
    cr_expect_eq(manifest_points(after), manifest_points(before));
    for (unsigned i = 0; i < before->n_hints; i++) {
        cr_expect_str_eq(after->hints[i], before->hints[i]);
        cr_expect_null(strstr(sealed, before->hints[i]));
    }
    for (unsigned i = 0; i < before->n_diagnoses; i++) {
        cr_expect_str_eq(after->diagnoses[i].text, before->diagnoses[i].text);
        cr_expect_str_eq(after->diagnoses[i].hint, before->diagnoses[i].hint);
        cr_expect_null(strstr(sealed, before->diagnoses[i].text));
    }
    manifest_free(before);
    manifest_free(after);
}

/* A workbook of one lab, whose model answer is a tree. */
static const char skeleton[] = "#include \"x.h\"\n"
                               "__global__ void sum(const int *in, size_t n, int *out) {\n"
                               "    // TODO(1): sum (about 5 lines)\n"
                               "    // END TODO(1)\n"
                               "}\n";
static const char tree[] = "    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {\n"
                           "        if (t % (2 * stride) == 0 && t + stride < blockDim.x)\n"
                           "            tile[t] += tile[t + stride];\n"
                           "        __syncthreads();\n"
                           "    }\n";

static void make_workbook(struct workbook *book, struct diag *diag) {
    support_write(folder, "book/common/simt/x", "");
    support_write(folder, "book/labs/01-x/lab.yaml", "");
    support_write(folder, "book/labs/01-x/x.h",
                  "int given(int a) { return a * (a + 1) / 2 - 7 * a; }\n");
    support_write(folder, "book/labs/01-x/x.cu", "an answer of the instructor's own");
    support_write(folder, "book/solutions/01-x/skeleton/x.cu", skeleton);
    support_write(folder, "book/solutions/01-x/x.cu", support_text("%s%s", skeleton, tree));
    setenv("WARPBOOK_ROOT", support_text("%s/book", folder), 1);
    cr_assert_eq(workbook_init(book, diag), GRADER_OK, "%s", diag->message);
}

Test(edition, knows_a_piece_of_an_answer) {
    /* Other names, another layout, comments and braces; then half of it; then something else. */
    static const char disguised[] =
        "Text before it.\n```\nfor (int d = 1; d < blockDim.x; d *= 2) // doubled\n"
        "{ if (i % (2 * d) == 0 && i + d < blockDim.x) { a[i] += a[i + d]; }\n"
        "__syncthreads();\n}\n```\n";
    static const char half[] = "for (int d = 1; d < blockDim.x; d *= 2) f(d);";
    struct workbook book;
    struct leaks leaks;
    struct diag diag;
    make_workbook(&book, &diag);
    cr_assert_eq(leaks_read(&leaks, &book, &diag), GRADER_OK);
    cr_expect_eq(leaks_find(&leaks, tree, strlen(tree)), 1);
    cr_expect_eq(leaks_find(&leaks, disguised, strlen(disguised)), 3);
    cr_expect_eq(leaks_find(&leaks, half, strlen(half)), 0);
    cr_expect_eq(leaks_find(&leaks, skeleton, strlen(skeleton)), 0);
    leaks_finish(&leaks);
    workbook_finish(&book);
}

static void expect_refused(const struct workbook *book, const char *path, const char *word) {
    struct diag diag = {0};
    cr_expect_eq(edition_check(book, path, &diag), GRADER_BAD_INPUT, "%s", path);
    cr_expect(strstr(diag.message, word), "%s: %s", path, diag.message);
}

Test(edition, refuses_folders_that_are_not_for_it) {
    struct workbook book;
    struct diag diag;
    make_workbook(&book, &diag);
    support_write(folder, "full/note", "");
    support_write(folder, "file", "");
    support_shell(folder, "mkdir empty && ln -s empty link");
    expect_refused(&book, support_text("%s/full", folder), "not empty");
    expect_refused(&book, support_text("%s/file", folder), "no folder");
    expect_refused(&book, support_text("%s/link/", folder), "no folder");
    expect_refused(&book, support_text("%s/typo/new", folder), "above it is not there");
    expect_refused(&book, support_text("%s/book/labs/new", folder), "in the workbook");
    expect_refused(&book, support_text("%s/empty/..", folder), "no name");
    expect_refused(&book, "", "no name");
    cr_expect_eq(edition_check(&book, support_text("%s/empty/", folder), &diag), GRADER_OK);
    cr_expect_eq(edition_check(&book, support_text("%s/new", folder), &diag), GRADER_OK);
    workbook_finish(&book);
}
