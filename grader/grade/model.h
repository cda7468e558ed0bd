/* How fast the model answer is on this device: measured once, and remembered. */
#ifndef GRADER_MODEL_H
#define GRADER_MODEL_H

#include "grader/grade/grading.h"

/* Sets model_gbps and share_of_model of each measurement in a lab's record, where there is a model
 * answer. Measures it if need be, by grading_run; where that is interrupted, so is the job. Waits
 * for others who measure one. */
void model_compare(struct grading *grading, struct grading_job *job);

#endif
