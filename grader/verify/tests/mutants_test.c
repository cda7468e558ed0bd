/* Mutations of a small source: which there are, and what they leave alone. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/tests/support.h"
#include "grader/verify/measure/share.h"
#include "grader/verify/mutants/known.h"
#include "grader/verify/mutation/meaning.h"
#include "grader/verify/mutation/mutation.h"

static const char text[] =
    "#include \"sum.h\"\n"                                                                /* 1 */
    "#define LANES 32\n"                                                                  /* 2 */
    "// TODO(0): predict\n"                                                               /* 3 */
    "extern \"C\" const int predicted_barriers = 5;\n"                                    /* 4 */
    "// END TODO(0)\n"                                                                    /* 5 */
    "__global__ void sum_kernel(const int *in, size_t n, int *sum) {\n"                   /* 6 */
    "    // TODO(1): sum\n"                                                               /* 7 */
    "    __shared__ int tile[64];\n"                                                      /* 8 */
    "    unsigned t = threadIdx.x;\n"                                                     /* 9 */
    "    size_t i = (size_t)blockIdx.x * blockDim.x + t; // gid < n\n"                    /* 10 */
    "    tile[t] = i < n ? in[i] : 0;\n"                                                  /* 11 */
    "    __syncthreads();\n"                                                              /* 12 */
    "    for (unsigned d = 1; d < blockDim.x; d *= 2) {\n"                                /* 13 */
    "        if (t % (2 * d) == 0 &&\n"                                                   /* 14 */
    "            t + d < blockDim.x)\n"                                                   /* 15 */
    "            tile[t] += tile[t + d];\n"                                               /* 16 */
    "        __syncthreads();\n"                                                          /* 17 */
    "    }\n"                                                                             /* 18 */
    "    if (t == 0)\n"                                                                   /* 19 */
    "        atomicAdd(sum, __shfl_down_sync(0xffffffffu, tile[0], 1));\n"                /* 20 */
    "    // END TODO(1)\n"                                                                /* 21 */
    "}\n"                                                                                 /* 22 */
    "extern \"C\" cudaError_t sum(const int *in, size_t n, unsigned block, int *sum) {\n" /* 23 */
    "    if (block < 2)\n"                                                                /* 24 */
    "        return cudaErrorInvalidValue;\n"                                             /* 25 */
    "    // TODO(2): launch\n"                                                            /* 26 */
    "    cudaMemset(sum, 0, sizeof *sum);\n"                                              /* 27 */
    "    sum_kernel<<<(unsigned)((n + block - 1) / block), block>>>(in, n, sum);\n"       /* 28 */
    "    return cudaGetLastError();\n"                                                    /* 29 */
    "    // END TODO(2)\n"                                                                /* 30 */
    "}\n";                                                                                /* 31 */

static struct source source;
static struct mutations mutations;

static void read_text(void) {
    source_init(&source, text_format("%s", text), strlen(text));
    mutations_init(&mutations, &source);
}

static void forget_text(void) {
    mutations_finish(&mutations);
    source_finish(&source);
}

TestSuite(mutants, .init = read_text, .fini = forget_text);

static unsigned line_of(const struct mutation *mutation) {
    return source.tokens[mutation->first].line;
}

/* The mutation of a line by what it says, and its family; NULL where there is none. */
static const struct mutation *find(unsigned line, const char *family, const char *change) {
    for (size_t i = 0; i < mutations.n; i++) {
        const struct mutation *here = &mutations.items[i];
        OWNED char *said = mutation_text(&source, here);
        bool is_it = line_of(here) == line && strcmp(said, change) == 0 &&
                     strcmp(family_words[here->by->family], family) == 0;
        if (is_it)
            return here;
    }
    return NULL;
}

Test(mutants, are_of_what_students_write_alone) {
    for (size_t i = 0; i < mutations.n; i++) {
        unsigned line = line_of(&mutations.items[i]);
        unsigned last = source.tokens[mutations.items[i].end - 1].line;
        cr_expect((line > 7 && last < 21) || (line > 26 && last < 30), "line %u", line);
    }
}

