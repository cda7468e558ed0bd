/*
 * What is taken in which order, so that nobody waits for who waits for it: a place before the GPU,
 * then the processors, then the GPU. Who takes the processors alone takes the GPU after them, and
 * needs no place: those who have one may be waiting for the processors.
 */
#include "grader/grade/turn.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/base/turn.h"

/* Lets the program in. One that is in already, or was, may ask again: a process of it ended, and
 * another one goes on. */
static bool let_in(struct turn *turn) {
    bool is_in = turn->gpu.fd >= 0 || gpus_enter(&turn->gpu, turn->interrupt_fd);
    if (!is_in)
        shutdown(turn->line.fd, SHUT_RDWR);
    turn->is_refused = !is_in;
    return is_in && send(turn->line.fd, "", 1, MSG_NOSIGNAL) == 1;
}

static bool answer(void *context) {
    struct turn *turn = context;
    char word = 0;
    ssize_t got = recv(turn->line.fd, &word, 1, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (got != 1)
        return false;
    if (word == TURN_DONE)
        gpus_leave(&turn->gpu);
    else if (word == TURN_WANTED_ALONE && turn->gpu.kind != GPUS_ALONE)
        gpus_change(&turn->gpu, GPUS_ALONE);
    else if (word == TURN_WANTED && turn->gpu.kind != GPUS_SHARED)
        gpus_change(&turn->gpu, GPUS_SHARED);
    return word == TURN_DONE ||
           ((word == TURN_WANTED || word == TURN_WANTED_ALONE) && let_in(turn));
}

/* The line by which the program goes in, and says that it needs the GPU no more. */
static bool open_line(struct turn *turn) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, turn->fds) != 0)
        return false;
    turn->line = (struct process_line){turn->fds[0], turn->fds[1], answer, turn};
    return true;
}

enum grader_status turn_take(struct grading *grading, const struct turn_wish *wish,
                             struct run_request *request, struct turn *turn, struct diag *diag) {
    bool has_gpu = wish->wants_gpu && grading->gpus.n > 0;
    bool is_alone = wish->jobs > 1 || wish->is_last_try || (wish->is_speed && !has_gpu);
    enum gpus_kind kind = wish->is_speed || wish->is_last_try ? GPUS_ALONE : GPUS_SHARED;
    *turn = (struct turn){.grading = grading,
                          .gpu = GPUS_NO_TURN,
                          .interrupt_fd = request->interrupt_fd,
                          .fds = {-1, -1}};
    bool is_good = !has_gpu || wish->is_last_try || open_line(turn);
    if (is_good && has_gpu && !is_alone)
        is_good = gpus_come(&grading->gpus, kind, turn->interrupt_fd, &turn->gpu);
    if (is_alone)
        pthread_rwlock_wrlock(&grading->machine);
    else
        pthread_rwlock_rdlock(&grading->machine);
    if (is_good && has_gpu && is_alone)
        is_good = gpus_take(&grading->gpus, kind, turn->interrupt_fd, &turn->gpu);
    request->gpu = turn->gpu.uuid;
    request->line = turn->fds[0] >= 0 ? &turn->line : NULL;
    turn->is_refused = !is_good;
    return is_good ? GRADER_OK : turn_give(turn, diag);
}

enum grader_status turn_give(struct turn *turn, struct diag *diag) {
    pthread_rwlock_unlock(&turn->grading->machine);
    gpus_give(&turn->gpu);
    for (int i = 0; i < 2; i++) {
        if (turn->fds[i] >= 0)
            close(turn->fds[i]);
    }
    if (!turn->is_refused)
        return GRADER_OK;
    diag_set(diag, turn->grading->gpus.folder, 0, "no lock for a GPU can be had here");
    return process_is_interrupted(turn->interrupt_fd) ? GRADER_INTERRUPTED : GRADER_FAILED;
}
