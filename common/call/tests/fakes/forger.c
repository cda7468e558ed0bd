/*
 * A submission that forges evidence, in as many ways as forger.h lists. It has the worker's whole
 * process to itself, so it calls, patches and sends whatever it likes.
 */
#include "common/call/tests/fakes/forger.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/call/wire.h"
#include "common/simt/remote/wire.h"

/* CUDA's, without its headers. */
struct dim3 {
    unsigned x, y, z;
};
int cudaMalloc(void **pointer, size_t bytes);
int cudaMallocManaged(void **pointer, size_t bytes, unsigned flags);
int cudaFree(void *pointer);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemset(void *to, int value, size_t bytes);
int cudaDeviceSynchronize(void);
int cudaLibraryLoadData(void **library, const void *code, void *, void **, unsigned, void *,
                        void **, unsigned);
int cudaLibraryGetKernel(void **kernel, void *library, const char *name);
int cudaLaunchKernel(const void *kernel, struct dim3 grid, struct dim3 block, void **arguments,
                     size_t shared_bytes, void *stream);

/* Threads of two warps store different values at one place. `fill` stores 7 by one thread. */
static const char code[] =
    ".version 6.3\n.target sm_75\n.address_size 64\n"
    ".visible .entry racy(.param .u64 p) {\n"
    ".reg .b32 %r<2>; .reg .b64 %rd<2>;\n"
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nst.global.u32 [%rd1], %r1;\nret;\n}\n";

static void race(int *out) {
    void *library = NULL, *kernel = NULL, *arguments[] = {&out};

    if (cudaLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0) != 0 ||
        cudaLibraryGetKernel(&kernel, library, "racy") != 0 ||
        cudaLaunchKernel(kernel, (struct dim3){1, 1, 1}, (struct dim3){64, 1, 1}, arguments, 0,
                         NULL) != 0)
        abort();
    cudaDeviceSynchronize();
}

#define FORGERY(name)                                                                              \
    int name(int *out, size_t n);                                                                  \
    int name(int *out, size_t n)

/* Where the runtime has such a function. */
#define CALL_IF(symbol, type, ...)                                                                 \
    do {                                                                                           \
        __typeof__(type) function;                                                                 \
        void *found = dlsym(RTLD_DEFAULT, symbol);                                                 \
        memcpy(&function, &found, sizeof function);                                                \
        if (function)                                                                              \
            function(__VA_ARGS__);                                                                 \
    } while (0)

/* A message to the simulator, and its reply. */
static int send_raw(const void *message, size_t bytes) {
    return send(WIRE_LINK, message, bytes, MSG_NOSIGNAL) == (ssize_t)bytes;
}

static struct remote_packet packet;

static void ask(enum remote_kind kind, uint64_t a, uint64_t b, uint64_t c, const void *payload,
                size_t bytes) {
    const struct remote_request request = {.kind = kind, .sequence = 1, .n = {a, b, c}};

    cudaDeviceSynchronize(); /* so that no other reply is on its way */
    remote_send(WIRE_LINK, &request, sizeof request, payload, bytes, -1);
    remote_receive(WIRE_LINK, sizeof packet.head.reply, 0, &packet);
}

FORGERY(does_nothing_but_race) {
    (void)n;
    race(out);
    return 0;
}

FORGERY(resets_the_report) {
    (void)n;
    race(out);
    CALL_IF("simtReportReset", void (*)(void));
    return 0;
}

FORGERY(switches_checks_off) {
    (void)n;
    CALL_IF("simtConfigure", void (*)(int, long, uint64_t), 0, 0, 0);
    race(out);
    return 0;
}

FORGERY(takes_the_budget_away) {
    (void)n;
    CALL_IF("simtConfigure", void (*)(int, long, uint64_t), 0, 1, 1);
    race(out);
    return 0;
}

