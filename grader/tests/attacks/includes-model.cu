// attack: 13 includes the model answer
// expect: compile_error 0
// container: 5 since there are model answers here, as in Gradescope's image there are none

#include "sum_divergent.h"

#include "solutions/01-divergent-reduction/sum_divergent.cu"

