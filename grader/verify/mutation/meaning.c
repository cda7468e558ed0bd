/* The rules, each of which holds for any program. Where one can't see that it does, it says no. */
#include "grader/verify/mutation/meaning.h"

#include <string.h>

#include "grader/verify/mutation/rules.h"

/* `cudaFree(NAME);`, which nobody asks for its error */
enum { FREE_TOKENS = 5 };

static bool is_free(const struct source *source, size_t first) {
    return source_is(source, first, "cudaFree") && source_is(source, first + 1, "(") &&
           source->tokens[first + 2].kind == LEXEME_NAME && source_is(source, first + 3, ")") &&
           source_is(source, first + 4, ";");
}

/* Two pieces of memory are given back one after the other: which is first does not matter. */
static bool frees_in_another_order(const struct source *source, const struct mutation *mutation) {
    return mutation->by->rule == rule_exchange &&
           mutation->end == mutation->first + 2 * FREE_TOKENS && is_free(source, mutation->first) &&
           is_free(source, mutation->first + FREE_TOKENS);
}

/* cudaSuccess is 0, and no error is less. */
static bool compares_with_the_least(const struct source *source, const struct mutation *mutation) {
    return mutation->end == mutation->first + 1 &&
           source_is(source, mutation->end, "cudaSuccess") &&
           source_is(source, mutation->first, "==") && strcmp(mutation->text, "<=") == 0;
}

bool mutation_means_the_same(const struct source *source, const struct mutation *mutation) {
    return frees_in_another_order(source, mutation) || compares_with_the_least(source, mutation);
}
