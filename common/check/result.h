/* The result of a test as one JSON document. README.md describes it. */
#ifndef CHECK_RESULT_H
#define CHECK_RESULT_H

#include "common/check/context.h"

/* The document of a test that has ended; takes what it needs from lab->kept. NULL when the host has
 * no memory. */
json_t *lab_result_document(struct lab *lab, double seconds);

/* Writes TIER.NAME.json into `folder`: whole, or not at all. False when it can't. */
bool lab_result_write(const json_t *document, const char *folder);

#endif
