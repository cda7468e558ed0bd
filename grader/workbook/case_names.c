/* Between the lab's names of a case's numbers and the test program's. */
#include "grader/workbook/case_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/text.h"

enum { N_DIGITS = 18, BLOCK_DIGITS = 9, SEED_DIGITS = 16 };

static const char name_bytes[] = "abcdefghijklmnopqrstuvwxyz_";

const char *case_names(const struct manifest *manifest, const struct manifest_test *test) {
    const char *own = test && test->case_names ? test->case_names : manifest->case_names;
    return own ? own : "n,block";
}

bool case_names_are_good(const char *names) {
    size_t first = strspn(names, name_bytes);
    bool has_two = names[first] == ',';
    const char *second = names + first + has_two;
    size_t length = strspn(second, name_bytes);
    if (first == 0 || second[has_two ? length : 0] != '\0')
        return false;
    bool is_same = has_two && first == length && strncmp(names, second, length) == 0;
    return !is_same && (!has_two || length > 0) && strncmp(names, "seed", first) != 0 &&
           strcmp(second, "seed") != 0;
}

char *case_say(const char *names, uint64_t n, uint64_t block, const char *seed) {
    const char *second = strchr(names, ',');
    char *text = text_format("%.*s=%" PRIu64, (int)strcspn(names, ","), names, n);
    if (second)
        text_add(&text, "%s=%" PRIu64, second, block);
    text_add(&text, ",seed=%s", seed);
    return text;
}

/* Passes NAME=DIGITS, and returns the digits; NULL where `text` does not begin so. */
static const char *pass_number(const char **text, const char *name, size_t name_length,
                               size_t max_digits) {
    if (strncmp(*text, name, name_length) != 0 || (*text)[name_length] != '=')
        return NULL;
    const char *digits = *text + name_length + 1;
    size_t n = strspn(digits, "0123456789");
    *text = digits + n;
    return n > 0 && n <= max_digits ? digits : NULL;
}

static bool is_seed(const char *text) {
    size_t n = strspn(text, "0123456789abcdef");
    return n > 0 && n <= SEED_DIGITS && text[n] == '\0';
}

char *case_read(const char *names, const char *text) {
    size_t length = strcspn(names, ",");
    const char *n = pass_number(&text, names, length, N_DIGITS), *block = "1";
    if (n && names[length] == ',') {
        const char *second = names + length; /* with its comma */
        block = pass_number(&text, second, strlen(second), BLOCK_DIGITS);
    }
    bool has_seed = strncmp(text, ",seed=", 6) == 0;
    if (!n || !block || (*text != '\0' && !(has_seed && is_seed(text + 6))))
        return NULL;
    return text_format("n=%" PRIu64 ",block=%" PRIu64 "%s", (uint64_t)strtoull(n, NULL, 10),
                       (uint64_t)strtoull(block, NULL, 10), text);
}
