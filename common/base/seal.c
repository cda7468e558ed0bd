/* "sealed:" and, in base64: the work (one byte), the salt, the tag, the text padded with NULs. */
#include "common/base/seal.h"

#include <nettle/base64.h>
#include <nettle/chacha-poly1305.h>
#include <nettle/memops.h>
#include <nettle/pbkdf2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "common/base/grow.h"

enum {
    SALT = 16,
    TAG = CHACHA_POLY1305_DIGEST_SIZE,
    KEY = CHACHA_POLY1305_KEY_SIZE,
    NONCE = CHACHA_POLY1305_NONCE_SIZE,
    HEAD = 1 + SALT + TAG,
    BLOCK = 32,
    LIMIT = 1 << 20, /* bytes of a sealed text that is opened */
};

static const char mark[] = "sealed:";

/* Key and nonce come of one salt, which is fresh for each text. */
static void set_key(struct chacha_poly1305_ctx *cipher, const char *secret, const uint8_t *salt,
                    unsigned work) {
    uint8_t key[KEY + NONCE];
    pbkdf2_hmac_sha256(strlen(secret), (const uint8_t *)secret, 1u << work, SALT, salt, sizeof key,
                       key);
    chacha_poly1305_set_key(cipher, key);
    chacha_poly1305_set_nonce(cipher, key + KEY);
}

char *seal_close(const char *text, const char *secret, unsigned work) {
    size_t length = strlen(text), padded = (length / BLOCK + 1) * BLOCK, n = HEAD + padded;
    uint8_t *bytes = make_zeroed(n, 1);
    char *sealed = NULL;
    struct chacha_poly1305_ctx cipher;
    bytes[0] = (uint8_t)work;
    memcpy(bytes + HEAD, text, length);
    if (getrandom(bytes + 1, SALT, 0) == SALT) {
        set_key(&cipher, secret, bytes + 1, work);
        chacha_poly1305_encrypt(&cipher, padded, bytes + HEAD, bytes + HEAD);
        chacha_poly1305_digest(&cipher, TAG, bytes + 1 + SALT);
        sealed = make_zeroed(sizeof mark + BASE64_ENCODE_RAW_LENGTH(n), 1);
        memcpy(sealed, mark, sizeof mark - 1);
        base64_encode_raw(sealed + sizeof mark - 1, n, bytes);
    }
    free(bytes);
    return sealed;
}

bool seal_is(const char *text) {
    return strncmp(text, mark, sizeof mark - 1) == 0;
}

/* Takes the bytes, which are sealed; leaves the text in them. */
static bool open_bytes(uint8_t *bytes, size_t n, const char *secret) {
    struct chacha_poly1305_ctx cipher;
    uint8_t tag[TAG];
    if (n < HEAD + BLOCK || bytes[0] > SEAL_WORST)
        return false;
    set_key(&cipher, secret, bytes + 1, bytes[0]);
    chacha_poly1305_decrypt(&cipher, n - HEAD, bytes + HEAD, bytes + HEAD);
    chacha_poly1305_digest(&cipher, TAG, tag);
    return memeql_sec(tag, bytes + 1 + SALT, TAG) && bytes[n - 1] == '\0';
}

char *seal_open(const char *sealed, const char *secret) {
    size_t length = seal_is(sealed) ? strlen(sealed) - (sizeof mark - 1) : 0;
    if (length == 0 || length > LIMIT)
        return NULL;
    uint8_t *bytes = make_zeroed(BASE64_DECODE_LENGTH(length), 1);
    size_t n = BASE64_DECODE_LENGTH(length);
    struct base64_decode_ctx base64;
    char *text = NULL;
    base64_decode_init(&base64);
    if (base64_decode_update(&base64, &n, bytes, length, sealed + sizeof mark - 1) &&
        base64_decode_final(&base64) && open_bytes(bytes, n, secret))
        text = strdup((const char *)bytes + HEAD);
    free(bytes);
    return text;
}
