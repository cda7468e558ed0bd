// attack: 13 includes the lab's tests
// expect: compile_error 0

#include "sum_divergent.h"

#include "labs/01-divergent-reduction/tests/test_sum.c"
#include "common/harness/lab.h"

