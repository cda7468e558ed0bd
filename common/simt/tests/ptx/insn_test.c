/*
 * Tests of instructions: each is parsed within a kernel, then rendered from the tree in a plain
 * form that shows every part: guard, opcode and modifiers, operands by kind.
 */
#include "common/simt/program/ptx/ptx.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char head[] = ".version 9.0\n.target sm_75\n.address_size 64\n"
                           ".shared .align 4 .b8 tile[64];\n"
                           ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n"
                           ".visible .entry k(.param .u64 a)\n{\n"
                           ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
                           ".reg .f32 %f<9>;\n.reg .v4 .f32 v;\n.local .b8 depot[16];\n"
                           "start:\n";

struct text {
    char bytes[1024];
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text->used += (size_t)vsnprintf(text->bytes + text->used, sizeof text->bytes - text->used,
                                    format, arguments);
    va_end(arguments);
    cr_assert_lt(text->used, sizeof text->bytes);
}

static void put_operand(struct text *text, const struct ptx_function *function,
                        const struct ptx_operand *operand);

static void put_elements(struct text *text, const struct ptx_function *function,
                         const struct ptx_operand *operand) {
    for (size_t i = 0; i < operand->n_elements; i++) {
        put(text, "%s", i ? " " : "");
        put_operand(text, function, &operand->elements[i]);
    }
}

static void put_operand(struct text *text, const struct ptx_function *function,
                        const struct ptx_operand *operand) {
    const char *reg = operand->reg >= 0 ? function->regs[operand->reg].name : "";
    const char *symbol = operand->symbol ? operand->symbol : "";
    put(text, "%s", operand->negated ? "!" : "");
    switch (operand->kind) {
    case PTX_OP_REG:
        put(text, "%s", reg);
        break;
    case PTX_OP_INT:
        put(text, "%" PRId64, operand->integer);
        break;
    case PTX_OP_FLOAT:
        put(text, "%s:%" PRIx64, operand->type == PTX_F64 ? "f64" : "f32", operand->integer);
        break;
    case PTX_OP_SPECIAL:
        put(text, "<%s>", symbol);
        break;
    case PTX_OP_SYMBOL:
        put(text, "&%s%+" PRId64, symbol, operand->integer);
        break;
    case PTX_OP_LABEL:
        put(text, "->%" PRId64, operand->integer);
        break;
    case PTX_OP_ADDRESS:
        put(text, "[%s%s%+" PRId64 "%s", reg, symbol, operand->integer,
            operand->n_elements ? " at " : "");
        put_elements(text, function, operand);
        put(text, "]");
        break;
    case PTX_OP_VECTOR:
    case PTX_OP_LIST:
        put(text, operand->kind == PTX_OP_LIST ? "(" : "{");
        put_elements(text, function, operand);
        put(text, operand->kind == PTX_OP_LIST ? ")" : "}");
        break;
    case PTX_OP_SINK:
        put(text, "_");
        break;
    }
}

static void put_insn(struct text *text, const struct ptx_function *function,
                     const struct ptx_insn *insn) {
    if (insn->guard >= 0)
        put(text, "@%s%s ", insn->guard_negated ? "!" : "", function->regs[insn->guard].name);
    put(text, "%s", isa_opcodes[insn->opcode].word);
    for (unsigned i = 0; i < insn->n_modifiers; i++)
        put(text, " .%s", isa_modifiers[insn->modifiers[i]].word);
    for (unsigned i = 0; i < insn->n_operands; i++) {
        put(text, "%s", !i ? " : " : i == 1 && insn->paired ? " | " : " , ");
        put_operand(text, function, &insn->operands[i]);
    }
}

/* The kernel of a body, until the next one. */
static const struct ptx_function *parsed(const char *body) {
    static struct ptx_module *module;
    char text[4096];
    struct simt_diag diag;
    int bytes = snprintf(text, sizeof text, "%s%s\nret;\n}\n", head, body);
    ptx_free(module);
    module = ptx_parse(text, (size_t)bytes, &diag);
    cr_assert_not_null(module, "%s: line %u: %s", body, diag.line, diag.message);
    return ptx_find_function(module, "k");
}

/* `index`: which of the body's instructions to compare. */
static void expect(size_t index, const char *body, const char *wanted) {
    const struct ptx_function *function = parsed(body);
    cr_assert_gt(function->n_insns, index);
    struct text got = {{0}, 0};
    put_insn(&got, function, &function->insns[index]);
    cr_expect_str_eq(got.bytes, wanted);
}

