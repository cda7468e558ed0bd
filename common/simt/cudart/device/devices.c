/*
 * The table of virtual GPUs. Those named after a product have the public figures of that product;
 * NVIDIA's programming guide has the limits of each compute capability.
 */
#include "common/simt/cudart/device/devices.h"

#include <strings.h>

#define KIB(n) ((n)*1024)
#define GIB(n) ((size_t)(n) << 30)

const struct cudart_device cudart_devices[] = {
    {"turing", "Warpbook SIMT simulator", 75, 8, 1024, 16, KIB(64), KIB(64), 0, 1000000, 1000000,
     256, KIB(4096), GIB(16)},
    {"ada", "Warpbook SIMT simulator", 89, 8, 1536, 24, KIB(100), KIB(99), 1024, 1000000, 1000000,
     256, KIB(4096), GIB(16)},
    {"hopper", "Warpbook SIMT simulator", 90, 8, 2048, 32, KIB(228), KIB(227), 1024, 1000000,
     1000000, 256, KIB(4096), GIB(16)},
    {"t4", "Tesla T4 (Warpbook SIMT simulator)", 75, 40, 1024, 16, KIB(64), KIB(64), 0, 1590000,
     5001000, 256, KIB(4096), GIB(15)},
    {"a100", "NVIDIA A100-SXM4-40GB (Warpbook SIMT simulator)", 80, 108, 2048, 32, KIB(164),
     KIB(163), 1024, 1410000, 1215000, 5120, KIB(40960), GIB(40)},
    {"h100", "NVIDIA H100 80GB HBM3 (Warpbook SIMT simulator)", 90, 132, 2048, 32, KIB(228),
     KIB(227), 1024, 1980000, 2619000, 5120, KIB(51200), GIB(80)},
    {"h200", "NVIDIA H200 (Warpbook SIMT simulator)", 90, 132, 2048, 32, KIB(228), KIB(227), 1024,
     1980000, 3201000, 6144, KIB(61440), GIB(140)},
};
const size_t cudart_n_devices = sizeof cudart_devices / sizeof *cudart_devices;

const struct cudart_device *cudart_device_find(const char *word) {
    for (size_t i = 0; i < cudart_n_devices; i++)
        if (strcasecmp(cudart_devices[i].word, word) == 0)
            return &cudart_devices[i];
    return NULL;
}

const struct cudart_device *cudart_device_for(unsigned arch) {
    const struct cudart_device *best = &cudart_devices[0];
    for (size_t i = 0; i < cudart_n_devices && (unsigned)best->arch < arch; i++)
        if (cudart_devices[i].arch > best->arch)
            best = &cudart_devices[i];
    return best;
}

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
