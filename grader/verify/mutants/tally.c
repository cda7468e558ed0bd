/* Adds up what came of mutants, by families. */
#include "grader/verify/mutants/tally.h"

#include <stdlib.h>
#include <string.h>

#include "grader/grade/record.h"

static size_t index_of(const char *word, const char *const *words, size_t n) {
    size_t i = 0;
    while (i < n && strcmp(word, words[i]) != 0)
        i++;
    return i;
}

static void add(struct tally *tally, const json_t *row, size_t end) {
    tally->n++;
    tally->ends[end]++;
    if (end != MUTANT_KILLED)
        return;
    tally->line += json_is_true(json_object_get(row, "line_told"));
    tally->cause += json_is_true(json_object_get(row, "has_cause"));
    tally->kind += json_is_true(json_object_get(row, "kind_told"));
    tally->is_false += json_is_true(json_object_get(row, "false_cause"));
}

void tallies_add(struct tallies *tallies, const json_t *rows) {
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row) {
        size_t family = index_of(record_text(row, "family"), family_words, N_FAMILIES);
        size_t end = index_of(record_text(row, "end"), mutant_end_words, N_MUTANT_ENDS);
        if (family < N_FAMILIES && end < N_MUTANT_ENDS) {
            add(&tallies->of[family], row, end);
            add(&tallies->of[N_FAMILIES], row, end);
        }
    }
}

enum { N_COLUMNS = 9 };

static const char *const columns[N_COLUMNS] = {"mutants", "refused", "same",  "killed", "survived",
                                               "line",    "cause",   "right", "false"};

/* "same": by the compiler, or by the list; "survived": holes, too. */
static void fill(const struct tally *tally, size_t cells[N_COLUMNS]) {
    const size_t *ends = tally->ends;
    const size_t filled[N_COLUMNS] = {
        tally->n,
        ends[MUTANT_REFUSED],
        ends[MUTANT_EQUIVALENT] + ends[MUTANT_DUPLICATE] + ends[MUTANT_LISTED],
        ends[MUTANT_KILLED],
        ends[MUTANT_SURVIVED] + ends[MUTANT_KNOWN],
        tally->line,
        tally->cause,
        tally->kind,
        tally->is_false,
    };
    memcpy(cells, filled, sizeof filled);
}

static json_t *tally_json(const struct tally *tally) {
    size_t cells[N_COLUMNS];
    fill(tally, cells);
    json_t *object = json_object();
    for (size_t i = 0; i < N_COLUMNS; i++)
        json_object_set_new(object, columns[i], json_integer((json_int_t)cells[i]));
    json_object_set_new(object, "holes", json_integer((json_int_t)tally->ends[MUTANT_KNOWN]));
    json_object_set_new(object, "unjudged", json_integer((json_int_t)tally->ends[MUTANT_UNJUDGED]));
    return object;
}

json_t *tallies_json(const struct tallies *tallies) {
    json_t *families = json_object();
    for (size_t i = 0; i < N_FAMILIES; i++)
        json_object_set_new(families, family_words[i], tally_json(&tallies->of[i]));
    return json_pack("{s:o, s:o}", "families", families, "all",
                     tally_json(&tallies->of[N_FAMILIES]));
}

static const char *name_of(size_t i) {
    return i < N_FAMILIES ? family_words[i] : "all";
}

/* Of a column on the terminal. */
static int width(size_t column) {
    int bytes = (int)strlen(columns[column]) + 1;
    return bytes > 6 ? bytes : 6;
}

void tallies_show(const struct tallies *tallies, const struct page *page) {
    char line[160];
    int n = snprintf(line, sizeof line, "%-11s", "");
    for (size_t i = 0; i < N_COLUMNS; i++)
        n += snprintf(line + n, sizeof line - (size_t)n, "%*s", width(i), columns[i]);
    page_verbatim(page, 2, "", PAGE_FAINT, line, (size_t)n);
    for (size_t i = 0; i <= N_FAMILIES; i++) {
        size_t cells[N_COLUMNS];
        fill(&tallies->of[i], cells);
        if (cells[0] == 0)
            continue;
        n = snprintf(line, sizeof line, "%-11s", name_of(i));
        for (size_t k = 0; k < N_COLUMNS; k++)
            n += snprintf(line + n, sizeof line - (size_t)n, "%*zu", width(k), cells[k]);
        page_verbatim(page, 2, "", i < N_FAMILIES ? PAGE_PLAIN : PAGE_STRONG, line, (size_t)n);
    }
}

void tallies_write(const struct tallies *tallies, FILE *out) {
    fputs("| family |", out);
    for (size_t i = 0; i < N_COLUMNS; i++)
        fprintf(out, " %s |", columns[i]);
    fputs("\n|---|---|---|---|---|---|---|---|---|---|\n", out);
    for (size_t i = 0; i <= N_FAMILIES; i++) {
        size_t cells[N_COLUMNS];
        fill(&tallies->of[i], cells);
        if (cells[0] == 0)
            continue;
        fprintf(out, "| %s |", name_of(i));
        for (size_t k = 0; k < N_COLUMNS; k++)
            fprintf(out, " %zu |", cells[k]);
        fputc('\n', out);
    }
}

bool row_is_survivor(const json_t *row) {
    const char *end = record_text(row, "end");
    return strcmp(end, mutant_end_words[MUTANT_SURVIVED]) == 0 ||
           strcmp(end, mutant_end_words[MUTANT_KNOWN]) == 0;
}

char *row_text(const json_t *row) {
    const char *source = record_text(row, "source");
    return text_format("%s:%d:%d: %s: %s", record_text(row, "file"), (int)record_count(row, "line"),
                       (int)record_count(row, "column"), record_text(row, "change"),
                       source + strspn(source, " \t"));
}
