/* Finds the tests that --test means, and writes Criterion's pattern for them. */
#include "grader/workbook/selection.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/text.h"

int selection_tier_length(const char *test) {
    return (int)strcspn(test, ".");
}

static bool is_of_tier(const char *test, const char *tier) {
    size_t length = strlen(tier);
    return strncmp(test, tier, length) == 0 && test[length] == '.';
}

/* The only test whose name without its tier is `name`, or NULL. */
static const struct manifest_test *find_short(const struct manifest *manifest, const char *name) {
    const struct manifest_test *found = NULL;
    for (unsigned i = 0; i < manifest->n_tests; i++) {
        const char *full = manifest->tests[i].name;
        if (strcmp(full + selection_tier_length(full) + 1, name) != 0)
            continue;
        if (found)
            return NULL;
        found = &manifest->tests[i];
    }
    return found;
}

static void suggest(const struct manifest *manifest, const char *wanted, struct diag *diag) {
    static const char *const tiers[] = {"example", "edge", "safety", "technique", "speed"};
    size_t n_tiers = sizeof tiers / sizeof *tiers, n = 2 * (size_t)manifest->n_tests;
    const char **names = make_zeroed(n + n_tiers, sizeof *names);
    for (unsigned i = 0; i < manifest->n_tests; i++) {
        const char *full = manifest->tests[i].name;
        names[2 * i] = full;
        names[2 * i + 1] = full + selection_tier_length(full) + 1;
    }
    for (size_t i = 0; i < n_tiers; i++)
        names[n + i] = tiers[i];
    int nearest = nearest_index(wanted, names, n + n_tiers);
    OWNED char *clean = text_clean(wanted, strnlen(wanted, 60), false);
    if (nearest >= 0)
        diag_set(diag, NULL, 0, "there is no test '%s'; did you mean '%s'?", clean,
                 (size_t)nearest < n ? manifest->tests[nearest / 2].name : names[nearest]);
    else
        diag_set(
            diag, NULL, 0,
            "there is no test '%s' in this lab; the report names all, and a tier (example, edge, "
            "safety, technique, speed) means its tests",
            clean);
    free(names);
}

bool selection_init(struct selection *selection, const struct manifest *manifest,
                    const char *wanted, struct diag *diag) {
    *selection = (struct selection){.manifest = manifest};
    if (!wanted)
        return true;
    selection->test = manifest_test_find(manifest, wanted);
    if (!selection->test)
        selection->test = find_short(manifest, wanted);
    if (selection->test)
        return true;
    for (unsigned i = 0; i < manifest->n_tests; i++) {
        if (is_of_tier(manifest->tests[i].name, wanted)) {
            snprintf(selection->tier, sizeof selection->tier, "%s", wanted);
            return true;
        }
    }
    suggest(manifest, wanted, diag);
    return false;
}

bool selection_has(const struct selection *selection, const struct manifest_test *test,
                   enum selection_part part) {
    bool is_example = is_of_tier(test->name, "example");
    enum selection_part own = is_of_tier(test->name, "speed") ? SELECTION_SPEED
                              : is_example || is_of_tier(test->name, "edge")
                                  ? SELECTION_ON_DEVICE
                                  : SELECTION_ON_SIMULATOR;
    bool is_in = part == SELECTION_ALL || part == own ||
                 (part == SELECTION_BUT_SPEED && own != SELECTION_SPEED) ||
                 (part == SELECTION_ON_GPU && own != SELECTION_ON_SIMULATOR) ||
                 (part == SELECTION_EXAMPLES && is_example);
    if (!is_in)
        return false;
    if (selection->test)
        return selection->test == test;
    return !selection->tier[0] || is_of_tier(test->name, selection->tier);
}

char *selection_filter(const struct selection *selection, enum selection_part part) {
    bool has_any = false;
    for (unsigned i = 0; i < selection->manifest->n_tests; i++)
        has_any |= selection_has(selection, &selection->manifest->tests[i], part);
    if (!has_any)
        return NULL;
    if (selection->test) {
        char *pattern = text_format("%s", selection->test->name);
        pattern[selection_tier_length(pattern)] = '/';
        return pattern;
    }
    if (selection->tier[0])
        return text_format("%s/*", selection->tier);
    static const char *const patterns[] = {
        [SELECTION_ALL] = "*/*",
        [SELECTION_BUT_SPEED] = "@(example|edge|safety|technique)/*",
        [SELECTION_EXAMPLES] = "example/*",
        [SELECTION_ON_DEVICE] = "@(example|edge)/*",
        [SELECTION_ON_GPU] = "@(example|edge|speed)/*",
        [SELECTION_ON_SIMULATOR] = "@(safety|technique)/*",
        [SELECTION_SPEED] = "speed/*",
    };
    return text_format("%s", patterns[part]);
}
