/*
 * Reading fat binaries. NVIDIA does not document the format; it was found by dumping what nvcc 13.0
 * makes of our own sources with each compression mode. All numbers are little-endian.
 */
#include "common/simt/cudart/module/fatbin.h"

#include <limits.h>
#include <link.h>
#include <lz4.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define WRAPPER_MAGIC   UINT32_C(0x466243B1)
#define CONTAINER_MAGIC UINT32_C(0xBA55ED50)

enum { KIND_PTX = 1 };
enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000, FLAG_ANY_COMPRESSION = 0xF000 };

/* No PTX text is larger: a bound for what a damaged header may ask for. */
#define MAX_TEXT_BYTES ((uint64_t)1 << 30)

/* What __cudaRegisterFatBinary gets. Version 2 (relocatable device code) has more containers in a
 * list that ends with NULL. */
struct wrapper {
    uint32_t magic, version;
    const void *container;
    const void *const *more;
};

struct container {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes; /* of the entries, after the header */
};

struct entry {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t bytes; /* of the payload, padding included */
    uint32_t compressed_bytes, options_offset;
    uint16_t minor, major;
    uint32_t arch, name_offset, name_bytes;
    uint64_t flags, zero, plain_bytes;
};

/* What is known of an address: how many bytes of a loaded object follow it. */
struct extent {
    uintptr_t address;
    size_t bytes;
};

static int find_segment(struct dl_phdr_info *object, size_t bytes, void *data) {
    (void)bytes;
    struct extent *extent = data;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t begin = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && extent->address - begin < segment->p_memsz) {
            extent->bytes = segment->p_memsz - (extent->address - begin);
            return 1;
        }
    }
    return 0;
}

/* How far a container at `data` may reach: to the end of its segment in a loaded object; memory of
 * the program's own is taken at its word. */
static size_t extent_of(const void *data) {
    struct extent extent = {(uintptr_t)data, SIZE_MAX};
    dl_iterate_phdr(find_segment, &extent);
    return extent.bytes;
}

static enum fatbin_status expand(const struct entry *entry, const char *payload,
                                 struct fatbin_text *text) {
    if (entry->plain_bytes > MAX_TEXT_BYTES || entry->compressed_bytes > entry->bytes)
        return FATBIN_DAMAGED;
    text->owned = malloc(entry->plain_bytes + 1);
    if (!text->owned)
        return FATBIN_NO_MEMORY;
    bool good = false;
    if (entry->flags & FLAG_LZ4) {
        int bytes = LZ4_decompress_safe(payload, text->owned, (int)entry->compressed_bytes,
                                        (int)entry->plain_bytes);
        good = bytes >= 0 && (uint64_t)bytes == entry->plain_bytes;
    } else if (entry->flags & FLAG_ZSTD) {
        good = ZSTD_decompress(text->owned, entry->plain_bytes, payload, entry->compressed_bytes) ==
               entry->plain_bytes;
    } else {
        return FATBIN_COMPRESSED;
    }
    if (!good)
        return FATBIN_DAMAGED;
    text->ptx = text->owned;
    text->bytes = entry->plain_bytes;
    return FATBIN_OK;
}

/* The text of a PTX entry; the padding and the terminator behind it are left out. */
static enum fatbin_status read_text(const struct entry *entry, struct fatbin_text *text) {
    const char *payload = (const char *)entry + entry->header_bytes;
    enum fatbin_status status = FATBIN_OK;
    *text = (struct fatbin_text){.ptx = payload, .bytes = entry->bytes};
    if (entry->flags & FLAG_ANY_COMPRESSION)
        status = expand(entry, payload, text);
    if (status == FATBIN_OK)
        text->bytes = strnlen(text->ptx, text->bytes);
    return status;
}

/* A container's PTX: the newest that a device of an architecture can run, and the oldest; NULL
 * where there is none. */
struct choice {
    const struct entry *best, *oldest;
};

static void consider(struct choice *choice, const struct entry *entry, unsigned arch) {
    if (entry->kind != KIND_PTX)
        return;
    if (entry->arch <= arch && (!choice->best || entry->arch > choice->best->arch))
        choice->best = entry;
    if (!choice->oldest || entry->arch < choice->oldest->arch)
        choice->oldest = entry;
}

/* Chooses for `arch` from a container of which `bytes` bytes are there. */
static enum fatbin_status choose(const struct container *container, size_t bytes, unsigned arch,
                                 struct choice *choice) {
    *choice = (struct choice){0};
    if (bytes < sizeof *container || container->magic != CONTAINER_MAGIC ||
        container->header_bytes < sizeof *container || container->header_bytes > bytes ||
        container->bytes > bytes - container->header_bytes)
        return FATBIN_DAMAGED;
    const char *at = (const char *)container + container->header_bytes;
    uint64_t left = container->bytes;
    while (left >= sizeof(struct entry)) {
        const struct entry *entry = (const struct entry *)at;
        if ((uintptr_t)at % _Alignof(struct entry) != 0 || entry->header_bytes < sizeof *entry ||
            entry->header_bytes > left || entry->bytes > left - entry->header_bytes)
            return FATBIN_DAMAGED;
        consider(choice, entry, arch);
        at += entry->header_bytes + entry->bytes;
        left -= entry->header_bytes + entry->bytes;
    }
    return FATBIN_OK;
}

