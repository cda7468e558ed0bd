/* Lines of a source on which stands what a cause speaks of. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "grader/grade/source/assignments.h"
#include "grader/grade/source/guards.h"
#include "grader/grade/source/lines.h"
#include "grader/grade/source/literals.h"

static const char text[] = "#include \"static.h\"\n"                  /* 1 */
                           "static int before;\n"                     /* 2 */
                           "int f(int n) {\n"                         /* 3 */
                           "    // TODO(1): write it\n"               /* 4 */
                           "    static int calls; // static, too\n"   /* 5 */
                           "    int blocks = n / 32, rest = n / 2;\n" /* 6 */
                           "    add<<<blocks, 32>>>(n);\n"            /* 7 */
                           "    // END TODO(1)\n"                     /* 8 */
                           "}\n"                                      /* 9 */
                           "int g(int n) {\n"                         /* 10 */
                           "    // TODO(2): write it\n"               /* 11 */
                           "    n /= 2;\n"                            /* 12 */
                           "    int half = n / 2;\n"                  /* 13 */
                           "    auto kernel = scale<float>;\n"        /* 14 */
                           "    half = half / 2;\n"                   /* 15 */
                           "    kernel<<<half,\n"                     /* 16 */
                           "             32>>>(n / 3);\n"             /* 17 */
                           "    // END TODO(2)\n"                     /* 18 */
                           "}\n";

static void expect(json_t *lines, const char *wanted) {
    char *got = json_dumps(lines, JSON_COMPACT);
    cr_expect_str_eq(got, wanted);
    free(got);
    json_decref(lines);
}

Test(lines, are_those_of_words_in_regions) {
    expect(lines_of_words(text, "static", "f", NULL), "[5]");
    expect(lines_of_words(text, "cudaMalloc*", "f", NULL), "[]");
    expect(lines_of_words(text, "stat* calls", "nobody", NULL), "[5]");
    expect(lines_of_words("int a = b / c;\n", "/", "", NULL), "[1]");
}

static const char setting[] = "void add(const int *in, size_t n, int *out)\n" /* 1 */
                              "{\n"                                           /* 2 */
                              "    unsigned t = threadIdx.x, step = 1;\n"     /* 3 */
                              "    int in_all = 0;\n"                         /* 4 */
                              "    for (size_t i = t; i < n; i += step)\n"    /* 5 */
                              "        in_all += in[i];\n"                    /* 6 */
                              "    if (out != NULL)\n"                        /* 7 */
                              "        out[t] = in_all;\n"                    /* 8 */
                              "}\n"                                           /* 9 */
                              "int ask(int *blocks, int *x) {\n"              /* 10 */
                              "    int most = 0, small = *blocks & most;\n"   /* 11 */
                              "    if (error(&most, x) && *blocks > 1)\n"     /* 12 */
                              "        *blocks = small;\n"                    /* 13 */
                              "    if (*blocks > most && blockDim.x > 2)\n"   /* 14 */
                              "        *blocks = most;\n"                     /* 15 */
                              "}\n";

Test(lines, are_those_that_set_an_element) {
    json_auto_t *add = json_pack("[s]", "add"), *ask = json_pack("[s]", "ask");
    expect(lines_of_setting(setting, add, "out"), "[7,8]");
    expect(lines_of_setting(setting, ask, "blocks"), "[13,15]");
    expect(lines_of_setting(setting, ask, "x"), "[12]");
    expect(lines_of_setting(setting, add, "x"), "[]");
}

static const char helped[] = "__global__ void add(int *out) {\n"
                             "    out[0]++;\n"
                             "}\n"
                             "static int put(int *out) {\n"
                             "    add<<<1, 1>>>(out);\n"
                             "}\n"
                             "static int unused(int *out) {\n"
                             "    return 0;\n"
                             "}\n"
                             "int map(int *out) {\n"
                             "    return put(out);\n"
                             "}\n";

Test(lines, are_looked_for_in_what_a_function_uses) {
    expect(functions_reached(helped, "map"), "[\"put\",\"map\"]");
    expect(functions_reached(helped, "unused"), "[\"unused\"]");
    expect(functions_reached(helped, "nobody"), "[]");
}

static const char many[] = "void f() {\n int a = 1;\n int b = 1;\n int c = 1;\n int d = 1;\n"
                           " int e = 1;\n int g = 1;\n x = a + b + c + d + e + g;\n}\n";

static const char chunks[] = "int f(int n) {\n"                                      /* 1 */
                             "    for (int k = 0; k < n && e == cudaSuccess; k++)\n" /* 2 */
                             "        if (k > 0 && e == cudaSuccess) {\n"            /* 3 */
                             "            if (e == cudaSuccess)\n"                   /* 4 */
                             "                e = copy(k);\n"                        /* 5 */
                             "            e = mix(k);\n"                             /* 6 */
                             "        }\n"
                             "    return e;\n" /* 8 */
                             "}\n";