/* x86-64: xor eax, eax; ret. */
static void patch(const char *symbol) {
    static const unsigned char nothing[] = {0x31, 0xc0, 0xc3};
    unsigned char *at = dlsym(RTLD_DEFAULT, symbol);
    uintptr_t page = (uintptr_t)at & ~(uintptr_t)4095;

    if (!at || mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return;
    memcpy(at, nothing, sizeof nothing);
}

FORGERY(patches_the_report) {
    (void)n;
    patch("simtReportJson");
    race(out);
    return 0;
}

FORGERY(patches_the_count_of_findings) {
    (void)n;
    patch("simtFindings");
    race(out);
    return 0;
}

FORGERY(replaces_the_first_bytes_of_all_its_runtime) {
    static const char *const symbols[] = {"cudaDeviceSynchronize", "cudaGetLastError",
                                          "simtConfigure", "simtReportReset"};
    (void)n;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        patch(symbols[i]);
    race(out);
    abort();
}

FORGERY(names_other_memory) {
    void *mine = NULL;
    (void)n;
    race(out);
    cudaMalloc(&mine, 4);
    CALL_IF("simtName", int (*)(const void *, const char *, size_t), mine, "out", 4);
    CALL_IF("simtName", int (*)(const void *, const char *, size_t), out, "scratch", 1);
    CALL_IF("simtUndefine", int (*)(const void *, size_t), out, 4);
    return 0;
}

/* The call fails for it, and the race is told all the same. */
FORGERY(frees_what_is_not_its_own) {
    (void)n;
    race(out);
    cudaFree(out);
    return 1;
}

FORGERY(launches_again_by_message) {
    struct {
        struct remote_launch launch;
        const void *out;
    } message = {.out = out};
    (void)n;
    race(out);
    for (uint64_t kernel = 1; kernel <= 1; kernel++) {
        message.launch = (struct remote_launch){
            .kernel = kernel, .grid = {1, 1, 1}, .block = {64, 1, 1}, .shared_bytes = 48 << 10};
        ask(REMOTE_LAUNCH, 0, 0, 0, &message, sizeof message);
    }
    return 0;
}

FORGERY(sets_edits) {
    struct simt_edit edit = {.kind = 1, .line = 1};
    (void)n;
    CALL_IF("simtSetEdits", int (*)(const void *, size_t), &edit, 1);
    race(out);
    return 0;
}

static void *race_in_thread(void *out) {
    race(out);
    return NULL;
}

FORGERY(races_in_another_thread) {
    pthread_t thread;
    (void)n;
    if (pthread_create(&thread, NULL, race_in_thread, out) == 0)
        pthread_join(thread, NULL);
    CALL_IF("simtReportReset", void (*)(void));
    return 0;
}

FORGERY(writes_by_copy) {
    int seven = 7;
    (void)n;
    return cudaMemcpy(out, &seven, sizeof seven, 1);
}

FORGERY(writes_by_fill) {
    return cudaMemset(out, 7, n * sizeof *out);
}

FORGERY(writes_by_copies_on_the_device) {
    int *mine = NULL, seven = 7;
    (void)n;
    cudaMalloc((void **)&mine, 64);
    cudaMemcpy(mine, &seven, sizeof seven, 1);
    cudaMemcpy(mine + 4, mine, sizeof seven, 3);
    return cudaMemcpy(out, mine + 4, sizeof seven, 3);
}

FORGERY(writes_by_message) {
    int seven = 7;
    (void)n;
    ask(REMOTE_WRITE, (uintptr_t)out, 0, 0, &seven, sizeof seven);
    return 0;
}

static void *write_often(void *out) {
    for (;;) {
        int seven = 7;
        cudaMemcpy(out, &seven, sizeof seven, 1);
    }
    return NULL;
}

/* Also while the client brings back what is there. */
FORGERY(writes_in_another_thread) {
    pthread_t thread;
    (void)n;
    cudaMemset(out, 1, 4);
    pthread_create(&thread, NULL, write_often, out);
    usleep(2000);
    return 0;
}

/* Managed memory is the host's to write: by the pages that both have. */
FORGERY(writes_through_managed_memory) {
    int *mine = NULL;
    (void)n;
    cudaMallocManaged((void **)&mine, 64, 1);
    mine[0] = 7;
    return cudaMemcpy(out, mine, sizeof *mine, 3);
}

FORGERY(makes_the_output_managed) {
    int seven = 7;
    (void)n;
    ask(REMOTE_MANAGE, (uintptr_t)out, 0, 0, NULL, 0);
    ask(REMOTE_PUSH, (uintptr_t)out, 0, 0, &seven, sizeof seven);
    return 0;
}

FORGERY(lends_memory_at_the_output) {
    int seven = 7;
    (void)n;
    ask(REMOTE_MAP, (uintptr_t)out, 64, 0, NULL, 0);
    ask(REMOTE_PUSH, (uintptr_t)out, 0, 0, &seven, sizeof seven);
    ask(REMOTE_MAP, (uintptr_t)out - 64, UINT64_MAX, 0, NULL, 0);
    return 0;
}

/* All that is mapped from the client: a report that praises, and sevens. */
FORGERY(writes_to_its_shared_memory) {
    static const char praise[] = "{\"launches\":[],\"launches_dropped\":0,\"findings\":[]}";
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    (void)out, (void)n;
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        if (!strstr(line, "memfd") || sscanf(line, "%lx-%lx", &from, &to) != 2)
            continue;
        for (unsigned long at = from + (16 << 20); at + 4 <= to; at += 4)
            *(int *)at = 7;
        memcpy((void *)from, praise, sizeof praise);
    }
    return 0;
}

