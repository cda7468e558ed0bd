/*
 * splitmix64 against numbers that its published source gives: seeds, schedules and records of the
 * proof suite depend on them.
 */
#include "common/base/splitmix.h"

#include <criterion/criterion.h>

Test(splitmix, gives_the_published_numbers) {
    static const uint64_t of_0[] = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f},
                          of_1234567[] = {0x599ed017fb08fc85, 0x2c73f08458540fa5,
                                          0x883ebce5a3f27c77};
    uint64_t state = 0, other = 1234567;
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(splitmix_next(&state), of_0[i]);
        cr_expect_eq(splitmix_next(&other), of_1234567[i]);
    }
}

Test(splitmix, leaves_the_upper_bits_to_the_first_steps) {
    for (uint64_t i = 0; i < 1000; i++)
        cr_expect_eq(splitmix_stir(i * SPLITMIX_STEP) >> 33, splitmix_mix(i * SPLITMIX_STEP) >> 33);
}
