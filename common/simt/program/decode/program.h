/*
 * Decoded kernels: the records of their instructions, and what has to be in the register file, in
 * memory and on the stack before they run.
 */
#pragma once

#include "common/simt/program/decode/flow/flow.h"
#include "common/simt/program/isa/variants.h"

/* Special registers that are constant for a warp while it lives; run/ fills their rows. */
#define SIMT_SPECIALS(X)                                                                           \
    X(TID_X, "%tid.x")                                                                             \
    X(TID_Y, "%tid.y")                                                                             \
    X(TID_Z, "%tid.z")                                                                             \
    X(NTID_X, "%ntid.x")                                                                           \
    X(NTID_Y, "%ntid.y")                                                                           \
    X(NTID_Z, "%ntid.z")                                                                           \
    X(CTAID_X, "%ctaid.x")                                                                         \
    X(CTAID_Y, "%ctaid.y")                                                                         \
    X(CTAID_Z, "%ctaid.z")                                                                         \
    X(NCTAID_X, "%nctaid.x")                                                                       \
    X(NCTAID_Y, "%nctaid.y")                                                                       \
    X(NCTAID_Z, "%nctaid.z")                                                                       \
    X(LANEID, "%laneid")                                                                           \
    X(WARPID, "%warpid")                                                                           \
    X(NWARPID, "%nwarpid")                                                                         \
    X(SMID, "%smid")                                                                               \
    X(NSMID, "%nsmid")                                                                             \
    X(LANEMASK_EQ, "%lanemask_eq")                                                                 \
    X(LANEMASK_LT, "%lanemask_lt")                                                                 \
    X(LANEMASK_LE, "%lanemask_le")                                                                 \
    X(LANEMASK_GT, "%lanemask_gt")                                                                 \
    X(LANEMASK_GE, "%lanemask_ge")                                                                 \
    X(DYNAMIC_SMEM, "%dynamic_smem_size")                                                          \
    X(TOTAL_SMEM, "%total_smem_size")                                                              \
    X(ENVREG1, "%envreg1")                                                                         \
    X(ENVREG2, "%envreg2")

enum simt_special {
#define SIMT_SPECIAL_ENUM(name, word) SIMT_SPECIAL_##name,
    SIMT_SPECIALS(SIMT_SPECIAL_ENUM)
#undef SIMT_SPECIAL_ENUM
        SIMT_N_SPECIALS
};

/* Function number i of a module has the address SIMT_CODE_WINDOW + SIMT_CODE_STEP * (i + 1). */
#define SIMT_CODE_WINDOW UINT64_C(0x0300000000000000)
#define SIMT_CODE_STEP   UINT64_C(16)

/* A row that holds one value in all lanes: a literal, or a kernel parameter. */
struct simt_constant {
    uint32_t row;
    uint8_t bytes; /* cell size, 4 or 8 */
    bool is_param; /* value: `param_bytes` bytes at offset `value` of the parameter block,
                      zero- or sign-extended to the cell by `is_signed` */
    bool is_signed;
    uint8_t param_bytes;
    uint64_t value;
};

/* A register that may be read before it is written: it is live at the entry. */
struct simt_live_in {
    uint32_t place; /* row, or index among the predicates … */
    uint32_t bytes; /* … which is what 0 says */
};

/* A shared variable that the decoder placed: messages say "tile + 4" with it. */
struct simt_placed {
    const char *name; /* as in the PTX */
    uint32_t offset;
    uint64_t bytes; /* 0 for `extern .shared x[]` */
};

/* Bytes of a function's frame. */
struct simt_slot {
    uint32_t offset, bytes;
};

/* The functions of the device's runtime, which PTX declares and calls but does not define. */
#define SIMT_BUILTINS(X)                                                                           \
    X(VPRINTF, "vprintf")                                                                          \
    X(ASSERTFAIL, "__assertfail")                                                                  \
    X(MALLOC, "malloc")                                                                            \
    X(FREE, "free")

enum simt_builtin {
    SIMT_NO_BUILTIN,
#define SIMT_BUILTIN_ENUM(name, word) SIMT_BUILTIN_##name,
    SIMT_BUILTINS(SIMT_BUILTIN_ENUM)
#undef SIMT_BUILTIN_ENUM
};

/* Which of them a function is; SIMT_NO_BUILTIN where it has a body, or none that is known. */
enum simt_builtin simt_builtin_of(const struct ptx_function *function);

