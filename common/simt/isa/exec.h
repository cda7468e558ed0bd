/*
 * Pre-decoded kernels: each PTX instruction becomes one record with the function that runs it for
 * 32 lanes at once. The cost of dispatch is paid once a warp, not once a lane.
 *
 * A register is a row of 32 cells, one a lane: 4 bytes a cell for 8- to 32-bit types, 8 bytes for
 * 64-bit types. A predicate register is one 32-bit lane mask. Operands are byte offsets of rows in
 * the warp's register file; literals, special registers and kernel parameters are rows as well,
 * filled before the warp starts, so that every operand is read in the same way.
 */
#ifndef SIMT_EXEC_H
#define SIMT_EXEC_H

#include "common/simt/flow/flow.h"

struct simt_exec;
struct simt_insn;

/* Runs one instruction for the lanes of x->mask. */
typedef void simt_op(struct simt_exec *x, const struct simt_insn *insn);

/* What the scheduler does around an instruction. */
enum simt_flow {
    SIMT_FLOW_NEXT,   /* run, then the next one */
    SIMT_FLOW_MEMORY, /* run, look at x->fault, then the next one */
    SIMT_FLOW_SYNC, /* run, with all lanes that its mask names present: shfl, vote, bar.warp … */
    SIMT_FLOW_BRANCH,      /* bra: predicate `guard`, `target`, `reconverge` */
    SIMT_FLOW_BARRIER,     /* bar, barrier: see enum simt_barrier */
    SIMT_FLOW_EXIT,        /* exit; ret in a kernel */
    SIMT_FLOW_TRAP,        /* trap, brkpt */
    SIMT_FLOW_CALL,        /* call: imm is an index of the kernel's calls, row a the address of the
                              callee where the call is indirect */
    SIMT_FLOW_RETURN,      /* ret in a device function */
    SIMT_FLOW_SWITCH,      /* brx.idx: row a is the index; the labels are in source, as indices
                              relative to `target` */
    SIMT_FLOW_UNSUPPORTED, /* `source` can't be run */
};

/*
 * What a cta barrier does (simt_insn.type of a SIMT_FLOW_BARRIER). The id is imm where row a is
 * SIMT_NO_ROW; row b holds the number of threads, SIMT_NO_ROW is the whole cta. A reduction reads
 * predicate c (inverted where imm_flags has SIMT_INVERTED) and writes row d (popc) or predicate d.
 */
enum simt_barrier {
    SIMT_BARRIER_SYNC,
    SIMT_BARRIER_ARRIVE,
    SIMT_BARRIER_POPC,
    SIMT_BARRIER_AND,
    SIMT_BARRIER_OR,
};
enum { SIMT_INVERTED = 1 };
enum { SIMT_CLUSTER_BARRIER = 16 }; /* the id behind those that a program can name */

struct simt_insn {
    simt_op *run_full, *run_part; /* with all 32 lanes on; with any other mask */
    uint32_t d, a, b, c; /* rows (byte offsets), or predicate indices where the type is .pred */
    uint32_t d2;         /* second destination (d|p): predicate index; SIMT_NO_ROW if none */
    int32_t guard;       /* predicate index, -1 for none */
    bool guard_negated;
    bool is_back_edge;
    uint8_t flow;           /* enum simt_flow */
    uint8_t space;          /* enum ptx_space of a memory access */
    uint8_t type;           /* enum ptx_type of the operation (of memory: of one element) */
    uint8_t n_elements;     /* of a vector access: 1, 2 or 4; of an atomic also 8 */
    uint8_t register_bytes; /* of a memory access: cell size of the destination rows, 4 or 8 */
    uint8_t address_bytes;  /* of a memory access: cell size of row a, 4 or 8 */
    uint8_t imm_flags;      /* of a barrier: SIMT_INVERTED; the operations' own otherwise */
    uint32_t rows[4];       /* of a memory access: rows of the elements (SIMT_NO_ROW: `_`);
                               of a SIMT_FLOW_SYNC: [0] is the row of the member mask */
    int64_t imm;            /* address offset, barrier id, shift … */
    union {
        struct {
            uint32_t target, reconverge; /* branch: indices of instructions; FLOW_EXIT where none */
        };
        const struct simt_vector *vector; /* of an atomic of a vector */
    };
    const struct ptx_insn *source;
    uint32_t index; /* of this instruction; set by the engine, as is_strong */
    bool is_strong; /* atomic, volatile, relaxed, acquire …: another thread may wait for its turn */
};
#define SIMT_NO_ROW UINT32_MAX

