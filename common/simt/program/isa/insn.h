/*
 * An instruction as it is run: one record with the function that runs it for 32 lanes at once. The
 * cost of dispatch is paid once a warp, not once a lane.
 *
 * A register is a row of 32 cells, one a lane: 4 bytes a cell for 8- to 32-bit types, 8 bytes for
 * 64-bit types. A predicate register is one 32-bit lane mask. Operands are byte offsets of rows in
 * the warp's register file; literals, special registers and kernel parameters are rows as well,
 * filled before the warp starts, so that every operand is read in the same way.
 */
#pragma once

#include "common/simt/program/isa/opcodes.h"
#include "common/simt/simt.h"

struct ptx_insn;
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
    uint32_t index; /* of this instruction; set by state/, as the next four */
    bool is_strong; /* atomic, volatile, relaxed, acquire …: another thread may wait for its turn */
    bool is_narrow;    /* a fence or a strong access that is one for its own cta alone (.cta) */
    bool is_read_only; /* a load that promises that nobody writes meanwhile (ld.global.nc) */
    uint8_t edited;    /* enum simt_edited: what an edit makes it do in another way */
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
    bool has_undefined;     /* checks/ follow values that nobody wrote: see checks/definedness.h */
    uint64_t clock; /* cycles, as %clock64 reads them; each reading adds some. Set by run/ */
    struct simt_warp *warp; /* run/'s; arithmetic does not look at it */
};
