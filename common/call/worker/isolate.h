/*
 * Namespaces around the worker, where the kernel lets an ordinary process have them: then student
 * code sees no process but its own, can't signal or trace others, has no network, and whatever it
 * leaves behind ends with it.
 */
#ifndef CALL_WORKER_ISOLATE_H
#define CALL_WORKER_ISOLATE_H

#include <stdbool.h>

/* Returns in the process that is to be the worker: a new one inside, or the same where the kernel
 * says no (false). The processes left outside end as the worker ends, by the same signal or status.
 * Files stay as they are. */
bool isolate(void);

#endif
