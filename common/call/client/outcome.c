/*
 * The sentences of call_result.message. They name what happened, not what to do about it; the lab
 * and the grader know more.
 */
#include "common/call/client/outcome.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "common/base/nvidia.h"
#include "common/simt/remote/server/server.h"

const char *call_outcome_word(enum call_outcome outcome) {
    static const char *const words[] = {
#define CALL_OUTCOME_WORD(name, word) word,
        CALL_OUTCOMES(CALL_OUTCOME_WORD)
#undef CALL_OUTCOME_WORD
    };

    return (size_t)outcome < sizeof words / sizeof *words ? words[outcome] : "unknown";
}

void outcome_clear(struct call_result *result) {
    *result = (struct call_result){.outcome = CALL_OK, .event_ms = NAN, .wall_ms = NAN};
}

enum call_outcome outcome_set(struct call_result *result, enum call_outcome outcome,
                              const char *format, ...) {
    va_list list;

    va_start(list, format);
    vsnprintf(result->message, sizeof result->message, format, list);
    va_end(list);
    result->outcome = outcome;
    return outcome;
}

/* Copies text that validate.c found to be terminated. */
static void copy_text(char *to, size_t capacity, const char *from) {
    snprintf(to, capacity, "%s", from);
    wire_clean_text(to, strlen(to), false);
}

/* Adds to the loader's complaint whose the function is that it did not find. */
static void explain_symbol(char *message, size_t capacity) {
    static const char complaint[] = "undefined symbol: ";
    const char *found = strstr(message, complaint);
    char function[128];

    if (!found)
        return;
    snprintf(function, sizeof function, "%s", found + strlen(complaint));
    function[strcspn(function, ", \n")] = '\0';
    const char *library = nvidia_library_of_function(function);
    const size_t used = strlen(message);
    if (library)
        snprintf(message + used, capacity - used,
                 ". It belongs to %s, which labs are not linked with: do that step in a kernel of "
                 "your own.",
                 library);
}

enum call_outcome outcome_from_reply(struct call_result *result, const struct wire_reply *reply) {
    result->outcome = (enum call_outcome)reply->outcome;
    result->returned = reply->returned;
    result->cuda_error = reply->cuda_error;
    result->event_ms = reply->event_ms;
    result->refusal = reply->refusal;
    memcpy(result->failed_at, reply->failed_at, sizeof result->failed_at);
    result->n_arrivals = reply->n_arrivals;
    memcpy(result->arrivals, reply->arrivals, sizeof result->arrivals);
    result->knows_unsent = reply->knows_unsent != 0;
    memcpy(result->unsent, reply->unsent, sizeof result->unsent);
    result->n_asked = reply->n_asked;
    memcpy(result->asked, reply->asked, sizeof result->asked);
    copy_text(result->cuda_error_name, sizeof result->cuda_error_name, reply->cuda_error_name);
    copy_text(result->message, sizeof result->message, reply->message);
    if (result->outcome == CALL_LOAD_FAILED)
        explain_symbol(result->message, sizeof result->message);
    return result->outcome;
}

/* "sum_divergent", or what else the worker was at. */
static const char *scene_name(const struct outcome_scene *scene) {
    if (scene->function)
        return scene->function;
    return scene->request == WIRE_LOAD ? "loading the submission" : "the worker";
}

static const char *signal_words(int number) {
    switch (number) {
    case SIGSEGV:
        return "SIGSEGV (a memory access outside the process's memory)";
    case SIGBUS:
        return "SIGBUS (an access to memory that is not there)";
    case SIGFPE:
        return "SIGFPE (an integer division by zero, or the like)";
    case SIGILL:
        return "SIGILL (an illegal instruction)";
    case SIGABRT:
        return "SIGABRT (abort, a failed assert, or a damaged heap)";
    case SIGKILL:
        return "SIGKILL (not by the grader)";
    default:
        return strsignal(number);
    }
}

/* The simulator's device memory lies where a process has nothing else. */
static bool is_simulated_memory(uint64_t address) {
    return address >= SIMT_MEMORY_BASE && address < 2 * SIMT_MEMORY_BASE;
}

