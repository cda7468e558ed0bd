/*
 * Texts that are opened by who knows a secret: an answer, for example. Sealed by ChaCha20-Poly1305
 * (RFC 8439) under a key that PBKDF2 (RFC 8018) makes of secret and salt. A secret that can be
 * guessed, such as a small number, is found by trying: `work` says how long each try takes.
 */
#pragma once

#include <stdbool.h>

enum {
    SEAL_QUICK = 0,  /* one round: who has the text has the secret, too */
    SEAL_SLOW = 17,  /* 2^17 rounds: some hundredths of a second a try */
    SEAL_WORST = 24, /* what is opened at most */
};

/* The text sealed, a line of letters, digits and "+/=:", with 2^work rounds; the caller frees it.
 * NULL where the system has no random bytes. The length is hidden up to the next multiple of 32. */
char *seal_close(const char *text, const char *secret, unsigned work);

/* True where a text is what seal_close makes. */
bool seal_is(const char *text);

/* The text; the caller frees it. NULL where the secret is another one, or the sealed text was
 * changed. */
char *seal_open(const char *sealed, const char *secret);