FORGERY(kills_all_that_it_sees) {
    (void)out, (void)n;
    kill(-1, SIGKILL);
    for (pid_t pid = 1; pid < 4096; pid++)
        if (pid != getpid())
            kill(pid, SIGKILL);
    return 0;
}

FORGERY(looks_for_other_memory) {
    char path[64];
    (void)out, (void)n;
    for (pid_t pid = 1; pid < 4096; pid++) {
        snprintf(path, sizeof path, "/proc/%d/mem", (int)pid);
        FILE *memory = pid != getpid() ? fopen(path, "r+") : NULL;
        if (memory)
            abort();
    }
    return 0;
}

/* The worker has work of its own for the simulator. */
FORGERY(closes_its_link) {
    (void)out, (void)n;
    close(WIRE_LINK);
    return 0;
}

FORGERY(asks_for_2_to_63_bytes) {
    (void)out, (void)n;
    ask(REMOTE_MALLOC, UINT64_C(1) << 63, 0, 0, NULL, 0);
    ask(REMOTE_MALLOC, UINT64_MAX, 1, 0, NULL, 0);
    ask(REMOTE_SET, (uintptr_t)out, 7, UINT64_MAX, NULL, 0);
    ask(REMOTE_COPY, (uintptr_t)out, (uintptr_t)out + 1, UINT64_MAX, NULL, 0);
    ask(REMOTE_MODULE, UINT64_MAX, 0, 0, NULL, 0);
    ask(REMOTE_MAP, 4096, UINT64_MAX - 4096, 0, NULL, 0);
    return packet.head.reply.status == 0;
}

FORGERY(follows_the_output) {
    (void)n;
    *(volatile int *)out = 7;
    return 0;
}

/* Requests that are the owner's. */
#define AS_OWNER(name, kind, payload, bytes)                                                       \
    FORGERY(name) {                                                                                \
        (void)out, (void)n;                                                                        \
        ask(kind, 0, 0, 0, payload, bytes);                                                        \
        return 0;                                                                                  \
    }

static const struct remote_begin no_begin;
static const struct remote_end no_end;
static const struct remote_move moves = {.bytes = 4};

