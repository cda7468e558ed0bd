/*
 * The rest of the runtime's API: entry points that exist, so that every program can be loaded, and
 * that say what is missing when they are called.
 *
 * They are defined without their parameters, which no calling convention minds; so this file can't
 * include NVIDIA's header.
 */
int cudart_unsupported(const char *name);

#define X(name)                                                                                    \
    int name(void);                                                                                \
    int name(void) {                                                                               \
        return cudart_unsupported(#name);                                                          \
    }
#include "common/simt/cudart/unsupported/unsupported.def"