static enum fatbin_status add(struct fatbin_texts *texts, const struct container *container,
                              size_t bytes, unsigned arch) {
    struct choice choice;
    enum fatbin_status status = choose(container, bytes, arch, &choice);
    if (status != FATBIN_OK || !choice.oldest)
        return status;
    if (choice.oldest->arch > texts->least_arch)
        texts->least_arch = choice.oldest->arch;
    if (!choice.best)
        return FATBIN_TOO_NEW;
    struct fatbin_text *grown = realloc(texts->texts, (texts->n_texts + 1) * sizeof *grown);
    if (!grown)
        return FATBIN_NO_MEMORY;
    texts->texts = grown;
    return read_text(choice.best, &grown[texts->n_texts++]);
}

/* A text as it is, up to its terminator. */
static enum fatbin_status add_plain(struct fatbin_texts *texts, const char *ptx, size_t bytes) {
    texts->texts = calloc(1, sizeof *texts->texts);
    if (!texts->texts)
        return FATBIN_NO_MEMORY;
    texts->texts[0] = (struct fatbin_text){.ptx = ptx, .bytes = strnlen(ptx, bytes)};
    texts->n_texts = 1;
    return FATBIN_OK;
}

enum fatbin_status fatbin_find_in(const void *data, size_t bytes, unsigned arch,
                                  struct fatbin_texts *texts) {
    static const unsigned char elf[4] = {0x7f, 'E', 'L', 'F'};
    uint32_t magic = 0;
    *texts = (struct fatbin_texts){0};
    memcpy(&magic, data, bytes < sizeof magic ? bytes : sizeof magic);
    if (memcmp(&magic, elf, sizeof elf) == 0)
        return FATBIN_NO_PTX;
    if (magic != CONTAINER_MAGIC)
        return add_plain(texts, data, bytes);
    enum fatbin_status status = add(texts, data, bytes, arch);
    return status == FATBIN_OK && texts->n_texts == 0 ? FATBIN_NO_PTX : status;
}

enum fatbin_status fatbin_find_code(const void *data, unsigned arch, struct fatbin_texts *texts) {
    uint32_t magic;
    memcpy(&magic, data, sizeof magic);
    if (magic == WRAPPER_MAGIC)
        return fatbin_find_ptx(data, arch, texts);
    return fatbin_find_in(data, extent_of(data), arch, texts);
}

enum fatbin_status fatbin_find_ptx(const void *data, unsigned arch, struct fatbin_texts *texts) {
    const struct wrapper *wrapper = data;
    *texts = (struct fatbin_texts){0};
    if (!wrapper || wrapper->magic != WRAPPER_MAGIC || !wrapper->container)
        return FATBIN_DAMAGED;
    enum fatbin_status status = add(texts, wrapper->container, extent_of(wrapper->container), arch);
    if (wrapper->version >= 2 && wrapper->more) {
        for (size_t i = 0; status == FATBIN_OK && wrapper->more[i]; i++) {
            /* The list holds containers, or wrappers of their own. */
            const struct wrapper *inner = wrapper->more[i];
            bool wrapped = inner->magic == WRAPPER_MAGIC;
            const void *container = wrapped ? inner->container : wrapper->more[i];
            status = add(texts, container, extent_of(container), arch);
        }
    }
    if (status == FATBIN_OK && texts->n_texts == 0)
        return FATBIN_NO_PTX;
    return status;
}

unsigned fatbin_least_arch(const void *data) {
    struct fatbin_texts texts;
    const bool is_good = fatbin_find_ptx(data, UINT_MAX, &texts) == FATBIN_OK;
    const unsigned least = is_good ? texts.least_arch : 0;
    fatbin_free(&texts);
    return least;
}

void fatbin_free(struct fatbin_texts *texts) {
    for (size_t i = 0; i < texts->n_texts; i++)
        free(texts->texts[i].owned);
    free(texts->texts);
    *texts = (struct fatbin_texts){0};
}

const char *fatbin_status_text(enum fatbin_status status) {
    static const char *const texts[] = {
        [FATBIN_OK] = "The fat binary holds PTX.",
        [FATBIN_DAMAGED] = "The program's fat binary is damaged.",
        [FATBIN_NO_PTX] = "The program holds machine code only; compile it with PTX for the "
                          "simulator (nvcc -gencode arch=compute_75,code=compute_75).",
        [FATBIN_TOO_NEW] = "The program's PTX is for newer devices only.",
        [FATBIN_COMPRESSED] = "The program's PTX is compressed in a way that the simulator does "
                              "not know; compile it with nvcc --compress-mode=none.",
        [FATBIN_NO_MEMORY] = "No memory for the program's PTX.",
    };
    return texts[status];
}
