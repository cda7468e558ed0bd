/* A tree of budgets by the names that the roster will read. */
#include "grader/class/intake/budget.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "grader/class/intake/name.h"
#include "common/base/text.h"

static int compare(const void *a, const void *b) {
    return strcmp(((const struct budget *)a)->key, ((const struct budget *)b)->key);
}

struct budget *budget_of(void **budgets, const char *name, bool is_folder) {
    struct name_parts parts;
    name_read(name, &parts);
    bool is_nobodys = parts.kind == NAME_PLAIN && !is_folder;
    struct budget *budget = malloc(sizeof *budget);
    if (!budget)
        abort();
    *budget = (struct budget){
        .key = is_nobodys ? text_format("what is nobody's")
                          : text_format("%s", parts.kind == NAME_PLAIN ? name : parts.id),
        .files_left = BUDGET_FILES,
        .bytes_left = (long long)BUDGET_MIB << 20,
    };
    name_parts_free(&parts);
    struct budget **node = tsearch(budget, budgets, compare);
    if (!node)
        abort();
    if (*node != budget) {
        free(budget->key);
        free(budget);
    }
    return *node;
}

static void free_budget(void *node) {
    free(((struct budget *)node)->key);
    free(node);
}

void budget_finish(void *budgets) {
    tdestroy(budgets, free_budget);
}
