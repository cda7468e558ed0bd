/*
 * Devices, modules and kernels: what stands behind the pointers of simt.h.
 */
#pragma once

#include <stdatomic.h>

#include "common/simt/program/decode/program.h"
#include "common/simt/program/edit/edit.h"
#include "common/simt/memory/space.h"

struct simt_name {
    char text[128];
};

/* A mangled name of a kernel or variable in the program's own words (Itanium C++ ABI, section 5.1):
 * "_Z6kernelPi" gives "kernel", "_ZN2ns1fEv" "ns::f", "_ZZ1fvE4tile" "tile"; template arguments
 * become "<…>", an unmangled name stays. */
struct simt_name simt_plain_name(const char *mangled);

/* The same, but template arguments that are all whole numbers stay: "_Z1fILj512ELb1EEvv" gives
 * "f<512, 1>". */
struct simt_name simt_told_name(const char *mangled);

struct simt_record;

/* What kernels printed, until the host asks for it. */
struct simt_text_buffer {
    char *bytes;
    size_t n, room;
};

struct simt_output {
    struct simt_text_buffer streams[2]; /* by enum simt_stream */
};

struct simt {
    atomic_bool interrupted; /* simt_interrupt */
    struct simt_options options;
    struct simt_space space;
    struct simt_record *record;
    struct simt_output output;
    struct simt_module *modules; /* a list */
    uint64_t n_scheduled;        /* launches with a drawn order since the report's reset */
    struct simt_edit edits[SIMT_MAX_EDITS]; /* that are set */
    size_t n_edits;
    uint64_t now; /* stamp of the last access: see shadow.h */
};

/* A variable of a module in device memory. */
struct simt_variable {
    const struct ptx_var *var;
    uint64_t address;
};

struct simt_kernel {
    struct simt_module *module;
    const struct ptx_function *function;
    struct simt_name plain_name, told_name;
    struct simt_program *program; /* NULL before the first use */
    const struct ptx_module *ptx; /* that the function belongs to; NULL: the module's own */
    struct simt_kernel *edited;   /* as the edits that are set make it; NULL before it is run so */
    uint64_t n_launched;          /* since they were set */
};

struct simt_edited_kernel;

struct simt_module {
    struct simt *simt;
    struct ptx_module *ptx;
    struct simt_kernel *kernels; /* one a .entry */
    size_t n_kernels;
    struct simt_variable *variables;
    size_t n_variables;
    struct simt_edited_kernel *edited; /* a list */
    struct simt_module *next;
};

/* Frees a module and all that it loaded, but not its variables' memory. */
void simt_module_free(struct simt_module *module);

/* Decodes the kernel if nobody did so far. */
enum simt_status simt_kernel_decode(struct simt_kernel *kernel, struct simt_diag *diag);
