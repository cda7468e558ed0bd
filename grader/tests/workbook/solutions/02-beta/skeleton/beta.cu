// The skeleton of beta.
#include "beta.h"
int beta(int x) {
    // TODO(1): add one (about 1 line)
    // gives example.adds_one not_written
    // gives edge.handles_nothing not_written
    // gives safety.has_no_race not_written
    // gives speed.at_2_22 skipped
    // END TODO(1)
}
