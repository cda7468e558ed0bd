/*
 * What the grader asks for, from the environment. Only the trusted side sees these variables: the
 * worker is started without them.
 */
#include "common/harness/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/base/run_notes.h"
#include "common/base/turn.h"

enum {
    DEFAULT_TIMEOUT_MS = 4000,
    MAX_TIMEOUT_MS = 3600 * 1000,
    MAX_PATIENCE = 100,
    MAX_FD = 1 << 20,
    /* Warp instructions on the simulator in place of a ms: a tenth of what a core mostly runs in
     * it, so that this is what stops a kernel, not the clock. */
    BUDGET_PER_MS = 8192,
    LOAD_CALLS = 2, /* on the simulator, loading the submission may take as long as so many calls */
    /* After a time-out: a quarter of the limit, which is many times what a test takes that passes,
     * but no less than half a second. */
    SHORT_DIVISOR = 4,
    SHORTEST_MS = 500,
};

/* The value of a digit; `base`, which no digit has, where it is none. */
static unsigned digit_of(char c, unsigned base) {
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    return base == 16 && c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : base;
}

/* Reads digits and nothing else: strtoull would take signs, blanks and 0x. False where there are
 * none, or where they make more than `max`. */
static bool parse_number(const char **text, unsigned base, uint64_t max, uint64_t *value) {
    const char *start = *text;

    *value = 0;
    for (; digit_of(**text, base) < base; ++*text) {
        unsigned digit = digit_of(**text, base);

        if (digit > max || *value > (max - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return *text != start;
}

bool lab_settings_case(struct lab_settings *settings, const char *text) {
    uint64_t n, block, seed;

    if (strncmp(text, "n=", 2) != 0)
        return false;
    text += 2;
    if (!parse_number(&text, 10, SIZE_MAX / 64, &n) || strncmp(text, ",block=", 7) != 0)
        return false;
    text += 7;
    if (!parse_number(&text, 10, UINT32_MAX, &block))
        return false;
    if (strncmp(text, ",seed=", 6) == 0) {
        text += 6;
        if (!parse_number(&text, 16, UINT64_MAX, &seed))
            return false;
        settings->has_case_seed = true;
        settings->only.seed = seed;
    }
    if (*text != '\0')
        return false;
    settings->has_case = true;
    settings->only.n = n;
    settings->only.block = (unsigned)block;
    return true;
}

static bool read_backend(struct lab_settings *settings, char *why, size_t why_bytes) {
    const char *word = getenv("WARPBOOK_BACKEND");

    settings->backend = CALL_SIM;
    if (!word || strcmp(word, "sim") == 0)
        return true;
    if (strcmp(word, "gpu") != 0) {
        snprintf(why, why_bytes, "WARPBOOK_BACKEND is \"%.40s\", not sim or gpu.", word);
        return false;
    }
    settings->backend = CALL_GPU;
    if (!settings->cudart_gpu) {
        snprintf(why, why_bytes, "WARPBOOK_BACKEND is gpu, but WARPBOOK_CUDART_GPU is not set.");
        return false;
    }
    return true;
}

/* A number of 1 to max; as it was where the variable is not set. */
static bool read_limit(const char *name, uint64_t max, int *limit, char *why, size_t why_bytes) {
    const char *text = getenv(name);
    uint64_t value;

    if (!text)
        return true;
    if (!parse_number(&text, 10, max, &value) || *text != '\0' || value == 0) {
        snprintf(why, why_bytes, "%s is no number from 1 to %d.", name, (int)max);
        return false;
    }
    *limit = (int)value;
    return true;
}

/* Numbers: the seed (hexadecimal) and the limits. */
static bool read_numbers(struct lab_settings *settings, char *why, size_t why_bytes) {
    const char *seed = getenv("WARPBOOK_SEED");

    if (seed && (!parse_number(&seed, 16, UINT64_MAX, &settings->seed) || *seed != '\0')) {
        snprintf(why, why_bytes, "WARPBOOK_SEED is no hexadecimal number.");
        return false;
    }
    settings->timeout_ms = DEFAULT_TIMEOUT_MS;
    settings->patience = 1;
    settings->turn_fd = -1;
    return read_limit("WARPBOOK_TURN", MAX_FD, &settings->turn_fd, why, why_bytes) &&
           read_limit("WARPBOOK_TIMEOUT_MS", MAX_TIMEOUT_MS, &settings->timeout_ms, why,
                      why_bytes) &&
           read_limit("WARPBOOK_PATIENCE", MAX_PATIENCE, &settings->patience, why, why_bytes);
}

/* False where there is no folder for them. */
static bool note_path(const struct lab_settings *settings, const char *name, char *path,
                      size_t path_bytes) {
    return settings->results &&
           snprintf(path, path_bytes, "%s/%s", settings->results, name) < (int)path_bytes;
}

static void note(const struct lab_settings *settings, const char *name) {
    char path[4096];
    int fd = -1;

    if (note_path(settings, name, path, sizeof path))
        fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0)
        close(fd);
}

static bool is_noted(const struct lab_settings *settings, const char *name) {
    char path[4096];

    return note_path(settings, name, path, sizeof path) && access(path, F_OK) == 0;
}

int lab_settings_limit_ms(const struct lab_settings *settings, int timeout_ms) {
    timeout_ms *= settings->patience;
    int shorter =
        timeout_ms / SHORT_DIVISOR > SHORTEST_MS ? timeout_ms / SHORT_DIVISOR : SHORTEST_MS;

    return settings->is_short && shorter < timeout_ms ? shorter : timeout_ms;
}

bool lab_settings_take_turn(const struct lab_settings *settings, bool is_alone) {
    char byte = is_alone ? TURN_WANTED_ALONE : TURN_WANTED;

    return settings->turn_fd < 0 || (send(settings->turn_fd, &byte, 1, MSG_NOSIGNAL) == 1 &&
                                     TEMP_FAILURE_RETRY(recv(settings->turn_fd, &byte, 1, 0)) == 1);
}

void lab_settings_give_turn(const struct lab_settings *settings) {
    char byte = TURN_DONE;

    if (settings->turn_fd >= 0)
        send(settings->turn_fd, &byte, 1, MSG_NOSIGNAL);
}

void lab_settings_note_timeout(const struct lab_settings *settings) {
    note(settings, RUN_NOTE_TIMED_OUT);
}

void lab_settings_note_never_loads(const struct lab_settings *settings) {
    note(settings, RUN_NOTE_NEVER_LOADS);
}

void lab_settings_note_idle_calls(const struct lab_settings *settings) {
    note(settings, RUN_NOTE_IDLE_CALLS);
}

enum call_backend lab_settings_backend(const struct lab_settings *settings, const char *tier) {
    bool is_sim = strcmp(tier, "safety") == 0 || strcmp(tier, "technique") == 0;

    return is_sim ? CALL_SIM : settings->backend;
}

struct call_settings lab_call_settings(const struct lab_settings *settings,
                                       enum call_backend backend, int timeout_ms) {
    bool is_gpu = backend == CALL_GPU;

    return (struct call_settings){
        .backend = backend,
        .worker = settings->worker,
        .simulator = settings->simulator,
        .sandbox = settings->sandbox,
        .cudart = is_gpu ? settings->cudart_gpu : settings->cudart_sim,
        .submission = settings->submission,
        .timeout_ms = lab_settings_limit_ms(settings, timeout_ms),
        .load_ms = is_gpu ? 0 : LOAD_CALLS * lab_settings_limit_ms(settings, settings->timeout_ms),
        .budget = is_gpu ? 0 : (uint64_t)timeout_ms * BUDGET_PER_MS,
        .checks = true,
        .server = is_gpu ? NULL : settings->server,
    };
}

bool lab_settings_read(struct lab_settings *settings, char *why, size_t why_bytes) {
    const char *only = getenv("WARPBOOK_CASE");

    *settings = (struct lab_settings){
        .results = getenv("WARPBOOK_RESULTS"),
        .worker = getenv("WARPBOOK_WORKER"),
        .sandbox = {getenv("WARPBOOK_CONFINE"),
                    getenv("WARPBOOK_BWRAP"),
                    getenv("WARPBOOK_AS_USER") != NULL,
                    {getenv("WARPBOOK_HIDDEN"), getenv("WARPBOOK_HIDDEN_BUILD")}},
        .simulator = getenv("WARPBOOK_SIMULATOR"),
        .cudart_sim = getenv("WARPBOOK_CUDART_SIM"),
        .cudart_gpu = getenv("WARPBOOK_CUDART_GPU"),
        .submission = getenv("WARPBOOK_SUBMISSION"),
        .experiments = getenv("WARPBOOK_EXPERIMENTS") != NULL,
        .is_first_try = getenv("WARPBOOK_FIRST_TRY") != NULL,
        .yardsticks = getenv("WARPBOOK_YARDSTICKS"),
    };
    why[0] = '\0';
    if (!settings->worker || !settings->simulator || !settings->cudart_sim ||
        !settings->submission) {
        snprintf(why, why_bytes,
                 "This program is run by the grader (./warpbook check), which sets "
                 "WARPBOOK_WORKER, WARPBOOK_SIMULATOR, WARPBOOK_CUDART_SIM and "
                 "WARPBOOK_SUBMISSION.");
        return false;
    }
    if (only && *only != '\0' && !lab_settings_case(settings, only)) {
        snprintf(why, why_bytes, "WARPBOOK_CASE is \"%.80s\", not like n=513,block=256.", only);
        return false;
    }
    if (!read_backend(settings, why, why_bytes) || !read_numbers(settings, why, why_bytes))
        return false;
    settings->is_short = is_noted(settings, RUN_NOTE_TIMED_OUT);
    settings->never_loads = is_noted(settings, RUN_NOTE_NEVER_LOADS);
    settings->has_idle_calls = is_noted(settings, RUN_NOTE_IDLE_CALLS);
    return true;
}
