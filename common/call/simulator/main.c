/*
 * warpbook-simulator: the simulator beside a worker, in a sandbox of its own. Started as the worker
 * is, as a fork server. It knows nothing of tests or submissions; what a worker sends it, PTX among
 * it, nobody has looked at. It serves one worker after the other, each with a device of its own, as
 * long as their client, who has them all run the same submission, keeps the fork server. What one
 * of them could do to it the next one could do as well.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/call/wire.h"
#include "common/call/worker/forkserver.h"
#include "common/simt/remote/server/server.h"

/* Memory that is kept for the next device is ready to be used; but there must be room for that. */
enum { MOST_KEPT_BYTES = 64 << 20 };

static bool is_small(void) {
    struct mallinfo2 info = mallinfo2();

    return info.arena + info.hblkhd < MOST_KEPT_BYTES;
}

int main(int argc, char **argv) {
    const char *threads = getenv("SIMT_THREADS"), *why = NULL;
    struct simt_options options;
    enum remote_outcome end;

    if (!forkserver_run(argc, argv, true, NULL)) {
        fputs("warpbook-simulator is started by Warpbook's tests, not by hand\n", stderr);
        return 2;
    }
    /* Memory that was freed is taken again, rather than given back and paged in anew. */
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    simt_default_options(&options);
    if (threads)
        options.n_threads = (uint32_t)strtoul(threads, NULL, 10);
    do
        end = remote_serve(WIRE_SOCKET, WIRE_LINK, &options, &why);
    while (end == REMOTE_GONE && is_small() && forkserver_next());
    if (why)
        fprintf(stderr, "%s\n", why);
    fflush(stderr);
    _exit(end);
}
