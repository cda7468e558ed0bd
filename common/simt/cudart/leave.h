/*
 * The report that a program leaves behind.
 */
#ifndef CUDART_LEAVE_H
#define CUDART_LEAVE_H

#include "common/simt/cudart/cudart.h"

/* To be called once, when the device is made: it is this process that writes the report. */
void cudart_report_at_the_end(struct cudart *rt);

/* The process's runtime, without its lock. */
struct cudart *cudart_process(void);

#endif
