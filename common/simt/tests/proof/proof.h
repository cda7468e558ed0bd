/*
 * The commands of the differential suite that have files of their own. A command gets its arguments
 * and returns the exit status.
 */
#pragma once

#include "common/simt/tests/proof/device.h"

/* random RECORDS FIRST COUNT: the programs of some modules against their digests, as TAP. */
int command_random(struct proof_device *device, int argc, char **argv);

/* program NUMBER: prints the PTX of a random program. */
int command_program(struct proof_device *device, int argc, char **argv);

/* dump NUMBER: prints the outputs of a random program, a word a line. */
int command_dump(struct proof_device *device, int argc, char **argv);

/* counters RECORDS PTX.. : FILE.cu..: counters against Nsight Compute's, as TAP. */
int command_counters(struct proof_device *device, int argc, char **argv);
