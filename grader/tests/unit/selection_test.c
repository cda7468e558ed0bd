/* The tests that --test means. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "grader/workbook/selection.h"

static struct manifest_test tests[] = {
    {.name = "example.one"},  {.name = "edge.two"},      {.name = "edge.one_more"},
    {.name = "safety.three"}, {.name = "speed.at_2_22"},
};
static const struct manifest manifest = {.tests = tests, .n_tests = 5};

static void expect_filter(const char *wish, enum selection_part part, const char *wanted) {
    struct selection selection;
    struct diag diag = {0};
    cr_assert(selection_init(&selection, &manifest, wish, &diag), "%s", diag.message);
    OWNED char *filter = selection_filter(&selection, part);
    if (wanted)
        cr_expect_str_eq(filter, wanted);
    else
        cr_expect_null(filter);
}

Test(selection, takes_a_name_a_short_name_or_a_tier) {
    expect_filter("edge.two", SELECTION_ALL, "edge/two");
    expect_filter("two", SELECTION_ALL, "edge/two");
    expect_filter("edge", SELECTION_ALL, "edge/*");
    expect_filter(NULL, SELECTION_ALL, "*/*");
}

Test(selection, keeps_speed_apart) {
    expect_filter(NULL, SELECTION_BUT_SPEED, "@(example|edge|safety|technique)/*");
    expect_filter("speed", SELECTION_BUT_SPEED, NULL);
    expect_filter(NULL, SELECTION_EXAMPLES, "example/*");
    expect_filter(NULL, SELECTION_ON_DEVICE, "@(example|edge)/*");
    expect_filter(NULL, SELECTION_ON_GPU, "@(example|edge|speed)/*");
    expect_filter("safety", SELECTION_ON_GPU, NULL);
    expect_filter(NULL, SELECTION_ON_SIMULATOR, "@(safety|technique)/*");
    expect_filter(NULL, SELECTION_SPEED, "speed/*");
    expect_filter("edge", SELECTION_SPEED, NULL);
    expect_filter("speed", SELECTION_ON_DEVICE, NULL);
    expect_filter("edge", SELECTION_ON_SIMULATOR, NULL);
    expect_filter("edge", SELECTION_EXAMPLES, NULL);
    expect_filter("edge", SELECTION_ON_DEVICE, "edge/*");
    expect_filter("at_2_22", SELECTION_SPEED, "speed/at_2_22");
}

Test(selection, suggests_the_nearest_test) {
    struct selection selection;
    struct diag diag = {0};
    cr_expect_not(selection_init(&selection, &manifest, "edge.tow", &diag));
    cr_expect(strstr(diag.message, "'edge.two'"), "%s", diag.message);
    cr_expect_not(selection_init(&selection, &manifest, "onemore", &diag));
    cr_expect(strstr(diag.message, "'edge.one_more'"), "%s", diag.message);
    cr_expect_not(selection_init(&selection, &manifest, "zzzzzzz", &diag));
    cr_expect_not(strstr(diag.message, "did you mean"), "%s", diag.message);
    cr_expect_not(selection_init(&selection, &manifest, "examples", &diag));
    cr_expect(strstr(diag.message, "'example'"), "%s", diag.message);
}