Test(mutants, have_every_kind_of_mistake) {
    static const struct {
        unsigned line;
        const char *family, *change;
    } wanted[] = {
        {11, "comparison", "< → <="},
        {10, "arithmetic", "* → +"},
        {13, "assignment", "*= → +="},
        {14, "constant", "2 → 3"},
        {11, "bound", "i < n → true"},
        {11, "bound", "n → (n - 1)"},
        {14, "bound", "t % (2 * d) == 0 && t + d < blockDim.x → t % (2 * d) == 0"},
        {19, "condition", "t == 0 → !(t == 0)"},
        {13, "loop", "2 → 1"},
        {10, "index", "blockIdx → threadIdx"},
        {11, "index", "i → i + 1"},
        {10, "type", "(size_t) → nothing"},
        {10, "type", "size_t → int"},
        {11, "statement", "tile[t] = i < n ? in[i] : 0; → ;"},
        {12, "barrier", "__syncthreads(); → ;"},
        {17, "barrier", "__syncthreads → __syncwarp"},
        {11, "barrier",
         "tile[t] = i < n ? in[i] : 0; __syncthreads(); → __syncthreads(); tile[t] = i < n ? in[i] "
         ": 0;"},
        {20, "shuffle", "1 → 1, 16"},
        {20, "mask", "0xffffffffu → 0xffff"},
        {20, "atomic",
         "atomicAdd(sum, __shfl_down_sync(0xffffffffu, tile[0], 1)) → *(sum) += "
         "(__shfl_down_sync(0xffffffffu, tile[0], 1))"},
        {27, "clear", "cudaMemset(sum, 0, sizeof *sum); → ;"},
        {28, "launch", "block → (block) - 1"},
        {28, "argument", "in, n → n, in"},
        {29, "error", "cudaGetLastError() → cudaSuccess"},
        {8, "shared", "64 → 64 / 2"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        cr_expect(find(wanted[i].line, wanted[i].family, wanted[i].change), "line %u: %s: %s",
                  wanted[i].line, wanted[i].family, wanted[i].change);
}

/* True where a mutant of the line has this text. */
static bool has(unsigned line, const char *part) {
    bool found = false;
    for (size_t i = 0; i < mutations.n && !found; i++) {
        OWNED char *mutant = mutation_apply(&source, &mutations.items[i], NULL);
        found = line_of(&mutations.items[i]) == line && strstr(mutant, part);
    }
    return found;
}

Test(mutants, move_barriers_into_branches_and_out_of_loops) {
    cr_expect(has(14, "{ tile[t] += tile[t + d]; __syncthreads(); }\n"));
    cr_expect(has(13, "        ;\n    } __syncthreads();\n    if (t == 0)"));
}

static size_t lines_in(const char *from) {
    size_t n = 0;
    for (; *from; from++)
        n += *from == '\n';
    return n;
}

Test(mutants, leave_every_other_line_its_number) {
    for (size_t i = 0; i < mutations.n; i++) {
        OWNED char *mutant = mutation_apply(&source, &mutations.items[i], NULL);
        OWNED char *said = mutation_text(&source, &mutations.items[i]);
        cr_expect_eq(lines_in(mutant), lines_in(text), "%s", said);
    }
}

Test(mutants, are_no_two_the_same) {
    char **texts = calloc(mutations.n, sizeof *texts);
    for (size_t i = 0; i < mutations.n; i++) {
        texts[i] = mutation_apply(&source, &mutations.items[i], NULL);
        cr_expect_str_neq(texts[i], text);
        for (size_t k = 0; k < i; k++)
            cr_expect_str_neq(texts[i], texts[k]);
    }
    for (size_t i = 0; i < mutations.n; i++)
        free(texts[i]);
    free(texts);
}

Test(mutants, of_second_order_have_both_changes) {
    const struct mutation *one = find(28, "launch", "block → (block) - 1");
    const struct mutation *two = find(11, "comparison", "< → <=");
    cr_assert(one && two);
    OWNED char *mutant = mutation_apply(&source, one, two);
    OWNED char *turned = mutation_apply(&source, two, one);
    cr_expect(strstr(mutant, "tile[t] = i <= n ? in[i] : 0;"));
    cr_expect(strstr(mutant, "(n + block - 1) / block), (block) - 1>>>"));
    cr_expect_str_eq(mutant, turned);
}

Test(mutants, keep_their_rank_and_no_two_parts_share_one) {
    struct share parts[4], tenth;
    cr_assert(share_read("10%", &tenth));
    cr_expect_float_eq(tenth.to, 0.1, 1e-9);
    for (int k = 0; k < 4; k++) {
        char part[8];
        snprintf(part, sizeof part, "%d/4", k + 1);
        cr_assert(share_read(part, &parts[k]));
        cr_expect_float_eq(parts[k].from, k / 4.0, 1e-9);
        cr_expect_float_eq(parts[k].to, (k + 1) / 4.0, 1e-9);
    }
    size_t n_low = 0;
    for (size_t i = 0; i < mutations.n; i++) {
        uint64_t rank = mutation_rank(&source, &mutations.items[i], 7);
        cr_expect_eq(rank, mutation_rank(&source, &mutations.items[i], 7));
        cr_expect_neq(rank, mutation_rank(&source, &mutations.items[i], 8));
        n_low += rank < UINT64_MAX / 2;
    }
    cr_expect(n_low > mutations.n / 3 && n_low < mutations.n * 2 / 3, "%zu of %zu", n_low,
              mutations.n);
}

Test(mutants, shares_that_are_none_are_refused) {
    static const char *const wrong[] = {"", "10", "0%", "101%", "0/4", "5/4", "1/0", "x%", "-1/4"};
    struct share share;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect_not(share_read(wrong[i], &share), "%s", wrong[i]);
}

Test(mutants, know_on_which_side_a_function_runs) {
    size_t kernel = source_find(&source, 0, source.n, "tile"), host = 0;
    host = source_find(&source, kernel, source.n, "cudaMemset");
    cr_expect_eq(source.tokens[kernel].side, SOURCE_DEVICE);
    cr_expect_eq(source.tokens[host].side, SOURCE_HOST);
}

static const char of_errors[] = "int call(int *a, int *b) {\n"
                                "    if (launch() == cudaSuccess && n == 0)\n"
                                "        error = copy();\n"
                                "    if (error != cudaSuccess)\n"
                                "        n++;\n"
                                "    cudaFree(a); // NULL is nothing to it\n"
                                "    cudaFree(b);\n"
                                "    return 0;\n"
                                "}\n";

/* How many changes mean the same, and the text of all of them. */
Test(mutants, of_any_program_mean_the_same_by_rules) {
    struct source program;
    struct mutations changes;
    char *all = text_format("%s", "");

    source_init(&program, text_format("%s", of_errors), strlen(of_errors));
    mutations_init(&changes, &program);
    for (size_t i = 0; i < changes.n; i++) {
        OWNED char *change = mutation_text(&program, &changes.items[i]);
        if (mutation_means_the_same(&program, &changes.items[i]))
            text_add(&all, "%s\n", change);
    }
    cr_expect_str_eq(all, "== → <=\n"
                          "cudaFree(a); // NULL is nothing to it cudaFree(b); → "
                          "cudaFree(b); // NULL is nothing to it cudaFree(a);\n");
    free(all);
    mutations_finish(&changes);
    source_finish(&program);
}

/* The entry of a change in this line of the text, where the line has `at`. */
static const struct known_mutant *find_known(const struct known *known, const char *file,
                                             const char *lines, unsigned number, const char *at,
                                             const char *change) {
    size_t bytes;
    const char *line = text_line(lines, number, &bytes);
    const struct known_place place = {lines, number, line ? strstr(line, at) : NULL};
    return known_find(known, file, &place, change);
}

Test(mutants, that_are_known_are_found_by_line_and_change) {
    char *folder = support_folder();
    struct diag diag;
    support_write(folder, "equivalent.yaml",
                  "survivors:\n"
                  "  - {file: a.cu, line: 'if (t == 0)', changes: [== → <=, x → y], why: so}\n"
                  "  - {file: '*', line: any, changes: [x → y], why: so}\n"
                  "  - {file: a.cu, line: return e;, changes: [e → 0], why: so, hole: true}\n"
                  "  - {file: a.cu, line: y(), next: z(), changes: [y → z], why: so}\n"
                  "  - {file: a.cu, line: 'f(0, 0, e)', at: '0, e', changes: [0 → 1], why: so}\n");
    struct known *known = known_load(folder, &diag);
    cr_assert(known, "%s", diag.message);
    static const char lines[] =
        "    if (t == 0)\nif (t == 0\nany\nreturn e;\ny()\n  z()\ny()\n\n\nz()\n"
        "f(0, 0, e)";
    const struct known_mutant *found = find_known(known, "a.cu", lines, 1, "", "x → y");
    cr_assert(found);
    cr_expect(!found->is_hole);
    cr_expect_null(find_known(known, "a.cu", lines, 1, "", "x → z"));
    cr_expect_null(find_known(known, "b.cu", lines, 1, "", "x → y"));
    cr_expect_not_null(find_known(known, "variants/b.cu", lines, 3, "", "x → y"));
    cr_expect_null(find_known(known, "a.cu", lines, 2, "", "x → y"));
    found = find_known(known, "a.cu", lines, 4, "", "e → 0");
    cr_expect(found && found->is_hole && *found->is_hole);
    cr_expect_not_null(find_known(known, "a.cu", lines, 5, "", "y → z"));
    cr_expect_null(find_known(known, "a.cu", lines, 7, "", "y → z"), "another line follows");
    cr_expect_not_null(find_known(known, "a.cu", lines, 11, "0, e", "0 → 1"));
    cr_expect_null(find_known(known, "a.cu", lines, 11, "0, 0", "0 → 1"), "another 0");
    known_free(known);
    support_write(folder, "equivalent.yaml", "survivors:\n  - {file: a.cu}\n");
    cr_expect_null(known_load(folder, &diag), "an entry that is not whole");
    support_remove(folder);
}

Test(mutants, are_listed_once) {
    static const char *const again[] = {
        "  - {file: a.cu, line: if (x), changes: [c → d], why: so}\n", /* a line, another change */
        "  - {file: b.cu, line: if (x), changes: [a → b], why: so}\n", /* another file */
        "  - {file: a.cu, line: if (x), next: y(), changes: [a → b], why: so}\n",
        "  - {file: a.cu, line: if (x), at: x, changes: [a → b], why: so}\n",
        "  - {file: a.cu, line: if (x), changes: [a → b], why: other}\n",
        "  - {file: a.cu, line: if (y), changes: [a → b, c → d, a → b], why: so}\n",
    };
    char *folder = support_folder();
    for (unsigned i = 0; i < sizeof again / sizeof again[0]; i++) {
        OWNED char *list =
            text_format("survivors:\n"
                        "  - {file: a.cu, line: if (x), changes: [a → b], why: so}\n%s",
                        again[i]);
        struct diag diag = {0};
        support_write(folder, "equivalent.yaml", list);
        struct known *known = known_load(folder, &diag);
        cr_expect_eq(known != NULL, i < 4, "%s: %s", again[i], diag.message);
        cr_expect_eq(strstr(diag.message, "'a → b' is listed twice") != NULL, i >= 4, "%s",
                     diag.message);
        known_free(known);
    }
    support_remove(folder);
}

Test(mutants, are_unknown_where_there_is_no_list) {
    char *folder = support_folder();
    struct known *known = known_load(folder, NULL);
    cr_assert(known);
    cr_expect_null(find_known(known, "a.cu", "x", 1, "x", "x → y"));
    known_free(known);
    support_remove(folder);
}
