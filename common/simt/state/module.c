/*
 * Modules: parsed PTX, its variables in device memory, its kernels decoded on first use; and just
 * as much of demangling as a report needs, the names without the types.
 */
#include "common/simt/state/module.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/simt/program/edit/rewrite.h"
#include "common/simt/state/edits.h"

/* Appends <length><identifier>; NULL when there is none at `at`. */
static const char *take_identifier(struct simt_name *name, const char *at) {
    if (*at == 'L') /* internal linkage */
        at++;
    if (!isdigit((unsigned char)*at))
        return NULL;
    char *end;
    unsigned long length = strtoul(at, &end, 10);
    if (length == 0 || strlen(end) < length)
        return NULL;
    if (strncmp(end, "_GLOBAL__N_", 11) == 0 || strncmp(end, "_INTERNAL_", 10) == 0)
        return end + length; /* an unnamed namespace, or nvcc's own */
    size_t used = strlen(name->text);
    snprintf(name->text + used, sizeof name->text - used, "%s%.*s", used ? "::" : "", (int)length,
             end);
    return end + length;
}

/* The last identifier after "E" of a function's local variable: _ZZ<function>E<name>. */
static struct simt_name take_local(const char *mangled) {
    struct simt_name best = {""};
    for (const char *at = mangled; (at = strchr(at, 'E')); at++) {
        struct simt_name name = {""};
        const char *end = take_identifier(&name, at + 1);
        if (end && (*end == '\0' || *end == '_' || *end == '$'))
            best = name;
    }
    return best;
}

/* Appends template arguments, from behind their "I": as they are where all are whole numbers
 * (L<type><digits>E, or n<digits> below 0), else "<…>". */
static void take_arguments(struct simt_name *name, const char *at) {
    char text[sizeof name->text] = "<";
    size_t used = 1;
    while (at[0] == 'L' && at[1] && strchr("bahstijlmxy", at[1])) {
        const bool is_below_0 = at[2] == 'n';
        const char *digits = at + 2 + is_below_0;
        const size_t n = strspn(digits, "0123456789");
        if (n == 0 || digits[n] != 'E' || used + n + 4 > sizeof text)
            break;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%.*s", used > 1 ? ", " : "",
                                 is_below_0 ? "-" : "", (int)n, digits);
        at = digits + n + 1;
    }
    const bool is_whole = used > 1 && *at == 'E';
    const size_t length = strlen(name->text);
    snprintf(name->text + length, sizeof name->text - length, "%s>", is_whole ? text : "<…");
}

static struct simt_name name_of(const char *mangled, bool has_numbers) {
    struct simt_name name = {""};
    const char *at = mangled;
    if (strncmp(at, "_ZZ", 3) == 0)
        name = take_local(at);
    else if (strncmp(at, "_Z", 2) == 0) {
        at += 2;
        if (*at == 'N')
            at++;
        while (at && (isdigit((unsigned char)*at) || *at == 'L')) {
            at = take_identifier(&name, at);
            if (at && *at == 'I' && name.text[0]) {
                take_arguments(&name, has_numbers ? at + 1 : "");
                break;
            }
            if (strncmp(mangled, "_ZN", 3) != 0)
                break;
        }
    }
    if (!name.text[0])
        snprintf(name.text, sizeof name.text, "%s", mangled);
    return name;
}

struct simt_name simt_plain_name(const char *mangled) {
    return name_of(mangled, false);
}

struct simt_name simt_told_name(const char *mangled) {
    return name_of(mangled, true);
}

void simt_module_free(struct simt_module *module) {
    if (!module)
        return;
    for (size_t i = 0; i < module->n_kernels; i++)
        if (module->kernels[i].program)
            simt_program_free(module->kernels[i].program);
    simt_edited_free(module->edited);
    free(module->kernels);
    free(module->variables);
    if (module->ptx)
        ptx_free(module->ptx);
    free(module);
}

