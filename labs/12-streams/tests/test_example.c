/* Small numbers, which a reader can follow, and a few thousand. */
#include "labs/12-streams/tests/pipeline.h"

static void examples(struct lab *lab, enum flow_name which) {
    lab_one(lab, 5, 2, flows[which].run);
    lab_one(lab, 24, 8, flows[which].run);
    lab_one(lab, 4096, 512, flows[which].run);
}

LAB_TEST(example, whole_is_mixed) {
    examples(lab, WHOLE);
}

LAB_TEST(example, chunks_are_mixed) {
    examples(lab, CHUNKS);
}

LAB_TEST(example, both_are_combined) {
    examples(lab, COMBINE);
}

LAB_TEST(example, staged_is_mixed) {
    examples(lab, STAGED);
}
