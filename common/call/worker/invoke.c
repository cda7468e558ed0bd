/*
 * libffi's types for each kind of argument.
 */
#include "common/call/worker/invoke.h"

#include <ffi.h>
#include <string.h>

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

bool invoke(void *function, const struct wire_call *call, const struct buffers *buffers,
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
