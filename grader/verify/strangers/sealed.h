/* The archive of a round that is kept closed. */
#pragma once

#include "common/base/text.h"

/* Unpacks the .cu and .patch files of an archive, as FOLDER/ROUND/NAME. GRADER_FAILED with a reason
 * where it can't be read, or has more in it than answers take. */
enum grader_status sealed_open(const char *archive, const char *folder, struct diag *diag);
