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
    *gpus = (struct gpus){.folder = lock_folder};
    for (size_t i = 0; i < GPUS_MAX; i++)
        gpus->locks[i] = GPU_LOCK_FREE;
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

/* The GPU with the least load; among equals, another one each time. */
static size_t choose(struct gpus *gpus, int how) {
    size_t first = atomic_fetch_add(&gpus->next, 1), best = 0, least = SIZE_MAX;
    for (size_t i = 0; i < gpus->n && gpus->n > 1; i++) {
        size_t gpu = (first + i) % gpus->n;
        size_t load = 2 * gpu_lock_load(&gpus->locks[gpu]) + is_busy(gpus, gpus->uuids[gpu], how);
        if (load < least) {
            least = load;
            best = gpu;
        }
    }
    return best;
}

bool gpus_take(struct gpus *gpus, bool is_alone, int interrupt_fd, struct gpus_turn *turn) {
    *turn = (struct gpus_turn){.fd = -1};
    if (gpus->n == 0)
        return false;
    int how = is_alone ? LOCK_EX : LOCK_SH;
    size_t gpu = choose(gpus, how);
    turn->uuid = gpus->uuids[gpu];
    if (!gpu_lock_take(&gpus->locks[gpu], is_alone, interrupt_fd))
        return false;
    turn->lock = &gpus->locks[gpu];
    turn->fd = enter(gpus, turn->uuid, how, true, interrupt_fd);
    if (turn->fd < 0)
        gpus_give(turn);
    return turn->fd >= 0;
}

void gpus_give(struct gpus_turn *turn) {
    if (turn->fd >= 0)
        close(turn->fd);
    if (turn->lock)
        gpu_lock_release(turn->lock);
    turn->fd = -1;
    turn->lock = NULL;
}

enum {
    ENOUGH = 8, /* that wait to measure: nobody else is let in before them */
    LONGER = 4, /* measuring takes as long as so many other parts, which run beside each other */
};

static bool may_share(const struct gpu_lock *lock) {
    if (lock->is_alone)
        return false;
    return lock->measures ? lock->n_want_alone == 0 : lock->n_want_alone < ENOUGH;
}

static bool may_be_alone(const struct gpu_lock *lock) {
    if (lock->is_alone || lock->n_shared > 0)
        return false;
    return lock->measures || lock->n_want_shared == 0 || lock->n_want_alone >= ENOUGH;
}

static void look_again_later(struct gpu_lock *lock) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&lock->changed, &lock->mutex, &until);
}

bool gpu_lock_take(struct gpu_lock *lock, bool is_alone, int interrupt_fd) {
    pthread_mutex_lock(&lock->mutex);
    size_t *n_waiting = is_alone ? &lock->n_want_alone : &lock->n_want_shared;
    bool may = false, is_stopped = false;
    ++*n_waiting;
    while (!(may = is_alone ? may_be_alone(lock) : may_share(lock)) && !is_stopped) {
        look_again_later(lock);
        is_stopped = process_is_interrupted(interrupt_fd);
    }
    --*n_waiting;
    if (may) {
        lock->measures = lock->is_alone = is_alone;
        lock->n_shared += !is_alone;
    }
    pthread_cond_broadcast(&lock->changed);
    pthread_mutex_unlock(&lock->mutex);
    return may;
}

void gpu_lock_release(struct gpu_lock *lock) {
    pthread_mutex_lock(&lock->mutex);
    if (lock->is_alone)
        lock->is_alone = false;
    else
        lock->n_shared--;
    pthread_cond_broadcast(&lock->changed);
    pthread_mutex_unlock(&lock->mutex);
}

size_t gpu_lock_load(struct gpu_lock *lock) {
    pthread_mutex_lock(&lock->mutex);
    size_t load = lock->n_shared + lock->n_want_shared +
                  LONGER * (lock->n_want_alone + (lock->is_alone ? 1 : 0));
    pthread_mutex_unlock(&lock->mutex);
    return load;
}
