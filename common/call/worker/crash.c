/*
 * The handler runs in a process that may be damaged in any way, so it does what must work first
 * and bounds the rest by an alarm: where finding the frame hangs, the signal still kills.
 * A handler takes no argument of ours, hence the one static pointer.
 */
#include "common/call/worker/crash.h"

#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    STACK_BYTES = 256 << 10,
    LATE_SECONDS = 1,
    MAX_FRAMES = 64,
    PROBE_BYTES = 256 << 20, /* memory has run out when this much can't be had */
};

static struct crash_scene *watched;
static volatile sig_atomic_t fatal_signal;

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

static void on_late(int number) {
    (void)number;
    signal(fatal_signal, SIG_DFL);
    raise(fatal_signal);
    _exit(128 + fatal_signal);
}

static const void *code_address(const ucontext_t *context) {
#if defined(__x86_64__)
    return (const void *)(uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (const void *)(uintptr_t)context->uc_mcontext.pc;
#else
    (void)context;
    return NULL;
#endif
}

static uintptr_t stack_pointer(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.sp;
#else
    (void)context;
    return 0;
#endif
}

/* The stack overflowed when the access was close to the stack pointer: what lies there is mapped
 * otherwise. A wild pointer is far from it. */
static bool is_in_stack(const ucontext_t *context, uintptr_t address) {
    uintptr_t top = stack_pointer(context);
    uintptr_t distance = address > top ? address - top : top - address;

    return top != 0 && distance < 1 << 20;
}

static int argument_at(const struct crash_scene *scene, uintptr_t address) {
    for (size_t i = 0; i < scene->n_args; i++) {
        uintptr_t start = (uintptr_t)scene->args[i].start;
        if (start && address >= start && address - start < scene->args[i].bytes)
            return (int)i;
    }
    return -1;
}

static bool is_memory_gone(void) {
    void *probe =
        mmap(NULL, PROBE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (probe != MAP_FAILED)
        munmap(probe, PROBE_BYTES);
    return probe == MAP_FAILED;
}

/* The innermost frame that lies in the submission, and those that led there. */
static void find_place(const struct crash_scene *scene, const ucontext_t *context,
                       struct wire_crash *crash) {
    const struct submission *submission = scene->submission;
    const void *here = code_address(context);
    void *frames[MAX_FRAMES];
    size_t n = 0;

    submission_place(submission, here, crash->where, sizeof crash->where);
    if (crash->where[0])
        crash->at[n++] = submission_site(submission, here);
    /* Frames of a stack that overflowed have no end. */
    int n_frames = crash->in_stack ? 0 : backtrace(frames, MAX_FRAMES);
    for (int i = 0; i < n_frames && n < CALL_SITES; i++) {
        /* A return address may lie beyond the function's end, where its last act was the call. */
        const char *call = (const char *)frames[i] - 1;
        const uint64_t site = submission_site(submission, call);
        if (!crash->where[0])
            submission_place(submission, call, crash->where, sizeof crash->where);
        if (site && site + 1 != crash->at[0])
            crash->at[n++] = site;
    }
}

static void on_crash(int number, siginfo_t *info, void *context) {
    struct wire_crash crash = {.signal = number, .argument = -1};
    bool is_access = (number == SIGSEGV || number == SIGBUS) && info->si_code > 0;

    fatal_signal = number;
    signal(SIGALRM, on_late);
    alarm(LATE_SECONDS);
    if (is_access) {
        crash.address = (uintptr_t)info->si_addr;
        crash.argument = argument_at(watched, crash.address);
        crash.in_stack = is_in_stack(context, crash.address);
    }
    crash.no_memory = is_memory_gone();
    find_place(watched, context, &crash);
    crash.header = wire_header_of(WIRE_CRASH, watched->request.sequence);
    if (getpid() == watched->pid)
        wire_send(WIRE_SOCKET, &crash, sizeof crash, NULL, 0, 0);
    signal(number, SIG_DFL);
    raise(number); /* comes through when the handler returns */
}

void crash_watch(void) {
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
        sigaction(fatal_signals[i], &action, NULL);
}

bool crash_start(struct crash_scene *scene) {
    void *first[1];
    stack_t stack = {.ss_size = STACK_BYTES};

    watched = scene;
    stack.ss_sp =
        mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, NULL) != 0)
        return false;
    backtrace(first, 1); /* loads the unwinder now rather than in the handler */
    crash_watch();
    return true;
}