static bool is_in_memory(const struct ptx_var *var) {
    return (var->space == PTX_GLOBAL || var->space == PTX_CONST) && var->bytes;
}

static const struct simt_variable *find_variable(const struct simt_module *module,
                                                 const char *name) {
    for (size_t i = 0; i < module->n_variables; i++)
        if (strcmp(module->variables[i].var->name, name) == 0)
            return &module->variables[i];
    return NULL;
}

/* Gives each variable its memory; they start as zero or as their initialiser says. */
static enum simt_status place_variables(struct simt_module *module) {
    struct simt *simt = module->simt;
    module->variables = calloc(module->ptx->n_vars + 1, sizeof *module->variables);
    if (!module->variables)
        return SIMT_NO_MEMORY;
    for (size_t i = 0; i < module->ptx->n_vars; i++) {
        const struct ptx_var *var = &module->ptx->vars[i];
        if (!is_in_memory(var))
            continue;
        struct simt_variable *variable = &module->variables[module->n_variables];
        enum simt_status status = simt_malloc(simt, var->bytes, &variable->address);
        if (status != SIMT_OK)
            return status;
        variable->var = var;
        module->n_variables++;
        simt_set(simt, variable->address, 0, var->bytes);
        if (var->init)
            simt_write(simt, variable->address, var->init, var->bytes);
        size_t element_bytes = ptx_type_bytes(var->type);
        simt_name(simt, variable->address, simt_plain_name(var->name).text, element_bytes);
    }
    return SIMT_OK;
}

/* The address of a variable or a function; 0 when there is none. */
static uint64_t address_of(const struct simt_module *module, const char *name) {
    const struct simt_variable *variable = find_variable(module, name);
    const struct ptx_function *function = ptx_find_function(module->ptx, name);
    if (!function)
        return variable ? variable->address : 0;
    return SIMT_CODE_WINDOW + SIMT_CODE_STEP * (uint64_t)(function - module->ptx->functions + 1);
}

/* Puts the addresses of variables and functions into the initialisers of others. */
static enum simt_status fix_up(struct simt_module *module, struct simt_diag *diag) {
    for (size_t i = 0; i < module->n_variables; i++) {
        const struct simt_variable *variable = &module->variables[i];
        for (size_t k = 0; k < variable->var->n_fixups; k++) {
            const struct ptx_fixup *fixup = &variable->var->fixups[k];
            uint64_t address = address_of(module, fixup->symbol);
            if (!address) {
                snprintf(diag->message, sizeof diag->message,
                         "the initialiser of %s takes the address of %s, which is not supported",
                         variable->var->name, fixup->symbol);
                return SIMT_UNSUPPORTED;
            }
            address += (uint64_t)fixup->addend;
            simt_write(module->simt, variable->address + fixup->offset, &address, sizeof address);
        }
    }
    return SIMT_OK;
}

static enum simt_status list_kernels(struct simt_module *module) {
    module->kernels = calloc(module->ptx->n_functions + 1, sizeof *module->kernels);
    if (!module->kernels)
        return SIMT_NO_MEMORY;
    for (size_t i = 0; i < module->ptx->n_functions; i++) {
        const struct ptx_function *function = &module->ptx->functions[i];
        if (!function->is_entry || function->is_declaration)
            continue;
        module->kernels[module->n_kernels++] = (struct simt_kernel){
            .module = module,
            .function = function,
            .plain_name = simt_plain_name(function->name),
            .told_name = simt_told_name(function->name),
        };
    }
    return SIMT_OK;
}

