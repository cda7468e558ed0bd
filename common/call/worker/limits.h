/*
 * What the worker denies itself before anything of the student's runs. A sandbox around the worker
 * denies more; these hold on every machine.
 */
#ifndef CALL_WORKER_LIMITS_H
#define CALL_WORKER_LIMITS_H

#include <stdbool.h>

/* Dies with the process (exactly: the thread) that started it, leaves no core. */
void limits_at_start(void);

/* Within namespaces, where only processes there count. */
void limits_inside(void);

/* Once the CUDA runtime is there, which may need a setuid helper to find its device: no more
 * privileges, and bounded private memory. RLIMIT_AS is no use: CUDA reserves, and the simulator may
 * reserve, far more addresses than memory. */
void limits_after_open(bool is_gpu);

#endif
