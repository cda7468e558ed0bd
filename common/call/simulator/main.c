/*
 * warpbook-simulator: the simulator beside a worker, in a sandbox of its own. Started as the worker
 * is, as a fork server. It knows nothing of tests or submissions; what a worker sends it, PTX among
 * it, nobody has looked at.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/call/wire.h"
#include "common/call/worker/forkserver.h"
#include "common/simt/remote/server/server.h"

int main(int argc, char **argv) {
    const char *threads = getenv("SIMT_THREADS"), *why = NULL;
    struct simt_options options;

    if (!forkserver_run(argc, argv, NULL)) {
        fputs("warpbook-simulator is started by Warpbook's tests, not by hand\n", stderr);
        return 2;
    }
    /* Memory that was freed is taken again, rather than given back and paged in anew. */
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    simt_default_options(&options);
    if (threads)
        options.n_threads = (uint32_t)strtoul(threads, NULL, 10);
    enum remote_outcome end = remote_serve(WIRE_SOCKET, WIRE_LINK, &options, &why);
    if (why)
        fprintf(stderr, "%s\n", why);
    fflush(stderr);
    _exit(end);
}
