/*
 * Symbols of the submission, by dlsym, which also searches what the submission depends on: so each
 * symbol must be of the submission itself and of the right kind in its symbol table. Functions are
 * called through libffi.
 */
#include "common/call/worker/submission.h"

#include <dlfcn.h>
#include <elf.h>
#include <ffi.h>
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

void submission_place(const struct submission *submission, const void *address, char *place,
                      size_t place_bytes) {
    Dl_info info;

    place[0] = '\0';
    if (!submission->library || dladdr(address, &info) == 0 || !info.dli_fname ||
        strcmp(info.dli_fname, submission->path) != 0)
        return;
    const char *name = info.dli_sname ? info.dli_sname : "the submission";
    const char *base = info.dli_sname ? info.dli_saddr : info.dli_fbase;
    snprintf(place, place_bytes, "%.200s+0x%zx", name, (size_t)((const char *)address - base));
}

/* One argument's value, as wide as the widest. */
union slot {
    void *pointer;
    uint64_t u64;
    int64_t i64;
    uint32_t u32;
    int32_t i32;
    float f32;
    double f64;
};

static ffi_type *type_of(uint32_t kind) {
    switch (kind) {
    case CALL_ARG_U64:
        return &ffi_type_uint64;
    case CALL_ARG_I64:
        return &ffi_type_sint64;
    case CALL_ARG_U32:
        return &ffi_type_uint32;
    case CALL_ARG_I32:
        return &ffi_type_sint32;
    case CALL_ARG_F32:
        return &ffi_type_float;
    case CALL_ARG_F64:
        return &ffi_type_double;
    default:
        return &ffi_type_pointer;
    }
}

static union slot value_of(const struct wire_arg *arg, const struct buffer *buffer) {
    union slot slot = {.u64 = arg->value};

    switch (arg->kind) {
    case CALL_ARG_U32:
    case CALL_ARG_I32:
        slot.u32 = (uint32_t)arg->value;
        break;
    case CALL_ARG_U64:
    case CALL_ARG_I64:
    case CALL_ARG_F64:
        break;
    case CALL_ARG_F32:
        memcpy(&slot.f32, &arg->value, sizeof slot.f32);
        break;
    default:
        slot.pointer = buffer->data;
    }
    return slot;
}

bool submission_call(void *function, const struct wire_call *call, const struct buffers *buffers,
                     int *returned) {
    ffi_type *types[CALL_MAX_ARGS];
    union slot slots[CALL_MAX_ARGS];
    void *values[CALL_MAX_ARGS];
    ffi_arg result = 0; /* libffi widens small results to a register */
    void (*entry)(void);
    ffi_cif cif;

    for (size_t i = 0; i < call->n_args; i++) {
        types[i] = type_of(call->args[i].kind);
        slots[i] = value_of(&call->args[i], &buffers->at[i]);
        values[i] = &slots[i];
    }
    if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, call->n_args, &ffi_type_sint, types) != FFI_OK)
        return false;
    memcpy(&entry, &function, sizeof entry);
    ffi_call(&cif, entry, &result, values);
    *returned = (int)result;
    return true;
}
