/* A lab's manifest as students get it. */
#pragma once

#include "grader/workbook/manifest.h"

/* The text of lab.yaml in which the words of hints, diagnoses and proven edits are sealed under
 * what the program knows once it tells them (workbook/manifest.h); the caller frees it. Comments
 * are left out. NULL where the system gives no random bytes. */
char *words_seal(const struct manifest *manifest);
