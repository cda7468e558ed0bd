/* What a machine says of its memory: files made up here. */
#include "common/base/system/memory.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/memory-test-XXXXXX";

static void make_folder(void) {
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
    setenv("WARPBOOK_VMSTAT", "vmstat", 1);
    setenv("WARPBOOK_MEMINFO", "meminfo", 1);
    setenv("WARPBOOK_CGROUP", "cgroup", 1);
    setenv("WARPBOOK_CGROUPS", "groups", 1);
}

static void remove_folder(void) {
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

static void put(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

Test(memory, counts_kills_where_the_kernel_does, .init = make_folder, .fini = remove_folder) {
    cr_expect_eq(memory_count_kills(), 0);
    put("vmstat", "nr_free_pages 5\noom_kill 17\nnr 3\n");
    cr_expect_eq(memory_count_kills(), 17);
}

Test(memory, is_what_the_machine_has_available, .init = make_folder, .fini = remove_folder) {
    cr_expect_eq(memory_room(), UINT64_MAX);
    put("meminfo", "MemTotal:       2000 kB\nMemAvailable:   1000 kB\n");
    cr_expect_eq(memory_room(), 1024000);
}

Test(memory, is_what_a_group_above_leaves, .init = make_folder, .fini = remove_folder) {
    put("meminfo", "MemAvailable:   1000 kB\n");
    put("cgroup", "0::/a/b\n");
    cr_assert(mkdir("groups", 0755) == 0 && mkdir("groups/a", 0755) == 0 &&
              mkdir("groups/a/b", 0755) == 0);
    put("groups/a/b/memory.max", "max\n");
    put("groups/a/b/memory.current", "5000\n");
    cr_expect_eq(memory_room(), 1024000);
    put("groups/a/memory.max", "9000\n");
    put("groups/a/memory.current", "7000\n");
    put("groups/a/memory.stat", "anon 4000\ninactive_file 1000\n");
    cr_expect_eq(memory_room(), 3000);
    put("groups/a/memory.current", "70000\n");
    cr_expect_eq(memory_room(), 0);
}

Test(memory, knows_the_first_kind_of_groups, .init = make_folder, .fini = remove_folder) {
    put("cgroup", "9:cpu:/x\n5:memory:/\n");
    cr_assert(mkdir("groups", 0755) == 0 && mkdir("groups/memory", 0755) == 0);
    put("groups/memory/memory.limit_in_bytes", "9000\n");
    put("groups/memory/memory.usage_in_bytes", "7000\n");
    put("groups/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 500\n");
    cr_expect_eq(memory_room(), 2500);
}
