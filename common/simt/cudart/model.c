/*
 * The model of time. A kernel is bound by the slowest of three things: issuing its instructions,
 * serving its shared memory, and moving its sectors.
 */
#include "common/simt/cudart/model.h"

/* What starting a kernel or a copy costs, and the rates of a PCI Express link of 16 lanes of the
 * third generation; pageable memory is copied once more on its way. */
static const double START_MS = 0.002, TRANSFER_START_MS = 0.008;
static const double PINNED_BYTES_PER_MS = 12e6, PAGEABLE_BYTES_PER_MS = 6e6;

/* Bytes of a sector; schedulers of a multiprocessor, each of which issues once a clock. */
enum { SECTOR_BYTES = 32, SCHEDULERS = 4 };

static double bytes_per_ms(const struct cudart_device *device) {
    return 2.0 * device->memory_khz * device->bus_bits / 8;
}

double model_kernel_ms(const struct cudart_device *device, const struct simt_counters *counters,
                       uint64_t n_ctas) {
    double sms = n_ctas < (uint64_t)device->n_sm ? (double)n_ctas : device->n_sm;
    double clocks_per_ms = device->clock_khz * (sms < 1 ? 1 : sms);
    double issue = (double)counters->warp_instructions / SCHEDULERS / clocks_per_ms;
    double shared = (double)(counters->shared_load_wavefronts + counters->shared_store_wavefronts) /
                    clocks_per_ms;
    double memory = (double)(counters->global_load_sectors + counters->global_store_sectors) *
                    SECTOR_BYTES / bytes_per_ms(device);
    double longest = issue > shared ? issue : shared;
    return START_MS + (longest > memory ? longest : memory);
}

double model_transfer_ms(size_t bytes, bool is_pinned) {
    return TRANSFER_START_MS +
           (double)bytes / (is_pinned ? PINNED_BYTES_PER_MS : PAGEABLE_BYTES_PER_MS);
}

double model_device_ms(const struct cudart_device *device, uint64_t bytes) {
    return START_MS + (double)bytes / bytes_per_ms(device);
}
