/*
 * Fills the table of runtime functions.
 */
#include "common/call/worker/cuda.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>

struct place {
    const char *symbol;
    void **function;
    bool is_needed;
};

/* POSIX's way around the missing conversion from object to function pointers: write it through a
 * pointer to void *. */
static const char *find_all(void *library, const struct place *places, size_t n) {
    for (size_t i = 0; i < n; i++) {
        *places[i].function = dlsym(library, places[i].symbol);
        if (!*places[i].function && places[i].is_needed)
            return places[i].symbol;
    }
    return NULL;
}

bool cuda_load(struct cuda *cuda, const char *path, char *error, size_t error_bytes) {
    const struct place places[] = {
#define CUDA_PLACE(field, symbol, result, parameters) {symbol, (void **)&cuda->field, true},
        CUDA_NEEDED(CUDA_PLACE)
#undef CUDA_PLACE
#define CUDA_PLACE(field, symbol, result, parameters) {symbol, (void **)&cuda->field, false},
            CUDA_OPTIONAL(CUDA_PLACE)
#undef CUDA_PLACE
    };

    cuda->library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!cuda->library) {
        snprintf(error, error_bytes, "the CUDA runtime could not be loaded: %s", dlerror());
        return false;
    }
    const char *missing = find_all(cuda->library, places, sizeof places / sizeof *places);
    if (missing)
        snprintf(error, error_bytes, "the CUDA runtime %s has no %s", path, missing);
    return !missing;
}

bool cuda_can_time(const struct cuda *cuda) {
    return cuda->memset_async && cuda->memcpy_async && cuda->event_create && cuda->event_record &&
           cuda->event_synchronize && (cuda->event_elapsed || cuda->event_elapsed_v2);
}

double cuda_elapsed_ms(const struct cuda *cuda, void *start, void *stop) {
    float ms = 0;
    int error = cuda->event_elapsed ? cuda->event_elapsed(&ms, start, stop)
                                    : cuda->event_elapsed_v2(&ms, start, stop);

    return error ? NAN : (double)ms;
}

int cuda_attribute(const struct cuda *cuda, int attribute) {
    int value = 0;

    if (!cuda->get_attribute || cuda->get_attribute(&value, attribute, 0) != CUDA_SUCCESS)
        return 0;
    return value;
}
