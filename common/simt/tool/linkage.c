/*
 * How a program is linked with the CUDA runtime and with NVIDIA's other libraries, from its ELF
 * file. Whatever is no whole 64-bit ELF file is taken for a program that finds its own way (a
 * script, for one).
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/nvidia.h"
#include "common/simt/tool/tool.h"

struct elf {
    const char *data;
    size_t bytes;
    const Elf64_Shdr *sections;
    unsigned n_sections;
    bool is_shared, is_other; /* it loads this runtime, or one of another major version */
    struct tool_program *program;
};

static const void *part(const struct elf *elf, uint64_t offset, uint64_t bytes) {
    if (offset > elf->bytes || bytes > elf->bytes - offset || offset % 8 != 0)
        return NULL;
    return elf->data + offset;
}

/* The string at an offset of a section of strings; "" where there is none. */
static const char *string_at(const struct elf *elf, const Elf64_Shdr *strings, uint64_t at) {
    if (strings->sh_offset > elf->bytes || strings->sh_size > elf->bytes - strings->sh_offset ||
        at >= strings->sh_size)
        return "";
    const char *text = elf->data + strings->sh_offset + at;
    return memchr(text, '\0', strings->sh_size - at) ? text : "";
}

/* The strings that a section's entries refer to. */
static const Elf64_Shdr *strings_of(const struct elf *elf, const Elf64_Shdr *section) {
    return &elf->sections[section->sh_link < elf->n_sections ? section->sh_link : 0];
}

/* Adds a name to the list unless it is there. */
static void add_library(struct tool_program *program, const char *name) {
    const size_t used = strlen(program->libraries);
    if (name && !strstr(program->libraries, name))
        snprintf(program->libraries + used, sizeof program->libraries - used, "%s%s",
                 used > 0 ? ", " : "", name);
}

/* Which libraries the loader has to find. */
static void read_dynamic(struct elf *elf, const Elf64_Shdr *section) {
    const Elf64_Dyn *entries = part(elf, section->sh_offset, section->sh_size);
    for (size_t i = 0; entries && i < section->sh_size / sizeof *entries; i++) {
        if (entries[i].d_tag != DT_NEEDED)
            continue;
        const char *name = string_at(elf, strings_of(elf, section), entries[i].d_un.d_val);
        if (strcmp(name, "libcudart.so.13") == 0)
            elf->is_shared = true;
        else if (strncmp(name, "libcudart.so", strlen("libcudart.so")) == 0)
            elf->is_other = true;
        add_library(elf->program, nvidia_library_of_file(name));
    }
}

/* The drop-in's driver library has those. */
static bool is_driver_function(const char *name) {
    return name[0] == 'c' && name[1] == 'u' && name[2] >= 'A' && name[2] <= 'Z';
}

/* Whose functions it has within, from a static library. */
static void read_symbols(struct elf *elf, const Elf64_Shdr *section) {
    const Elf64_Sym *symbols = part(elf, section->sh_offset, section->sh_size);
    for (size_t i = 0; symbols && i < section->sh_size / sizeof *symbols; i++) {
        const char *name = string_at(elf, strings_of(elf, section), symbols[i].st_name);
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC &&
            ELF64_ST_BIND(symbols[i].st_info) == STB_GLOBAL && !is_driver_function(name))
            add_library(elf->program, nvidia_library_of_function(name));
    }
}

static void read_sections(struct elf *elf, const Elf64_Shdr *names) {
    bool has_kernels = false;
    for (unsigned i = 0; i < elf->n_sections; i++) {
        const Elf64_Shdr *section = &elf->sections[i];
        const char *name = string_at(elf, names, section->sh_name);
        if (strcmp(name, ".nv_fatbin") == 0 && section->sh_size > 0)
            has_kernels = true;
        if (section->sh_type == SHT_DYNAMIC)
            read_dynamic(elf, section);
        if (section->sh_type == SHT_SYMTAB)
            read_symbols(elf, section);
    }
    if (elf->is_other && !elf->is_shared)
        elf->program->linkage = TOOL_OTHER_MAJOR;
    else if (has_kernels && !elf->is_shared)
        elf->program->linkage = TOOL_STATIC;
}

static void read_elf(struct elf *elf) {
    const Elf64_Ehdr *header = part(elf, 0, sizeof *header);
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shentsize != sizeof(Elf64_Shdr) ||
        header->e_shstrndx >= header->e_shnum)
        return;
    elf->sections = part(elf, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr));
    elf->n_sections = header->e_shnum;
    if (elf->sections)
        read_sections(elf, &elf->sections[header->e_shstrndx]);
}

struct tool_program tool_inspect(const char *path) {
    struct tool_program program = {.linkage = TOOL_SHARED};
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_size > 0) {
        size_t bytes = (size_t)status.st_size;
        void *data = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data != MAP_FAILED) {
            read_elf(&(struct elf){.data = data, .bytes = bytes, .program = &program});
            munmap(data, bytes);
        }
    }
    if (fd >= 0)
        close(fd);
    return program;
}
