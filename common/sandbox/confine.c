/*
 * Limits, user and capabilities first, the filter of system calls last. libseccomp knows each
 * architecture's numbers of system calls.
 */
#include "common/sandbox/confine.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    USERS_FROM = 0x70000000, /* user numbers that no system gives to anybody */
    USERS_MASK = 0x0fffffff,
    NOBODY = 65534,
    STACK_BYTES = 64 << 20, /* as gcc has it for itself; no limit on private memory counts it */
};

void confine_init(struct confine *confine) {
    *confine = (struct confine){.may_fork = true, .may_share = true};
}

static const char *const limit_names[CONFINE_LIMITS] = {
    [CONFINE_PROCESSES] = "processes",
    [CONFINE_OPEN] = "open",
    [CONFINE_MEMORY] = "memory",
    [CONFINE_FILE] = "file",
};

bool confine_take(struct confine *confine, const char *word) {
    size_t length = strcspn(word, "=");
    char *end = NULL;
    uint64_t number = word[length] ? strtoull(word + length + 1, &end, 10) : 0;

    if (!end || *end || end == word + length + 1)
        return false;
    if (strncmp(word, "user=", 5) == 0) {
        confine->is_user = number != 0;
    } else if (strncmp(word, "fork=", 5) == 0) {
        confine->may_fork = number != 0;
    } else if (strncmp(word, "shared=", 7) == 0) {
        confine->may_share = number != 0;
    } else {
        size_t i = 0;
        while (i < CONFINE_LIMITS &&
               (strncmp(word, limit_names[i], length) != 0 || limit_names[i][length]))
            i++;
        if (i == CONFINE_LIMITS)
            return false;
        confine->is_limited[i] = true;
        confine->limit[i] = number;
    }
    return true;
}

/* Lowers a limit, soft and hard; never lifts one that is stricter already. */
static bool lower(__rlimit_resource_t resource, rlim_t bound) {
    struct rlimit limit;

    if (getrlimit(resource, &limit) != 0)
        return false;
    if (limit.rlim_max > bound)
        limit.rlim_max = bound;
    if (limit.rlim_cur > limit.rlim_max)
        limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit) == 0;
}

static const char *lower_all(const struct confine *confine) {
    static const __rlimit_resource_t resources[CONFINE_LIMITS] = {
        [CONFINE_PROCESSES] = RLIMIT_NPROC,
        [CONFINE_OPEN] = RLIMIT_NOFILE,
        [CONFINE_MEMORY] = RLIMIT_DATA,
        [CONFINE_FILE] = RLIMIT_FSIZE,
    };

    for (size_t i = 0; i < CONFINE_LIMITS; i++) {
        bool is_wanted = confine->is_limited[i];
#ifdef __SANITIZE_ADDRESS__
        is_wanted &= i != CONFINE_MEMORY; /* its shadow is private memory of terabytes */
#endif
        if (is_wanted && !lower(resources[i], confine->limit[i]))
            return limit_names[i];
    }
    if (!lower(RLIMIT_CORE, 0) || !lower(RLIMIT_MSGQUEUE, 0) || !lower(RLIMIT_STACK, STACK_BYTES))
        return "limits";
    return NULL;
}

/* Becomes a user that nobody else is; in a container that may not have such a user, nobody. */
static const char *become_nobody(void) {
    unsigned user = 0;

    if (getuid() != 0)
        return NULL;
    if (getrandom(&user, sizeof user, 0) != sizeof user)
        return "a random number";
    user = USERS_FROM | (user & USERS_MASK);
    if (setgroups(0, NULL) != 0)
        return "leaving all groups";
    if ((setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0) &&
        (setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0))
        return "becoming another user";
    return NULL;
}

/* In a user namespace a process has capabilities without being root. */
static bool drop_capabilities(void) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};

    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return syscall(SYS_capset, &head, none) == 0;
}

#define DENY SCMP_ACT_ERRNO(EPERM)

static const int forbidden[] = {
    /* other processes */
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(process_madvise),
    SCMP_SYS(kcmp),
    SCMP_SYS(pidfd_getfd),
    /* the kernel's keyrings, which are not in any namespace */
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(keyctl),
    /* namespaces and mounts */
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    SCMP_SYS(fsopen),
    SCMP_SYS(fsconfig),
    SCMP_SYS(fsmount),
    SCMP_SYS(fspick),
    SCMP_SYS(mount_setattr),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(name_to_handle_at),
    /* large parts of the kernel with a history */
    SCMP_SYS(perf_event_open),
    SCMP_SYS(bpf),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(fanotify_init),
    SCMP_SYS(quotactl),
    SCMP_SYS(modify_ldt),
    SCMP_SYS(vhangup),
    /* the machine itself */
    SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(reboot),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(acct),
    SCMP_SYS(syslog),
    SCMP_SYS(iopl),
    SCMP_SYS(ioperm),
    SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime),
    SCMP_SYS(clock_adjtime),
    SCMP_SYS(adjtimex),
    SCMP_SYS(sethostname),
    SCMP_SYS(setdomainname),
};

