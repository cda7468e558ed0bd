/* SHA-256, as the name of what was graded and as the key of what was compiled. */
#pragma once

#include <nettle/sha2.h>
#include <stddef.h>

enum { DIGEST_TEXT = 2 * SHA256_DIGEST_SIZE + 1 };

struct digest {
    struct sha256_ctx sha256;
};

void digest_init(struct digest *digest);
/* Adds a length and the bytes, so that ("ab", "c") and ("a", "bc") differ. */
void digest_add(struct digest *digest, const void *bytes, size_t n_bytes);
void digest_add_text(struct digest *digest, const char *text);
/* Adds what is in a file; one that can't be read, or NULL, counts as an
 * empty text. */
void digest_add_file(struct digest *digest, const char *path);
/* Writes 64 hexadecimal digits and a NUL. */
void digest_finish(struct digest *digest, char text[DIGEST_TEXT]);

/* The plain SHA-256 of some bytes, as sha256sum prints it. */
void digest_of(const void *bytes, size_t n_bytes, char text[DIGEST_TEXT]);
