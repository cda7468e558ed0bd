/*
 * Reads and packs the hardware's outputs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "common/simt/proof/corpus.h"
#include "common/simt/proof/records.h"

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

const char *proof_records_find(const struct proof_records *records, const char *kernel, int target,
                               size_t *n_words) {
    const char *at = records->data, *const end = at + records->bytes;
    const char *found = NULL;
    while (at < end) {
        char name[64];
        int its_target, header = 0;
        size_t n;
        if (sscanf(at, "kernel %63s %d %zu%n", name, &its_target, &n, &header) != 3 ||
            n > (size_t)(end - at) / sizeof(uint32_t))
            return NULL;
        at += header + 1; /* the end of the line */
        if (strcmp(name, kernel) == 0 && (!found || its_target == target)) {
            found = at;
            *n_words = n;
        }
        at += n * sizeof(uint32_t);
    }
    return found;
}

bool proof_records_pack(const char *from, const char *to) {
    size_t bytes = 0;
    char *const data = proof_read_file(from, &bytes);
    const size_t bound = ZSTD_compressBound(bytes);
    char *const packed = malloc(bound);
    bool ok = false;
    if (data && packed) {
        const size_t packed_bytes = ZSTD_compress(packed, bound, data, bytes, LEVEL);
        FILE *const file = ZSTD_isError(packed_bytes) ? NULL : fopen(to, "wb");
        ok = file && fwrite(packed, 1, packed_bytes, file) == packed_bytes;
        if (file)
            ok = fclose(file) == 0 && ok;
    }
    free(data);
    free(packed);
    return ok;
}
