/*
 * Within a grader: a condition variable, on which each change wakes all threads; each looks
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

static int lock_of(enum gpus_kind kind) {
    return kind == GPUS_ALONE ? LOCK_EX : LOCK_SH;
}

enum {
    AT_ONCE = 4,   /* tests of correctness on one GPU */
    ENOUGH = 3,    /* that wait to measure on it */
    PREPARING = 4, /* more at once make hardly more contexts in a second: four to six */
};

/* Of each kind: how many have a place before a GPU or have gone in. */
static const size_t most_here[GPUS_N_KINDS] = {
    [GPUS_SHARED] = AT_ONCE + 2,
    [GPUS_ALONE] = ENOUGH + 2,
};

/* Those who test go on to measure. */
static bool is_full(const struct gpu_use *use, enum gpus_kind kind) {
    return use->n_here[kind] >= most_here[kind] || use->n_here[GPUS_ALONE] >= most_here[GPUS_ALONE];
}

/* The GPU with the fewest of a kind, and of those who want it alone; GPUS_MAX where all are full,
 * and that counts. One that another grader uses comes after one that nobody uses. */
static size_t choose(const struct gpus *gpus, enum gpus_kind kind, bool is_limited) {
    size_t best = GPUS_MAX, least = SIZE_MAX;
    for (size_t i = 0; i < gpus->n; i++) {
        const struct gpu_use *use = &gpus->turns.uses[i];
        size_t load = use->n_here[kind] + use->n_here[GPUS_ALONE];
        if (is_limited && is_full(use, kind))
            continue;
        if (gpus->n > 1 && load == 0)
            load = is_busy(gpus, gpus->uuids[i], lock_of(kind));
        if (load < least) {
            least = load;
            best = i;
        }
    }
    return best;
}

static bool may_enter(const struct gpu_use *use, enum gpus_kind kind) {
    if (use->is_alone)
        return false;
    return kind == GPUS_ALONE ? use->n_shared == 0
                              : use->n_want_alone < ENOUGH && use->n_shared < AT_ONCE;
}

/* Waits for a change, for a moment. */
static void look_again_later(struct gpu_turns *turns) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    turns->n_waiting++;
    pthread_cond_timedwait(&turns->changed, &turns->mutex, &until);
    turns->n_waiting--;
}

static void take_place(struct gpus_turn *turn) {
    turn->use->n_here[turn->kind] += !turn->has_place;
    turn->has_place = true;
}

static void give_place(struct gpus_turn *turn) {
    turn->use->n_here[turn->kind] -= turn->has_place;
    turn->has_place = false;
}

/* Once there is a GPU with room before it, and few make contexts, where that counts. */
static bool come(struct gpus *gpus, enum gpus_kind kind, bool is_limited, int interrupt_fd,
                 struct gpus_turn *turn) {
    struct gpu_turns *turns = &gpus->turns;
    size_t gpu = GPUS_MAX;
    *turn = GPUS_NO_TURN;
    if (gpus->n == 0)
        return false;
    pthread_mutex_lock(&turns->mutex);
    while (((is_limited && turns->n_preparing >= PREPARING) ||
            (gpu = choose(gpus, kind, is_limited)) == GPUS_MAX) &&
           !process_is_interrupted(interrupt_fd))
        look_again_later(turns);
    if (gpu != GPUS_MAX) {
        *turn =
            (struct gpus_turn){gpus, &turns->uses[gpu], gpus->uuids[gpu], kind, false, true, -1};
        take_place(turn);
        turns->n_preparing++;
    }
    pthread_mutex_unlock(&turns->mutex);
    return gpu != GPUS_MAX;
}

bool gpus_come(struct gpus *gpus, enum gpus_kind kind, int interrupt_fd, struct gpus_turn *turn) {
    return come(gpus, kind, true, interrupt_fd, turn);
}

static void end_preparing(struct gpus_turn *turn) {
    turn->gpus->turns.n_preparing -= turn->is_preparing;
    turn->is_preparing = false;
}

/* Within this grader. */
static bool enter_turns(struct gpus_turn *turn, int interrupt_fd) {
    struct gpu_turns *turns = &turn->gpus->turns;
    struct gpu_use *use = turn->use;
    bool is_alone = turn->kind == GPUS_ALONE, is_in;
    pthread_mutex_lock(&turns->mutex);
    take_place(turn);
    end_preparing(turn);
    pthread_cond_broadcast(&turns->changed);
    use->n_want_alone += is_alone;
    while (!(is_in = may_enter(use, turn->kind)) && !process_is_interrupted(interrupt_fd))
        look_again_later(turns);
    use->n_want_alone -= is_alone;
    use->is_alone |= is_in && is_alone;
    use->n_shared += is_in && !is_alone;
    pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->mutex);
    return is_in;
}

/* Of the turns; the lock is not held any more, or was not to be had. */
static void leave_turns(const struct gpus_turn *turn) {
    struct gpu_turns *turns = &turn->gpus->turns;
    pthread_mutex_lock(&turns->mutex);
    if (turn->kind == GPUS_ALONE)
        turn->use->is_alone = false;
    else
        turn->use->n_shared--;
    pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->mutex);
}

bool gpus_enter(struct gpus_turn *turn, int interrupt_fd) {
    if (!enter_turns(turn, interrupt_fd))
        return false;
    turn->fd = enter(turn->gpus, turn->uuid, lock_of(turn->kind), true, interrupt_fd);
    if (turn->fd < 0)
        leave_turns(turn);
    return turn->fd >= 0;
}

static void leave_room(struct gpus_turn *turn) {
    if (turn->fd < 0)
        return;
    close(turn->fd);
    turn->fd = -1;
    leave_turns(turn);
}

void gpus_leave(struct gpus_turn *turn) {
    struct gpu_turns *turns = &turn->gpus->turns;
    leave_room(turn);
    pthread_mutex_lock(&turns->mutex);
    end_preparing(turn);
    give_place(turn);
    pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->mutex);
}

void gpus_change(struct gpus_turn *turn, enum gpus_kind kind) {
    struct gpu_turns *turns = &turn->gpus->turns;
    leave_room(turn);
    pthread_mutex_lock(&turns->mutex);
    give_place(turn);
    turn->kind = kind;
    take_place(turn);
    pthread_cond_broadcast(&turns->changed);
    pthread_mutex_unlock(&turns->mutex);
}

bool gpus_take(struct gpus *gpus, enum gpus_kind kind, int interrupt_fd, struct gpus_turn *turn) {
    if (!come(gpus, kind, false, interrupt_fd, turn))
        return false;
    if (gpus_enter(turn, interrupt_fd))
        return true;
    gpus_give(turn);
    return false;
}

void gpus_give(struct gpus_turn *turn) {
    if (!turn->gpus)
        return;
    gpus_leave(turn);
    *turn = GPUS_NO_TURN;
}
