/* Reads the ELF file that nvcc made, and compares code in it. */
#include "grader/verify/mutants/object.h"

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"
#include "common/base/text.h"

enum { OBJECT_BYTES = 64 << 20, HASH_DIGITS = 8 };

static const Elf64_Ehdr *header(const struct object *object) {
    return (const Elf64_Ehdr *)object->bytes;
}

static const Elf64_Shdr *section(const struct object *object, size_t i) {
    return (const Elf64_Shdr *)(object->bytes + header(object)->e_shoff) + i;
}

static bool is_inside(const struct object *object, uint64_t offset, uint64_t bytes) {
    return offset <= object->n && bytes <= object->n - offset;
}

/* True where headers and sections lie inside the file. */
static bool is_sound(const struct object *object) {
    const Elf64_Ehdr *head = header(object);
    if (object->n < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shstrndx >= head->e_shnum ||
        !is_inside(object, head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr)))
        return false;
    for (size_t i = 0; i < head->e_shnum; i++) {
        const Elf64_Shdr *here = section(object, i);
        if (here->sh_type != SHT_NOBITS && !is_inside(object, here->sh_offset, here->sh_size))
            return false;
    }
    return true;
}

static const Elf64_Shdr *find(const struct object *object, const char *name) {
    const char *names = object->bytes + section(object, header(object)->e_shstrndx)->sh_offset;
    for (size_t i = 0; i < header(object)->e_shnum; i++) {
        const Elf64_Shdr *here = section(object, i);
        if (here->sh_type != SHT_NOBITS && strcmp(names + here->sh_name, name) == 0)
            return here;
    }
    return NULL;
}

/* Lines of PTX that say nothing of what runs. */
static bool is_of_lines(const char *line, size_t bytes) {
    static const char *const starts[] = {".loc", ".file", "$L__tmp", "$L__func", "//"};
    while (bytes > 0 && (*line == ' ' || *line == '\t')) {
        line++;
        bytes--;
    }
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (bytes >= strlen(starts[i]) && memcmp(line, starts[i], strlen(starts[i])) == 0)
            return true;
    }
    return false;
}

/* Adds a line, with 0 for the hash of the file that nvcc puts into names of its own. */
static void add_line(struct digest *digest, const char *line, size_t bytes) {
    static const char own[] = "_INTERNAL_";
    OWNED char *copy = text_format("%.*s", (int)bytes, line);
    for (char *at = copy; (at = strstr(at, own));) {
        at += strlen(own);
        for (int i = 0; i < HASH_DIGITS && at[i]; i++)
            at[i] = '0';
    }
    digest_add_text(digest, copy);
}

/* Adds a PTX text, up to its sections, which have names of lines alone. */
static void add_ptx(struct digest *digest, const char *text, size_t bytes) {
    size_t length;
    OWNED char *copy = text_format("%.*s", (int)bytes, text);
    for (const char *line = copy; *line; line += length + (line[length] == '\n')) {
        length = strcspn(line, "\n");
        const char *word = line + strspn(line, " \t");
        if (strncmp(word, ".section", strlen(".section")) == 0)
            break;
        if (!is_of_lines(line, length))
            add_line(digest, line, length);
    }
}

static void digest_ptx(struct object *object) {
    static const char start[] = ".version ";
    struct digest digest;
    digest_init(&digest);
    const Elf64_Shdr *fatbin = find(object, ".nv_fatbin");
    const char *at = fatbin ? object->bytes + fatbin->sh_offset : NULL;
    const char *end = fatbin ? at + fatbin->sh_size : NULL;
    while (at && (at = memmem(at, (size_t)(end - at), start, strlen(start)))) {
        size_t bytes = strnlen(at, (size_t)(end - at));
        add_ptx(&digest, at, bytes);
        at += bytes;
    }
    digest_finish(&digest, object->ptx);
}

