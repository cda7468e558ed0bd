/*
 * What the simulator tells beyond device.h.
 */
#pragma once

#include "common/simt/simt.h"
#include "common/simt/tests/proof/device.h"

/* The counters of the last proof_run(). */
struct simt_counters proof_counters(const struct proof_device *device);
