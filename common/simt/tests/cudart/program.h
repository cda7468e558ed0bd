/*
 * Functions of a test's program, found by name.
 */
#pragma once

#include <criterion/criterion.h>
#include <dlfcn.h>

static inline void *program_function(const char *name) {
    static void *program;
    if (program == NULL)
        program = dlopen(PROGRAM, RTLD_NOW);
    cr_assert_not_null(program, "%s", dlerror());
    void *address = dlsym(program, name);
    cr_assert_not_null(address, "%s", dlerror());
    return address;
}

/* program_call(cudaError_t, "add", (int *, int), (to, 3)) */
#define program_call(result, name, parameters, arguments)                                          \
    ((result(*) parameters)program_function(name)) arguments
