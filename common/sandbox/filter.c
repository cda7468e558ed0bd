/* By libseccomp, which knows each architecture's numbers. */
#include "common/sandbox/filter.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/socket.h>

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

int filter_load(const struct filter *filter) {
    scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
    int error = context ? 0 : -ENOMEM;

    for (size_t i = 0; !error && i < sizeof forbidden / sizeof *forbidden; i++)
        error = forbid(context, forbidden[i]);
    if (!error)
        error = forbid_processes(context, filter->may_fork);
    if (!error)
        error = forbid_stacks(context);
    if (!error && !filter->may_share)
        error = forbid_sharing(context);
    if (!error)
        error = forbid_limits(context);
    if (!error)
        error = forbid_sockets(context);
    if (!error)
        error = seccomp_load(context);
    if (context)
        seccomp_release(context);
    return -error;
}