static int forbid(scmp_filter_ctx context, int call) {
    int error = seccomp_rule_add(context, DENY, call, 0);

    return error == -EDOM || error == -EEXIST ? 0 : error; /* unknown on this architecture */
}

/* clone3's flags lie in memory, where no filter sees them: the C library then takes clone. */
static int forbid_processes(scmp_filter_ctx context, bool may_fork) {
    static const unsigned long spaces[] = {CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET,   CLONE_NEWNS,
                                           CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};
    int error = seccomp_rule_add(context, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);

    for (size_t i = 0; !error && i < sizeof spaces / sizeof *spaces; i++)
        error = seccomp_rule_add(context, DENY, SCMP_SYS(clone), 1,
                                 SCMP_A0(SCMP_CMP_MASKED_EQ, spaces[i], spaces[i]));
    if (error || may_fork)
        return error;
    error = seccomp_rule_add(context, DENY, SCMP_SYS(clone), 1,
                             SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    if (!error)
        error = forbid(context, SCMP_SYS(fork));
    return error ? error : forbid(context, SCMP_SYS(vfork));
}

/* Limits of others, who may be the same user. */
static int forbid_limits(scmp_filter_ctx context) {
    return seccomp_rule_add(context, DENY, SCMP_SYS(prlimit64), 1, SCMP_A0(SCMP_CMP_NE, 0));
}

/* Mappings that grow downwards: the kernel counts them as stack, not as private memory. */
static int forbid_stacks(scmp_filter_ctx context) {
    return seccomp_rule_add(context, DENY, SCMP_SYS(mmap), 1,
                            SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_GROWSDOWN, MAP_GROWSDOWN));
}

static int forbid_sharing(scmp_filter_ctx context) {
    const unsigned long shared = MAP_SHARED | MAP_ANONYMOUS;
    int error = seccomp_rule_add(context, DENY, SCMP_SYS(mmap), 1,
                                 SCMP_A3(SCMP_CMP_MASKED_EQ, shared, shared));

    if (!error)
        error = forbid(context, SCMP_SYS(memfd_create));
    if (!error)
        error = forbid(context, SCMP_SYS(memfd_secret));
    return error ? error : forbid(context, SCMP_SYS(shmget));
}

/* Sockets of families that have no namespace (AF_VSOCK) or no use here. */
static int forbid_sockets(scmp_filter_ctx context) {
    return seccomp_rule_add(context, DENY, SCMP_SYS(socket), 1, SCMP_A0(SCMP_CMP_GT, AF_NETLINK));
}

/* All the rules; NULL where they can't be made. */
static scmp_filter_ctx make_filter(const struct confine *confine) {
    scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
    int error = context ? 0 : -ENOMEM;

    for (size_t i = 0; !error && i < sizeof forbidden / sizeof *forbidden; i++)
        error = forbid(context, forbidden[i]);
    if (!error)
        error = forbid_processes(context, confine->may_fork);
    if (!error)
        error = forbid_stacks(context);
    if (!error && !confine->may_share)
        error = forbid_sharing(context);
    if (!error)
        error = forbid_limits(context);
    if (!error)
        error = forbid_sockets(context);
    if (!error)
        return context;
    if (context)
        seccomp_release(context);
    errno = -error;
    return NULL;
}

/* libseccomp gives the finished filter to a file alone. */
void confine_prepare(struct confine *confine) {
    scmp_filter_ctx context = make_filter(confine);
    int file = memfd_create("filter", MFD_CLOEXEC);
    struct stat info;

    if (context && file >= 0 && seccomp_export_bpf(context, file) == 0 && fstat(file, &info) == 0 &&
        (size_t)info.st_size / sizeof(struct sock_filter) <= USHRT_MAX) {
        confine->filter = malloc((size_t)info.st_size);
        confine->n_filter = (unsigned short)((size_t)info.st_size / sizeof(struct sock_filter));
        if (confine->filter &&
            pread(file, confine->filter, (size_t)info.st_size, 0) != info.st_size) {
            free(confine->filter);
            confine->filter = NULL;
        }
    }
    if (file >= 0)
        close(file);
    if (context)
        seccomp_release(context);
}

/* 0 or an errno. */
static int load_filter(const struct confine *confine) {
    struct sock_fprog program = {confine->n_filter, confine->filter};

    if (confine->filter)
        return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
    scmp_filter_ctx context = make_filter(confine);
    if (!context)
        return errno;
    int error = seccomp_load(context);
    seccomp_release(context);
    return -error;
}

const char *confine_apply(const struct confine *confine) {
    const char *failed = lower_all(confine);

    if (!failed && confine->is_user)
        failed = become_nobody();
    if (!failed && confine->is_user && !drop_capabilities())
        failed = "dropping capabilities";
    if (failed)
        return failed;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    errno = load_filter(confine);
    return errno ? "the filter of system calls" : NULL;
}