static enum call_outcome set_crash(struct call_result *result, const struct exchange *exchange,
                                   int number, const struct outcome_scene *scene) {
    const struct wire_crash *crash = exchange->has_crash ? &exchange->crash : NULL;
    char place[160] = "", frame[560] = "";

    result->signal = number;
    if (crash) {
        memcpy(result->crashed_at, crash->at, sizeof result->crashed_at);
        copy_text(result->where, sizeof result->where, crash->where);
    }
    if (crash && crash->in_stack)
        snprintf(place, sizeof place, ": the stack overflowed, as endless recursion does");
    else if (crash && crash->argument >= 0 && (size_t)crash->argument < scene->n_args &&
             wire_is_host(scene->args[crash->argument].kind))
        snprintf(place, sizeof place, ": host code touched what lies behind the end of \"%.64s\"",
                 scene->args[crash->argument].name ? scene->args[crash->argument].name : "");
    else if (crash && crash->argument >= 0 && (size_t)crash->argument < scene->n_args)
        snprintf(place, sizeof place, ": host code touched \"%.64s\", which is device memory",
                 scene->args[crash->argument].name ? scene->args[crash->argument].name : "");
    else if (crash && (number == SIGSEGV || number == SIGBUS))
        snprintf(place, sizeof place,
                 crash->address < 4096 ? ": a null pointer (address 0x%llx)"
                 : is_simulated_memory(crash->address)
                     ? ": host code touched address 0x%llx, which is device memory"
                     : ": address 0x%llx",
                 (unsigned long long)crash->address);
    if (crash && crash->no_memory) {
        return outcome_set(result, CALL_OUT_OF_MEMORY, "%s used up the memory that it may have",
                           scene_name(scene));
    }
    if (result->where[0])
        snprintf(frame, sizeof frame, ", in %s", result->where);
    return outcome_set(result, CALL_CRASH, "%s was killed by %s%s%s", scene_name(scene),
                       signal_words(number), place, frame);
}

static enum call_outcome set_death(struct call_result *result, const struct exchange *exchange,
                                   int status, const struct outcome_scene *scene) {
    if (WIFSIGNALED(status))
        return set_crash(result, exchange, WTERMSIG(status), scene);
    result->exit_status = WEXITSTATUS(status);
    return outcome_set(result, CALL_EXITED, "%s ended the process with status %d, as exit() does",
                       scene_name(scene), result->exit_status);
}

/* Nothing of the student's has run: whatever happened is ours. */
static enum call_outcome set_own_failure(struct call_result *result,
                                         const struct exchange *exchange, int status) {
    char how[128] = "did not answer";

    if (exchange->end == EXCHANGE_NONSENSE)
        snprintf(how, sizeof how, "sent nonsense: %s", exchange->fault);
    else if (exchange->end == EXCHANGE_DEAD && WIFSIGNALED(status))
        snprintf(how, sizeof how, "was killed by signal %d", WTERMSIG(status));
    else if (exchange->end == EXCHANGE_NO_DEVICE)
        snprintf(how, sizeof how, "found that the simulator has ended (%.60s)", exchange->said);
    else if (exchange->end == EXCHANGE_DEAD)
        snprintf(how, sizeof how, "ended with status %d", WEXITSTATUS(status));
    /* What it printed says more: a loader's complaint, for one. */
    return outcome_set(result, CALL_INFRASTRUCTURE,
                       "the worker %s before it had loaded anything of the student's: %.300s", how,
                       result->output && result->output[0] ? result->output : "it printed nothing");
}

/* The end of the simulator beside the worker: by what it was sent, by memory, or by a fault of its
 * own, which a kernel has met. */
static enum call_outcome set_no_device(struct call_result *result, const struct exchange *exchange,
                                       int status, const struct outcome_scene *scene) {
    const char *name = scene_name(scene);

    if (exchange->is_killed) {
        result->signal = SIGKILL;
        return outcome_set(result, CALL_CRASH,
                           "the simulator, which ran the kernels of %s, was killed by SIGKILL: "
                           "most likely the machine ran out of memory",
                           name);
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        return outcome_set(result, CALL_TIMEOUT,
                           "the simulator, which ran the kernels of %s, did not come to an end",
                           name);
    if (WIFSIGNALED(status)) {
        result->signal = WTERMSIG(status);
        return outcome_set(result, CALL_CRASH,
                           "the simulator, which ran the kernels of %s, was killed by %s: a kernel "
                           "has met a fault of the simulator itself",
                           name, signal_words(result->signal));
    }
    if (WEXITSTATUS(status) == REMOTE_NONSENSE)
        return outcome_set(result, CALL_PROTOCOL,
                           "the process that ran %s sent the simulator a message that can't be "
                           "right: %s",
                           name, exchange->said);
    return outcome_set(result, CALL_OUT_OF_MEMORY,
                       "the simulator, which ran the kernels of %s, found no memory", name);
}

enum call_outcome outcome_from_end(struct call_result *result, const struct exchange *exchange,
                                   int status, const struct outcome_scene *scene) {
    result->wall_ms = exchange->wall_ms;
    if (exchange->end == EXCHANGE_BROKEN)
        return outcome_set(result, CALL_INFRASTRUCTURE, "waiting for the worker failed: %s",
                           strerror(errno));
    if (scene->request == WIRE_OPEN || scene->request == WIRE_DEVICE || scene->request == WIRE_COPY)
        return set_own_failure(result, exchange, status);
    if (exchange->end == EXCHANGE_NO_DEVICE)
        return set_no_device(result, exchange, status, scene);
    if (exchange->end == EXCHANGE_DEAD)
        return set_death(result, exchange, status, scene);
    if (exchange->end == EXCHANGE_LATE)
        return outcome_set(result, CALL_TIMEOUT, "%s did not come back within %d ms",
                           scene_name(scene), scene->timeout_ms);
    return outcome_set(result, CALL_PROTOCOL,
                       "the process that ran %s sent a message that can't be right: %s",
                       scene_name(scene), exchange->fault);
}
