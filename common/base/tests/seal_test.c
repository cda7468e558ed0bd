/* Sealed texts: who has the secret reads them, nobody else does, and nobody changes them. */
#include "common/base/seal.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/owned.h"

Test(seal, opens_by_its_secret_alone) {
    static const char *const texts[] = {"", "80 + 15", "31 characters and not one more.",
                                        "a text of just thirty-two bytes.", "× and 8 ÷ 2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        OWNED char *sealed = seal_close(texts[i], "lab 95", SEAL_QUICK);
        OWNED char *opened = seal_open(sealed, "lab 95"), *other = seal_open(sealed, "lab 96");
        cr_expect_str_eq(opened, texts[i]);
        cr_expect_null(other);
        cr_expect(seal_is(sealed));
        cr_expect_null(*texts[i] ? strstr(sealed, texts[i]) : NULL);
    }
}

Test(seal, is_another_each_time) {
    OWNED char *one = seal_close("95", "secret", SEAL_QUICK);
    OWNED char *other = seal_close("95", "secret", SEAL_QUICK);
    cr_expect_str_neq(one, other);
    cr_expect_eq(strlen(one), strlen(other));
}

Test(seal, notes_what_was_changed) {
    OWNED char *sealed = seal_close("95", "secret", SEAL_QUICK);
    /* The first two letters say how long opening takes. */
    for (size_t i = strlen("sealed:") + 2; sealed[i] != '\0' && sealed[i] != '='; i++) {
        char was = sealed[i];
        sealed[i] = was == 'A' ? 'B' : 'A';
        OWNED char *opened = seal_open(sealed, "secret");
        cr_expect_null(opened, "character %zu", i);
        sealed[i] = was;
    }
    OWNED char *opened = seal_open(sealed, "secret");
    cr_expect_str_eq(opened, "95");
}

Test(seal, refuses_what_is_none) {
    static const char *const texts[] = {
        "",         "sealed:",
        "sealed",   "sealed:AAAA",
        "sealed:*", "sealed:////////////////////////////////////////"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cr_expect_null(seal_open(texts[i], "secret"), "'%s'", texts[i]);
}
