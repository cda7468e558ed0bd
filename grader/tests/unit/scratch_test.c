/* Temporary folders of graders that live, that were killed, and that cannot see each other. */
#include <criterion/criterion.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/system/file.h"
#include "grader/machine/scratch.h"
#include "grader/tests/support.h"

FOLDER_SUITE(scratch, unsetenv("WARPBOOK_TMP"));

static struct scratch make(void) {
    struct scratch scratch;
    struct diag diag = {0};
    cr_assert_eq(scratch_make(&scratch, folder, &diag), GRADER_OK, "%s", diag.message);
    cr_assert(file_is_directory(scratch.path));
    return scratch;
}

/* Another grader that makes its folder, after which `path` is known, and waits to be killed. */
static pid_t start_other(char path[512]) {
    int fds[2];
    cr_assert_eq(pipe(fds), 0);
    pid_t other = fork();
    if (other == 0) {
        struct scratch scratch = make();
        char text[512] = "";
        snprintf(text, sizeof text, "%s", scratch.path);
        if (write(fds[1], text, sizeof text) == sizeof text)
            pause();
        _exit(1);
    }
    cr_assert_eq(read(fds[0], path, 512), 512);
    close(fds[0]);
    close(fds[1]);
    return other;
}

Test(scratch, stays_while_its_owner_lives_and_goes_after) {
    char path[512];
    pid_t other = start_other(path);
    struct scratch scratch = make();
    cr_expect(file_is_directory(path), "removed under its owner");
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    scratch_remove(&scratch);
    scratch = make();
    cr_expect_not(file_exists(path), "%s is still there", path);
    scratch_remove(&scratch);
}

/* In a container, say: its processes have numbers of their own, and ours none there. */
Test(scratch, stays_where_its_owner_cannot_be_seen) {
    struct scratch scratch = make();
    int status = -1;
    pid_t container = fork();
    if (container == 0) {
        if (unshare(CLONE_NEWPID) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0)
            _exit(2);
        pid_t other = fork();
        if (other == 0) {
            struct scratch own = make();
            scratch_remove(&own);
            _exit(0);
        }
        _exit(waitpid(other, &status, 0) == other && status == 0 ? 0 : 1);
    }
    waitpid(container, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
        cr_skip_test("no namespace of processes can be made here");
    cr_expect_eq(status, 0);
    cr_expect(file_is_directory(scratch.path), "removed under its owner");
    scratch_remove(&scratch);
}
