/* Which tests of a lab are meant: all, those of a tier, or one. */
#pragma once

#include <stdbool.h>

#include "grader/workbook/manifest.h"

struct selection {
    const struct manifest *manifest;
    const struct manifest_test *test; /* the one that is meant, or NULL */
    char tier[16];                    /* the tier that is meant, or "" */
};

/* Where one run of the test program is not for all tests. On a GPU those that want it come first,
 * so that it is free for others while the simulator works; and speed is measured while nothing else
 * runs. */
enum selection_part {
    SELECTION_ALL,
    SELECTION_BUT_SPEED,
    SELECTION_EXAMPLES,
    SELECTION_ON_DEVICE,    /* example and edge */
    SELECTION_ON_GPU,       /* these and speed */
    SELECTION_ON_SIMULATOR, /* safety and technique, on any machine */
    SELECTION_SPEED,
};

/* `wanted` is NULL for all tests, a tier, a test's name, or the name without its tier. False, with
 * the nearest name in `diag`, where there is no such test. */
bool selection_init(struct selection *selection, const struct manifest *manifest,
                    const char *wanted, struct diag *diag);

/* The length of a test's tier: "edge" of "edge.handles_one". */
int selection_tier_length(const char *test);

bool selection_has(const struct selection *selection, const struct manifest_test *test,
                   enum selection_part part);

/* The test program's pattern for a part of the tests, which the caller frees; NULL where the part
 * has no test. */
char *selection_filter(const struct selection *selection, enum selection_part part);
