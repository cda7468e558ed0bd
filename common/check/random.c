/*
 * Inputs that show mistakes: an index that is off by one must change the result, and so must an
 * element that is dropped. Equal neighbours and zeros would hide that.
 */
#include "common/check/random.h"

#include "common/check/lab.h"

uint64_t lab_random_next(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t lab_random_seed(uint64_t seed, const char *word, const char *second) {
    uint64_t state = seed;

    for (; *word != '\0'; word++)
        state = lab_random_next(&state) ^ (unsigned char)*word;
    state = lab_random_next(&state);
    for (; *second != '\0'; second++)
        state = lab_random_next(&state) ^ (unsigned char)*second;
    return lab_random_next(&state);
}

void lab_fill_i32(int32_t *data, size_t n, uint64_t seed) {
    uint64_t state = seed;
    int32_t last = 0;
    size_t i = 0;

    /* Four values from each draw; 0 and a repetition of the last value are left out. */
    while (i < n) {
        uint64_t bits = lab_random_next(&state);

        for (unsigned part = 0; part < 4 && i < n; part++) {
            int32_t value = (int16_t)(bits >> (16 * part));

            if (value == 0 || value == last)
                continue;
            last = data[i++] = value;
        }
    }
}
