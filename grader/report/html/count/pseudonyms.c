/* See pseudonyms.h. */
#include "grader/report/html/count/pseudonyms.h"

#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/text.h"
#include "grader/grade/record.h"

enum { WORDS = 32, TRIES = SHA256_DIGEST_SIZE / 2 };

static const char *const firsts[WORDS] = {
    "Amber", "Azure",  "Brisk",  "Bronze", "Calm",   "Cobalt", "Copper", "Coral",
    "Deft",  "Eager",  "Early",  "Fleet",  "Golden", "Green",  "Indigo", "Ivory",
    "Jade",  "Keen",   "Lilac",  "Lucid",  "Merry",  "Noble",  "Olive",  "Patient",
    "Quiet", "Russet", "Silver", "Steady", "Sunny",  "Teal",   "Violet", "Witty",
};
static const char *const seconds[WORDS] = {
    "Badger", "Beaver", "Bison",  "Crane", "Curlew",   "Dolphin", "Falcon", "Finch",
    "Gecko",  "Heron",  "Hornet", "Ibex",  "Jackdaw",  "Kestrel", "Lark",   "Lynx",
    "Marten", "Newt",   "Osprey", "Otter", "Owl",      "Panther", "Plover", "Puffin",
    "Raven",  "Robin",  "Salmon", "Seal",  "Starling", "Swift",   "Tiger",  "Wren",
};

/* Each part is followed by a zero, so that no two lists of parts are one text. */
static void draw(const char *lab, const struct scored_student *student,
                 uint8_t digest[SHA256_DIGEST_SIZE]) {
    const struct scored_lab *own = scored_lab(student, lab);
    const char *parts[] = {lab, own ? record_text(own->record, "sha256") : "", student->id};
    struct sha256_ctx sha256;
    sha256_init(&sha256);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        sha256_update(&sha256, strlen(parts[i]) + 1, (const uint8_t *)parts[i]);
    sha256_digest(&sha256, SHA256_DIGEST_SIZE, digest);
}

static bool is_taken(char *const *pseudonyms, size_t n, const char *name) {
    return find_in_list(name, pseudonyms, n, sizeof *pseudonyms) != NULL;
}

char **pseudonyms_make(const char *lab, const struct scored_student *students, size_t n) {
    char **pseudonyms = make_zeroed(n, sizeof *pseudonyms);
    for (size_t i = 0; i < n; i++) {
        uint8_t digest[SHA256_DIGEST_SIZE];
        draw(lab, &students[i], digest);
        char *name = NULL;
        for (size_t k = 0; k < TRIES && (!name || is_taken(pseudonyms, i, name)); k++) {
            free(name);
            name = text_format("%s %s", firsts[digest[2 * k] % WORDS],
                               seconds[digest[2 * k + 1] % WORDS]);
        }
        if (is_taken(pseudonyms, i, name))
            text_add(&name, " %zu", i + 1);
        pseudonyms[i] = name;
    }
    return pseudonyms;
}

void pseudonyms_free(char **pseudonyms, size_t n) {
    for (size_t i = 0; i < n; i++)
        free(pseudonyms[i]);
    free(pseudonyms);
}
