// attack: 13 includes the model answer
// expect: compile_error 0

#include "sum_divergent.h"

#include "solutions/01-divergent-reduction/sum_divergent.cu"

