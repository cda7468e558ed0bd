/*
 * What the worker denies itself before anything of the student's runs. A sandbox around the worker
 * denies more; these hold on every machine.
 */
#ifndef CALL_WORKER_LIMITS_H
#define CALL_WORKER_LIMITS_H

#include <stdbool.h>

/* Dies with the process that started it, leaves no core, has no files of size. */
void limits_at_start(void);

/* Bounds private memory. RLIMIT_AS is no use: CUDA reserves, and the simulator may reserve, far
 * more addresses than memory. */
void limits_on_memory(bool is_gpu);

#endif
