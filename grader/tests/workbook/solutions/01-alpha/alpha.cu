// The skeleton of alpha.
#include "alpha.h"
int alpha(int x) {
    // TODO(1): add one (about 1 line)
    return x + 1;
    // gives example.adds_one pass
    // gives edge.handles_nothing pass
    // gives safety.has_no_race pass
    // gives speed.at_2_22 skipped
    // END TODO(1)
}
