/*
 * Where things are: registers, constants and special registers in the warp's register file; shared
 * and local variables in their windows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/simt/program/decode/decoder.h"

unsigned exec_cell_bytes(enum ptx_type type) {
    return ptx_type_bytes(type) > 4 ? 8 : 4;
}

uint32_t exec_new_row(struct exec_decoder *decoder, unsigned cell_bytes) {
    const uint32_t row = decoder->program->row_file_bytes;
    decoder->program->row_file_bytes += SIMT_LANES * cell_bytes;
    return row;
}

bool exec_place_registers(struct exec_decoder *decoder) {
    const struct ptx_function *function = decoder->function;
    decoder->places = calloc(function->n_regs + 1, sizeof(*decoder->places));
    if (!decoder->places)
        return false;
    for (size_t i = 0; i < function->n_regs; i++) {
        if (function->regs[i].type == PTX_PRED)
            decoder->places[i] = decoder->program->n_preds++;
        else
            decoder->places[i] =
                exec_new_row(decoder, function->regs[i].type == PTX_B128
                                          ? EXEC_WIDE_BYTES
                                          : exec_cell_bytes(function->regs[i].type));
    }
    decoder->sink32 = decoder->sink64 = SIMT_NO_ROW;
    decoder->sink_pred = decoder->carry_pred = SIMT_NO_ROW;
    return true;
}

void *exec_grown(struct exec_decoder *decoder, void *array, uint32_t n, size_t *room,
                 size_t element_bytes) {
    void *larger = grow_room(array, n, room, 16, element_bytes);
    if (!larger)
        decoder->failed = SIMT_NO_MEMORY;
    return larger;
}

static bool same_constant(const struct simt_constant *p, const struct simt_constant *q) {
    return p->bytes == q->bytes && p->is_param == q->is_param && p->is_signed == q->is_signed &&
           p->param_bytes == q->param_bytes && p->value == q->value;
}

uint32_t exec_constant_row(struct exec_decoder *decoder, const struct simt_constant *constant) {
    struct simt_program *program = decoder->program;
    for (uint32_t i = 0; i < program->n_constants; i++) {
        if (same_constant(&program->constants[i], constant))
            return program->constants[i].row;
    }
    void *const array = exec_grown(decoder, program->constants, program->n_constants,
                                   &decoder->constants_room, sizeof(*program->constants));
    if (!array)
        return SIMT_NO_ROW;
    program->constants = array;
    struct simt_constant *const fresh = &program->constants[program->n_constants++];
    *fresh = *constant;
    fresh->row = exec_new_row(decoder, constant->bytes);
    return fresh->row;
}

static const struct simt_placed *find_placed(const struct simt_placed *all, uint32_t n,
                                             const char *name) {
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(all[i].name, name) == 0)
            return &all[i];
    }
    return NULL;
}

/* Special registers that are always the same, each cta being a cluster of its own; others that are
 * another's equal. */
static const struct {
    const char *name, *equal;
    uint32_t value; /* where there is no equal */
} derived[] = {
    {"%cluster_ctaid.x", NULL, 0},
    {"%cluster_ctaid.y", NULL, 0},
    {"%cluster_ctaid.z", NULL, 0},
    {"%cluster_nctaid.x", NULL, 1},
    {"%cluster_nctaid.y", NULL, 1},
    {"%cluster_nctaid.z", NULL, 1},
    {"%cluster_ctarank", NULL, 0},
    {"%cluster_nctarank", NULL, 1},
    {"%clusterid.x", "%ctaid.x", 0},
    {"%clusterid.y", "%ctaid.y", 0},
    {"%clusterid.z", "%ctaid.z", 0},
    {"%nclusterid.x", "%nctaid.x", 0},
    {"%nclusterid.y", "%nctaid.y", 0},
    {"%nclusterid.z", "%nctaid.z", 0},
    {"%aggr_smem_size", "%total_smem_size", 0},
};

