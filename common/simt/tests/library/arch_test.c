/*
 * Programs with CUB and Thrust for one architecture each (arch.cu), on every virtual device: they
 * are right on each that is no older, and get hardware's error on the others.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "common/simt/cudart/device/devices.h"

static void try(const char *program, int arch) {
    for (size_t i = 0; i < cudart_n_devices; i++) {
        const struct cudart_device *device = &cudart_devices[i];
        const int wanted = device->arch >= arch ? 0 : 3;
        setenv("SIMT_DEVICE", device->word, 1);
        const int status = system(program);
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == wanted, "%s on %s: %d, not %d",
                  program, device->word, status, wanted);
    }
    unsetenv("SIMT_DEVICE");
    cr_expect_eq(system(program), 0, "%s where the device follows the program", program);
}

Test(arch, programs_for_any_run_on_all_devices_that_are_no_older) {
    static const int archs[] = {75, 80, 86, 87, 89, 90};
    for (size_t i = 0; i < sizeof archs / sizeof archs[0]; i++) {
        char program[512];
        snprintf(program, sizeof program, "%s%d", PROGRAMS, archs[i]);
        try(program, archs[i]);
    }
}
