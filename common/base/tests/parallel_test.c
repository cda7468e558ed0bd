/* Each part is done once, whatever their number. */
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/parallel.h"

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

Test(parallel, compares_every_byte) {
    static const size_t n_bytes[] = {0, 1, 1 << 20, (1 << 20) + 1, (5 << 20) - 1};

    for (size_t i = 0; i < sizeof n_bytes / sizeof n_bytes[0]; i++) {
        size_t n = n_bytes[i];
        unsigned char *a = malloc(n + 1), *b = malloc(n + 1);

        for (size_t k = 0; k <= n; k++)
            a[k] = (unsigned char)(k * 31 >> 3);
        memcpy(b, a, n);
        cr_expect(parallel_same(a, b, n), "%zu bytes", n);
        for (size_t at = 0; n > 0 && at<n; at += n> 1 ? n - 1 : 1) {
            b[at] ^= 1;
            cr_expect_not(parallel_same(a, b, n), "byte %zu of %zu", at, n);
            b[at] ^= 1;
        }
        free(a);
        free(b);
    }
}
