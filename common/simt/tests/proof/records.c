/*
 * Reads and packs the hardware's outputs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "common/simt/tests/proof/corpus.h"
#include "common/simt/tests/proof/records.h"

enum { MAX_BYTES = 64 << 20, LEVEL = 19 };

bool proof_records_read(struct proof_records *records, const char *path) {
    size_t packed_bytes = 0;
    char *const packed = proof_read_file(path, &packed_bytes);
    *records = (struct proof_records){0};
    if (!packed)
        return true;
    const unsigned long long bytes = ZSTD_getFrameContentSize(packed, packed_bytes);
    if (bytes <= MAX_BYTES && (records->data = malloc(bytes + 1))) {
        records->data[bytes] = 0;
        records->bytes = ZSTD_decompress(records->data, bytes, packed, packed_bytes);
    }
    free(packed);
    if (records->data && records->bytes == bytes)
        return true;
    proof_records_free(records);
    return false;
}

void proof_records_free(struct proof_records *records) {
    free(records->data);
    *records = (struct proof_records){0};
}

/* One entry of the uncompressed file: its text and where the words begin. */
struct entry {
    char kernel[64];
    int target;
    size_t n_words, bytes; /* bytes: of all of it */
    const char *words;
};

/* Reads the entry at `at`; false at the end, and where there is none. */
static bool read_entry(struct entry *entry, const char *at, const char *end) {
    int header = 0;
    if (at >= end || sscanf(at, "kernel %63s %d %zu%n", entry->kernel, &entry->target,
                            &entry->n_words, &header) != 3)
        return false;
    entry->words = at + header + 1; /* the end of the line */
    entry->bytes = (size_t)header + 1 + entry->n_words * sizeof(uint32_t);
    return entry->n_words <= (size_t)(end - at) / sizeof(uint32_t) &&
           entry->bytes <= (size_t)(end - at);
}

const char *proof_records_find(const struct proof_records *records, const char *kernel, int target,
                               size_t *n_words) {
    const char *const end = records->data + records->bytes, *found = NULL;
    struct entry entry;
    for (const char *at = records->data; read_entry(&entry, at, end); at += entry.bytes) {
        if (strcmp(entry.kernel, kernel) == 0 && (!found || entry.target == target)) {
            found = entry.words;
            *n_words = entry.n_words;
        }
    }
    return found;
}

static bool write_packed(const char *data, size_t bytes, const char *to) {
    const size_t bound = ZSTD_compressBound(bytes);
    char *const packed = malloc(bound);
    const size_t packed_bytes = packed ? ZSTD_compress(packed, bound, data, bytes, LEVEL) : 0;
    FILE *const file = packed && !ZSTD_isError(packed_bytes) ? fopen(to, "wb") : NULL;
    bool ok = file && fwrite(packed, 1, packed_bytes, file) == packed_bytes;
    if (file)
        ok = fclose(file) == 0 && ok;
    free(packed);
    return ok;
}

bool proof_records_pack(const char *from, const char *to, bool keep) {
    struct proof_records fresh = {0}, old = {0};
    struct entry entry;
    size_t n_words, bytes = 0;
    fresh.data = proof_read_file(from, &fresh.bytes);
    bool ok = fresh.data && (!keep || proof_records_read(&old, to));
    char *const all = ok ? malloc(fresh.bytes + old.bytes + 1) : NULL;
    const char *const end = old.data + old.bytes;
    for (const char *at = old.data; all && read_entry(&entry, at, end); at += entry.bytes) {
        if (!proof_records_find(&fresh, entry.kernel, entry.target, &n_words)) {
            memcpy(all + bytes, at, entry.bytes);
            bytes += entry.bytes;
        }
    }
    if (all)
        memcpy(all + bytes, fresh.data, fresh.bytes);
    ok = all && write_packed(all, bytes + fresh.bytes, to);
    proof_records_free(&fresh);
    proof_records_free(&old);
    free(all);
    return ok;
}