struct simt_module *simt_module_load(struct simt *simt, const char *ptx, size_t bytes,
                                     struct simt_diag *diag) {
    const uint64_t from_host =
        simt->space.from_host; /* initial values are not of the host's copies */
    memset(diag, 0, sizeof *diag);
    struct simt_module *module = calloc(1, sizeof *module);
    if (!module) {
        diag->status = SIMT_NO_MEMORY;
        return NULL;
    }
    module->simt = simt;
    module->ptx = ptx_parse(ptx, bytes, diag);
    if (!module->ptx)
        goto failed;
    diag->status = place_variables(module);
    if (diag->status == SIMT_OK)
        diag->status = list_kernels(module);
    if (diag->status == SIMT_OK)
        diag->status = fix_up(module, diag);
    simt->space.from_host = from_host;
    if (diag->status != SIMT_OK)
        goto failed;
    module->next = simt->modules;
    simt->modules = module;
    return module;
failed:
    for (size_t i = 0; i < module->n_variables; i++)
        simt_free(simt, module->variables[i].address);
    simt_module_free(module);
    return NULL;
}

struct simt_kernel *simt_kernel_find(struct simt_module *module, const char *name) {
    for (size_t i = 0; i < module->n_kernels; i++)
        if (strcmp(module->kernels[i].function->name, name) == 0)
            return &module->kernels[i];
    return NULL;
}

static bool resolve(void *context, const char *name, struct simt_symbol *symbol) {
    const struct simt_variable *variable = find_variable(context, name);
    if (!variable)
        return false;
    *symbol = (struct simt_symbol){variable->var->space, variable->address};
    return true;
}

/* Whether another thread may wait for what the instruction does, or it for another thread. */
static bool is_strong(const struct simt_insn *insn) {
    const struct ptx_insn *source = insn->source;
    return insn->flow == SIMT_FLOW_MEMORY &&
           ((isa_opcodes[source->opcode].traits | ptx_modifier_traits(source)) & ISA_STRONG);
}

/* A fence or a strong access whose scope is its own cta. Each cta is a cluster of its own. */
static bool is_narrow(const struct simt_insn *insn) {
    const bool is_fence = isa_opcodes[insn->source->opcode].memory == ISA_MEMORY_FENCE;
    return (is_fence || is_strong(insn)) &&
           (ptx_has(insn->source, ISA_DOT_CTA) || ptx_has(insn->source, ISA_DOT_CLUSTER));
}

/* A call of the runtime that writes what the host reads in order, or takes and gives addresses;
 * also one by a pointer, where the module knows the name of such a function. (An assertion that
 * fails ends the launch: threads.c.) */
static bool calls_in_order(const struct simt_program *program, const struct simt_insn *insn) {
    if (insn->flow != SIMT_FLOW_CALL)
        return false;
    const struct ptx_function *callee = program->calls[insn->imm].callee;
    const struct ptx_function *first = callee ? callee : program->module->functions;
    size_t n = callee ? 1 : program->module->n_functions;
    for (size_t i = 0; i < n; i++) {
        enum simt_builtin builtin = simt_builtin_of(&first[i]);
        if (builtin != SIMT_NO_BUILTIN && builtin != SIMT_BUILTIN_ASSERTFAIL)
            return true;
    }
    return false;
}

/* The operation of a reduction of integers, which may come in any order: ISA_NO_MODIFIER where it
 * may not. */
static enum isa_modifier operation_of(const struct simt_insn *insn) {
    const struct ptx_insn *source = insn->source;
    bool is_whole = insn->type < PTX_F16 && ptx_type_bytes(insn->type) >= 4;
    if (isa_opcodes[source->opcode].memory == ISA_MEMORY_REDUCTION && is_whole)
        for (unsigned i = 0; i < source->n_modifiers; i++)
            if (isa_modifiers[source->modifiers[i]].traits & ISA_COMMUTES)
                return source->modifiers[i];
    return ISA_NO_MODIFIER;
}

/* True for kernels whose ctas are likely to talk to each other, and for those that talk to the
 * host. Ctas that only reduce integers in global memory, all by the same operation, don't, unless
 * the reductions are only for their own cta, and so may race. */
