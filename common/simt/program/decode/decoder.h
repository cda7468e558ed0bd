/*
 * What the files of the decoder share: the kernel being decoded and what it needs by now.
 *
 * decode.c walks over the instructions. Each has the form that opcodes.def names: operations.c
 * finds the row of a plain operation and operands.c fills the record by its signature; control.c,
 * loads.c, copies.c and calls.c know the others. layout.c gives places to registers, constants and
 * variables.
 */
#pragma once

#include "common/simt/program/decode/program.h"

struct exec_decoder {
    const struct ptx_module *module;
    const struct ptx_function *function;
    simt_resolve *resolve;
    void *context;
    struct simt_diag *diag;
    const struct exec_index *index;
    const struct flow_graph *graph;
    struct simt_program *program;

    struct exec_fusion *fusions;    /* per instruction */
    uint32_t *places;               /* per register: its row, or its index among the predicates */
    const struct exec_reach *reach; /* the kernel and the functions that it may call */
    const struct simt_program *kernel; /* whose shared variables have places; NULL: this one */
    size_t calls_room;
    size_t constants_room, shared_room;
    struct simt_placed *locals;
    uint32_t n_locals;
    size_t locals_room;
    uint32_t sink32, sink64; /* rows that nobody reads, for `_`; SIMT_NO_ROW until needed */
    uint32_t sink_pred, carry_pred;
    enum simt_status failed; /* decoding can't go on: no memory, unknown symbol */
};

/* calls.c: the functions that a kernel may call, itself first. */
struct exec_reach {
    const struct ptx_function **functions;
    uint32_t n;
    bool any; /* a call is indirect */
};
/* False when the host has no memory. The caller frees `functions` in any case. */
bool exec_reach_find(struct exec_reach *reach, const struct ptx_module *module,
                     const struct ptx_function *kernel);

/* calls.c: puts the instructions and calls of the kernel's callees behind its own. */
bool exec_link(struct simt_program *kernel, const struct exec_reach *reach);

/* Fills `insn`; false when the instruction is not supported. EXEC_FORM is the head of such a
 * function, which need not look at all that it is given. */
#define EXEC_FORM(name)                                                                            \
    bool name(struct exec_decoder *decoder __attribute__((unused)), struct simt_insn *insn,        \
              const struct ptx_insn *source __attribute__((unused)))
typedef EXEC_FORM(exec_form);

/* contract.c: a sum of a product that is computed as one fma, as ptxas does where PTX lets it. */
enum exec_fused {
    EXEC_NOT_FUSED,
    EXEC_FMA,       /* a * b + c */
    EXEC_FMA_MINUS, /* a * b - c */
    EXEC_FMA_FROM,  /* c - a * b */
};
struct exec_fusion {
    enum exec_fused how;
    uint32_t product; /* index of the mul */
    unsigned addend;  /* index of the sum's operand that is c */
};
/* One entry an instruction; NULL when the host has no memory. The caller frees them. */
struct exec_fusion *exec_contract(const struct ptx_function *function,
                                  const struct flow_graph *graph);
/* The sum as that fma. */
exec_form exec_form_fused;

/* layout.c: gives every register a row or a predicate. False when the host has no memory. */
bool exec_place_registers(struct exec_decoder *decoder);
/* A fresh row for cells of 4 or 8 bytes; with EXEC_WIDE_BYTES two rows of 8, one behind the other,
 * for the halves of a .b128 register, the lower first. */
enum { EXEC_WIDE_BYTES = 16 };
uint32_t exec_new_row(struct exec_decoder *decoder, unsigned cell_bytes);
/* Cell size of a type: 4 or 8. */
unsigned exec_cell_bytes(enum ptx_type type);
/* The rows of a .b128 register; SIMT_NO_ROW when it is none. */
uint32_t exec_wide_row(struct exec_decoder *decoder, const struct ptx_operand *operand);
/* The row of a constant, made on first use. */
uint32_t exec_constant_row(struct exec_decoder *decoder, const struct simt_constant *constant);
/* The row of a special register; SIMT_NO_ROW when it is none of SIMT_SPECIALS. */
uint32_t exec_special_row(struct exec_decoder *decoder, const char *name);
/* Where a symbol is; an unknown one makes the decoder fail. */
bool exec_find_symbol(struct exec_decoder *decoder, const char *name, struct simt_symbol *symbol);
/* The row that holds where the frame begins; SIMT_NO_ROW in a kernel, where that is 0. */
uint32_t exec_frame_row(struct exec_decoder *decoder);
/* calls.c: places the parameters and the result of a device function. False as above. */
bool exec_place_params(struct exec_decoder *decoder);
/* Places a variable in the frame. False as above. */
bool exec_place_local(struct exec_decoder *decoder, const struct ptx_var *var);
/* Makes room for one more element in a growing array; NULL without memory. */
void *exec_grown(struct exec_decoder *decoder, void *array, uint32_t n, size_t *room,
                 size_t element_bytes);
/* Lays out the shared variables that a kernel and its callees name, and the function's local ones.
 * False as above. */
bool exec_place_variables(struct exec_decoder *decoder);
/* The parameter of that name of a kernel, or NULL. */
const struct ptx_var *exec_find_param(const struct exec_decoder *decoder, const char *name);

/* liveness.c: lists the registers that have to begin with a pattern, once all instructions are
 * decoded. False as above. */
bool exec_find_live_in(struct exec_decoder *decoder);

/* operands.c: the row that an operand reads in cells of `type`; SIMT_NO_ROW when it can't be. */
uint32_t exec_source_row(struct exec_decoder *decoder, const struct ptx_operand *operand,
                         enum ptx_type type);
/* The row that a destination register (or `_`) writes; SIMT_NO_ROW as above. */
uint32_t exec_target_row(struct exec_decoder *decoder, const struct ptx_operand *operand,
                         unsigned cell_bytes);
/* The index of a predicate operand (or `_`, where it is written), SIMT_NO_ROW as above. */
uint32_t exec_pred(struct exec_decoder *decoder, const struct ptx_operand *operand);
/* Fills operands by a variant's signature, and its functions. */
bool exec_fill(struct exec_decoder *decoder, struct simt_insn *insn, const struct ptx_insn *source,
               const struct exec_variant *variant);

/* operations.c: decodes a plain operation by the table. */
exec_form exec_form_operation;
/* The same by a row whose key begins with another word than the opcode's. */
bool exec_form_named(struct exec_decoder *decoder, struct simt_insn *insn,
                     const struct ptx_insn *source, const char *name);
/* control.c: the form that opcodes.def names. */
exec_form *exec_form_of(enum isa_opcode opcode);
exec_form exec_form_hint, exec_form_exit, exec_form_ret, exec_form_trap, exec_form_bra;
exec_form exec_form_switch, exec_form_barrier;
/* loads.c: the state space that an instruction names; its address, of insn->space. */
enum ptx_space exec_space_of(const struct ptx_insn *source);
bool exec_fill_address(struct exec_decoder *decoder, struct simt_insn *insn,
                       const struct ptx_operand *operand);
/* operations.c, copies.c, calls.c, loads.c */
exec_form exec_form_mov, exec_form_cvt;
exec_form exec_form_copy, exec_form_mbarrier;
exec_form exec_form_call;
exec_form exec_form_load, exec_form_store, exec_form_atomic, exec_form_reduction;

/* An operation that does nothing. */
simt_op exec_nothing;
