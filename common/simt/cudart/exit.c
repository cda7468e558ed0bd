/*
 * The report of a whole program, written when it ends: to the file that SIMT_REPORT names. Also
 * where it ends by abort() or a signal; not by _exit() or SIGKILL.
 */
#include "common/simt/cudart/cudart.h"

#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/owned.h"
#include "common/base/system/file.h"

/* Signals that end a program and that a program seldom catches. */
static const int deadly[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGTERM};

/* A broken heap may make the report wait for ever; the program has to end all the same. */
enum { PATIENCE_S = 5 };

static json_t *parsed(char *text) {
    json_t *json = !text ? NULL : json_loads(text, 0, NULL);
    free(text);
    return json ? json : json_null();
}

static json_t *leaks(const struct cudart *rt) {
    json_int_t n = 0, bytes = 0;
    for (const struct cudart_block *b = rt->blocks; b; b = b->next) {
        n += !b->is_registered;
        bytes += b->is_registered ? 0 : (json_int_t)b->bytes;
    }
    return json_pack("{s: I, s: I}", "allocations", n, "bytes", bytes);
}

/* An error that the program never asked for, of the thread that ends it. */
static json_t *unasked(const struct cudart *rt) {
    cudaError_t error = rt->sticky != cudaSuccess ? rt->sticky : cudaPeekAtLastError();
    if (error == cudaSuccess)
        return json_null();
    return json_pack("{s: s, s: s, s: b}", "name", cudaGetErrorName(error), "text",
                     cudaGetErrorString(error), "lost_context", rt->sticky != cudaSuccess);
}

/* What allocations held, where SIMT_DIGESTS asks for it. */
static json_t *digests(const struct cudart *rt) {
    OWNED struct simt_digest *list = NULL;
    size_t n = simt_options(rt->simt)->keeps_digests ? simt_digests(rt->simt, &list) : 0;
    json_t *json = json_array();
    for (size_t i = 0; i < n; i++) {
        char value[17];
        snprintf(value, sizeof value, "%016" PRIx64, list[i].value);
        json_array_append_new(json, json_pack("{s: I, s: s, s: I, s: s}", "allocation",
                                              (json_int_t)list[i].number, "name", list[i].name,
                                              "bytes", (json_int_t)list[i].bytes, "digest", value));
    }
    return json;
}

static void write_report(const struct cudart *rt, int signal_number) {
    const char *path = getenv("SIMT_REPORT");
    if (!path || *path == '\0' || !rt->simt || rt->pid != getpid())
        return;
    json_t *said = json_string(rt->message);
    json_auto_t *json = json_pack(
        "{s: s, s: s, s: I, s: i, s: o, s: o, s: o, s: o, s: o, s: o}", "device", rt->device->word,
        "name", rt->device->name, "seed", (json_int_t)rt->seed, "signal", signal_number, "said",
        said ? said : json_string(""), "error", unasked(rt), "leaks", leaks(rt), "memory",
        digests(rt), "kernels", parsed(simt_report_kernels_json(rt->simt)), "report",
        parsed(simt_report_json(rt->simt)));
    OWNED char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    if (text)
        file_write(path, text, strlen(text), NULL);
}

/* Host code that follows a pointer of the device. */
static void explain_access(struct cudart *rt, const void *address) {
    if (!rt->simt || !simt_is_device_address(rt->simt, (uintptr_t)address))
        return;
    const struct cudart_block *block = cudart_block(rt, address);
    char what[64] = "device memory that is not allocated (any more)";
    if (block)
        snprintf(what, sizeof what, "device memory, byte %" PRIu64 " of %zu allocated bytes",
                 (uint64_t)(uintptr_t)address - block->address, block->bytes);
    cudart_say(rt,
               "The host's own code touched %s (address %p): only kernels and the runtime's calls "
               "can. Copy with cudaMemcpy, or use cudaMallocManaged.",
               what, address);
}

/* The lock may be held by the very call that was interrupted, so it is not taken. */
static void on_signal(int number, siginfo_t *info, void *context) {
    (void)context;
    signal(SIGALRM, SIG_DFL);
    alarm(PATIENCE_S);
    if ((number == SIGSEGV || number == SIGBUS) && info->si_code > 0)
        explain_access(cudart_process(), info->si_addr);
    write_report(cudart_process(), number);
    signal(number, SIG_DFL);
    raise(number);
}

void cudart_report_at_the_end(struct cudart *rt) {
    rt->pid = getpid();
    if (!getenv("SIMT_REPORT"))
        return;
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) {
        struct sigaction old;
        if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) {
            struct sigaction action = {.sa_sigaction = on_signal,
                                       .sa_flags = (int)SA_RESETHAND | SA_SIGINFO};
            sigaction(deadly[i], &action, NULL);
        }
    }
}

/* A kernel that another thread runs is stopped, since it ends with the program. */
__attribute__((destructor)) static void at_exit(void) {
    struct cudart *rt = cudart_process();
    if (rt->pid != getpid())
        return;
    if (!cudart_try_lock()) {
        atomic_store(&rt->is_ending, true);
        simt_interrupt(rt->simt);
        cudart_lock();
    }
    write_report(rt, 0);
    cudart_unlock(rt);
}