/*
 * Rows of a memory access. ld, st: the address is row a plus imm (imm alone where a is
 * SIMT_NO_ROW), the elements are rows[0 … n_elements). atom, red: the same address, operand in row
 * b, swap value of cas in row c, old value to row d (SIMT_NO_ROW for red), register_bytes is the
 * cell size of b, c and d; a vector has a record of its own instead. cp.async: to row a plus imm
 * from row b plus target (signed), elements of 4 bytes by way of rows[0 … n_elements), row c is how
 * many bytes to read (SIMT_NO_ROW: all).
 */

/* Rows of the elements of an atomic of a vector, in cells of 4 bytes; the program's. */
struct simt_vector {
    struct simt_vector *next;
    uint32_t operands[8], old[8]; /* SIMT_NO_ROW: nobody wants the old value */
};

/*
 * Generic addresses. The cta's shared window and the thread's local window are seen at these
 * addresses by generic loads and stores (PTX ISA chapter 5, "Generic Addressing"): cvta.shared
 * adds the base, cvta.to.shared takes it off, isspacep looks for it. No host pointer is that large,
 * so they never collide with device memory.
 */
#define SIMT_SHARED_WINDOW UINT64_C(0x0100000000000000)
#define SIMT_LOCAL_WINDOW  UINT64_C(0x0200000000000000)
#define SIMT_PARAM_WINDOW  UINT64_C(0x0400000000000000) /* the kernel's parameters: cvta.param */
#define SIMT_WINDOW_BYTES  UINT64_C(0x0000000001000000)

/* Function number i of a module has the address SIMT_CODE_WINDOW + SIMT_CODE_STEP * (i + 1). */
#define SIMT_CODE_WINDOW UINT64_C(0x0300000000000000)
#define SIMT_CODE_STEP   UINT64_C(16)

/* Special registers that are constant for a warp while it lives; the engine fills their rows. */
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

/* A register that may be read before it is written. */
struct simt_fresh {
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
    struct simt_fresh *fresh; /* they begin as zeros, all other registers as they like */
    uint32_t n_fresh;
    uint32_t static_shared_bytes; /* statically declared; dynamic shared memory starts after it */
    uint32_t local_bytes;         /* frame of one thread */
    struct simt_placed *shared;   /* shared variables that the kernel names, or NULL */
    uint32_t n_shared;
    const struct simt_insn *unsupported; /* the first instruction that can't be run, or NULL */

    struct simt_program **callees; /* of a kernel: all functions that it may reach */
    uint32_t n_callees;
    /* Of a kernel: what a cta finds, or the host gets to see, may depend on which ctas ran before
     * it. Only one host thread runs it then. Set by the engine. */
    bool runs_in_order;
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
void simt_program_free(struct simt_program *program);

/* Says in `diag` which instruction of a program is `unsupported`, where it stands in the student's
 * file, and what the simulator lacks. */
void simt_explain_unsupported(const struct simt_program *program, struct simt_diag *diag);

/* Picks run_full and run_part of a decoded memory access or atomic (rows, space, type, imm are
 * set). False when the access is not supported. Implemented by the memory subsystem. */
bool simt_memory_op(struct simt_insn *insn, const struct ptx_insn *source);

/*
 * What an operation sees of the warp that runs it. `lanes[i]` is all ones where mask has lane i, so
 * that partial results are blended without branches.
 */
struct simt_exec {
    uint8_t *rows;
    uint32_t *preds;
    uint32_t mask;
    uint32_t n_lanes; /* of mask */
    _Alignas(64) uint32_t lanes[SIMT_LANES];
    enum simt_status fault; /* set by an operation that the kernel does not survive */
    bool is_in_doubt;       /* the engine follows values that nobody wrote: see checks/doubt.h */
    uint64_t clock; /* cycles, as %clock64 reads them; each reading adds some. Set by the engine */
    struct simt_warp *warp; /* the engine's; arithmetic does not look at it */
};

/* The lanes of x->mask whose shfl.sync reads a lane that takes no part (so gets no defined value).
 * To be asked before the instruction runs; 0 for any other instruction. */
uint32_t simt_shuffle_strays(const struct simt_exec *x, const struct simt_insn *insn);

#endif