Test(lines, have_conditions_around_them_but_those_of_errors) {
    json_auto_t *two = json_pack("[i, i]", 5, 6), *outer = json_pack("[i, i]", 3, 8);
    expect(lines_of_guards(chunks, two), "[3,2]");
    expect(lines_of_guards(chunks, outer), "[2]");
}

Test(lines, come_with_those_that_set_what_stands_there) {
    expect(lines_behind(setting, 8, json_pack("[i]", 8), NULL), "[3,4,5,6,7,8]");
    expect(lines_of_setting_around(setting, 5, "in_all"), "[4,6]");
    expect(lines_with_guards(setting, lines_of_setting_around(setting, 5, "out")), "[7,8]");
    expect(lines_behind(setting, 15, json_pack("[i]", 15), NULL), "[11,12,13,14,15]");
    expect(lines_behind(setting, 9, json_pack("[i]", 9), NULL), "[9]");
    expect(lines_behind(setting, 0, json_array(), NULL), "[]");
    json_auto_t *ran = json_pack("[i]", 2);
    expect(lines_behind(many, 8, json_pack("[i]", 8), NULL), "[3,4,5,6,7,8]");
    expect(lines_behind(many, 8, json_pack("[i]", 8), ran), "[2,4,5,6,7,8]");
}

static const char asking[] = "int f(int *p) {\n"                    /* 1 */
                             "    int error = copy(p), n = 1;\n"    /* 2 */
                             "    p[n] = 2;\n"                      /* 3 */
                             "    if (error)\n"                     /* 4 */
                             "        return error;\n"              /* 5 */
                             "    add<<<1, 32>>>(p);\n"             /* 6 */
                             "    p[0] = 1;\n"                      /* 7 */
                             "    error = cudaGetLastError();\n"    /* 8 */
                             "    return error ? error : free();\n" /* 9 */
                             "}\n"
                             "int g(int error) { return error; }\n";

static const char handing[] = "int put(int *to, int n) {\n"          /* 1 */
                              "    int bytes = n * 4;\n"             /* 2 */
                              "    int error = copy(to, bytes);\n"   /* 3 */
                              "    error = other(error);\n"          /* 4 */
                              "    return error;\n"                  /* 5 */
                              "}\n"                                  /* 6 */
                              "int f(int *out, int chunk) {\n"       /* 7 */
                              "    int error = 0;\n"                 /* 8 */
                              "    for (int k = 0; k < 4; k++) {\n"  /* 9 */
                              "        int *to = out + k * chunk;\n" /* 10 */
                              "        int unused = 1;\n"            /* 11 */
                              "        error = put(to, chunk);\n"    /* 12 */
                              "    }\n"                              /* 13 */
                              "    return error;\n"
                              "}\n";

Test(lines, are_those_that_set_what_is_handed_over) {
    json_auto_t *asked = json_pack("[i, i]", 3, 12), *call = json_pack("[i]", 12);
    expect(lines_made_of(handing, asked), "[2,10]");
    expect(lines_made_of(handing, call), "[10]");
    json_auto_t *none = json_array();
    expect(lines_made_of(handing, none), "[]");
}

Test(lines, are_those_that_ask_for_an_error_afterwards) {
    expect(lines_after(asking, 2), "[4,5]");
    expect(lines_after(asking, 6), "[8,9]");
    expect(lines_after(asking, 8), "[9]");
    expect(lines_after(asking, 9), "[]");
}

static const char reached[] = "#define TWICE(x) (2 * (x))\n"                      /* 1 */
                              "const int predicted_clear = 3, other = 4;\n"       /* 2 */
                              "const int clear_size = 8;\n"                       /* 3 */
                              "template <typename T = int>\n"                     /* 4 */
                              "__global__ void __launch_bounds__(32) k(T *p) {\n" /* 5 */
                              "    p[0] = clear(clear_size);\n"                   /* 6 */
                              "}\n"                                               /* 7 */
                              "static void unused(int n = 1) {\n"                 /* 8 */
                              "    clear(n);\n"                                   /* 9 */
                              "}\n"                                               /* 10 */
                              "namespace {\n"                                     /* 11 */
                              "enum { clear = 2 };\n"                             /* 12 */
                              "}\n"                                               /* 13 */
                              "extern \"C\" int f(struct s *s) {\n"               /* 14 */
                              "    return start(k<int>, s);\n"                    /* 15 */
                              "}\n";

