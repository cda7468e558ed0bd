/*
 * Tests of the module: variables and their initialisers, functions, files, source positions.
 */
#include "common/simt/program/ptx/ptx.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD ".version 9.0\n.target sm_90a, texmode_independent\n.address_size 64\n"

/* The module of a text, until the next one. */
static struct ptx_module *parsed(const char *text) {
    static struct ptx_module *module;
    struct simt_diag diag;
    ptx_free(module);
    module = ptx_parse(text, strlen(text), &diag);
    cr_assert_not_null(module, "line %u: %s", diag.line, diag.message);
    return module;
}

static const struct ptx_var *var(const struct ptx_module *module, const char *name) {
    const struct ptx_var *found = ptx_find_var(module, name);
    cr_assert_not_null(found, "%s", name);
    return found;
}

Test(ptx_module, reads_version_and_target) {
    struct ptx_module *module = parsed(HEAD);
    cr_expect_eq(module->version_major, 9);
    cr_expect_eq(module->version_minor, 0);
    cr_expect_eq(module->target, 90);
    cr_expect_null(ptx_find_function(module, "k"));
    cr_expect_null(ptx_find_var(module, "x"));
    cr_expect_null(ptx_file_path(module, 1));
}

/* A locale with a decimal comma, made in a folder of its own. */
static bool use_comma(void) {
    static const char source[] = "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\n"
                                 "grouping -1\nEND LC_NUMERIC\n"
                                 "LC_CTYPE\ncopy \"POSIX\"\nEND LC_CTYPE\n";
    char folder[] = "/tmp/ptx-locale-XXXXXX", command[128], path[64];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/source", folder);
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(source, file) >= 0 && fclose(file) == 0);
    snprintf(command, sizeof command, "localedef -c -i %s -f UTF-8 %s/comma >/dev/null 2>&1", path,
             folder);
    int status = system(command); /* not 0: it warns of categories that are not there */
    setenv("LOCPATH", folder, 1);
    bool good = status != -1 && setlocale(LC_NUMERIC, "comma");
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_expect_eq(system(command), 0);
    return good;
}

Test(ptx_module, reads_numbers_whatever_the_locale) {
    if (!use_comma())
        cr_skip_test("localedef can't make a locale here (package locales)");
    char text[8];
    snprintf(text, sizeof text, "%.1f", 1.5);
    cr_assert_str_eq(text, "1,5");
    struct ptx_module *module = parsed(HEAD ".global .f64 x = 1.5;\n");
    cr_expect_eq(module->version_major, 9);
    double value;
    memcpy(&value, var(module, "x")->init, sizeof value);
    cr_expect_eq(value, 1.5);
}

Test(ptx_module, reads_variables_of_all_spaces) {
    struct ptx_module *module = parsed(HEAD ".visible .global .align 8 .b8 a[24];\n"
                                            ".const .f32 b[4];\n"
                                            ".shared .align 16 .b8 c[2][3];\n"
                                            ".extern .shared .align 16 .b8 d[];\n"
                                            ".weak .global .v4 .u16 e, f[2];\n"
                                            ".global .attribute(.managed) .s32 g;\n");
    static const struct {
        const char *name;
        enum ptx_space space;
        enum ptx_type type;
        uint32_t align;
        uint64_t bytes;
        bool is_extern;
    } wanted[] = {
        {"a", PTX_GLOBAL, PTX_B8, 8, 24, false}, {"b", PTX_CONST, PTX_F32, 4, 16, false},
        {"c", PTX_SHARED, PTX_B8, 16, 6, false}, {"d", PTX_SHARED, PTX_B8, 16, 0, true},
        {"e", PTX_GLOBAL, PTX_U16, 8, 8, false}, {"f", PTX_GLOBAL, PTX_U16, 8, 16, false},
        {"g", PTX_GLOBAL, PTX_S32, 4, 4, false},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const struct ptx_var *got = var(module, wanted[i].name);
        cr_expect_eq(got->space, wanted[i].space, "%s", got->name);
        cr_expect_eq(got->type, wanted[i].type, "%s", got->name);
        cr_expect_eq(got->align, wanted[i].align, "%s", got->name);
        cr_expect_eq(got->bytes, wanted[i].bytes, "%s", got->name);
        cr_expect_eq(got->is_extern, wanted[i].is_extern, "%s", got->name);
        cr_expect_null(got->init, "%s", got->name);
    }
}