/* A call: where the caller's frame holds the arguments and takes the result (no bytes: none). */
struct simt_call {
    const struct ptx_function *callee; /* NULL: indirect */
    struct simt_slot *arguments;
    uint32_t n_arguments;
    struct simt_slot result;
};

/*
 * A decoded kernel, or a device function that it may call.
 *
 * Each thread has a stack in local memory, which begins with the kernel's frame: a function's local
 * variables, its parameters and result, and those of the calls that it makes. A callee's frame lies
 * behind its caller's; row frame_row holds where it begins. Addresses in a kernel's own frame are
 * constants. A callee has its own registers, constants and special registers, but its instructions
 * lie in the kernel's array, from `first` on, and its calls in the kernel's calls.
 */
struct simt_program {
    const struct ptx_module *module;
    const struct ptx_function *function;
    struct simt_insn *insns; /* same indices as function->insns */
    uint32_t n_insns;
    uint32_t row_file_bytes; /* register file of one warp, a multiple of 64 */
    uint32_t n_preds;
    uint32_t
        special_rows[SIMT_N_SPECIALS]; /* row, or SIMT_NO_ROW where the kernel does not read it */
    struct simt_constant *constants;
    uint32_t n_constants;
    struct simt_live_in *live_in; /* begin with a pattern, all others with what was there */
    uint32_t n_live_in;
    uint32_t static_shared_bytes; /* statically declared; dynamic shared memory starts after it */
    uint32_t local_bytes;         /* frame of one thread */
    struct simt_placed *shared;   /* shared variables that the kernel names, or NULL */
    uint32_t n_shared;
    const struct simt_insn *unsupported; /* the first instruction that can't be run, or NULL */

    struct simt_program **callees; /* of a kernel: all functions that it may reach */
    uint32_t n_callees;
    /* Of a kernel: what a cta finds, or the host gets to see, may depend on which ctas ran before
     * it. Only one host thread runs it then. Set by run/. */
    bool runs_in_order;
    /* Of a kernel: its launches may start over (checks/spare.h). Set by state/; false once one
     * has. */
    bool may_start_over;
    struct simt_call *calls;
    uint32_t n_calls;
    struct simt_vector *vectors; /* a list */
    uint32_t stack_bytes; /* of a kernel: all frames of one thread; 0 where recursion or an indirect
                             call leaves it open */
    uint32_t first;
    uint32_t frame_row;       /* of a device function, else SIMT_NO_ROW */
    struct simt_slot *params; /* of a device function: in its frame, by function->params */
    struct simt_slot result;
};

/* Where the loader put a symbol. Shared symbols are offsets in the cta's window, locals in the
 * thread's window, all others device addresses. */
struct simt_symbol {
    enum ptx_space space;
    uint64_t address;
};
/* Looks a name up among the module's variables. False when there is none. */
typedef bool simt_resolve(void *context, const char *name, struct simt_symbol *symbol);

/*
 * Decodes a kernel and all device functions that it may call. Shared variables that their bodies
 * name are laid out by their alignment from 0 up; where a body names an `extern .shared` array,
 * static_shared_bytes is rounded up to 16 (or the array's alignment) and the array lies there;
 * locals likewise. Functions have their addresses in the code window, other symbols come from
 * `resolve`. An instruction outside the tables becomes SIMT_FLOW_UNSUPPORTED, and `diag` says which
 * was the first. NULL when the host has no memory or a symbol is unknown (see diag).
 */
struct simt_program *simt_decode(const struct ptx_module *module,
                                 const struct ptx_function *function, simt_resolve *resolve,
                                 void *context, struct simt_diag *diag);
/* The same with the operations of another instruction set than the fastest one, for tests. */
struct simt_program *exec_decode_for(enum exec_isa isa, const struct ptx_module *module,
                                     const struct ptx_function *function, simt_resolve *resolve,
                                     void *context, struct simt_diag *diag);
void simt_program_free(struct simt_program *program);

/* True where the kernel, or a function that it may reach, names an array whose length the launch
 * sets. */
bool simt_has_dynamic_array(const struct simt_program *program);

/* Says in `diag` which instruction of a program is `unsupported`, where it stands in the student's
 * file, and what the simulator lacks. */
void simt_explain_unsupported(const struct simt_program *program, struct simt_diag *diag);

/* Picks run_full and run_part of a decoded memory access or atomic (rows, space, type, imm are
 * set). False when the access is not supported. Implemented by the memory subsystem. */
bool simt_memory_op(struct simt_insn *insn, const struct ptx_insn *source);
