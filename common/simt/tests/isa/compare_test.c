/*
 * Comparison and selection. The truth of each comparison stands in a table; setp and set are made
 * from its rows.
 */
#include <stdio.h>

#include "common/simt/tests/isa/cases.h"

/* Operands of a comparison and which conditions hold. */
struct comparison {
    const char *types, *a, *b; /* types: space-separated */
    const char *holds;         /* conditions, space-separated, framed by blanks */
    const char *fails;
};

static const struct comparison comparisons[] = {
    {"s16 s32 s64", "-1", "1", " lt le ne ", " eq gt ge "},
    {"s16 s32 s64", "5", "5", " le ge eq ", " lt gt ne "},
    {"s16 s32 s64", "7", "-7", " gt ge ne ", " lt le eq "},
    {"u16 u32 u64", "1", "-1", " lt le lo ls ne ", " gt ge hi hs eq "},
    {"u16 u32 u64", "-1", "1", " gt ge hi hs ne ", " lt le lo ls eq "},
    {"u16 u32 u64", "5", "5", " le ge ls hs eq ", " lt gt lo hi ne "},
    {"b16 b32 b64", "5", "5", " eq ", " ne "},
    {"b16 b32 b64", "5", "-5", " ne ", " eq "},
    {"u16", "0x10005", "5", " eq ", " ne "},
    {"f32", "0f3f800000", "0f40000000", " lt le ne ltu leu neu num ", " eq gt ge equ gtu geu nan "},
    {"f32", "0f00000000", "0f80000000", " eq le ge equ leu geu num ", " ne lt gt neu ltu gtu nan "},
    {"f32", "0f40000000", "0fff800000", " gt ge ne gtu geu neu num ", " eq lt le equ ltu leu nan "},
    {"f32", "0f7fc00000", "0f40000000", " equ neu ltu leu gtu geu nan ", " eq ne lt le gt ge num "},
    {"f32", "0f00000001", "0f00000000", " gt ne ", " eq "},
    {"ftz.f32", "0f00000001", "0f80000000", " eq le ge ", " ne lt gt "},
    {"f64", "0d3ff0000000000000", "0d4000000000000000", " lt le ne ltu leu neu num ",
     " eq gt ge equ gtu geu nan "},
    {"f64", "0d0000000000000000", "0d8000000000000000", " eq le ge equ leu geu num ",
     " ne lt gt neu ltu gtu nan "},
    {"f64", "0d4000000000000000", "0d3ff0000000000000", " gt ge ne gtu geu neu num ",
     " eq lt le equ ltu leu nan "},
    {"f64", "0d7ff8000000000000", "0d7ff8000000000000", " equ neu ltu leu gtu geu nan ",
     " eq ne lt le gt ge num "},
};

static void check_text(const char *text, uint64_t expected) {
    const struct exec_case one = {text, expected};
    exec_check(&one, 1);
}

/* setp, and set to an integer and to a float, of one condition. */
static void check_condition(const struct comparison *row, const char *type, const char *condition,
                            bool holds) {
    char text[256];
    snprintf(text, sizeof(text), "setp.%s.%s %%p0, %s, %s", condition, type, row->a, row->b);
    check_text(text, holds);
    const bool ftz = strncmp(type, "ftz.", 4) == 0;
    const char *const plain = ftz ? type + 4 : type;
    snprintf(text, sizeof(text), "set.%s%s.u32.%s %%r0, %s, %s", condition, ftz ? ".ftz" : "",
             plain, row->a, row->b);
    check_text(text, holds ? UINT32_MAX : 0);
    snprintf(text, sizeof(text), "set.%s%s.f32.%s %%f0, %s, %s", condition, ftz ? ".ftz" : "",
             plain, row->a, row->b);
    check_text(text, holds ? 0x3f800000 : 0);
}

