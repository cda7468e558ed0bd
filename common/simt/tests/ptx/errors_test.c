/*
 * Tests of what is no PTX: each text is refused with the line and what was expected there, and
 * nothing is read or written out of bounds (a build with -Db_sanitize=address,undefined shows it).
 */
#include "common/simt/program/ptx/ptx.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define HEAD ".version 9.0\n.target sm_75\n.address_size 64\n"
/* Bodies start on line 8. */
#define KERNEL                                                                                     \
    HEAD ".entry k(.param .u64 a)\n{\n.reg .pred %p<4>;.reg .b64 %rd<9>;\n"                        \
         ".reg .b32 %r<9>;\n"

struct refusal {
    const char *text;
    unsigned line;
    const char *message; /* a part of it */
};

/* From a copy of exactly its size, so that a sanitiser sees a read behind the end. */
static struct ptx_module *parse(const char *text, size_t bytes, struct simt_diag *diag) {
    char *copy = malloc(bytes ? bytes : 1);
    cr_assert_not_null(copy);
    memcpy(copy, text, bytes);
    struct ptx_module *module = ptx_parse(copy, bytes, diag);
    free(copy);
    return module;
}

static void expect_refusals(const struct refusal *refusals, size_t n, enum simt_status status) {
    for (size_t i = 0; i < n; i++) {
        struct simt_diag diag;
        struct ptx_module *module = parse(refusals[i].text, strlen(refusals[i].text), &diag);
        cr_expect_null(module, "accepted: %s", refusals[i].text);
        cr_expect_eq(diag.status, status, "%s", refusals[i].text);
        cr_expect_eq(diag.line, refusals[i].line, "line %u of %s", diag.line, refusals[i].text);
        cr_expect_not_null(strstr(diag.message, refusals[i].message), "'%s' of %s", diag.message,
                           refusals[i].text);
        ptx_free(module);
    }
}
#define EXPECT_REFUSALS(refusals, status)                                                          \
    expect_refusals(refusals, sizeof(refusals) / sizeof *(refusals), status)

Test(ptx_errors, names_the_line_of_a_broken_module) {
    static const struct refusal refusals[] = {
        {"", 1, "does not start with .version"},
        {"\x7f"
         "ELF",
         1, "does not start with .version"},
        {"\n\n.target sm_75", 3, "does not start with .version"},
        {".version nine", 1, "a version such as 9.0"},
        {HEAD ".global .u32 x", 4, "the PTX ends where ';' should stand"},
        {HEAD ".global .u32 x y;", 4, "found 'y' where ';' should stand"},
        {HEAD ".global u32 x;", 4, "found 'u32' where a type should stand"},
        {HEAD ".global .u32 x;\n.global .u32 x;", 5, "'x' is defined twice"},
        {HEAD ".wobble;", 4, "unknown directive '.wobble'"},
        {HEAD "ret;", 4, "a directive"},
        {HEAD ".entry ;", 4, "without a name"},
        {HEAD ".entry\n(.param .u32 r) k() {}", 5, "the kernel 'k' has a result"},
        {HEAD ".entry k(.param .u64 a) {}\n.entry k() {}", 5, "defined twice"},
        {HEAD ".func x() {}\n.global .u32 x;", 5, "defined twice"},
        {HEAD ".global .u32 x;\n.func x() {}", 5, "a variable and a function"},
        {HEAD ".entry k(.param .u64) {}", 4, "a name"},
        {HEAD ".entry k(.param .u64 a, .param .u32 a) {}", 4, "'a' is declared twice"},
        {HEAD ".entry k() .maxntid 4294967296 {}", 4, "too many threads"},
        {HEAD ".section .debug_str {\n.b8 0\n", 4, "a section that is not closed"},
        {HEAD "/* of\n\nthree lines */ // and more\n.wobble", 7, "'.wobble'"},
        {HEAD ".section .debug_str {\n.b8 0\n.b8 \"}\"\n}\n.wobble", 8, "'.wobble'"},
        {HEAD "/* no end", 4, "a comment that is not closed"},
        {HEAD ".file 1 \"no end\n\"", 4, "a string that is not closed"},
        {HEAD ".file one \"a.cu\"", 4, "a file's number"},
    };
    EXPECT_REFUSALS(refusals, SIMT_BAD_PTX);
}

