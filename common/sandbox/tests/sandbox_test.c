/*
 * Programs inside a sandbox, and what they can't do there. The programs are this one, started with
 * the name of a deed; its exit status says what became of it.
 */
#include "common/base/system/file.h"
#include "common/sandbox/sandbox.h"

#include <criterion/criterion.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_BYTES = 4096, NOBODY = 65534 };

/* What a program inside printed and how it ended. */
struct end {
    int status; /* exit status */
    char output[OUTPUT_BYTES];
};

static struct sandbox_tools tools(void) {
    static struct sandbox_tools found;
    char why[256];

    if (!found.confine) {
        found.confine = getenv("SANDBOX_TEST_CONFINE");
        found.bwrap = file_in_path("bwrap");
        cr_assert_not_null(found.confine, "run this through Meson");
        if (!sandbox_probe(&found, why, sizeof why))
            cr_skip_test("this machine can't sandbox: %s", why);
    }
    return found;
}

static struct sandbox plain_sandbox(void) {
    return (struct sandbox){.n_processes = 32,
                            .n_open_files = 64,
                            .memory_bytes = 256 << 20,
                            .file_bytes = 1 << 20,
                            .tmp_bytes = 4 << 20};
}

/* In a process of its own: starts the command line that runs a line of shell. */
static void start(struct sandbox_tools with, struct sandbox sandbox, const char *line, int out) {
    char *const argv[] = {(char *)"/bin/sh", (char *)"-c", (char *)line, NULL};
    char **command = sandbox_command(&with, &sandbox, argv);

    dup2(out, 1);
    dup2(out, 2);
    execve(command[0], command, (char **)sandbox_environment(&with, &sandbox));
    _exit(127);
}

/* Runs a line of shell, by another user unless `user` is 0; forking is allowed, since that is what
 * a shell does. */
static struct end run_by(uid_t user, struct sandbox_tools with, struct sandbox sandbox,
                         const char *line) {
    struct end end = {.status = -1};
    int fds[2], status;
    size_t used = 0;

    sandbox.may_fork = true;
    cr_assert(pipe2(fds, O_CLOEXEC) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (user && (setgid(user) != 0 || setuid(user) != 0))
            _exit(126);
        start(with, sandbox, line, fds[1]);
    }
    close(fds[1]);
    for (ssize_t got = 1; got > 0 && used<OUTPUT_BYTES - 1; used += got> 0 ? (size_t)got : 0)
        got = read(fds[0], end.output + used, OUTPUT_BYTES - 1 - used);
    close(fds[0]);
    waitpid(pid, &status, 0);
    end.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return end;
}

static struct end run_with(struct sandbox_tools with, struct sandbox sandbox, const char *line) {
    return run_by(0, with, sandbox, line);
}

static struct end run_shell(struct sandbox sandbox, const char *line) {
    return run_with(tools(), sandbox, line);
}

Test(sandbox, shows_no_file_but_the_system_and_what_is_named) {
    char path[] = "/tmp/sandbox-test-XXXXXX";
    int fd = mkstemp(path);
    struct sandbox_file file = {path, "/submission/file", false};
    struct sandbox sandbox = plain_sandbox();
    char line[256];

    cr_assert(write(fd, "seen", 4) == 4 && fchmod(fd, 0644) == 0);
    close(fd);
    snprintf(line, sizeof line, "cat /submission/file; cat %s; ls / /home /root /etc/passwd", path);
    sandbox.files = &file;
    sandbox.n_files = 1;
    struct end end = run_shell(sandbox, line);
    unlink(path);
    cr_expect(strncmp(end.output, "seen", 4) == 0, "%s", end.output);
    cr_expect_not_null(strstr(end.output, "cat: /tmp/sandbox-test"), "%s", end.output);
    cr_expect_not_null(strstr(end.output, "'/etc/passwd'"), "%s", end.output);
    cr_expect_not_null(strstr(end.output, "'/home'"), "%s", end.output);
}

Test(sandbox, hides_folders_of_the_system_but_for_what_is_named) {
    struct sandbox_tools with = tools();
    struct sandbox_file file = {"/usr/include/stdio.h", NULL, false};
    struct sandbox sandbox = plain_sandbox();

    with.hidden[0] = "/usr/include";
    with.hidden[1] = "/tmp";
    sandbox.files = &file;
    sandbox.n_files = 1;
    struct end end = run_with(with, sandbox,
                              "ls /usr/include; grep -c FILE /usr/include/stdio.h >/tmp/n && "
                              "touch /usr/include/x 2>/dev/null || echo kept; ls -d /usr/lib");
    cr_expect_str_eq(end.output, "stdio.h\nkept\n/usr/lib\n");
}