Test(ptx_insn, keeps_opcode_modifiers_and_registers) {
    expect(0, "add.s32 %r1, %r2, %r3;", "add .s32 : %r1 , %r2 , %r3");
    expect(0, "fma.rn.ftz.f32 %f1,%f2,%f3,%f4;", "fma .rn .ftz .f32 : %f1 , %f2 , %f3 , %f4");
    expect(0, "bar.sync\t0 ;", "bar .sync : 0");
    expect(0, "membar.gl;", "membar .gl");
    expect(0, "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6}];",
           "tex .? .v4 .f32 .f32 : {%f1 %f2 %f3 %f4} , [%rd1+0 at {%f5 %f6}]");
    expect(0, "ld.shared::cluster.u32 %r1, [%r2];", "ld .shared::cluster .u32 : %r1 , [%r2+0]");
    expect(0, "ld.global.L1::no_allocate.L2::128B.u32 %r1, [%rd2];",
           "ld .global .? .? .u32 : %r1 , [%rd2+0]");
}

Test(ptx_insn, keeps_guards_with_their_sense) {
    expect(0, "@%p1 bra start;", "@%p1 bra : ->0");
    expect(0, "@!%p2 st.shared.u32 [%r1], %r2;", "@!%p2 st .shared .u32 : [%r1+0] , %r2");
}

Test(ptx_insn, keeps_predicates_and_pairs) {
    expect(0, "setp.lt.and.u32 %p1|%p2, %r1, %r2, !%p3;",
           "setp .lt .and .u32 : %p1 | %p2 , %r1 , %r2 , !%p3");
    expect(0, "shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, -1;",
           "shfl .sync .down .b32 : %r1 | %p1 , %r2 , 16 , 31 , -1");
    expect(0, "shfl.sync.idx.b32 _|%p1, %r2, 0, 31, -1;",
           "shfl .sync .idx .b32 : _ | %p1 , %r2 , 0 , 31 , -1");
    expect(0, "mov.pred %p1, 0;", "mov .pred : %p1 , 0");
}

Test(ptx_insn, reads_integers_of_every_base) {
    expect(0, "mov.u32 %r1, 0x7fFFffff;", "mov .u32 : %r1 , 2147483647");
    expect(0, "mov.u32 %r1, 0xFFFFFFFFU;", "mov .u32 : %r1 , 4294967295");
    expect(0, "mov.u64 %rd1, 0xFFFFFFFFFFFFFFFF;", "mov .u64 : %rd1 , -1");
    expect(0, "mov.s32 %r1, -2147483648;", "mov .s32 : %r1 , -2147483648");
    expect(0, "mov.s64 %rd1, -9223372036854775808;", "mov .s64 : %rd1 , -9223372036854775808");
    expect(0, "mov.u32 %r1, 0b101;", "mov .u32 : %r1 , 5");
    expect(0, "mov.u32 %r1, 017;", "mov .u32 : %r1 , 15");
    expect(0, "mov.u32 %r1, ~0;", "mov .u32 : %r1 , -1");
    expect(0, "mov.u32 %r1, WARP_SZ;", "mov .u32 : %r1 , 32");
}

Test(ptx_insn, reads_floats_as_bits) {
    expect(0, "mov.f32 %f1, 0f3F800000;", "mov .f32 : %f1 , f32:3f800000");
    expect(0, "mov.f32 %f1, 0Fff800000;", "mov .f32 : %f1 , f32:ff800000");
    expect(0, "mov.f64 %rd1, 0d3FF0000000000000;", "mov .f64 : %rd1 , f64:3ff0000000000000");
    expect(0, "mov.f32 %f1, -0f3F800000;", "mov .f32 : %f1 , f32:bf800000");
    expect(0, "mov.f64 %rd1, -0d3FF0000000000000;", "mov .f64 : %rd1 , f64:bff0000000000000");
    expect(0, "mov.f64 %rd1, 1.5;", "mov .f64 : %rd1 , f64:3ff8000000000000");
    expect(0, "mov.f64 %rd1, 15e-1;", "mov .f64 : %rd1 , f64:3ff8000000000000");
}

Test(ptx_insn, reads_addresses) {
    expect(0, "ld.global.u32 %r1, [%rd1+16];", "ld .global .u32 : %r1 , [%rd1+16]");
    expect(0, "ld.global.u32 %r1, [%rd1+-16];", "ld .global .u32 : %r1 , [%rd1-16]");
    expect(0, "ld.global.u32 %r1, [%rd1 - 16];", "ld .global .u32 : %r1 , [%rd1-16]");
    expect(0, "ld.shared.u32 %r1, [tile+4];", "ld .shared .u32 : %r1 , [tile+4]");
    expect(0, "ld.param.u64 %rd1, [a];", "ld .param .u64 : %rd1 , [a+0]");
    expect(0, "ld.shared.u32 %r1, [256];", "ld .shared .u32 : %r1 , [+256]");
    expect(0, "mov.u32 %r1, tile+8;", "mov .u32 : %r1 , &tile+8");
    expect(0, "mov.u64 %rd1, depot;", "mov .u64 : %rd1 , &depot+0");
}