static uint32_t derived_row(struct exec_decoder *decoder, const char *name) {
    const struct simt_program *const kernel = decoder->kernel ? decoder->kernel : decoder->program;
    const struct simt_placed *const placed = find_placed(kernel->shared, kernel->n_shared, name);
    if (placed) {
        const struct simt_constant constant = {.bytes = 4, .value = placed->offset};
        return exec_constant_row(decoder, &constant);
    }
    for (size_t i = 0; i < sizeof(derived) / sizeof(derived[0]); i++) {
        if (strcmp(derived[i].name, name) != 0)
            continue;
        const struct simt_constant constant = {.bytes = 4, .value = derived[i].value};
        return derived[i].equal ? exec_special_row(decoder, derived[i].equal)
                                : exec_constant_row(decoder, &constant);
    }
    return SIMT_NO_ROW;
}

uint32_t exec_special_row(struct exec_decoder *decoder, const char *name) {
    static const char *const words[] = {
#define WORD(name, word) word,
        SIMT_SPECIALS(WORD)
#undef WORD
    };
    for (unsigned i = 0; i < SIMT_N_SPECIALS; i++) {
        if (strcmp(words[i], name) != 0)
            continue;
        uint32_t *const row = &decoder->program->special_rows[i];
        if (*row == SIMT_NO_ROW)
            *row = exec_new_row(decoder, 4);
        return *row;
    }
    return derived_row(decoder, name);
}

/* Function variables hide the module's; the parser has made names unique. */
static const struct ptx_var *find_var(const struct exec_decoder *decoder,
                                      const struct ptx_function *function, const char *name) {
    for (size_t i = 0; i < function->n_vars; i++) {
        if (strcmp(function->vars[i].name, name) == 0)
            return &function->vars[i];
    }
    return ptx_find_var(decoder->module, name);
}

const struct ptx_var *exec_find_param(const struct exec_decoder *decoder, const char *name) {
    for (size_t i = 0; decoder->function->is_entry && i < decoder->function->n_params; i++) {
        if (strcmp(decoder->function->params[i].name, name) == 0)
            return &decoder->function->params[i];
    }
    return NULL;
}

/* What cooperative groups may use without asking, from compute capability 8.0 on
 * (cooperative_groups/details/memory.h). */
static const struct ptx_var reserved = {
    .name = "%reserved_smem_offset_1",
    .space = PTX_SHARED,
    .type = PTX_B8,
    .align = 8,
    .bytes = 288,
};

static uint32_t aligned(uint32_t offset, uint32_t to) {
    return to > 1 ? (offset + to - 1) / to * to : offset;
}

static bool place_shared(struct exec_decoder *decoder, const struct ptx_var *var) {
    struct simt_program *program = decoder->program;
    if (find_placed(program->shared, program->n_shared, var->name))
        return true;
    void *const array = exec_grown(decoder, program->shared, program->n_shared,
                                   &decoder->shared_room, sizeof(*program->shared));
    if (!array)
        return false;
    program->shared = array;
    uint32_t *const end = &program->static_shared_bytes;
    *end = aligned(*end, var->bytes == 0 && var->align < 16 ? 16 : var->align);
    program->shared[program->n_shared++] = (struct simt_placed){var->name, *end, var->bytes};
    *end += (uint32_t)var->bytes;
    return true;
}

bool exec_place_local(struct exec_decoder *decoder, const struct ptx_var *var) {
    if (find_placed(decoder->locals, decoder->n_locals, var->name))
        return true;
    void *const array = exec_grown(decoder, decoder->locals, decoder->n_locals,
                                   &decoder->locals_room, sizeof(*decoder->locals));
    if (!array)
        return false;
    decoder->locals = array;
    uint32_t *const end = &decoder->program->local_bytes;
    *end = aligned(*end, var->align);
    decoder->locals[decoder->n_locals++] = (struct simt_placed){var->name, *end, var->bytes};
    *end += (uint32_t)var->bytes;
    return true;
}

/* What a walk over the operands of a function places. Arrays of unknown size come last, after all
 * other shared variables. */
