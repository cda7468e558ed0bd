/*
 * Lists which files are alike, without grading them: what .ci/bench/alike measures.
 *
 *   alike-list --skeleton FILE… --known FILE… --files FILE…
 *
 * A line a pair: the numbers of the two files (from 0), how, and three shares.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "grader/alike/alike.h"

struct list {
    const char *option;
    struct alike_text *items;
    size_t n;
};

static struct list lists[] = {{"--skeleton", NULL, 0}, {"--known", NULL, 0}, {"--files", NULL, 0}};
enum { N_LISTS = sizeof lists / sizeof *lists };

int main(int argc, char **argv) {
    static const char *const hows[] = {
        [ALIKE_STRUCTURE] = "structure", [ALIKE_COMMENTS] = "comments"};
    struct list *list = NULL;
    struct diag diag;
    for (int i = 1; i < argc; i++) {
        struct list *named = NULL;
        for (int k = 0; k < N_LISTS; k++)
            named = strcmp(argv[i], lists[k].option) == 0 ? &lists[k] : named;
        if (named) {
            list = named;
            continue;
        }
        char *bytes = NULL;
        size_t n_bytes = 0;
        if (!list || file_read(argv[i], FILE_SOURCE_BYTES, &bytes, &n_bytes, &diag) != GRADER_OK) {
            fprintf(stderr, "alike-list: %s cannot be read\n", argv[i]);
            return 2;
        }
        list->items = realloc(list->items, (list->n + 1) * sizeof *list->items);
        if (!list->items)
            abort();
        list->items[list->n++] = (struct alike_text){bytes, n_bytes};
    }
    const struct alike_class class = {lists[2].items, lists[2].n,     lists[0].items,
                                      lists[0].n,     lists[1].items, lists[1].n};
    OWNED_BY(alike_finish) struct alike_pairs pairs;
    alike_find(&class, &pairs);
    for (size_t i = 0; i < pairs.n; i++)
        printf("%zu %zu %s %.3f %.3f %.3f\n", pairs.items[i].one, pairs.items[i].other,
               hows[pairs.items[i].how], pairs.items[i].bits, pairs.items[i].one_share,
               pairs.items[i].other_share);
    for (int i = 0; i < N_LISTS; i++) {
        for (size_t k = 0; k < lists[i].n; k++)
            free((char *)lists[i].items[k].text);
        free(lists[i].items);
    }
    return 0;
}
