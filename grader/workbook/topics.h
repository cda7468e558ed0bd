/*
 * What a cause can be about (topics.def): by it, whatever is told of one failure is held together,
 * and `verify` measures whether it is the mistake's.
 */
#pragma once

#include <stdint.h>

#include "grader/workbook/manifest.h"

enum topic {
#define TOPIC(name, word, tokens, diagnoses, edits, words) TOPIC_##name,
#include "grader/workbook/topics.def"
#undef TOPIC
    N_TOPICS
};

/* Sets of topics: bits by 1 << topic. */

/* Those of a statement's token, of a diagnosis, of a kind of edit, of a word for people, and that
 * of a family of mutations; 0 where there are none. */
uint32_t topics_of_token(const char *token);
uint32_t topics_of_diagnosis(const char *id);
/* The same of a lab's diagnosis, which may say what it is about; `manifest` may be NULL. */
uint32_t topics_of_labs(const struct manifest *manifest, const char *id);
uint32_t topics_of_edit(const char *kind);
uint32_t topics_of_word(const char *word);
uint32_t topics_of_family(const char *word);

/* "barrier, loop"; the caller frees it. */
char *topics_text(uint32_t topics);