Test(lines, are_those_that_the_function_may_use) {
    expect(lines_of_words(reached, "clear clear_size", "f", NULL), "[3,6,12]");
    expect(lines_of_words(reached, "clear_size", "unused", NULL), "[]");
    expect(lines_of_words(reached, "predicted_clear", "f", NULL), "[]");
    expect(lines_of_words(reached, "predicted_clear", "nobody", NULL), "[2]");
}

Test(lines, are_those_of_one_function_where_there_are_many) {
    expect(lines_of_words(text, "/", "f", NULL), "[6]");
    expect(lines_of_words(text, "/", "nobody", NULL), "[]");
    expect(lines_of_words(text, "/", "g", NULL), "[13,15,17]");
    expect(lines_of_words(text, "/ /=", "g", NULL), "[]");
}

Test(lines, are_those_that_name_a_kernel) {
    static const char by_number[] = "template <unsigned BLOCK>\n"
                                    "__global__ void sum(const int *in) {\n" /* 2 */
                                    "}\n"
                                    "static kernel *choose(unsigned block) {\n"
                                    "    if (block == 512)\n"
                                    "        return sum<512>;\n"                     /* 6 */
                                    "    return block == 64 ? sum<64> : sum<512>;\n" /* 7 */
                                    "}\n"
                                    "static kernel *table[] = {scale, add};\n"
                                    "void f(void) {\n"
                                    "    add<<<1, 2>>>(in);\n"
                                    "    sum<64><<<1, 2>>>(in);\n" /* 12 */
                                    "}\n"
                                    "sum";

    expect(lines_of_naming(by_number, "sum<512>"), "[6,7]");
    expect(lines_of_naming(by_number, "sum<64>"), "[7]");
    expect(lines_of_naming(by_number, "sum<…>"), "[6,7]");
    expect(lines_of_naming(by_number, "scale"), "[9]");
    expect(lines_of_naming(by_number, "add"), "[9]");
    expect(lines_of_naming(by_number, "f"), "[]");
}

Test(lines, are_those_of_launches) {
    expect(lines_of_launches(text, "add"), "[7]");
    expect(lines_of_launches(text, "kernel"), "[16]");
    expect(lines_of_launches(text, "scale"), "[]");
    expect(lines_of_launches("launch(add);\nk<<<1, 2>>>();\n", "add"), "[2]");
}

static const char guarded[] = "__global__ void k(int *p) {\n"         /* 1 */
                              "    if (p)\n"                          /* 2 */
                              "        *p = 1;\n"                     /* 3 */
                              "}\n"                                   /* 4 */
                              "static int start(int n) {\n"           /* 5 */
                              "    if (n > 8)\n"                      /* 6 */
                              "        return 1;\n"                   /* 7 */
                              "    while (--n)\n"                     /* 8 */
                              "        k<<<n, 1>>>(0);\n"             /* 9 */
                              "    if (n)\n"                          /* 10 */
                              "        return 2;\n"                   /* 11 */
                              "}\n"                                   /* 12 */
                              "int f(int n) {\n"                      /* 13 */
                              "    if (cudaFree(0) != cudaSuccess)\n" /* 14 */
                              "        return 3;\n"                   /* 15 */
                              "    if (n == 0) return 0;\n"           /* 16 */
                              "    return start(n);\n"                /* 17 */
                              "}\n"                                   /* 18 */
                              "int g() {\n"                           /* 19 */
                              "    if (cudaFree(0) == cudaSuccess)\n" /* 20 */
                              "        k<<<1, 1>>>(0);\n"             /* 21 */
                              "}\n";

Test(lines, before_launches_are_conditions) {
    expect(lines_before_launches(guarded, "f"), "[6,8,14,16]");
    expect(lines_before_launches(guarded, "g"), "[20]");
    expect(lines_of_branches(guarded, json_pack("[s]", "k")), "[2]");
    expect(lines_of_branches(guarded, json_pack("[s, s]", "f", "start")), "[]");
}

static const char shaped[] = "void f(size_t n) {\n"                      /* 1 */
                             "    unsigned threads = n < 32 ? n : 32;\n" /* 2 */
                             "    size_t left = n, blocks = 1;\n"        /* 3 */
                             "    blocks = n / threads;\n"               /* 4 */
                             "    add<<<blocks, threads>>>(left);\n"     /* 5 */
                             "    dim3 grid(blocks, 2);\n"               /* 6 */
                             "    other<<<grid, 8>>>(n);\n"              /* 7 */
                             "}\n"                                       /* 8 */
                             "void g(size_t n) {\n"                      /* 9 */
                             "    size_t blocks = n;\n"                  /* 10 */
                             "    third<<<blocks,\n"                     /* 11 */
                             "            8>>>(n);\n"                    /* 12 */
                             "    fourth<<<(n + 7) / 8, 8>>>(n);\n"      /* 13 */
                             "}\n";

