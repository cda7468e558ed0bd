/* Hashes of what a result depends on beside the student's file. */
#ifndef GRADER_GRADE_IDENTITY_H
#define GRADER_GRADE_IDENTITY_H

#include "common/base/digest.h"
#include "grader/grade/session.h"

/* Of a lab's tests: the test program, the manifest, the headers that a submission is compiled with.
 */
void identity_tests(const struct session *session, const struct workbook_lab *lab,
                    char sha256[DIGEST_TEXT]);

/* Of the grader: this program, the worker, the runtime under the submission, the compiler. */
void identity_grader(const struct session *session, char sha256[DIGEST_TEXT]);

/* "sim", or the GPU's name. */
const char *identity_backend(const struct session *session);

#endif
