/* Which files are alike, in small classes made for it. */
#include <criterion/criterion.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/alike/alike.h"
#include "grader/alike/tokens.h"
#include "grader/alike/verbatim.h"

enum { N_STUDENTS = 12 };

static const char given[] = "#include \"lab.h\"\n__global__ void scale(int *out, size_t n) {\n"
                            "    // TODO(1)\n}\nint last(void) {\n    return 0;\n}\n";

/* Two functions that each student writes with numbers and a step of their own. */
static char *answer(int i) {
    static const char *const steps[] = {"sum += in[k]", "sum = in[k] + sum", "sum -= -in[k]"};
    return text_format("#include \"lab.h\"\nint before(const int *in, int n) {\n    int sum = %d;\n"
                       "    for (int k = 0; k < n; k++)\n        %s;\n    return sum / %d;\n}\n"
                       "__global__ void scale(int *out, size_t n) {\n    int me = threadIdx.x;\n"
                       "    if (me < %d && out[me] != %d)\n        out[me] = me * %d;\n}\n"
                       "int last(void) {\n    return 0;\n}\n",
                       i * 7 % 5, steps[i % 3], 1 + i % 4, 32 * (i % 7), i * 5 % 9, 2 + i * 3 % 8);
}

/* answer(5) in other names, comments, layout and order. */
static const char disguised[] = "#include \"lab.h\"\n"
                                "/* all my own work */\n"
                                "__global__ void scale(int *const result, size_t many)\n{\n"
                                "  const int who = threadIdx.x; if (who < 160u && result[who] != "
                                "7) { result[who] = who * 9; }\n"
                                "}\n"
                                "static inline int total(const int *list, int length)\n{\n"
                                "  int t = 0; // begins here\n"
                                "  for (int i = 0; i < length; i++) { t -= -list[i]; }\n"
                                "  return (t / 2);\n}\n"
                                "int last(void) { return 0; }\n";

struct group {
    struct alike_text files[N_STUDENTS + 1];
    size_t n;
};

static void add(struct group *group, char *text) {
    group->files[group->n++] = (struct alike_text){text, strlen(text)};
}

static struct group strangers(void) {
    struct group group = {0};
    for (int i = 0; i < N_STUDENTS; i++)
        add(&group, answer(i));
    return group;
}

static struct alike_pairs find(const struct group *group) {
    const struct alike_text skeleton = {given, strlen(given)};
    const struct alike_class class = {
        .files = group->files, .n_files = group->n, .skeletons = &skeleton, .n_skeletons = 1};
    struct alike_pairs pairs;
    alike_find(&class, &pairs);
    return pairs;
}

static void finish(struct group *group, struct alike_pairs *pairs) {
    for (size_t i = 0; i < group->n; i++)
        free((char *)group->files[i].text);
    alike_finish(pairs);
}

Test(alike, finds_a_copy_whatever_its_names_comments_layout_and_order) {
    struct group group = strangers();
    add(&group, text_format("%s", disguised));
    struct alike_pairs pairs = find(&group);
    cr_assert_eq(pairs.n, 1, "%zu pairs", pairs.n);
    cr_expect_eq(pairs.items[0].one, 5);
    cr_expect_eq(pairs.items[0].other, N_STUDENTS);
    cr_expect_eq(pairs.items[0].how, ALIKE_STRUCTURE);
    cr_expect_eq(pairs.items[0].one_share, 1);
    cr_expect_eq(pairs.items[0].other_share, 1);
    finish(&group, &pairs);
}

Test(alike, names_the_lines_of_both_sides) {
    struct group group = strangers();
    add(&group, text_format("%s", disguised));
    struct alike_pairs pairs = find(&group);
    cr_assert_eq(pairs.n, 1);
    cr_assert_eq(pairs.items[0].n_passages, 2);
    const struct alike_passage *first = &pairs.items[0].passages[0];
    const struct alike_passage *second = &pairs.items[0].passages[1];
    cr_expect(first->one == 2 && first->one_end == 6, "%u-%u", first->one, first->one_end);
    cr_expect(first->other == 7 && first->other_end == 11, "%u-%u", first->other, first->other_end);
    cr_expect(second->one == 8 && second->one_end == 11, "%u-%u", second->one, second->one_end);
    cr_expect(second->other == 3 && second->other_end == 5, "%u-%u", second->other,
              second->other_end);
    finish(&group, &pairs);
}

Test(alike, lists_nobody_for_what_many_write) {
    struct group group = {0};
    for (int i = 0; i < N_STUDENTS; i++) /* four ways of writing, three students each */
        add(&group, text_format("// %d\n%s", i, answer(0)));
    struct alike_pairs pairs = find(&group);
    cr_expect_eq(pairs.n, 0, "%zu pairs", pairs.n);
    finish(&group, &pairs);
    group = strangers();
    pairs = find(&group);
    cr_expect_eq(pairs.n, 0, "%zu pairs of strangers", pairs.n);
    finish(&group, &pairs);
}

Test(alike, takes_the_skeleton_for_nobodys_own) {
    struct group group = strangers();
    add(&group, text_format("// mine\n%s", given));
    struct alike_pairs pairs = find(&group);
    cr_expect_eq(pairs.n_own[N_STUDENTS], 0, "%zu grams", pairs.n_own[N_STUDENTS]);
    cr_expect_gt(pairs.n_own[0], 20);
    finish(&group, &pairs);
}

Test(alike, takes_known_answers_for_nobodys_own_idea) {
    struct group group = strangers();
    add(&group, text_format("%s", disguised));
    OWNED char *known = answer(5);
    const struct alike_text texts[] = {{known, strlen(known)}};
    const struct alike_class class = {
        .files = group.files, .n_files = group.n, .known = texts, .n_known = 1};
    struct alike_pairs pairs;
    alike_find(&class, &pairs);
    cr_expect_eq(pairs.n, 0, "%zu pairs", pairs.n);
    finish(&group, &pairs);
}

