/*
 * Within a grader: a condition variable, on which each release wakes all threads; each looks
 * whether it may go on. Among graders: two lock files a GPU, the lock itself ("room") and a "gate".
 * Who wants the lock takes the gate first and keeps it while waiting, so that nobody who comes
 * later gets the lock before.
 */
#include "grader/machine/gpus.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/base/system/process.h"
#include "common/base/text.h"
#include "grader/machine/device.h"

enum { LOOK_MS = 20 }; /* between looks for an interrupt */

static const char lock_folder[] = "/tmp";

void gpus_find(struct gpus *gpus) {
    int fds[2];
    *gpus = (struct gpus){.folder = lock_folder, .turns = GPU_TURNS_FREE};
    if (pipe(fds) != 0)
        return;
    pid_t child = fork();
    if (child == 0) {
        struct driver driver;
        driver_ask(&driver);
        for (int i = 0; i < driver.n_gpus && i < GPUS_MAX; i++) {
            if (write(fds[1], driver.gpus[i].uuid, GPUS_UUID) != GPUS_UUID)
                _exit(1);
        }
        _exit(0);
    }
    close(fds[1]);
    while (child > 0 && gpus->n < GPUS_MAX &&
           read(fds[0], gpus->uuids[gpus->n], GPUS_UUID) == GPUS_UUID &&
           gpus->uuids[gpus->n][0] != '\0')
        gpus->n++;
    close(fds[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* A file that everybody may lock. Where it is another user's, it may only be read, which is enough.
 */
static int open_lock(const struct gpus *gpus, const char *uuid, const char *what) {
    OWNED char *path = text_format("%s/warpbook-%s.%s", gpus->folder, uuid, what);
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT)
        fd = open(path, O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
    return fd;
}

/* flock() that hears an interrupt; it has no time-out of its own. */
static bool lock(int fd, int how, bool may_wait, int interrupt_fd) {
    while (flock(fd, how | LOCK_NB) != 0) {
        struct pollfd interrupt = {.fd = interrupt_fd, .events = POLLIN};
        if (!may_wait || (errno != EWOULDBLOCK && errno != EINTR) ||
            poll(&interrupt, 1, LOOK_MS) > 0)
            return false;
    }
    return true;
}

/* The lock file of one GPU, through its gate: a descriptor, or -1 where it can't be had, or not
 * now. */
static int enter(const struct gpus *gpus, const char *uuid, int how, bool may_wait,
                 int interrupt_fd) {
    int gate = open_lock(gpus, uuid, "gate"), own = open_lock(gpus, uuid, "room");
    bool is_in = gate >= 0 && own >= 0 && lock(gate, LOCK_EX, may_wait, interrupt_fd) &&
                 lock(own, how, may_wait, interrupt_fd);
    if (gate >= 0)
        close(gate);
    if (!is_in && own >= 0)
        close(own);
    return is_in ? own : -1;
}

/* True where the lock can't be had at once. */
static bool is_busy(const struct gpus *gpus, const char *uuid, int how) {
    int own = enter(gpus, uuid, how, false, -1);
    if (own >= 0)
        close(own);
    return own < 0;
}

enum {
    ENOUGH = 8, /* that wait to measure, for each GPU on which that is done */
    AT_ONCE = 4 /* tests of correctness on one of several GPUs */
};

/* Once so many wait to measure that one GPU more is to do only that, it is the one that is used
 * least now. The first of several GPUs is set apart as soon as anybody wants it: what limits tests
 * of correctness is the host, which makes their contexts one after the other, so that one GPU is
 * enough for them. The last GPU goes on with them for longest. */
static void set_apart(struct gpus *gpus) {
    struct gpu_use *least = NULL;
    size_t n_measure = 0;
    for (size_t i = 0; i < gpus->n; i++) {
        struct gpu_use *use = &gpus->turns.uses[i];
        n_measure += use->measures;
        if (!use->measures && (!least || use->n_shared < least->n_shared))
            least = use;
    }
    const bool is_last = n_measure + 1 == gpus->n;
    if (least && gpus->turns.n_want_alone >= ENOUGH * (n_measure + is_last) + !is_last)
        least->measures = true;
}

static bool may_share(const struct gpus *gpus, const struct gpu_use *use) {
    const bool has_room = gpus->n == 1 || use->n_shared < AT_ONCE;
    return has_room && !use->is_alone && (!use->measures || gpus->turns.n_want_alone == 0);
}

static bool may_be_alone(const struct gpus *gpus, const struct gpu_use *use) {
    return !use->is_alone && use->n_shared == 0 &&
           (use->measures || gpus->turns.n_want_shared == 0);
}

/* The GPU that may be had and is used least; GPUS_MAX where none may be. One that another grader
 * uses comes last. */
static size_t choose(const struct gpus *gpus, bool is_alone) {
    size_t best = GPUS_MAX, least = SIZE_MAX;
    for (size_t i = 0; i < gpus->n; i++) {
        const struct gpu_use *use = &gpus->turns.uses[i];
        if (!(is_alone ? may_be_alone : may_share)(gpus, use))
            continue;
        size_t load = 2 * use->n_shared;
        if (gpus->n > 1)
            load += is_busy(gpus, gpus->uuids[i], is_alone ? LOCK_EX : LOCK_SH);
        if (load < least) {
            least = load;
            best = i;
        }
    }
    return best;
}

static void look_again_later(struct gpu_turns *turns) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&turns->changed, &turns->mutex, &until);
}

/* Waits until one of the GPUs may be had; GPUS_MAX where the grader is to stop. */
static size_t wait_for_one(struct gpus *gpus, bool is_alone, int interrupt_fd) {
    struct gpu_turns *turns = &gpus->turns;
    pthread_mutex_lock(&turns->mutex);
    size_t *n_waiting = is_alone ? &turns->n_want_alone : &turns->n_want_shared;
    size_t gpu;
    ++*n_waiting;
    set_apart(gpus);
    while ((gpu = choose(gpus, is_alone)) == GPUS_MAX && !process_is_interrupted(interrupt_fd))
        look_again_later(turns);
    --*n_waiting;
    if (gpu != GPUS_MAX) {
        struct gpu_use *use = &turns->uses[gpu];
        use->measures = use->is_alone = is_alone;
        use->n_shared += !is_alone;
    }
    pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->mutex);
    return gpu;
}

static void leave(struct gpu_turns *turns, struct gpu_use *use) {
    pthread_mutex_lock(&turns->mutex);
    if (use->is_alone)
        use->is_alone = false;
    else
        use->n_shared--;
    pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->mutex);
}

bool gpus_take(struct gpus *gpus, bool is_alone, int interrupt_fd, struct gpus_turn *turn) {
    *turn = (struct gpus_turn){.fd = -1};
    if (gpus->n == 0)
        return false;
    size_t gpu = wait_for_one(gpus, is_alone, interrupt_fd);
    if (gpu == GPUS_MAX)
        return false;
    turn->turns = &gpus->turns;
    turn->use = &gpus->turns.uses[gpu];
    turn->uuid = gpus->uuids[gpu];
    turn->fd = enter(gpus, turn->uuid, is_alone ? LOCK_EX : LOCK_SH, true, interrupt_fd);
    if (turn->fd < 0)
        gpus_give(turn);
    return turn->fd >= 0;
}

void gpus_give(struct gpus_turn *turn) {
    if (turn->fd >= 0)
        close(turn->fd);
    if (turn->turns)
        leave(turn->turns, turn->use);
    turn->fd = -1;
    turn->turns = NULL;
}