Test(ptx_errors, names_the_line_of_a_broken_instruction) {
    static const struct refusal refusals[] = {
        {KERNEL "add.s32 %r1, %r2, %r3\nret;\n}", 9, "found 'ret' where ',' should stand"},
        {KERNEL "ret;\n", 9, "the PTX ends where an instruction should stand"},
        {KERNEL "add.s32 %r1, %r2,", 8, "the PTX ends where an operand should stand"},
        {KERNEL "\n\nadd.s32 %r1, , %r2;\n}", 10, "found ',' where an operand should stand"},
        {KERNEL "ld.global.u32 %r1, [%rd1;\n}", 8, "found ';' where ']' should stand"},
        {KERNEL "ld.global.u32 %r1, [%rd1+x];\n}", 8, "found 'x' where a number should stand"},
        {KERNEL "mov.b64 %rd1, {%r1, %r2;\n}", 8, "found ';' where ',' should stand"},
        {KERNEL "mov.u32 %r1, 0x;\n}", 8, "malformed number"},
        {KERNEL "mov.u32 %r1, 12ab;\n}", 8, "malformed number"},
        {KERNEL "mov.f32 %r1, 0f3F8;\n}", 8, "malformed number"},
        {KERNEL "mov.u64 %rd1, 99999999999999999999999;\n}", 8, "malformed number"},
        {KERNEL "mov.u32 %r1, #1;\n}", 8, "a character that is no PTX"},
        {KERNEL "mov. %r1, 1;\n}", 8, "a dot without a word"},
        {KERNEL ".wobble 3;\n}", 8, "unknown directive '.wobble' in a function"},
        {KERNEL ".loc 1 2;\n}", 8, "found ';' where a column should stand"},
        {KERNEL "mov.u32 %r1, ((((((1))))));\n}", 8, "nested"},
        {KERNEL "}\n}", 9, "found '}' where a directive should stand"},
    };
    EXPECT_REFUSALS(refusals, SIMT_BAD_PTX);
}

Test(ptx_errors, names_the_line_of_an_unknown_name) {
    static const struct refusal refusals[] = {
        {KERNEL "\nmov.u32 %r9, 1;\n}", 9, "'%r9' is no register"},
        {KERNEL "mov.u32 %r01, 1;\n}", 8, "'%r01' is no register"},
        {KERNEL "mov.u32 %x, 1;\n}", 8, "'%x' is no register"},
        {KERNEL "mov.u32 %r1, %tid.q;\n}", 8, "'%tid' has no element '.q'"},
        {KERNEL "mov.u32 %r1, %laneid.x;\n}", 8, "'%laneid' has no element '.x'"},
        {KERNEL "ld.u32 %r1, [%rd10];\n}", 8, "'%rd10' is not declared"},
        {KERNEL "ld.shared.u32 %r1, [tile];\n}", 8, "'tile' is not declared"},
        {KERNEL "call f;\n}", 8, "'f' is not declared"},
        {KERNEL "L: mov.u32 %r1, L;\n}", 8, "it is a label"},
        {KERNEL "@%r1 ret;\n}", 8, "'%r1' is no predicate register"},
        {KERNEL "@%p7 ret;\n}", 8, "'%p7' is no predicate register"},
        {KERNEL "\nbra nowhere;\n}", 9, "the label 'nowhere' is not defined"},
        {KERNEL "bra inner;\n{ inner: }\n}", 8, "the label 'inner' is not defined"},
        {KERNEL "bra %r1, 3;\n}", 8, "a branch without a label"},
        {KERNEL "bra;\n}", 8, "a branch without a label"},
        {KERNEL "t: .branchtargets c, b;\nc:\nbrx.idx %r1, t;\n}", 8, "'b' is not defined"},
        {KERNEL "L:\nL:\n}", 9, "'L' is declared twice"},
        {KERNEL "{ .reg .u32 t; }\nmov.u32 t, 1;\n}", 9, "'t' is not declared"},
        {KERNEL ".reg .u32 t;\n.reg .u64 t;\n}", 9, "'t' is declared twice"},
        {HEAD ".global .u64 p = generic(q);", 4, "'q' is no variable"},
    };
    EXPECT_REFUSALS(refusals, SIMT_BAD_PTX);
}

Test(ptx_errors, refuses_absurd_sizes) {
    static const struct refusal refusals[] = {
        {HEAD ".global .b8 x[18446744073709551615][2];", 4, "too large"},
        {HEAD ".global .b64 x[4611686018427387904];", 4, "too large"},
        {HEAD ".global .b8 x[1099511627777];", 4, "too large"},
        {HEAD ".global .b8 x[1099511627776] = {1};", 4, "an initialiser"},
        {HEAD ".global .b8 x[1][1][1][1][1][1][1][1][1];", 4, "dimensions"},
        {HEAD ".global .b8 x[2] = {1, 2, 3};", 4, "too many initialisers"},
        {HEAD ".global .b8 x[2] = {{{{1}}}};", 4, "a number"},
        {HEAD ".global .align 3 .b8 x;", 4, "no power of two"},
        {HEAD ".global .align 0 .b8 x;", 4, "no power of two"},
        {HEAD ".global .pred x;", 4, "a predicate can't lie in memory"},
        {KERNEL ".reg .b32 %q<4294967296>;\n}", 8, "too many registers"},
        {KERNEL ".reg .b32 %q<1048577>;\n}", 8, "too many registers"},
    };
    EXPECT_REFUSALS(refusals, SIMT_BAD_PTX);
}