static void check_conditions(const struct comparison *row, const char *words, bool holds) {
    char types[32], list[128], *rest_types, *rest;
    snprintf(types, sizeof(types), "%s", row->types);
    for (char *type = strtok_r(types, " ", &rest_types); type;
         type = strtok_r(NULL, " ", &rest_types)) {
        snprintf(list, sizeof(list), "%s", words);
        for (char *word = strtok_r(list, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
            check_condition(row, type, word, holds);
    }
}

Test(compare, knows_when_each_condition_holds) {
    for (size_t i = 0; i < sizeof(comparisons) / sizeof(comparisons[0]); i++)
        check_conditions(&comparisons[i], comparisons[i].holds, true);
}

Test(compare, knows_when_each_condition_fails) {
    for (size_t i = 0; i < sizeof(comparisons) / sizeof(comparisons[0]); i++)
        check_conditions(&comparisons[i], comparisons[i].fails, false);
}

#define TRUE_P1 "mov.pred %p1, -1; "

Test(compare, combines_with_a_predicate) {
    static const struct exec_case cases[] = {
        {TRUE_P1 "setp.lt.and.s32 %p0, 1, 2, %p1", 1},
        {TRUE_P1 "setp.lt.and.s32 %p0, 1, 2, !%p1", 0},
        {TRUE_P1 "setp.lt.or.s32 %p0, 2, 1, %p1", 1},
        {TRUE_P1 "setp.lt.or.s32 %p0, 2, 1, !%p1", 0},
        {TRUE_P1 "setp.lt.xor.s32 %p0, 1, 2, %p1", 0},
        {TRUE_P1 "setp.lt.xor.s32 %p0, 1, 2, !%p1", 1},
        {TRUE_P1 "set.lt.and.u32.s32 %r0, 1, 2, !%p1", 0},
        {"setp.lt.s32 %p2|%p3, 1, 2; mov.pred %p0, %p3", 0},
        {"setp.lt.s32 %p2|%p3, 2, 1; mov.pred %p0, %p3", 1},
        {TRUE_P1 "setp.lt.and.s32 %p2|%p3, 1, 2, !%p1; mov.pred %p0, %p3", 0},
        {"setp.lt.s32 %p0|_, 1, 2", 1},
    };
    EXEC_CHECK(cases);
}

Test(compare, selects) {
    static const struct exec_case cases[] = {
        {TRUE_P1 "selp.b16 %rs0, 1, 2, %p1", 1},
        {TRUE_P1 "selp.u32 %r0, 1, 2, !%p1", 2},
        {TRUE_P1 "selp.s64 %rd0, -1, 2, %p1", UINT64_MAX},
        {TRUE_P1 "selp.f32 %f0, 0f3f800000, 0f40000000, %p1", 0x3f800000},
        {TRUE_P1 "selp.f64 %fd0, 0d0000000000000000, 0d4000000000000000, !%p1",
         UINT64_C(0x4000000000000000)},
        {"slct.u16.s32 %rs0, 1, 2, -1", 2},
        {"slct.u32.s32 %r0, 1, 2, 0", 1},
        {"slct.s64.s32 %rd0, 1, -2, -2147483648", UINT64_MAX - 1},
        {"slct.f32.s32 %f0, 0f3f800000, 0f40000000, 5", 0x3f800000},
        {"slct.f64.s32 %fd0, 0d0000000000000000, 0d4000000000000000, -5",
         UINT64_C(0x4000000000000000)},
        {"slct.b32.f32 %r0, 1, 2, 0f80000000", 1},
        {"slct.b32.f32 %r0, 1, 2, 0f7fc00000", 2},
        {"slct.b32.f32 %r0, 1, 2, 0f80000001", 2},
        {"slct.ftz.b32.f32 %r0, 1, 2, 0f80000001", 1},
        {"slct.b64.f32 %rd0, 1, 2, 0fbf800000", 2},
        {"slct.ftz.f32.f32 %f0, 0f3f800000, 0f40000000, 0f80000001", 0x3f800000},
        {"slct.ftz.b64.f32 %rd0, 1, 2, 0f80000001", 1},
        {"slct.f32.f32 %f0, 0f3f800000, 0f40000000, 0f00000000", 0x3f800000},
        {"slct.f64.f32 %fd0, 0d0000000000000000, 0d4000000000000000, 0fff800000",
         UINT64_C(0x4000000000000000)},
    };
    EXEC_CHECK(cases);
}