Test(ptx_insn, reads_vectors) {
    expect(0, "ld.global.v2.u32 {%r1, _}, [%rd1];", "ld .global .v2 .u32 : {%r1 _} , [%rd1+0]");
    expect(0, "mov.b64 %rd1, {%r1, 7};", "mov .b64 : %rd1 , {%r1 7}");
    expect(0, "add.f32 %f1, v.x, v.w;", "add .f32 : %f1 , v.x , v.w");
    expect(0, "ld.global.v4.f32 v, [%rd1];", "ld .global .v4 .f32 : {v.x v.y v.z v.w} , [%rd1+0]");
}

Test(ptx_insn, reads_special_registers) {
    expect(0, "mov.u32 %r1, %tid.x;", "mov .u32 : %r1 , <%tid.x>");
    expect(0, "mov.u32 %r1, %laneid;", "mov .u32 : %r1 , <%laneid>");
    expect(0, "mov.u64 %rd1, %clock64;", "mov .u64 : %rd1 , <%clock64>");
    expect(0, "mov.u32 %r1, %envreg3;", "mov .u32 : %r1 , <%envreg3>");
}

Test(ptx_insn, reads_calls) {
    const char *const prologue = ".param .b64 param0;\n.param .b32 retval0;\n";
    char body[512];
    snprintf(body, sizeof body, "%scall.uni (retval0), vprintf, (param0, param0);", prologue);
    expect(0, body, "call .uni : (&retval0+0) , &vprintf+0 , (&param0+0 &param0+0)");
    snprintf(body, sizeof body,
             "%sproto : .callprototype (.param .b32 _) _ (.param .b64 _);\n"
             "call (retval0), %%rd1, (param0), proto;",
             prologue);
    expect(0, body, "call : (&retval0+0) , %rd1 , (&param0+0) , &proto+0");
    expect(0, "call.uni vprintf;", "call .uni : &vprintf+0");
}

Test(ptx_insn, resolves_labels_to_instructions) {
    expect(1, "membar.cta;\nbra.uni done;\nmembar.gl;\ndone: membar.sys;", "bra .uni : ->3");
    expect(1, "membar.cta;\nback:\n@%p1 bra back;", "@%p1 bra : ->1");
    expect(0, "table: .branchtargets one, two, one;\nbrx.idx %r1, table;\none: membar.cta;\ntwo:",
           "brx .idx : %r1 , (->1 ->2 ->1)");
}

Test(ptx_insn, hides_labels_of_inner_scopes) {
    const char *const body = "{\nbra done;\ndone:\n}\n{\nmembar.cta;\nbra done;\ndone:\n}\n"
                             "bra start;";
    expect(0, body, "bra : ->1");
    expect(2, body, "bra : ->3");
    expect(3, body, "bra : ->0");
}

Test(ptx_insn, keeps_registers_of_inner_scopes_apart) {
    const char *const body = "{ .reg .b32 t; mov.u32 t, 1; }\n"
                             "{ .reg .f32 t; .reg .b32 %r<2>; add.f32 t, %f1, 0f00000000;\n"
                             "mov.u32 %r1, 2; }\nmov.u32 %r1, 3;";
    const struct ptx_function *function = parsed(body);
    const struct ptx_operand *first = function->insns[0].operands;
    const struct ptx_operand *second = function->insns[1].operands;
    cr_expect_neq(first->reg, second->reg);
    cr_expect_eq(first->type, PTX_B32);
    cr_expect_eq(second->type, PTX_F32);
    cr_expect_neq(function->insns[2].operands->reg, function->insns[3].operands->reg);
}

Test(ptx_insn, keeps_the_text_on_one_line) {
    const struct ptx_insn *insn = parsed("call.uni (\n%r1\n), \n  vprintf,\t(%rd1);")->insns;
    cr_expect_str_eq(insn->text, "call.uni (%r1 ), vprintf, (%rd1)");
    cr_expect_eq(insn->ptx_line, 15);
}

Test(ptx_insn, answers_questions_on_modifiers) {
    const struct ptx_insn *insn = parsed("cvt.rn.f32.u32 %f1, %r1;")->insns;
    cr_expect(ptx_has(insn, ISA_DOT_RN));
    cr_expect_not(ptx_has(insn, ISA_DOT_RZ));
    cr_expect_eq(ptx_insn_type(insn, 0), PTX_F32);
    cr_expect_eq(ptx_insn_type(insn, 1), PTX_U32);
    cr_expect_eq(ptx_insn_type(insn, 2), PTX_NO_TYPE);
    cr_expect_eq(ptx_type_bytes(PTX_F16X2), 4);
    cr_expect_eq(ptx_type_bytes(PTX_PRED), 0);
    cr_expect_eq(ptx_type_of("b128"), PTX_B128);
    cr_expect_eq(ptx_type_of("x"), PTX_NO_TYPE);
}