Test(alike, finds_a_copied_explanation) {
    static const char words[] =
        "/* Whoever reads this should know that my aunt, who keeps bees in Oulu, says adding is\n"
        " * nothing but patience; hence each thread waits for its neighbour like a bee at a "
        "flower,\n"
        " * carries its own number home, and leaves the rest of the meadow to whoever comes later. "
        "*/";
    struct group group = strangers();
    add(&group, text_format("%s\n%s", words, answer(3)));
    free((char *)group.files[8].text);
    char *other = text_format("%s\n%s", answer(8), words);
    group.files[8] = (struct alike_text){other, strlen(other)};
    struct alike_pairs pairs = find(&group);
    cr_assert_eq(pairs.n, 2, "%zu pairs", pairs.n); /* and answer(3) is somebody's own */
    bool is_found = false;
    for (size_t i = 0; i < pairs.n; i++)
        is_found |= pairs.items[i].how == ALIKE_COMMENTS && pairs.items[i].one == 8 &&
                    pairs.items[i].other == N_STUDENTS;
    cr_expect(is_found);
    finish(&group, &pairs);
}

Test(alike, reads_what_is_no_program_and_no_more_than_it_can_hold) {
    static const char *const odd[] = {
        "",         "/* no end", "\"no end\n'", "// no newline", "}}}}{{{;;;;",
        "#include", "0x",        "1e",          "\xff\xfe \x01", "/",
        "\\",       "'\\",
    };
    struct group group = {0};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        add(&group, text_format("%s", odd[i]));
    size_t bytes = 1 << 20;
    char *large = malloc(bytes + 1);
    memset(large, ';', bytes);
    large[bytes] = '\0';
    add(&group, large);
    struct alike_pairs pairs = find(&group);
    cr_expect_eq(pairs.n_own[0], 0);
    cr_expect_leq(pairs.n_own[group.n - 1], TOKENS_MAX + TOKENS_PAD);
    finish(&group, &pairs);
}

static size_t n_tokens(enum tokens_kind kind, const char *text) {
    OWNED_BY(tokens_finish) struct tokens tokens;
    tokens_read(&tokens, kind, text, strlen(text));
    size_t n = tokens.n;
    return n;
}

Test(tokens, are_the_same_for_other_names_and_signs_that_change_nothing) {
    static const char one[] = "if (a < 31u) { a.x = f(b, \"s\"); }";
    static const char other[] = "if(lane<31) // every lane\n  lane.x=(other(c,\"t\"));";
    struct tokens first, second;
    tokens_read(&first, TOKENS_STRUCTURE, one, strlen(one));
    tokens_read(&second, TOKENS_STRUCTURE, other, strlen(other));
    size_t n = TOKENS_PAD + 13;
    cr_assert(first.n >= n && second.n >= n, "%zu and %zu tokens", first.n, second.n);
    for (size_t i = 0; i < n; i++)
        cr_expect_eq(first.items[i].what, second.items[i].what, "token %zu", i);
    cr_expect_eq(second.items[n - 1].line, 2);
    tokens_finish(&first);
    tokens_finish(&second);
}

Test(tokens, know_what_nobody_can_rename) {
    static const char *const texts[] = {"a.x", "a.y", "a.b", "threadIdx", "blockIdx", "int", "f"};
    struct tokens tokens[7];
    for (size_t i = 0; i < 7; i++)
        tokens_read(&tokens[i], TOKENS_STRUCTURE, texts[i], strlen(texts[i]));
    for (size_t i = 0; i < 3; i++)
        cr_expect_neq(tokens[i].items[TOKENS_PAD + 2].what,
                      tokens[(i + 1) % 3].items[TOKENS_PAD + 2].what, "%s", texts[i]);
    for (size_t i = 3; i < 6; i++)
        cr_expect_neq(tokens[i].items[TOKENS_PAD].what, tokens[i + 1].items[TOKENS_PAD].what, "%s",
                      texts[i]);
    for (size_t i = 0; i < 7; i++)
        tokens_finish(&tokens[i]);
}

Test(tokens, of_comments_are_their_words) {
    cr_expect_eq(n_tokens(TOKENS_COMMENTS, "int a; // two words\n/* and four\n * more */"), 5);
    cr_expect_eq(n_tokens(TOKENS_COMMENTS, "int a = 1;"), 0);
}

static struct verbatim_shared shared_with(const char *original, const char *text) {
    const struct alike_text skeleton = {given, strlen(given)};
    const struct alike_text one = {text, strlen(text)}, other = {original, strlen(original)};
    return verbatim_compare(&one, &other, &skeleton, 1);
}

Test(words, are_the_same_under_another_layout_and_not_under_other_names) {
    OWNED char *original = answer(5), *other = answer(6), *laid_out = text_format("/* mine */");
    for (const char *at = original; *at; at++)
        text_add(&laid_out, "%s%c", *at == '{' ? "\n\n  " : "", *at);
    const struct verbatim_shared copy = shared_with(original, laid_out);
    cr_expect(copy.file == 1 && copy.original == 1 && copy.n_own > 64);
    const struct verbatim_shared renamed = shared_with(original, disguised);
    cr_expect_lt(renamed.file, 0.5);
    const struct verbatim_shared another = shared_with(original, other);
    cr_expect(another.file < 0.85 && another.n_own > 64);
}

Test(words, of_the_skeleton_are_nobodys) {
    const struct verbatim_shared shared = shared_with(given, given);
    cr_expect(shared.n_own == 0 && shared.file == 0);
}
