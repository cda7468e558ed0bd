/*
 * The simulator's side: serves the host and the owner until the owner is gone. A host that sends
 * what it may not ends the service; whatever else it sends costs nobody but itself.
 */
#pragma once

#include "common/simt/simt.h"

enum remote_outcome {
    REMOTE_GONE,     /* the owner is */
    REMOTE_NONSENSE, /* the host sent it */
    REMOTE_FAILED,   /* no memory, or the owner sent nonsense */
};

/* Serves on two sockets; `why` says what was nonsense. */
enum remote_outcome remote_serve(int owner, int host, const struct simt_options *options,
                                 const char **why);