Test(sandbox, lets_write_to_the_named_file_and_tmp_alone) {
    char path[] = "/tmp/sandbox-test-XXXXXX", text[8] = "";
    int fd = mkstemp(path);
    struct sandbox_file file = {path, "/output/file", true};
    struct sandbox sandbox = plain_sandbox();

    cr_assert(fchmod(fd, 0666) == 0);
    sandbox.files = &file;
    sandbox.n_files = 1;
    struct end end = run_shell(sandbox, "echo out >/output/file; echo x >/tmp/mine; cat /tmp/mine;"
                                        "for f in /x /dev/x /etc/x /usr/x /output/x /run/x; do "
                                        "touch $f 2>/dev/null && echo wrote $f; done");
    cr_expect_str_eq(end.output, "x\n");
    cr_expect(read(fd, text, sizeof text - 1) == 4 && strcmp(text, "out\n") == 0);
    close(fd);
    unlink(path);
    cr_expect(access("/tmp/mine", F_OK) != 0);
}

Test(sandbox, passes_no_environment_but_the_given) {
    struct sandbox sandbox = plain_sandbox();
    char *const environment[] = {(char *)"GIVEN=some words", NULL};

    setenv("SANDBOX_TEST_SECRET", "seed", 1);
    sandbox.environment = environment;
    struct end end = run_shell(sandbox, "echo \"$GIVEN\"; env; cat /proc/*/environ");
    cr_expect(strncmp(end.output, "some words\n", 11) == 0, "%s", end.output);
    cr_expect_null(strstr(end.output, "SECRET"));
}

Test(sandbox, starts_process_1_without_environment) {
    struct sandbox sandbox = plain_sandbox();
    char *const environment[] = {(char *)"GIVEN=some words", NULL};

    setenv("SANDBOX_TEST_SECRET", "seed", 1);
    sandbox.environment = environment;
    if (geteuid() == 0 && access(getenv("SANDBOX_TEST_CONFINE"), X_OK) != 0)
        cr_skip_test("nobody may not start programs of this build");
    /* Process 1 of a sandbox belongs to an ordinary user who made it. */
    struct end end = run_by(geteuid() == 0 ? NOBODY : 0, tools(), sandbox,
                            "echo \"$GIVEN\"; ls /proc/1/environ && wc -c </proc/1/environ");
    cr_expect_str_eq(end.output, "some words\n/proc/1/environ\n0\n");
}

Test(sandbox, hides_and_spares_processes_outside) {
    char line[128];

    snprintf(line, sizeof line, "ls -d /proc/%d; kill -9 -1; kill -0 %d && echo found",
             getpid() + 100000, getpid() + 100000);
    pid_t sleeper = fork();
    if (sleeper == 0) {
        pause();
        _exit(0);
    }
    struct end end = run_shell(plain_sandbox(), line);
    cr_expect_null(strstr(end.output, "found"));
    cr_expect(waitpid(sleeper, NULL, WNOHANG) == 0);
    kill(sleeper, SIGKILL);
}

Test(sandbox, ends_all_that_it_started) {
    struct end end = run_shell(plain_sandbox(), "setsid sleep 987.123 & echo started");

    cr_expect_str_eq(end.output, "started\n");
    cr_expect(system("pgrep -f '^sleep 987.12[3]' >/dev/null") != 0);
}

Test(sandbox, has_no_network) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t bytes = sizeof address;
    char line[128];

    cr_assert(bind(listener, (struct sockaddr *)&address, bytes) == 0 && listen(listener, 1) == 0);
    getsockname(listener, (struct sockaddr *)&address, &bytes);
    snprintf(line, sizeof line,
             "perl -MIO::Socket::INET -e "
             "'print IO::Socket::INET->new(q(127.0.0.1:%d)) ? q(in) : q(out)'",
             ntohs(address.sin_port));
    cr_expect_str_eq(run_shell(plain_sandbox(), line).output, "out");
    close(listener);
}

Test(sandbox, bounds_processes) {
    struct end end =
        run_shell(plain_sandbox(), "i=0; while [ $i -lt 60 ]; do sleep 5 & i=$((i+1)); done");

    cr_expect_not_null(strstr(end.output, "Cannot fork"), "%s", end.output);
}

