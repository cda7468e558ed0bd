/* The result of a test as one JSON document. README.md describes it. */
#ifndef CHECK_RESULT_H
#define CHECK_RESULT_H

#include "common/harness/context.h"

/* The document of a test that has ended; takes what it needs from lab->kept. NULL when the host has
 * no memory. */
json_t *lab_result_document(struct lab *lab, double seconds);

/* Writes TIER.NAME.json into `folder`: whole, or not at all. False when it can't. */
bool lab_result_write(const json_t *document, const char *folder);

/* True where it is of this kind of finding that the simulator stopped a kernel: for its budget, or
 * by the clock. `kind` may be NULL. */
bool lab_is_stop(const char *kind);

/* True where the test did not end, and not for a kernel that the simulator stopped: host code
 * hangs, as far as can be seen. */
bool lab_result_hangs(const json_t *document);

#endif
