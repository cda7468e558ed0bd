/* `verify --mutants` and `verify --strangers`. */
#pragma once

#include "grader/session/session.h"

/* Each does what its option asks for, shows it, and returns the exit code. */
int measure_mutants(const struct session *session);
int measure_strangers(const struct session *session);
