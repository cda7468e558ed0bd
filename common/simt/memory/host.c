/*
 * The host's memory, as Linux tells of it in /proc and in the files of control groups (version 2).
 */
#include "common/simt/memory/host.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* What is at least this large is a mapping of its own. */
static const size_t LARGE_BYTES = (size_t)1 << 17;

/* What is used as a whole, as buffers and their shadows are: by huge pages, which come and go in a
 * fraction of the time. Of what is larger, a program may touch a little here and there. */
static const size_t LEAST_HUGE = (size_t)1 << 21, MOST_HUGE = (size_t)1 << 26;

static const size_t LEAST_RESERVE = (size_t)32 << 20, MOST_RESERVE = (size_t)512 << 20;

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t without(size_t a, size_t b) {
    return a > b ? a - b : 0;
}

/* The number behind a word at the beginning of a line ("" for the first number of all); `missing`
 * where there is no such line, or a word in the number's place. */
static size_t number_in(const char *path, const char *word, size_t missing) {
    FILE *file = fopen(path, "re");
    char line[256];
    size_t length = strlen(word), found = missing;
    while (file && found == missing && fgets(line, sizeof line, file)) {
        unsigned long long number;
        if (strncmp(line, word, length) == 0 && sscanf(line + length, "%llu", &number) == 1)
            found = (size_t)number;
    }
    if (file)
        fclose(file);
    return found;
}

/* A figure of /proc/meminfo in bytes. */
static size_t machine(const char *word) {
    size_t kib = number_in("/proc/meminfo", word, SIZE_MAX);
    return kib == SIZE_MAX ? SIZE_MAX : kib << 10;
}

/* What one control group leaves; clean pages of files make way. */
static size_t group_room(const char *folder) {
    char path[1200];
    snprintf(path, sizeof path, "%s/memory.max", folder);
    size_t most = number_in(path, "", SIZE_MAX);
    if (most == SIZE_MAX)
        return SIZE_MAX;
    snprintf(path, sizeof path, "%s/memory.current", folder);
    size_t used = number_in(path, "", 0);
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    return without(most, without(used, number_in(path, "inactive_file ", 0)));
}

/* The same for the process's group and all around it. */
static size_t groups_room(void) {
    static const char root[] = "/sys/fs/cgroup";
    char line[1024], folder[1024 + sizeof root] = "";
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file && !folder[0] && fgets(line, sizeof line, file))
        if (strncmp(line, "0::", 3) == 0)
            snprintf(folder, sizeof folder, "%s%.*s", root, (int)strcspn(line + 3, "\n"), line + 3);
    if (file)
        fclose(file);
    size_t room = SIZE_MAX;
    for (char *slash; strlen(folder) >= strlen(root); *slash = '\0') {
        room = least(room, group_room(folder));
        slash = strrchr(folder, '/');
    }
    return room;
}

/* Pages of this process, in bytes: all addresses, what is in memory, private data. */
struct own {
    size_t size, resident, data;
};

static struct own own_bytes(void) {
    struct own own = {0};
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%zu %zu %*u %*u %*u %zu", &own.size, &own.resident, &own.data) != 3)
        own = (struct own){0};
    if (file)
        fclose(file);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (struct own){own.size * page, own.resident * page, own.data * page};
}

static size_t limit_room(__rlimit_resource_t resource, size_t used) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return SIZE_MAX;
    return without((size_t)limit.rlim_cur, used);
}

void simt_host_open(struct simt_host *host, size_t bytes) {
    size_t total = machine("MemTotal:");
    size_t reserve = total == SIZE_MAX ? LEAST_RESERVE : least(total / 32, MOST_RESERVE);
    *host = (struct simt_host){
        .bytes = bytes,
        .resident = own_bytes().resident,
        .reserve = reserve > LEAST_RESERVE ? reserve : LEAST_RESERVE,
    };
}

size_t simt_host_room(const struct simt_host *host) {
    struct own own = own_bytes();
    size_t room = least(machine("MemAvailable:"), groups_room());
    room = room == SIZE_MAX ? room : without(room, host->reserve);
    room = least(room, limit_room(RLIMIT_DATA, own.data));
    if (host->bytes)
        room = least(room, without(host->bytes, without(own.resident, host->resident)));
    return room;
}

void *simt_zeros(size_t bytes) {
    if (bytes < LARGE_BYTES)
        return calloc(1, bytes);
    /* The shadow of a large allocation may be larger than the host. */
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    if (bytes >= LEAST_HUGE && bytes <= MOST_HUGE)
        madvise(pages, bytes, MADV_HUGEPAGE); /* or else small ones */
    return pages;
}

void simt_zeros_free(void *zeros, size_t bytes) {
    if (bytes < LARGE_BYTES)
        free(zeros);
    else if (zeros)
        munmap(zeros, bytes);
}
