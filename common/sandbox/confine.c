/* See confine.h. */
#include "common/sandbox/confine.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    USERS_FROM = 0x70000000, /* user numbers that no system gives to anybody */
    USERS_MASK = 0x0fffffff,
    NOBODY = 65534,
    STACK_BYTES = 64 << 20, /* as gcc has it for itself; no limit on private memory counts it */
};

void confine_init(struct confine *confine) {
    *confine = (struct confine){.filter = {.may_fork = true, .may_share = true}};
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
        confine->filter.may_fork = number != 0;
    } else if (strncmp(word, "shared=", 7) == 0) {
        confine->filter.may_share = number != 0;
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

/* A user nobody else is; one of the few that a container may have where that can't be. */
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

/* Those of a user namespace, which come with no change of user, too. */
static bool drop_capabilities(void) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};

    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return syscall(SYS_capset, &head, none) == 0;
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
    errno = filter_load(&confine->filter);
    return errno ? "the filter of system calls" : NULL;
}