Test(lines, of_launches_come_with_those_that_make_their_shapes) {
    expect(lines_with_shapes(shaped, lines_of_launches(shaped, "add")), "[2,3,4,5]");
    expect(lines_with_shapes(shaped, lines_of_launches(shaped, "other")), "[6,7]");
    expect(lines_with_shapes(shaped, lines_of_launches(shaped, "third")), "[10,11]");
    expect(lines_with_shapes(shaped, lines_of_launches(shaped, "fourth")), "[13]");
    expect(lines_with_shapes(shaped, lines_of_words(shaped, "<<<", "g", NULL)), "[10,11,13]");
}

static void expect_in(const char *words, const char *kernel, const char *wanted) {
    json_t *kernels = json_pack("[s, s]", "nobody", kernel);
    expect(words ? lines_of_words(text, words, "main", kernels) : lines_of_ends(text, kernels),
           wanted);
    json_decref(kernels);
}

Test(lines, are_those_of_kernels_where_the_function_has_none) {
    expect_in("/", "f", "[6]");
    expect_in("/", "g", "[13,15,17]");
    expect_in("/ /=", "g", "[]");
    expect_in("add", "g", "[7]");
}

Test(lines, are_where_kernels_end) {
    expect_in(NULL, "f", "[9]");
    expect_in(NULL, "g", "[19]");
    expect_in(NULL, "h", "[]");
}

static const char with_numbers[] = "float lowest = -FLT_MAX;\n"                 /* 1 */
                                   "for (int i = a; i < n; i += a) // from 0\n" /* 2 */
                                   "    best = max(best, lowest) + x2 + N;\n"   /* 3 */
                                   "    best = max(best, 0.5f);\n";             /* 4 */

static bool lacks_number(const char *edit, int line) {
    json_auto_t *proven = json_pack("{s:s, s:i}", "edit", edit, "line", line);
    return literals_lack(with_numbers, proven);
}

Test(lines, without_a_number_have_one_from_elsewhere) {
    cr_expect(lacks_number("real", 2) && lacks_number("real", 3));
    cr_expect(!lacks_number("real", 1) && !lacks_number("real", 4));
    cr_expect(!lacks_number("constant", 2), "the compiler makes whole numbers of much else");
    cr_expect(!lacks_number("real", 5) && !lacks_number("real", 0), "no such line");
}

static const char conditions[] = "int f(int n) {\n"                /* 1 */
                                 "    int i = 0;\n"                /* 2 */
                                 "    if (n > 1 &&\n"              /* 3 */
                                 "        n < 9)\n"                /* 4 */
                                 "        i = 1;\n"                /* 5 */
                                 "    else if (n > 9) {\n"         /* 6 */
                                 "        i = 2;\n"                /* 7 */
                                 "        for (;;)\n"              /* 8 */
                                 "            if (i) i = 3;\n"     /* 9 */
                                 "        i = g({n, 4});\n"        /* 10 */
                                 "    } else\n"                    /* 11 */
                                 "        i = 4;\n"                /* 12 */
                                 "    do {\n"                      /* 13 */
                                 "        i++;\n"                  /* 14 */
                                 "    } while (i < 4);\n"          /* 15 */
                                 "    return i;\n"                 /* 16 */
                                 "}\n"                             /* 17 */
                                 "int g() { while (true) { g();\n" /* 18 */
                                 "    g(); } }\n";

Test(lines, have_the_condition_that_they_are_of) {
    static const unsigned guards[] = {0, 0, 0, 0, 0, 3, 3, 6, 6, 8, 6, 6, 6, 0, 0, 0, 0, 0, 0, 18};
    for (unsigned line = 1; line < sizeof guards / sizeof *guards; line++)
        cr_expect_eq(line_of_guard(conditions, line), guards[line], "line %u: %u, not %u", line,
                     line_of_guard(conditions, line), guards[line]);
    cr_expect_eq(line_of_guard("if (x\n{ y }", 2), 0);
    cr_expect_eq(line_of_guard("int f() {\n if (x\n", 2), 0);
}

static const char looping[] = "int f(int n) {\n"        /* 1 */
                              "    if (n < 1)\n"        /* 2 */
                              "        return 1;\n"     /* 3 */
                              "    for (;;) {\n"        /* 4 */
                              "        n--;\n"          /* 5 */
                              "        if (n == 0)\n"   /* 6 */
                              "            return 0;\n" /* 7 */
                              "    }\n"
                              "}\n"
                              "int g() { return f(3); }\n";

Test(lines, are_those_of_loops_and_of_what_leaves_them) {
    expect(lines_of_loops(looping, "f"), "[4,6,7]");
    expect(lines_of_loops(looping, "g"), "[]");
    expect(lines_of_loops(looping, "nobody"), "[]");
}