static void add_section(struct digest *digest, const struct object *object, const char *name) {
    const Elf64_Shdr *here = find(object, name);
    if (here)
        digest_add(digest, object->bytes + here->sh_offset, here->sh_size);
    else
        digest_add_text(digest, "");
}

/* What the host's code is made of but the code itself: its length, constants, names of functions,
 * and which of them each entry of the procedure linkage table calls. */
static void digest_host(struct object *object) {
    struct digest digest;
    digest_init(&digest);
    const Elf64_Shdr *code = find(object, ".text"), *calls = find(object, ".rela.plt");
    uint64_t length = code ? code->sh_size : 0;
    digest_add(&digest, &length, sizeof length);
    add_section(&digest, object, ".rodata");
    add_section(&digest, object, ".dynstr");
    for (size_t i = 0; calls && i < calls->sh_size / sizeof(Elf64_Rela); i++) {
        const Elf64_Rela *call = (const Elf64_Rela *)(object->bytes + calls->sh_offset) + i;
        digest_add(&digest, &call->r_info, sizeof call->r_info);
    }
    digest_finish(&digest, object->host);
}

bool object_init(struct object *object, const char *path) {
    *object = (struct object){.bytes = NULL};
    if (file_read(path, OBJECT_BYTES, &object->bytes, &object->n, NULL) != GRADER_OK)
        return false;
    if (!is_sound(object))
        return false;
    digest_ptx(object);
    digest_host(object);
    return true;
}

void object_finish(struct object *object) {
    free(object->bytes);
    object->bytes = NULL;
}

/* The section that has an address, and where in it; false where none has. */
static bool locate(const struct object *object, uint64_t address, size_t *which, uint64_t *offset) {
    for (size_t i = 0; i < header(object)->e_shnum; i++) {
        const Elf64_Shdr *here = section(object, i);
        if (here->sh_flags & SHF_ALLOC && address >= here->sh_addr &&
            address < here->sh_addr + here->sh_size) {
            *which = i;
            *offset = address - here->sh_addr;
            return true;
        }
    }
    return false;
}

/* The address that a distance of 32 bits at byte `at` of the code leads to. */
static uint64_t target(const struct object *object, const Elf64_Shdr *code, size_t at) {
    int32_t distance;
    memcpy(&distance, object->bytes + code->sh_offset + at, sizeof distance);
    return code->sh_addr + at + sizeof distance + (uint64_t)(int64_t)distance;
}

/* True where both codes have a distance at byte `at` that leads to the same place. */
static bool is_same_target(const struct object *a, const Elf64_Shdr *a_code, const struct object *b,
                           const Elf64_Shdr *b_code, size_t at) {
    size_t a_which, b_which;
    uint64_t a_offset, b_offset;
    return locate(a, target(a, a_code, at), &a_which, &a_offset) &&
           locate(b, target(b, b_code, at), &b_which, &b_offset) && a_which == b_which &&
           a_offset == b_offset;
}

bool object_same_device(const struct object *a, const struct object *b) {
    return strcmp(a->ptx, b->ptx) == 0;
}

bool object_same_host(const struct object *a, const struct object *b) {
    const Elf64_Shdr *a_code = find(a, ".text"), *b_code = find(b, ".text");
    if (strcmp(a->host, b->host) != 0 || !a_code || !b_code)
        return false;
    const char *a_bytes = a->bytes + a_code->sh_offset, *b_bytes = b->bytes + b_code->sh_offset;
    for (size_t i = 0; i < a_code->sh_size; i++) {
        if (a_bytes[i] == b_bytes[i])
            continue;
        size_t at = i < sizeof(int32_t) ? 0 : i - sizeof(int32_t) + 1; /* where it may begin */
        while (at <= i && (at + sizeof(int32_t) > a_code->sh_size ||
                           !is_same_target(a, a_code, b, b_code, at)))
            at++;
        if (at > i)
            return false;
        i = at + sizeof(int32_t) - 1;
    }
    return true;
}