Test(ptx_module, prefers_a_definition_to_its_declarations) {
    struct ptx_module *module = parsed(HEAD ".extern .global .u32 x;\n.global .u32 x = 7;\n"
                                            ".extern .global .u32 x;\n");
    cr_expect_eq(module->n_vars, 1);
    cr_expect_not(var(module, "x")->is_extern);
    cr_expect_eq(var(module, "x")->init[0], 7);
}

static void expect_init(const char *declaration, const void *wanted, size_t bytes) {
    char text[512] = HEAD;
    struct ptx_module *module = parsed(strcat(text, declaration));
    const struct ptx_var *got = var(module, "x");
    cr_expect_eq(got->bytes, bytes, "%s: %zu bytes", declaration, (size_t)got->bytes);
    cr_expect_not_null(got->init, "%s", declaration);
    cr_expect(got->init && !memcmp(got->init, wanted, bytes), "%s", declaration);
}

Test(ptx_module, reads_initialisers) {
    expect_init(".global .u32 x = 5;", (uint32_t[]){5}, 4);
    expect_init(".global .b8 x[4] = {1, 0xff, -1};", (uint8_t[]){1, 255, 255, 0}, 4);
    expect_init(".const .f32 x[2] = {0f3F800000, 2.5};", (float[]){1, 2.5f}, 8);
    expect_init(".const .f64 x[2] = {0d3FF0000000000000, -2};", (double[]){1, -2}, 16);
    expect_init(".global .s16 x[2][2] = {{1}, {2, 3}};", (int16_t[]){1, 0, 2, 3}, 8);
    expect_init(".global .s16 x[2][2] = {1, 2, 3, 4};", (int16_t[]){1, 2, 3, 4}, 8);
    expect_init(".global .s32 x[] = {4, 5, 6};", (int32_t[]){4, 5, 6}, 12);
    expect_init(".global .s8 x[][2] = {{4, 5}, {6, 7}};", (int8_t[]){4, 5, 6, 7}, 4);
    expect_init(".global .v2 .s32 x = {8, 9};", (int32_t[]){8, 9}, 8);
}

Test(ptx_module, reads_addresses_in_initialisers) {
    struct ptx_module *module =
        parsed(HEAD ".func f()\n;\n.global .u32 y[4];\n"
                    ".global .u64 x[4] = {y, generic(y)+8, f, 3};\n"
                    ".global .align 8 .b8 z[17] = {1, 0, 0, 0, 0, 0, 0, 0, 0xFF(y+4), 0xFF00(y+4), "
                    "0xFF0000(y+4), 0xFF000000(y+4), 0xFF00000000(y+4), 0xFF0000000000(y+4), "
                    "0xFF000000000000(y+4), 0xFF00000000000000(y+4), 9};\n"
                    ".global .u64 self = generic(self);\n");
    const struct ptx_var *x = var(module, "x"), *z = var(module, "z");
    cr_assert_eq(x->n_fixups, 3);
    cr_expect_str_eq(x->fixups[0].symbol, "y");
    cr_expect_not(x->fixups[0].generic);
    cr_expect_eq(x->fixups[1].offset, 8);
    cr_expect_eq(x->fixups[1].addend, 8);
    cr_expect(x->fixups[1].generic);
    cr_expect_str_eq(x->fixups[2].symbol, "f");
    cr_expect_eq(x->init[24], 3);
    cr_assert_eq(z->n_fixups, 1, "eight bytes make one address");
    cr_expect_eq(z->fixups[0].offset, 8);
    cr_expect_eq(z->fixups[0].addend, 4);
    cr_expect_eq(z->init[16], 9);
    cr_expect_eq(var(module, "self")->n_fixups, 1);
}

