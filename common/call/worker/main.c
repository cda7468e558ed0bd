/*
 * warpbook-worker [WISH]… -- [LIBRARY]: the process in which student code runs.
 *
 * It is started by call.h's client as a server with a socket as descriptor 3; each worker forked
 * from it has one of its own there, stdin from /dev/null and stdout and stderr into a pipe, and
 * serves requests until the client is gone. It knows no expected values, no seed and no path but
 * the submission's. Nothing that happens here is believed.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/call/worker/serve.h"
#include "common/call/worker/server.h"

int main(int argc, char **argv) {
    /* Kernels are loaded with the file, not by their first, timed launch. */
    setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    unsetenv("PWD"); /* bubblewrap's own */
    if (!server_run(argc, argv)) {
        fputs("warpbook-worker is started by Warpbook's tests, not by hand\n", stderr);
        return 2;
    }
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return 1;
    /* Memory that was freed is taken again, rather than given back and paged in anew. */
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* so that a crash does not swallow what was printed */
    channel_init(&worker->channel);
    worker->crash.channel = &worker->channel;
    worker->crash.submission = &worker->submission;
    if (!crash_start(&worker->crash))
        return 1;
    while (serve(worker))
        ;
    _exit(0); /* no destructors of the student's */
}
