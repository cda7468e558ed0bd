/*
 * How a program is linked with the CUDA runtime, from its ELF file. Whatever is no whole 64-bit ELF
 * file is taken for a program that finds its own way (a script, for one).
 */
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/simt/tool/tool.h"

struct file {
    const char *data;
    size_t bytes;
};

static const void *part(const struct file *file, uint64_t offset, uint64_t bytes) {
    if (offset > file->bytes || bytes > file->bytes - offset || offset % 8 != 0)
        return NULL;
    return file->data + offset;
}

/* The string at an offset of a section of strings; "" where there is none. */
static const char *string_at(const struct file *file, const Elf64_Shdr *strings, uint64_t at) {
    if (strings->sh_offset > file->bytes || strings->sh_size > file->bytes - strings->sh_offset ||
        at >= strings->sh_size)
        return "";
    const char *text = file->data + strings->sh_offset + at;
    return memchr(text, '\0', strings->sh_size - at) != NULL ? text : "";
}

/* What the dynamic section says of the runtime. */
static void read_dynamic(const struct file *file, const Elf64_Shdr *section,
                         const Elf64_Shdr *strings, bool *is_shared, bool *is_other) {
    const Elf64_Dyn *entries = part(file, section->sh_offset, section->sh_size);
    for (size_t i = 0; entries != NULL && i < section->sh_size / sizeof(*entries); i++) {
        if (entries[i].d_tag != DT_NEEDED)
            continue;
        const char *name = string_at(file, strings, entries[i].d_un.d_val);
        if (strcmp(name, "libcudart.so.13") == 0)
            *is_shared = true;
        else if (strncmp(name, "libcudart.so", strlen("libcudart.so")) == 0)
            *is_other = true;
    }
}

static enum tool_linkage read_elf(const struct file *file) {
    const Elf64_Ehdr *header = part(file, 0, sizeof(*header));
    if (header == NULL || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shentsize != sizeof(Elf64_Shdr))
        return TOOL_SHARED;
    const Elf64_Shdr *sections =
        part(file, header->e_shoff, (uint64_t)header->e_shnum * sizeof(*sections));
    if (sections == NULL || header->e_shstrndx >= header->e_shnum)
        return TOOL_SHARED;
    bool has_kernels = false, is_shared = false, is_other = false;
    for (unsigned i = 0; i < header->e_shnum; i++) {
        const char *name = string_at(file, &sections[header->e_shstrndx], sections[i].sh_name);
        if (strcmp(name, ".nv_fatbin") == 0 && sections[i].sh_size > 0)
            has_kernels = true;
        if (sections[i].sh_type == SHT_DYNAMIC && sections[i].sh_link < header->e_shnum)
            read_dynamic(file, &sections[i], &sections[sections[i].sh_link], &is_shared, &is_other);
    }
    if (is_other && !is_shared)
        return TOOL_OTHER_MAJOR;
    return has_kernels && !is_shared ? TOOL_STATIC : TOOL_SHARED;
}

enum tool_linkage tool_linkage(const char *path) {
    enum tool_linkage linkage = TOOL_SHARED;
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_size > 0) {
        size_t bytes = (size_t)status.st_size;
        void *data = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data != MAP_FAILED) {
            linkage = read_elf(&(struct file){data, bytes});
            munmap(data, bytes);
        }
    }
    if (fd >= 0)
        close(fd);
    return linkage;
}