Test(ptx_module, lays_out_parameters) {
    struct ptx_module *module =
        parsed(HEAD ".visible .entry k(.param .u8 a, .param .u64 .ptr .global .align 16 b,\n"
                    ".param .align 16 .b8 c[20], .param .f32 d)\n"
                    ".reqntid 16, 8\n.minnctapersm 2\n.maxnreg 32\n{\nret;\n}\n");
    const struct ptx_function *k = ptx_find_function(module, "k");
    cr_assert_eq(k->n_params, 4);
    cr_expect_eq(k->params[0].offset, 0);
    cr_expect_eq(k->params[1].offset, 8);
    cr_expect_eq(k->params[1].align, 8, "not the alignment of what it points to");
    cr_expect_eq(k->params[2].offset, 16);
    cr_expect_eq(k->params[3].offset, 36);
    cr_expect_eq(k->param_bytes, 40);
    cr_expect_eq(k->max_cta_threads, 128);
    cr_expect(k->is_entry);
    cr_expect_eq(k->ptx_line, 4);
}

Test(ptx_module, joins_functions_with_their_declarations) {
    struct ptx_module *module =
        parsed(HEAD ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v)\n;\n"
                    ".func (.param .b32 r) g(.param .b32 x)\n;\n"
                    ".visible .entry k()\n{\n.param .b32 t;\ncall (t), g, (t);\nret;\n}\n"
                    ".func (.param .b32 r) g(.param .b32 x)\n{\nret;\n}\n");
    const struct ptx_function *g = ptx_find_function(module, "g");
    cr_expect_eq(module->n_functions, 3);
    cr_expect(ptx_find_function(module, "vprintf")->is_declaration);
    cr_expect_not(g->is_declaration);
    cr_expect_not(g->is_entry);
    cr_expect_eq(g->n_results, 1);
    cr_expect_eq(g->n_params, 1);
    cr_expect_eq(g->n_insns, 1);
    cr_expect_eq(g->ptx_line, 14);
}

Test(ptx_module, gives_hidden_variables_names_of_their_own) {
    struct ptx_module *module = parsed(HEAD ".shared .u32 x;\n.entry k()\n{\n.reg .b32 %r<3>;\n"
                                            "{ .param .b32 p; st.param.b32 [p], %r1; }\n"
                                            "{ .param .b64 p; ld.param.b32 %r1, [p+4]; }\n"
                                            "ld.shared.u32 %r2, [x];\n"
                                            ".shared .u32 x;\nld.shared.u32 %r2, [x];\n}\n");
    const struct ptx_function *k = ptx_find_function(module, "k");
    cr_assert_eq(k->n_vars, 3);
    cr_expect_str_eq(k->insns[0].operands[0].symbol, k->vars[0].name);
    cr_expect_str_eq(k->insns[1].operands[1].symbol, k->vars[1].name);
    cr_expect_str_neq(k->vars[0].name, k->vars[1].name);
    cr_expect_str_eq(k->insns[2].operands[1].symbol, "x");
    cr_expect_str_neq(k->vars[2].name, "x");
    cr_expect_str_eq(k->insns[3].operands[1].symbol, k->vars[2].name);
}

