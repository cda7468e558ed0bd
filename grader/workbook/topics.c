/* The table of topics, and what each word, diagnosis and edit is about. */
#include "grader/workbook/topics.h"

#include "common/base/text.h"

static const struct {
    const char *word, *tokens, *diagnoses, *edits, *words;
} topics[] = {
#define TOPIC(name, word, tokens, diagnoses, edits, words) {word, tokens, diagnoses, edits, words},
#include "grader/workbook/topics.def"
#undef TOPIC
};

#define TOPICS_OF(what, list)                                                                      \
    uint32_t topics_of_##what(const char *text) {                                                  \
        uint32_t found = 0;                                                                        \
        for (int i = 0; i < N_TOPICS; i++)                                                         \
            found |= text_is_like_any_case(text, topics[i].list) ? UINT32_C(1) << i : 0;           \
        return found;                                                                              \
    }
TOPICS_OF(token, tokens)
TOPICS_OF(diagnosis, diagnoses)
TOPICS_OF(edit, edits)
TOPICS_OF(word, words)
TOPICS_OF(family, word)
#undef TOPICS_OF

uint32_t topics_of_labs(const struct manifest *manifest, const char *id) {
    const struct manifest_diagnosis *diagnosis =
        manifest ? manifest_diagnosis_find(manifest, id) : NULL;
    uint32_t found = 0;
    if (!diagnosis || !diagnosis->about)
        return topics_of_diagnosis(id);
    for (int i = 0; i < N_TOPICS; i++)
        found |= text_is_like_any_case(topics[i].word, diagnosis->about) ? UINT32_C(1) << i : 0;
    return found;
}

char *topics_text(uint32_t set) {
    char *text = text_format("%s", "");
    for (int i = 0; i < N_TOPICS; i++) {
        if (set & UINT32_C(1) << i)
            text_add(&text, "%s%s", *text ? ", " : "", topics[i].word);
    }
    return text;
}