AS_OWNER(starts_a_call, REMOTE_START, NULL, 0)
AS_OWNER(stops_a_call, REMOTE_END, &no_end, sizeof no_end)
AS_OWNER(resumes_the_simulator, REMOTE_RESUME, NULL, 0)
AS_OWNER(takes_the_report, REMOTE_REPORT, NULL, 0)
AS_OWNER(moves_as_the_owner, REMOTE_MOVE, &moves, sizeof moves)
AS_OWNER(begins_a_call, REMOTE_BEGIN, &no_begin, sizeof no_begin)
AS_OWNER(shares_as_the_owner, REMOTE_SHARE, NULL, 0)
AS_OWNER(sends_no_request, REMOTE_N_KINDS, NULL, 0)
FORGERY(reads_2_to_40_bytes) {
    (void)n;
    ask(REMOTE_READ, (uintptr_t)out, UINT64_C(1) << 40, 0, NULL, 0);
    return 0;
}

FORGERY(sends_a_word) {
    (void)out, (void)n;
    send_raw("seven", 5);
    usleep(100000);
    return 0;
}

/* No packet at all can't be sent; one without bytes can, and means nothing. */
FORGERY(sends_nothing) {
    (void)out, (void)n;
    send_raw("", 1);
    usleep(100000);
    return 0;
}

FORGERY(sends_a_descriptor) {
    const struct remote_request request = {.kind = REMOTE_INFO, .sequence = 1};
    (void)out, (void)n;
    remote_send(WIRE_LINK, &request, sizeof request, NULL, 0, 1);
    usleep(100000);
    return 0;
}

FORGERY(sends_too_much_for_its_kind) {
    (void)out, (void)n;
    ask(REMOTE_INFO, 0, 0, 0, "seven", 5);
    return 0;
}

FORGERY(launches_what_there_is_not) {
    const struct remote_launch launch = {.kernel = 9, .grid = {1, 1, 1}, .block = {1, 1, 1}};
    (void)out, (void)n;
    ask(REMOTE_LAUNCH, 0, 0, 0, &launch, sizeof launch);
    return 0;
}

static struct remote_launch launch_of_race(int *out) {
    race(out);
    return (struct remote_launch){
        .kernel = 1, .grid = {1, 1, 1}, .block = {64, 1, 1}, .shared_bytes = 48 << 10};
}

FORGERY(launches_with_fewer_parameters) {
    const struct remote_launch launch = launch_of_race(out);
    (void)n;
    ask(REMOTE_LAUNCH, 0, 0, 0, &launch, sizeof launch);
    return 0;
}

FORGERY(launches_with_too_much_memory) {
    struct remote_launch launch = launch_of_race(out);
    (void)n;
    launch.shared_bytes = UINT32_MAX;
    launch.heap_bytes = UINT64_MAX;
    ask(REMOTE_CHECK, 0, 0, 0, &launch, sizeof launch);
    return 0;
}

FORGERY(sends_more_ptx_than_it_said) {
    (void)out, (void)n;
    ask(REMOTE_MODULE, 4, 0, 0, NULL, 0);
    ask(REMOTE_MODULE_TEXT, 0, 0, 0, code, sizeof code - 1);
    return 0;
}

FORGERY(works_in_queue_99) {
    static const struct simt_clock clock;
    (void)out, (void)n;
    ask(REMOTE_WORK, 99, 0, 0, &clock, sizeof clock);
    return 0;
}

/* The worker's own answer, to whatever request the client waits for. The number is in the worker's
 * memory; here it is guessed, which is all that a program can do that does not look for it. */
static void answer(uint64_t sequence) {
    struct wire_reply reply = {
        .header = wire_header_of(WIRE_REPLY, sequence), .keeps_report = 1, .report_bytes = 52};
    wire_send(WIRE_SOCKET, &reply, sizeof reply, NULL, 0, 0);
}

FORGERY(answers_with_a_report) {
    (void)n;
    race(out);
    answer(1);
    return 0;
}

FORGERY(answers_twice) {
    (void)n;
    race(out);
    answer(2);
    answer(2);
    return 0;
}