Test(sandbox, bounds_files_and_the_temporary_folder) {
    struct end end =
        run_shell(plain_sandbox(), "yes | head -c 2000000 >/tmp/a || wc -c </tmp/a; for i in 1 2 3 "
                                   "4 5 6; do yes | head -c 900000 >/tmp/$i; done; du -sk /tmp");

    cr_expect_not_null(strstr(end.output, "1048576"), "%s", end.output);
    cr_expect_not_null(strstr(end.output, "No space left"), "%s", end.output);
}

Test(sandbox, bounds_memory) {
#ifndef __SANITIZE_ADDRESS__ /* confine.c bounds no memory then */
    struct end end = run_shell(plain_sandbox(), "perl -e 'my $x = q(x) x 600000000; print 1'");

    cr_expect_not_null(strstr(end.output, "Out of memory"), "%s", end.output);
#endif
}

Test(sandbox, bounds_what_no_limit_on_private_memory_counts) {
    struct end end = run_shell(plain_sandbox(), "cat /dev/zero | head -c 1 | wc -c; ulimit -H -s; "
                                                "ulimit -s unlimited && echo unlimited");

    cr_expect_not_null(strstr(end.output, "0\n65536\n"), "%s", end.output);
    cr_expect_null(strstr(end.output, "unlimited\n"), "%s", end.output);
}

Test(sandbox, refuses_namespaces_and_mounts) {
    struct end end = run_shell(plain_sandbox(),
                               "unshare -U true && echo unshared; mount -t tmpfs x /tmp && echo "
                               "mounted; id -u; grep -h -e CapEff -e NoNewPrivs -e '^Seccomp:' "
                               "/proc/self/status");

    cr_expect_null(strstr(end.output, "unshared"));
    cr_expect_null(strstr(end.output, "mounted"));
    cr_expect_not_null(strstr(end.output, "CapEff:\t0000000000000000"), "%s", end.output);
    cr_expect_not_null(strstr(end.output, "NoNewPrivs:\t1"));
    cr_expect_not_null(strstr(end.output, "Seccomp:\t2"));
    cr_expect(strncmp(end.output, "0\n", 2) != 0, "runs as root");
}

Test(sandbox, takes_another_user_where_there_is_no_bubblewrap) {
    struct sandbox_tools with = {.confine = getenv("SANDBOX_TEST_CONFINE"), .as_user = true};
    char path[] = "/tmp/sandbox-test-XXXXXX";
    int fd = mkstemp(path);
    char line[256];

    if (geteuid() != 0)
        cr_skip_test("only root can become another user");
    cr_assert(fchmod(fd, 0644) == 0);
    close(fd);
    snprintf(line, sizeof line, "id -u; echo forged >%s; kill -0 1 && echo reached; cat %s", path,
             path);
    struct end as_user = run_with(with, plain_sandbox(), line);
    with.as_user = false;
    struct end as_root = run_with(with, plain_sandbox(), line);
    unlink(path);
    cr_expect(strtol(as_user.output, NULL, 10) > 65533, "%s", as_user.output);
    cr_expect_null(strstr(as_user.output, "forged"), "%s", as_user.output);
    cr_expect_null(strstr(as_user.output, "reached"), "%s", as_user.output);
    cr_expect_not_null(strstr(as_root.output, "forged"), "%s", as_root.output);
}

Test(sandbox, starts_nothing_where_forking_is_forbidden) {
    struct sandbox_tools with = tools();
    struct sandbox sandbox = plain_sandbox();
    char *const argv[] = {(char *)"/usr/bin/perl", (char *)"-e",
                          (char *)"my $p = fork; exit(defined $p ? 1 : 42)", NULL};
    char **command = sandbox_command(&with, &sandbox, argv);
    pid_t pid;
    int status = 0;

    cr_assert(posix_spawn(&pid, command[0], NULL, NULL, command, (char *[]){NULL}) == 0);
    waitpid(pid, &status, 0);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 42, "%x", (unsigned)status);
    sandbox_command_free(command);
}

Test(sandbox, says_why_it_cannot) {
    struct sandbox_tools with = {.confine = getenv("SANDBOX_TEST_CONFINE"), .bwrap = "/bin/false"};
    char why[256];

    cr_expect(!sandbox_probe(&with, why, sizeof why));
    cr_expect_str_eq(why, "/bin/false ended with status 1 and said nothing");
    with.bwrap = "/nowhere/bwrap";
    cr_expect(!sandbox_probe(&with, why, sizeof why));
    cr_expect_str_eq(why, "No such file or directory");
    with.bwrap = NULL;
    cr_expect(!sandbox_probe(&with, why, sizeof why));
    cr_expect_str_eq(why, "bubblewrap is not installed");
}
