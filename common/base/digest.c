/* SHA-256 by nettle. */
#include "common/base/digest.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

void digest_init(struct digest *digest) {
    sha256_init(&digest->sha256);
}

void digest_add(struct digest *digest, const void *bytes, size_t n_bytes) {
    uint64_t length = n_bytes;
    sha256_update(&digest->sha256, sizeof length, (const uint8_t *)&length);
    sha256_update(&digest->sha256, n_bytes, bytes);
}

void digest_add_text(struct digest *digest, const char *text) {
    digest_add(digest, text, strlen(text));
}

void digest_add_file(struct digest *digest, const char *path) {
    uint8_t bytes[1 << 16], sum[SHA256_DIGEST_SIZE];
    struct sha256_ctx own;
    size_t n;
    FILE *file = path ? fopen(path, "re") : NULL;
    sha256_init(&own);
    while (file && (n = fread(bytes, 1, sizeof bytes, file)) > 0)
        sha256_update(&own, n, bytes);
    sha256_digest(&own, sizeof sum, sum);
    digest_add(digest, sum, file ? sizeof sum : 0);
    if (file)
        fclose(file);
}

void digest_finish(struct digest *digest, char text[DIGEST_TEXT]) {
    uint8_t bytes[SHA256_DIGEST_SIZE];
    sha256_digest(&digest->sha256, sizeof bytes, bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

void digest_of(const void *bytes, size_t n_bytes, char text[DIGEST_TEXT]) {
    struct digest digest;
    digest_init(&digest);
    sha256_update(&digest.sha256, n_bytes, bytes);
    digest_finish(&digest, text);
}
