/* Looks at the bytes for what they are, and has the C library's iconv convert them. */
#include "common/base/encoding.h"

#include <iconv.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/text.h"

enum { MOST_BYTES = 4 }; /* of a character in UTF-8 */

/* Converts all; NULL where a byte means nothing in that encoding. */
static char *convert(const char *from, const char *bytes, size_t n_bytes, size_t *n_text) {
    iconv_t converter = iconv_open("UTF-8", from);
    if (converter == (iconv_t)-1)
        return NULL;
    size_t n_left = MOST_BYTES * n_bytes, n_room = n_left;
    char *text = make_zeroed(n_room + 1, 1), *to = text, *at = (char *)bytes;
    size_t code = iconv(converter, &at, &n_bytes, &to, &n_left);
    iconv_close(converter);
    if (code != (size_t)-1 && n_bytes == 0) {
        *n_text = n_room - n_left;
        return text;
    }
    free(text);
    return NULL;
}

static bool is_utf8(const char *bytes, size_t n_bytes) {
    for (size_t at = 0, length; at < n_bytes; at += length) {
        length = text_utf8_length(bytes + at, n_bytes - at);
        if (length == 0)
            return false;
    }
    return true;
}

/* "UTF-16LE" or "UTF-16BE" where every other byte of most is 0, as of a text in ASCII; else NULL.
 */
static const char *unmarked_utf16(const char *bytes, size_t n_bytes) {
    size_t n_zeros[2] = {0};
    for (size_t i = 0; i < n_bytes; i++)
        n_zeros[i % 2] += bytes[i] == '\0';
    if (n_bytes % 2 != 0 || n_bytes < 2)
        return NULL;
    if (n_zeros[0] == 0 && n_zeros[1] > n_bytes / 4)
        return "UTF-16LE";
    return n_zeros[1] == 0 && n_zeros[0] > n_bytes / 4 ? "UTF-16BE" : NULL;
}

/* No control characters but those of a text. */
static bool is_plain(const char *bytes, size_t n_bytes) {
    for (size_t i = 0; i < n_bytes; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        if ((byte < ' ' && !memchr("\t\n\v\f\r", byte, 5)) || byte == 0x7f)
            return false;
    }
    return true;
}

static char *with_newlines(const char *bytes, size_t n_bytes, size_t *n_text) {
    char *text = make_zeroed(n_bytes + 1, 1);
    for (size_t i = 0; i < n_bytes; i++)
        text[i] = (char)(bytes[i] == '\r' ? '\n' : bytes[i]);
    *n_text = n_bytes;
    return text;
}

char *encoding_to_utf8(const char *bytes, size_t n_bytes, size_t *n_text, const char **was) {
    const char *code = n_bytes < 2                         ? NULL
                       : memcmp(bytes, "\xff\xfe", 2) == 0 ? "UTF-16LE"
                       : memcmp(bytes, "\xfe\xff", 2) == 0 ? "UTF-16BE"
                                                           : NULL;
    size_t n_mark = code ? 2 : 0;
    code = code ? code : unmarked_utf16(bytes, n_bytes);
    *was = "is UTF-16";
    if (code)
        return convert(code, bytes + n_mark, n_bytes - n_mark, n_text);
    if (is_utf8(bytes, n_bytes)) {
        *was = "ends its lines as old Macintoshes did";
        bool is_old = memchr(bytes, '\r', n_bytes) && !memchr(bytes, '\n', n_bytes);
        return is_old ? with_newlines(bytes, n_bytes, n_text) : NULL;
    }
    *was = "is Windows-1252 or Latin-1";
    if (!is_plain(bytes, n_bytes))
        return NULL;
    char *text = convert("WINDOWS-1252", bytes, n_bytes, n_text);
    return text ? text : convert("ISO-8859-1", bytes, n_bytes, n_text);
}
