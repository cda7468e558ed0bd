/*
 * warpbook-worker: the process in which student code runs.
 *
 * It is started by call.h's client with a socket as descriptor 3, stdin from /dev/null and stdout
 * and stderr into a pipe, and serves requests until the client is gone. It knows no expected
 * values, no seed and no path but the submission's. Nothing that happens here is believed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/call/worker/serve.h"

int main(void) {
    struct worker *worker = calloc(1, sizeof *worker);
    int type = 0;
    socklen_t type_bytes = sizeof type;

    if (getsockopt(WIRE_SOCKET, SOL_SOCKET, SO_TYPE, &type, &type_bytes) != 0 ||
        type != SOCK_SEQPACKET) {
        fputs("warpbook-worker is started by Warpbook's tests, not by hand\n", stderr);
        return 2;
    }
    if (!worker)
        return 1;
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* so that a crash does not swallow what was printed */
    /* Kernels are loaded with the file, not by their first, timed launch. */
    setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    channel_init(&worker->channel);
    worker->crash.channel = &worker->channel;
    worker->crash.submission = &worker->submission;
    if (!crash_start(&worker->crash))
        return 1;
    while (serve(worker))
        ;
    _exit(0); /* no destructors of the student's */
}
