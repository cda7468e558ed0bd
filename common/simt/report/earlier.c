/* Lines by hash, sorted: nearly all calls of a test run the same ones. */
#include "common/simt/report/earlier.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/fnv.h"
#include "common/base/grow.h"

static uint64_t key_of(const struct simt_line *line) {
    const char *file = line->file == NULL ? "" : line->file;
    const uint64_t of_file = fnv64_add(FNV64_START, file, strlen(file));
    return fnv64_add(of_file, &line->line, sizeof line->line);
}

/* Where the first key lies that is not smaller. */
static size_t find(const struct simt_earlier *earlier, uint64_t key) {
    size_t low = 0, high = earlier->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (earlier->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool simt_earlier_has(const struct simt_earlier *earlier, const struct simt_line *line) {
    const uint64_t key = key_of(line);
    const size_t at = find(earlier, key);
    return at < earlier->n && earlier->keys[at] == key;
}

void simt_earlier_add(struct simt_earlier *earlier, const struct simt_line *line) {
    const uint64_t key = key_of(line);
    const size_t at = find(earlier, key);
    if (at < earlier->n && earlier->keys[at] == key)
        return;
    uint64_t *grown = grow_room(earlier->keys, earlier->n, &earlier->room, 64, sizeof *grown);
    if (grown == NULL) {
        earlier->is_incomplete = true;
        return;
    }
    earlier->keys = grown;
    memmove(grown + at + 1, grown + at, (earlier->n - at) * sizeof *grown);
    grown[at] = key;
    earlier->n++;
}

void simt_earlier_free(struct simt_earlier *earlier) {
    free(earlier->keys);
    *earlier = (struct simt_earlier){.keys = NULL};
}