static bool runs_in_order(const struct simt_program *program) {
    enum isa_modifier operation = ISA_NO_MODIFIER;
    for (uint32_t i = 0; i < program->n_insns; i++) {
        const struct simt_insn *insn = &program->insns[i];
        if (calls_in_order(program, insn))
            return true;
        if (!insn->is_strong || (insn->space != PTX_GLOBAL && insn->space != PTX_GENERIC))
            continue;
        enum isa_modifier mine = operation_of(insn);
        if (!mine || insn->is_narrow || (operation && mine != operation))
            return true;
        operation = mine;
    }
    return false;
}

/* True for kernels whose launches may start over (checks/spare.h): they neither print nor allocate.
 * Those that wait for other threads by strong loads, or have fences or asynchronous copies, would
 * mostly have to, after most of their work, so that they record everything from the beginning. */
static bool may_start_over(const struct simt_program *program) {
    for (uint32_t i = 0; i < program->n_insns; i++) {
        const struct simt_insn *insn = &program->insns[i];
        const struct isa_opcode_facts *opcode = &isa_opcodes[insn->source->opcode];
        const bool releases = (opcode->traits | ptx_modifier_traits(insn->source)) & ISA_RELEASES;
        if (calls_in_order(program, insn) || opcode->memory >= ISA_MEMORY_COPY || releases ||
            (opcode->memory == ISA_MEMORY_LOAD && insn->is_strong))
            return false;
    }
    return true;
}

/* What the engine adds to a decoded kernel. */
static void complete(const struct simt *simt, struct simt_program *program, bool is_edited) {
    for (uint32_t i = 0; i < program->n_insns; i++) {
        struct simt_insn *insn = &program->insns[i];
        insn->index = i;
        insn->is_strong = is_strong(insn);
        insn->is_narrow = is_narrow(insn);
        insn->is_read_only = ptx_has(insn->source, ISA_DOT_NC);
        if (is_edited)
            insn->edited =
                (uint8_t)edit_flags(program->module, insn->source, simt->edits, simt->n_edits);
    }
    program->runs_in_order = runs_in_order(program);
    program->may_start_over = may_start_over(program);
}

enum simt_status simt_kernel_decode(struct simt_kernel *kernel, struct simt_diag *diag) {
    if (kernel->program)
        return SIMT_OK;
    kernel->program = simt_decode(kernel->ptx ? kernel->ptx : kernel->module->ptx, kernel->function,
                                  resolve, kernel->module, diag);
    if (!kernel->program)
        return diag->status = diag->status ? diag->status : SIMT_NO_MEMORY;
    complete(kernel->module->simt, kernel->program, kernel->ptx != NULL);
    return SIMT_OK;
}

size_t simt_kernel_n_params(const struct simt_kernel *kernel) {
    return kernel->function->n_params;
}

void simt_kernel_param(const struct simt_kernel *kernel, size_t index, size_t *offset,
                       size_t *bytes) {
    *offset = kernel->function->params[index].offset;
    *bytes = kernel->function->params[index].bytes;
}

size_t simt_kernel_param_bytes(const struct simt_kernel *kernel) {
    return kernel->function->param_bytes;
}

uint32_t simt_kernel_static_shared_bytes(const struct simt_kernel *kernel) {
    struct simt_diag diag = {0};
    /* Kernels live in their module, which is not constant: decoding is only put off. */
    if (simt_kernel_decode((struct simt_kernel *)kernel, &diag) != SIMT_OK)
        return 0;
    return kernel->program->static_shared_bytes;
}

uint32_t simt_kernel_max_threads(const struct simt_kernel *kernel) {
    return kernel->function->max_cta_threads;
}

unsigned simt_kernel_target(const struct simt_kernel *kernel) {
    return simt_module_target(kernel->module);
}

unsigned simt_module_target(const struct simt_module *module) {
    return module->ptx->target;
}

enum simt_status simt_symbol(struct simt_module *module, const char *name, uint64_t *address,
                             size_t *bytes) {
    const struct simt_variable *variable = find_variable(module, name);
    if (!variable)
        return SIMT_BAD_ADDRESS;
    *address = variable->address;
    *bytes = variable->var->bytes;
    return SIMT_OK;
}
