/* Writes the page of mistakes. */
#include "grader/verify/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/grade/verdict.h"

/* A cell: one line, and no bar that would end it. */
static void put_cell(FILE *out, const char *text) {
    fputs(" ", out);
    for (const char *at = text; *at; at++) {
        if (*at == '|')
            fputs("\\|", out);
        else
            fputc(*at == '\n' ? ' ' : *at, out);
    }
    fputs(" |", out);
}

static void put_row(FILE *out, const struct manifest *manifest, const struct mistake *mistake) {
    const struct manifest_diagnosis *diagnosis =
        manifest_diagnosis_find(manifest, mistake->diagnosis);
    const struct verdict *verdict = verdict_of_test(mistake->verdict);
    bool is_anywhere = mistake_shows_on(mistake, "gpu") && mistake_shows_on(mistake, "sim");
    char *file = text_format("`%s`", mistake->file), *test = text_format("`%s`", mistake->test);
    fputs("|", out);
    put_cell(out, file);
    put_cell(out, test);
    put_cell(out, verdict ? verdict->label : mistake->verdict);
    put_cell(out, is_anywhere ? "both" : mistake->backend);
    put_cell(out, diagnosis ? diagnosis->text : mistake->diagnosis);
    fputs("\n", out);
    free(test);
    free(file);
}

char *table_text(const struct catalogue *catalogue) {
    char *text = NULL;
    size_t bytes, n = 0;
    const char *lab = "";
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        abort();
    for (size_t i = 0; i < catalogue->n; i++)
        n += catalogue->items[i].mistake != NULL;
    fprintf(
        out,
        "# Mistakes\n\n"
        "%zu wrong answers, one mistake each. For each the test that catches it, its verdict,\n"
        "the backend that shows it, and what the learner reads. `./warpbook verify` proves all\n"
        "of it; `./warpbook verify --table solutions/MISTAKES.md` writes this page.\n",
        n);
    for (size_t i = 0; i < catalogue->n; i++) {
        const struct catalogue_item *item = &catalogue->items[i];
        const struct target *target = &catalogue->targets.items[item->target];
        if (!item->mistake)
            continue;
        if (strcmp(lab, target->lab->name) != 0) {
            lab = target->lab->name;
            fprintf(out,
                    "\n## Lab %.2s · %s\n\n"
                    "| mistake | test | verdict | backend | diagnosis |\n|---|---|---|---|---|\n",
                    lab, target->manifest ? target->manifest->title : lab);
        }
        if (target->manifest)
            put_row(out, target->manifest, item->mistake);
    }
    if (fclose(out) != 0)
        abort();
    return text;
}
