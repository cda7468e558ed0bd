/*
 * The options of a device that nobody has said anything about. Here, since a process that has its
 * device in another one (../../remote) asks for them, too.
 */
#include "common/simt/simt.h"

void simt_default_options(struct simt_options *options) {
    *options = (struct simt_options){
        .checks = true,
        .timeout_ms = 0,
        .global_bytes = (size_t)16 << 30,
        .heap_bytes = 8 << 20,
        .shared_bytes = 48 << 10,
        .max_cta_threads = 1024,
        .n_sm = 8,
        .sm_threads = 1024,
        .sm_shared_bytes = 64 << 10,
        .sm_ctas = 16,
    };
}