Test(ptx_module, ends_every_body_with_a_jump) {
    static const struct {
        const char *body;
        size_t n_insns;
    } wanted[] = {
        {"", 1},        {"ret;", 1},      {"membar.gl;", 2}, {"@%p1 ret;", 2},
        {"ret; L:", 2}, {"L: bra L;", 1}, {"exit;", 1},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        char text[512] = HEAD ".entry k()\n{\n.reg .pred %p<2>;\n";
        struct ptx_module *module = parsed(strcat(strcat(text, wanted[i].body), "\n}\n"));
        const struct ptx_function *k = ptx_find_function(module, "k");
        cr_expect_eq(k->n_insns, wanted[i].n_insns, "%s", wanted[i].body);
        cr_expect_eq(k->insns[k->n_insns - 1].guard, -1, "%s", wanted[i].body);
    }
}

Test(ptx_module, skips_pragmas_and_debug_sections) {
    struct ptx_module *module = parsed(HEAD ".pragma \"a;b\";\n.entry k()\n{\n"
                                            ".pragma \"nounroll\";\nret;\n}\n"
                                            ".section .debug_str {\n.b8 1, 2\n$L: .b8 \"}\"\n}\n"
                                            ".section .debug_loc { }\n.global .u32 x;\n");
    cr_expect_eq(ptx_find_function(module, "k")->n_insns, 1);
}

#define TOOLKIT "/usr/local/cuda/bin/../targets/x86_64-linux/include/sm_30_intrinsics.hpp"

Test(ptx_module, counts_instructions_for_lines_of_the_student) {
    struct ptx_module *module =
        parsed(HEAD ".entry k()\n{\n.reg .b32 %r<3>;\n"
                    "membar.cta;\n" /* before the first position */
                    ".loc 1 10 5\nmembar.cta;\nmembar.gl;\n"
                    ".loc 2 300 9, function_name $L0, inlined_at 1 11 7\nmembar.cta;\n"
                    ".loc 1 0 0\nmembar.cta;\n"
                    ".loc 3 4 1, function_name $L1, inlined_at 1 12 7\nmembar.cta;\n"
                    ".loc 2 301 9, function_name $L0, inlined_at 3 4 1\nmembar.cta;\n"
                    ".loc 2 302 9\nmembar.cta;\n"
                    ".loc 4 5 9, function_name $L2, inlined_at 1 14 3\nmembar.cta;\n}\n"
                    ".file 4 \"/usr/local/cuda-13.0/include/cccl/cuda/x.h\"\n"
                    ".file 3 \"helper.h\"\n.file 1 \"a.cu\"\n.file 2 \"" TOOLKIT "\", 1, 2\n");
    static const struct {
        unsigned file, line;
    } wanted[] = {{0, 0}, {1, 10}, {1, 10}, {1, 11}, {1, 11}, {3, 4}, {3, 4}, {2, 302}, {1, 14}};
    const struct ptx_function *k = ptx_find_function(module, "k");
    cr_assert_eq(k->n_insns, 10);
    for (size_t i = 0; i < 9; i++) {
        cr_expect_eq(k->insns[i].file, wanted[i].file, "file of %zu", i);
        cr_expect_eq(k->insns[i].line, wanted[i].line, "line of %zu: %u", i, k->insns[i].line);
    }
    cr_expect_str_eq(ptx_file_path(module, 1), "a.cu");
    cr_expect_str_eq(ptx_file_path(module, 2), TOOLKIT);
    cr_expect_str_eq(ptx_file_path(module, 3), "helper.h");
    cr_expect_null(ptx_file_path(module, 5));
}

Test(ptx_module, keeps_what_it_parsed_apart_from_the_text) {
    char text[] = HEAD ".global .u32 x = 3;\n";
    struct ptx_module *module = parsed(text);
    memset(text, 'q', sizeof text - 1);
    cr_expect_str_eq(var(module, "x")->name, "x");
}

Test(ptx_module, ignores_zero_bytes_behind_the_text) {
    static const char text[] = HEAD "\0\0\0";
    struct simt_diag diag;
    struct ptx_module *module = ptx_parse(text, sizeof text, &diag);
    cr_assert_not_null(module, "line %u: %s", diag.line, diag.message);
    ptx_free(module);
}