enum pass { SHARED_ARRAYS, DYNAMIC_ARRAYS, FRAME, N_PASSES };

static bool place_var(struct exec_decoder *decoder, const struct ptx_var *var, enum pass pass) {
    if (pass == FRAME)
        return (var->space != PTX_LOCAL && var->space != PTX_PARAM) ||
               exec_place_local(decoder, var);
    return var->space != PTX_SHARED || (var->bytes == 0) != (pass == DYNAMIC_ARRAYS) ||
           place_shared(decoder, var);
}

/* Places the variable that an operand (or an element of it) names. */
static bool place_named(struct exec_decoder *decoder, const struct ptx_function *function,
                        const struct ptx_operand *operand, enum pass pass) {
    for (size_t i = 0; i < operand->n_elements; i++) {
        if (!place_named(decoder, function, &operand->elements[i], pass))
            return false;
    }
    if (operand->kind == PTX_OP_SPECIAL && strcmp(operand->symbol, reserved.name) == 0)
        return place_var(decoder, &reserved, pass);
    const bool names = operand->kind == PTX_OP_SYMBOL || operand->kind == PTX_OP_ADDRESS;
    const struct ptx_var *const var =
        names && operand->symbol ? find_var(decoder, function, operand->symbol) : NULL;
    return !var || place_var(decoder, var, pass);
}

static bool place_pass(struct exec_decoder *decoder, const struct ptx_function *function,
                       enum pass pass) {
    for (size_t i = 0; i < function->n_insns; i++) {
        for (unsigned k = 0; k < function->insns[i].n_operands; k++) {
            if (!place_named(decoder, function, &function->insns[i].operands[k], pass))
                return false;
        }
    }
    return true;
}

bool exec_place_variables(struct exec_decoder *decoder) {
    const struct exec_reach *const reach = decoder->reach;
    for (enum pass pass = SHARED_ARRAYS; pass < FRAME && !decoder->kernel; pass++) {
        for (uint32_t i = 0; i < reach->n; i++) {
            if (!place_pass(decoder, reach->functions[i], pass))
                return false;
        }
    }
    return place_pass(decoder, decoder->function, FRAME);
}

uint32_t exec_frame_row(struct exec_decoder *decoder) {
    struct simt_program *const program = decoder->program;
    if (!decoder->function->is_entry && program->frame_row == SIMT_NO_ROW)
        program->frame_row = exec_new_row(decoder, 4);
    return program->frame_row;
}

bool exec_find_symbol(struct exec_decoder *decoder, const char *name, struct simt_symbol *symbol) {
    const struct simt_program *const kernel = decoder->kernel ? decoder->kernel : decoder->program;
    const struct simt_placed *placed = find_placed(kernel->shared, kernel->n_shared, name);
    if (placed) {
        *symbol = (struct simt_symbol){PTX_SHARED, placed->offset};
        return true;
    }
    placed = find_placed(decoder->locals, decoder->n_locals, name);
    if (placed) {
        *symbol = (struct simt_symbol){PTX_LOCAL, placed->offset};
        return true;
    }
    const struct ptx_function *const function = ptx_find_function(decoder->module, name);
    if (function) {
        const uint64_t number = (uint64_t)(function - decoder->module->functions) + 1;
        *symbol = (struct simt_symbol){PTX_GENERIC, SIMT_CODE_WINDOW + SIMT_CODE_STEP * number};
        return true;
    }
    if (decoder->resolve && decoder->resolve(decoder->context, name, symbol))
        return true;
    decoder->failed = SIMT_BAD_PTX;
    if (decoder->diag)
        snprintf(decoder->diag->message, sizeof(decoder->diag->message),
                 "The kernel names \"%s\", which is nowhere defined.", name);
    return false;
}

bool simt_has_dynamic_array(const struct simt_program *program) {
    for (uint32_t i = 0; i < program->n_shared; i++)
        if (program->shared[i].bytes == 0)
            return true;
    return false;
}
