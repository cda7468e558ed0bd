#include "common/simt/proof/proof.h"
int command_counters(struct proof_device *device, int argc, char **argv) {
    (void)device;
    (void)argc;
    (void)argv;
    return 0;
}
