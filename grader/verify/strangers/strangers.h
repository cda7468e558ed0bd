/*
 * `verify --strangers`: answers of people who saw handout and skeleton alone, and neither tests nor
 * catalogue, in solutions/NN-name/strangers/ROUND/. The first line of each says `// Wrong: …` or
 * `// Right: …`, the second one of a wrong one `// Kind: …`. Beside it stands its smallest mend,
 * NAME.patch. With the patch it must get all points: else its writer erred, or the tests do.
 *
 * A round that is kept closed until the end lies in strangers/sealed.tar.xz. It is opened in a
 * temporary folder.
 */
#pragma once

#include <jansson.h>

#include "grader/grade/grading.h"
#include "grader/verify/measure/share.h"

/* What came of an answer. */
#define STRANGER_ENDS(X)                                                                           \
    X(RIGHT, "right")       /* wrong: a changed line and its cause are told, nothing false */      \
    X(UNPLACED, "unplaced") /* wrong: a cause is right and none false, but no changed line told */ \
    X(VAGUE, "vague")       /* wrong: loses points, and no cause was named */                      \
    X(FALSE, "false")       /* wrong: a cause was named that is none of it */                      \
    X(ACCEPTED, "accepted") /* wrong: gets all points */                                           \
    X(DISPUTED, "disputed") /* wrong: loses points with its patch, too */                          \
    X(PASSED, "passed")     /* right: gets all points */                                           \
    X(LOST, "lost")         /* right: loses points */                                              \
    X(UNJUDGED, "unjudged") /* the grader or the machine failed, or the file has no first lines */

enum stranger_end {
#define STRANGER_ENUM(name, word) STRANGER_##name,
    STRANGER_ENDS(STRANGER_ENUM)
#undef STRANGER_ENUM
        N_STRANGER_ENDS
};

extern const char *const stranger_end_words[N_STRANGER_ENDS];

struct strangers {
    struct grading *grading;
    struct share share;
    uint64_t seed;  /* of the inputs, and of the share */
    bool is_sealed; /* those of the archive, and no others */
    measure_progress *progress;
};

/* What came of a lab: rows {lab, file, says, what, kind, end, …}, as README.md has them, and
 * problems, texts on files that can't be judged, or are not judged as they should be and are not in
 * strangers/open.yaml. */
struct strangers_lab {
    json_t *rows, *problems;
    bool is_interrupted;
};

/* Looks at a lab's. GRADER_FAILED with a reason where its files can't be read. */
enum grader_status strangers_run(const struct strangers *strangers, const struct workbook_lab *lab,
                                 struct strangers_lab *result, struct diag *diag);
void strangers_lab_finish(struct strangers_lab *result);
