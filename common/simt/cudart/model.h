/*
 * How long things take, by a model: what event times are made of. README.md, "Time", has the rules
 * and says what they leave out.
 */
#ifndef CUDART_MODEL_H
#define CUDART_MODEL_H

#include "common/simt/cudart/device.h"
#include "common/simt/simt.h"

/* Milliseconds of a kernel that did `counters` with `n_ctas` blocks. */
double model_kernel_ms(const struct cudart_device *device, const struct simt_counters *counters,
                       uint64_t n_ctas);
/* Of a copy between host and device. */
double model_transfer_ms(size_t bytes, bool is_pinned);
/* Of a copy or a fill within the device, which moves `bytes` in all. */
double model_device_ms(const struct cudart_device *device, uint64_t bytes);

#endif
