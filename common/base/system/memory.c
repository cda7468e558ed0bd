/* Files of the kernel, each a list of "NAME NUMBER"; tests name others in their place. */
#include "common/base/system/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *either(const char *variable, const char *path) {
    const char *named = getenv(variable);
    return named ? named : path;
}

/* The number behind a name at the start of a line; behind "", the first one of all. `otherwise`
 * where there is none. */
static uint64_t read_number(const char *path, const char *name, uint64_t otherwise) {
    FILE *file = fopen(path, "re");
    char line[256];
    uint64_t number = otherwise;
    while (file && number == otherwise && fgets(line, sizeof line, file)) {
        char *end, *digits = line + strlen(name);
        if (strncmp(line, name, strlen(name)) != 0)
            continue;
        uint64_t found = strtoull(digits, &end, 10);
        if (end != digits)
            number = found;
    }
    if (file)
        fclose(file);
    return number;
}

long memory_count_kills(void) {
    return (long)read_number(either("WARPBOOK_VMSTAT", "/proc/vmstat"), "oom_kill ", 0);
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* What a control group's limit leaves: files that it has in memory make way. */
static uint64_t room_in_group(const char *folder, const char *limit, const char *used,
                              const char *files) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, limit);
    uint64_t most = read_number(path, "", UINT64_MAX);
    snprintf(path, sizeof path, "%s/%s", folder, used);
    uint64_t taken = read_number(path, "", 0);
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    taken -= least(taken, read_number(path, files, 0));
    if (most == UINT64_MAX)
        return UINT64_MAX;
    return most - least(most, taken);
}

/* Of the groups that our own lies in, too: a limit stands at any of them. Without a namespace of
 * their own they are named from the top. */
static uint64_t room_in_groups(void) {
    FILE *file = fopen(either("WARPBOOK_CGROUP", "/proc/self/cgroup"), "re");
    const char *top = either("WARPBOOK_CGROUPS", "/sys/fs/cgroup");
    char line[300], folder[400];
    uint64_t room = UINT64_MAX;
    while (file && fgets(line, sizeof line, file)) {
        char *name = strchr(line, ':'), *path = name ? strchr(name + 1, ':') : NULL;
        if (!path)
            continue;
        line[strcspn(line, "\n")] = '\0';
        *path++ = '\0';
        bool is_second = strcmp(name, ":") == 0;
        if (!is_second && strcmp(name, ":memory") != 0)
            continue;
        for (char *end = path + strlen(path); end; end = strrchr(path, '/')) {
            *end = '\0';
            snprintf(folder, sizeof folder, "%s%s%s", top, is_second ? "" : "/memory", path);
            room = least(
                room, is_second
                          ? room_in_group(folder, "memory.max", "memory.current", "inactive_file ")
                          : room_in_group(folder, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                          "total_inactive_file "));
        }
    }
    if (file)
        fclose(file);
    return room;
}

uint64_t memory_room(void) {
    uint64_t kib =
        read_number(either("WARPBOOK_MEMINFO", "/proc/meminfo"), "MemAvailable:", UINT64_MAX);
    return least(kib < UINT64_MAX / 1024 ? kib * 1024 : UINT64_MAX, room_in_groups());
}