Test(ptx_errors, tells_valid_but_unsupported_text_apart) {
    static const struct refusal refusals[] = {
        {".version 9.0\n.target sm_75\n.address_size 32\n", 3, "addresses of 32 bits"},
        {HEAD ".func (.reg .u32 r) f (.reg .u32 x) {}", 4, "parameter in a register"},
        {KERNEL ".global .u32 x;\n}", 8, "the global variable 'x' in a function"},
        {HEAD ".global .u32 g;\n.global .u32 x = g;", 5, "an address of 4 bytes"},
    };
    EXPECT_REFUSALS(refusals, SIMT_UNSUPPORTED);
}

Test(ptx_errors, survives_deep_nesting) {
    enum { DEPTH = 100000 };
    static const char *const openers[] = {"{", "{\n", "(", "[", "!", "@", "mov (", "mov {"};
    for (size_t i = 0; i < sizeof openers / sizeof *openers; i++) {
        size_t step = strlen(openers[i]), used = strlen(KERNEL);
        char *text = malloc(used + DEPTH * step);
        cr_assert_not_null(text);
        memcpy(text, KERNEL, used);
        for (size_t k = 0; k < DEPTH; k++, used += step)
            memcpy(text + used, openers[i], step);
        struct simt_diag diag;
        cr_expect_null(parse(text, used, &diag), "%s", openers[i]);
        cr_expect_geq(diag.line, 8, "%s: %s", openers[i], diag.message);
        free(text);
    }
}

/* A little of everything. */
static const char whole[] =
    HEAD ".extern .shared .align 16 .b8 dyn[];\n"
         ".visible .const .align 4 .f32 c[2] = {0f3F800000, 2.0};\n"
         ".func (.param .b32 r) f(.param .b32 x)\n;\n"
         ".global .align 8 .u64 t[3] = {generic(c), f, generic(c)+4};\n"
         ".global .align 8 .b8 u[9] = {0xFF(c), 0xFF00(c), 0xFF0000(c), 1};\n"
         ".visible .entry k(\n\t.param .u64 .ptr .align 1 a,\n\t.param .align 8 .b8 s[24]\n)\n"
         ".maxntid 32, 4, 1\n.minnctapersm 2\n{\n\t.reg .pred \t%p<3>;\n\t.reg .b32 \t%r<7>;\n"
         "\t.loc\t1 12 5\n\t.loc 2 3 4, function_name $L__info_string0, inlined_at 1 12 5\n"
         "$L__a:\n\tts: .branchtargets $L__a, $L__b;\n\t@!%p1 brx.idx %r1, ts;\n"
         "\t{ // callseq 0, 0\n\t.param .b32 param0;\n\tst.param.b32 [param0], %r1;\n"
         "\t.param .b32 retval0;\n\tcall.uni (retval0), f, (param0);\n\t}\n"
         "$L__b:\n\tshfl.sync.bfly.b32 %r1|%p2, %r2, 1, 0x1f, -1;\n"
         "\tmov.f32 %r3, 0f7FC00000;\n\tret;\n}\n"
         ".file\t1 \"a.cu\"\n.file\t2 \"b.h\", 1, 2\n"
         ".section\t.debug_str\n{\n$L__info_string0:\n.b8 95, 90\n.b8 0\n}\n";

Test(ptx_errors, survives_the_text_cut_anywhere) {
    struct simt_diag diag;
    struct ptx_module *module = parse(whole, strlen(whole), &diag);
    cr_assert_not_null(module, "line %u: %s", diag.line, diag.message);
    ptx_free(module);
    for (size_t bytes = 0; bytes < strlen(whole); bytes++) {
        module = parse(whole, bytes, &diag);
        cr_expect(module || (diag.line && diag.message[0]), "cut at %zu", bytes);
        ptx_free(module);
    }
}

Test(ptx_errors, survives_any_byte_anywhere) {
    static const char bytes[] = {'\0', '"', '{', '}', '(', '[', '.', ';', '9', '%', '\xff', '\n'};
    char text[sizeof whole];
    for (size_t i = 0; i + 1 < sizeof whole; i++) {
        for (size_t k = 0; k < sizeof bytes; k++) {
            struct simt_diag diag;
            memcpy(text, whole, sizeof whole);
            text[i] = bytes[k];
            struct ptx_module *module = parse(text, sizeof whole - 1, &diag);
            cr_expect(module || (diag.line && diag.message[0]), "byte %zu", i);
            ptx_free(module);
        }
    }
}

Test(ptx_errors, survives_any_token_left_out_or_doubled) {
    size_t n = strlen(whole);
    char *text = malloc(2 * n);
    cr_assert_not_null(text);
    for (size_t start = 0; start < n; start++) {
        size_t length = strcspn(whole + start, " \t\n,;") + 1;
        length = length > n - start ? n - start : length;
        for (int doubled = 0; doubled < 2; doubled++) {
            size_t used = start + (doubled ? length : 0);
            memcpy(text, whole, used);
            memcpy(text + used, whole + start + (doubled ? 0 : length),
                   n - start - (doubled ? 0 : length));
            used += n - start - (doubled ? 0 : length);
            struct simt_diag diag;
            struct ptx_module *module = parse(text, used, &diag);
            cr_expect(module || (diag.line && diag.message[0]), "token at %zu", start);
            ptx_free(module);
        }
    }
    free(text);
}
