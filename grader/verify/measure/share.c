/* Ranks are 64 bits; a share is an interval of them. */
#include "grader/verify/measure/share.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/splitmix.h"

bool share_read(const char *text, struct share *share) {
    *share = (struct share){.from = 0, .to = 1};
    if (!text)
        return true;
    char *end;
    double number = strtod(text, &end);
    if (strcmp(end, "%") == 0) {
        share->to = number / 100;
    } else if (*end == '/') {
        double parts = strtod(end + 1, &end);
        share->from = (number - 1) / parts;
        share->to = *end ? 0 : number / parts;
    } else {
        return false;
    }
    return share->from >= 0 && share->to > share->from && share->to <= 1;
}

bool share_has(const struct share *share, uint64_t rank) {
    double where = (double)(rank >> 11) / (double)(UINT64_C(1) << 53);
    return where >= share->from && where < share->to;
}

uint64_t share_rank(uint64_t rank, const void *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        rank = splitmix_mix((rank + SPLITMIX_STEP) ^ ((const unsigned char *)bytes)[i]);
    return rank;
}
