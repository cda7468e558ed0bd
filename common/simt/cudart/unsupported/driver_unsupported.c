/*
 * The rest of the driver API: entry points that exist, so that every program can be loaded, and
 * that say what is missing when they are called. See unsupported.c.
 */
#include "common/simt/cudart/driver/driver.h"

#include <stddef.h>
#include <string.h>

int simtUnsupported(const char *name);

#define X(name)                                                                                    \
    int name(void);                                                                                \
    int name(void) {                                                                               \
        return simtUnsupported(#name);                                                             \
    }
#include "common/simt/cudart/unsupported/driver_unsupported.def"
#undef X

static const struct {
    const char *name;
    int (*function)(void);
} functions[] = {
#define X(name) {#name, name},
#include "common/simt/cudart/unsupported/driver_unsupported.def"
#undef X
};

void *driver_unsupported(const char *name) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return (void *)functions[i].function;
    return NULL;
}
