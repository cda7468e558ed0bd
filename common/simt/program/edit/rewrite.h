/*
 * How an edit changes a kernel: its PTX, as a tree, is copied, changed and decoded again. What an
 * edit changes of accesses while they run (enum simt_edited) is left to the decoder's caller.
 */
#pragma once

#include "common/simt/program/edit/edit.h"
#include "common/simt/program/decode/flow/flow.h"

/* A copy of a module, with functions at the same indices, whose bodies have these edits; those that
 * change no body are passed over. The caller frees it before the module itself. NULL when the host
 * has no memory. */
struct ptx_module *edit_module(const struct ptx_module *module, const struct simt_edit *edits,
                               size_t n);

/* For a move with which a loop's counter begins, the instruction that counts on; NULL for all
 * others. The compiler gives such a move the line of anything before the loop. */
const struct ptx_insn *edit_counter_of(const struct ptx_function *function,
                                       const struct ptx_insn *insn);

/* True where an instruction lies at the edit's line. */
bool edit_is_at(const struct ptx_module *module, const struct ptx_insn *insn,
                const struct simt_edit *edit);

/* What accesses and barriers at a line do in another way. */
enum simt_edited {
    SIMT_EDITED_INSIDE = 1,
    SIMT_EDITED_WRITTEN = 2,
    SIMT_EDITED_SNAPSHOT = 4,
    SIMT_EDITED_BELOW = 8,
    SIMT_EDITED_AGAIN = 16,
    SIMT_EDITED_NOTED = 32, /* what it loads is kept for those */
};
unsigned edit_flags(const struct ptx_module *module, const struct ptx_insn *insn,
                    const struct simt_edit *edits, size_t n);

/* candidates.c: appends the edits that make sense for a function to a list of `*n`, each once; at
 * most SIMT_MAX_CANDIDATES. False when the host has no memory. */
struct edit_list {
    struct simt_edit *edits;
    size_t n, room;
};
bool edit_find_candidates(const struct ptx_module *module, const struct ptx_function *function,
                          struct edit_list *list);
/* Appends one, unless it is there. False as above. */
bool edit_list_add(struct edit_list *list, const struct simt_edit *edit);

/* -- What the edits of this folder share: the body of a function that is being changed -- */

struct edit_added;

struct edit_body {
    struct ptx_arena *arena;
    const struct ptx_module *module;  /* for the files' names */
    struct ptx_function *function;    /* the copy; its instructions and operands may be changed */
    const struct flow_graph *graph;   /* of the function before this edit */
    const struct simt_edit *edit;     /* this one */
    bool *is_dropped;                 /* per instruction */
    struct edit_added *added, **last; /* instructions to come, a list */
    size_t n_regs_room;
    int32_t gone; /* predicate of threads that would have returned, see STAY; -1: there is none */
    bool failed;  /* the host has no memory */
};

/* Instructions that are put in stand before an instruction and are run by whoever comes to it, from
 * wherever; or behind it, where only what falls through runs them. They get its line. Several of
 * one place keep their order. */
void edit_put_before(struct edit_body *body, size_t index, struct ptx_insn insn);
void edit_put_behind(struct edit_body *body, size_t index, struct ptx_insn insn);
/* True where something was put before, or behind, this instruction. */
bool edit_is_put(const struct edit_body *body, size_t index, bool is_behind);

/* A new register; the operand of a register, of an integer, of a special register. */
int32_t edit_new_register(struct edit_body *body, enum ptx_type type);
struct ptx_operand edit_register(const struct edit_body *body, int32_t reg);
struct ptx_operand edit_integer(int64_t value);
struct ptx_operand edit_special(const char *word);

/* An instruction of up to four modifiers (ISA_NO_MODIFIER ends them) and some operands. */
struct ptx_insn edit_insn(struct edit_body *body, enum isa_opcode opcode,
                          const enum isa_modifier modifiers[4], const struct ptx_operand *operands,
                          unsigned n_operands);
/* Exchanges a modifier; false where the instruction does not have it. */
bool edit_exchange(struct edit_body *body, struct ptx_insn *insn, enum isa_modifier from,
                   enum isa_modifier to);

/* The PTX word of an enum simt_edit_special; NULL where it is none. */
const char *edit_special_word(int64_t special);
/* What a register holds that is set once in the function, by a mov; else the operand itself. */
const struct ptx_operand *edit_value_of(const struct ptx_function *function,
                                        const struct ptx_operand *operand);
/* An operand, and the instruction that reads it. Without a graph only registers are known that are
 * set once. */
struct edit_read {
    const struct ptx_function *function;
    const struct flow_graph *graph; /* or NULL */
    size_t index;
    const struct ptx_operand *operand;
};
/* The special register that an operand is, or holds by a mov, or widened to 64 bits; -1: none. */
int64_t edit_special_of(const struct edit_read *read);

/* What an edit does to an instruction at its line; `index` is its own. */
typedef void edit_change(struct edit_body *body, size_t index);
#define EDIT(name, word, scope, is, change, hope, specificity, does, proves) edit_change change;
#include "common/simt/program/edit/edits.def"
#undef EDIT

/* The types of integers without and with a sign, of 16, 32 and 64 bits. */
enum { EDIT_N_SIGNS = 3 };
extern const enum isa_modifier edit_signs[EDIT_N_SIGNS][2];

/* An instruction with a line, of which is asked what could be wrong with it. */
struct edit_asked {
    const struct ptx_function *function;
    const struct flow_graph *graph;
    size_t index;
    const struct ptx_insn *insn;
    struct simt_edit edit; /* its line; the rest is each edit's own */
    struct edit_list *list;
    bool has_rows; /* the function has an index in direction y */
    bool has_lock; /* … and takes a lock */
    bool ok;
};
/* candidates.c: an edit of it makes sense. */
void edit_propose(struct edit_asked *asked, enum simt_edit_kind kind, int64_t from, int64_t to);

/* What each file has to propose for an instruction, in the order in which they are asked. */
typedef void edit_ask(struct edit_asked *asked);
edit_ask edit_ask_values, edit_ask_arithmetic, edit_ask_lanes, edit_ask_leave, edit_ask_locks,
    edit_ask_sharing;

/* locks.c: whether a function takes a lock, by a compare-and-swap of two numbers. */
bool edit_has_lock(const struct ptx_function *function);
/* True for an instruction at a line that waits for a lock, or decides whether to, as it should:
 * with another number or comparison there nobody waits any more, which proves nothing. */
bool edit_is_wait(const struct edit_asked *asked);
/* values.c: whether a function asks for an index or size in direction y; else there is one row. */
bool edit_has_rows(const struct ptx_function *function);
/* Whether a comparison decides if a loop goes on. */
enum simt_edit_tests edit_test_of(const struct ptx_function *function, size_t index);
/* True for an access beside which a barrier goes: other threads of the block may see it. */
bool edit_is_shared_access(const struct ptx_insn *insn);
/* True for loads, stores, atomics and reductions of shared or global memory. */
bool edit_is_access(const struct ptx_insn *insn);
