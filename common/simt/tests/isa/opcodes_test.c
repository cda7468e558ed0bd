/*
 * The tables of opcodes and modifiers: words are found, and the README says the same of what the
 * simulator does not run.
 */
#include "common/simt/program/isa/opcodes.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

Test(isa, finds_each_opcode_by_its_word) {
    struct isa_words words;
    isa_words_init(&words);
    for (unsigned i = 1; i < ISA_N_OPCODES; i++) {
        const char *word = isa_opcodes[i].word;
        cr_expect_eq(isa_opcode_of(&words, word, strlen(word)), i, "%s", word);
        cr_expect_neq(isa_opcode_of(&words, word, strlen(word) - 1), i, "%s", word);
    }
    cr_expect_eq(isa_opcode_of(&words, "adds", 4), ISA_NO_OPCODE);
    cr_expect_eq(isa_opcode_of(&words, "", 0), ISA_NO_OPCODE);
}

Test(isa, finds_each_modifier_by_its_word) {
    struct isa_words words;
    isa_words_init(&words);
    for (unsigned i = 1; i < ISA_N_MODIFIERS; i++) {
        const char *word = isa_modifiers[i].word;
        cr_expect_eq(isa_modifier_of(&words, word, strlen(word)), i, "%s", word);
    }
    cr_expect_eq(isa_modifier_of(&words, "syn", 3), ISA_NO_MODIFIER);
    cr_expect_eq(isa_modifier_of(&words, "u128", 4), ISA_NO_MODIFIER);
}

Test(isa, counts_machine_instructions_by_the_first_row_that_fits) {
    const enum isa_modifier flushed[] = {ISA_DOT_APPROX, ISA_DOT_FTZ, ISA_DOT_F32};
    const enum isa_modifier wide[] = {ISA_DOT_HI, ISA_DOT_S64};
    cr_expect_eq(isa_machine_instructions(ISA_DIV, flushed, 3), 2);
    cr_expect_eq(isa_machine_instructions(ISA_DIV, &flushed[2], 1), 10);
    cr_expect_eq(isa_machine_instructions(ISA_MUL, wide, 2), 17);
    cr_expect_eq(isa_machine_instructions(ISA_ADD, wide, 2), 1);
}

/* A row of the README's table, and how many instructions it names. */
struct row {
    char family[64], text[512];
    unsigned n_named, n_meant;
};

struct table {
    struct row rows[32];
    size_t n;
};

/* The words between backquotes, up to a semicolon. */
static unsigned count_named(const char *text) {
    unsigned n = 0;
    for (const char *at = text; *at && *at != ';'; at++)
        n += *at == '`';
    return n / 2;
}

static struct table read_table(void) {
    struct table table = {.n = 0};
    char line[1024];
    FILE *file = fopen(SIMT_README, "r");
    cr_assert_not_null(file, SIMT_README);
    while (fgets(line, sizeof line, file) && strncmp(line, "| outside |", 11) != 0)
        ;
    while (fgets(line, sizeof line, file) && *line == '|') {
        struct row *row = &table.rows[table.n];
        if (sscanf(line, "| %63[^|]| %511[^|]", row->family, row->text) != 2 ||
            row->family[0] == '-')
            continue;
        row->family[strcspn(row->family, "|") - 1] = '\0';
        row->n_named = count_named(row->text);
        cr_assert_lt(++table.n, sizeof table.rows / sizeof *table.rows);
    }
    fclose(file);
    cr_assert_gt(table.n, 0, "the README has no table");
    return table;
}

static struct row *find_row(struct table *table, const char *family) {
    for (size_t i = 0; i < table->n; i++)
        if (strcmp(table->rows[i].family, family) == 0)
            return &table->rows[i];
    cr_assert_fail("the README has no row \"%s\"", family);
    return NULL;
}

/* The row names the opcode alone, or a form of it with the modifier. */
static bool names(const struct row *row, const char *opcode, const char *modifier) {
    const size_t length = strlen(opcode);
    for (const char *at = strchr(row->text, '`'); at && *at != ';'; at = strchr(at + 1, '`')) {
        const char *end = at + 1 + strcspn(at + 1, "`");
        if (strncmp(at + 1, opcode, length) != 0)
            continue;
        for (const char *dot = at + 1 + length; dot <= end; dot += 1 + strcspn(dot + 1, ".`")) {
            if (!modifier && dot == end)
                return true;
            size_t n = strcspn(dot + 1, ".`");
            if (modifier && *dot == '.' && n == strlen(modifier) &&
                strncmp(dot + 1, modifier, n) == 0)
                return true;
        }
    }
    return false;
}

static void expect_named(struct table *table, const char *family, const char *opcode,
                         const char *modifier) {
    struct row *row = find_row(table, family);
    row->n_meant++;
    cr_expect(names(row, opcode, modifier), "the README's row \"%s\" does not name %s%s%s", family,
              opcode, modifier ? "." : "", modifier ? modifier : "");
}

Test(isa, the_readme_names_what_is_outside) {
    struct table table = read_table();
    size_t n_families = 0;
#define FAMILY(name, text) n_families += find_row(&table, text) != NULL;
#include "common/simt/program/isa/opcodes.def"
    cr_expect_eq(n_families, table.n, "the README has a row that the table has not");
#define OPCODE(name, word, form, flow, memory, traits, what)
#define OUTSIDE(name, word, family)                                                                \
    expect_named(&table, isa_families[ISA_OUTSIDE_##family], word, NULL);
#define OUTSIDE_WITH(name, modifier, family)                                                       \
    expect_named(&table, isa_families[ISA_OUTSIDE_##family], isa_opcodes[ISA_##name].word,         \
                 isa_modifiers[ISA_DOT_##modifier].word);
#include "common/simt/program/isa/opcodes.def"
    for (size_t i = 0; i < table.n; i++)
        cr_expect(table.rows[i].n_meant == 0 || table.rows[i].n_meant == table.rows[i].n_named,
                  "the README's row \"%s\" names %u, the table has %u", table.rows[i].family,
                  table.rows[i].n_named, table.rows[i].n_meant);
}
