/*
 * Symbols of the submission, by dlsym, which also searches what the submission depends on: so each
 * symbol must be of the submission itself and of the right kind in its symbol table.
 */
#include "common/call/worker/submission.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

bool submission_load(struct submission *submission, const char *path, char *error,
                     size_t error_bytes) {
    snprintf(submission->path, sizeof submission->path, "%s", path);
    submission->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!submission->library)
        snprintf(error, error_bytes, "%s", dlerror());
    return submission->library != NULL;
}

/* The symbol's entry and address, where the submission itself defines it. */
static const ElfW(Sym) *
    find(const struct submission *submission, const char *name, void **address) {
    struct link_map *map = NULL;
    ElfW(Sym) *symbol = NULL;
    Dl_info info;

    *address = dlsym(submission->library, name);
    if (!*address || dlinfo(submission->library, RTLD_DI_LINKMAP, &map) != 0 ||
        dladdr1(*address, &info, (void **)&symbol, RTLD_DL_SYMENT) == 0 || !symbol)
        return NULL;
    return (uintptr_t)info.dli_fbase == (uintptr_t)map->l_addr ? symbol : NULL;
}

void *submission_function(const struct submission *submission, const char *name, char *error,
                          size_t error_bytes) {
    void *address;
    const ElfW(Sym) *symbol = find(submission, name, &address);

    if (!symbol) {
        snprintf(error, error_bytes,
                 "the file defines no function %s that can be called (is it extern \"C\"?)", name);
        return NULL;
    }
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC) {
        snprintf(error, error_bytes, "%s is no function", name);
        return NULL;
    }
    return address;
}

bool submission_variable(const struct submission *submission, const char *name, void *data,
                         size_t bytes, char *error, size_t error_bytes) {
    void *address;
    const ElfW(Sym) *symbol = find(submission, name, &address);

    if (!symbol) {
        snprintf(error, error_bytes,
                 "the file defines no variable %s that can be read (is it extern \"C\"?)", name);
        return false;
    }
    if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_size != bytes) {
        snprintf(error, error_bytes, "%s is no variable of %zu bytes", name, bytes);
        return false;
    }
    memcpy(data, address, bytes);
    return true;
}

/* False where the address does not lie in the submission. */
static bool look_up(const struct submission *submission, const void *address, Dl_info *info) {
    return submission->library && dladdr(address, info) && info->dli_fname &&
           strcmp(info->dli_fname, submission->path) == 0;
}

uint64_t submission_site(const struct submission *submission, const void *address) {
    Dl_info info;

    return look_up(submission, address, &info)
               ? (uint64_t)((const char *)address - (const char *)info.dli_fbase)
               : 0;
}

void submission_place(const struct submission *submission, const void *address, char *place,
                      size_t place_bytes) {
    Dl_info info;

    place[0] = '\0';
    if (!look_up(submission, address, &info))
        return;
    const char *name = info.dli_sname ? info.dli_sname : "the submission";
    const char *base = info.dli_sname ? info.dli_saddr : info.dli_fbase;
    snprintf(place, place_bytes, "%.200s+0x%zx", name, (size_t)((const char *)address - base));
}
