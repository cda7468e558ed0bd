/* The optimal string alignment distance over two short words, and the best of a list by it. */
#include "common/base/nearest.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 63 };

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

unsigned nearest_distance(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return UINT_MAX;
    unsigned rows[3][LONGEST + 1]; /* rows i - 2, i - 1 and i, taken in turn */
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i - 1) % 3], *second = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]))
                row[j] = least(row[j], second[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

int nearest_index(const char *word, const char *const *names, size_t n_names) {
    int best = -1;
    unsigned best_distance = UINT_MAX;
    size_t length = strlen(word);
    for (size_t i = 0; i < n_names; i++) {
        size_t longer = strlen(names[i]) > length ? strlen(names[i]) : length;
        unsigned distance = nearest_distance(word, names[i]);
        /* A beginning of the name is what somebody types who is in a hurry. */
        if (length >= 2 && strncasecmp(word, names[i], length) == 0)
            distance = 1;
        if (distance <= (longer + 2) / 3 && distance < best_distance) {
            best = (int)i;
            best_distance = distance;
        }
    }
    return best;
}
