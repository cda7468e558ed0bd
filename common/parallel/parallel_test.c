/* Each part is done once, whatever their number. */
#include <criterion/criterion.h>
#include <stdatomic.h>

#include "common/parallel/parallel.h"

enum { MAX_PARTS = 1000 };

static void count(void *context, size_t part) {
    atomic_int *counts = context;

    atomic_fetch_add(&counts[part], 1);
}

Test(parallel, does_each_part_once) {
    static const size_t n_parts[] = {0, 1, 2, 3, MAX_PARTS};

    for (size_t i = 0; i < sizeof n_parts / sizeof n_parts[0]; i++) {
        atomic_int counts[MAX_PARTS + 1] = {0};

        parallel_run(n_parts[i], count, counts);
        for (size_t part = 0; part <= MAX_PARTS; part++)
            cr_expect_eq(counts[part], part < n_parts[i], "part %zu of %zu", part, n_parts[i]);
    }
}
