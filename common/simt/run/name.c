/*
 * Just as much of demangling as a report needs: the names, not the types.
 */
#include "common/simt/run/name.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Appends <length><identifier>; NULL when there is none at `at`. */
static const char *take_identifier(struct simt_name *name, const char *at) {
    if (*at == 'L') /* internal linkage */
        at++;
    if (!isdigit((unsigned char)*at))
        return NULL;
    char *end;
    unsigned long length = strtoul(at, &end, 10);
    if (length == 0 || strlen(end) < length)
        return NULL;
    if (strncmp(end, "_GLOBAL__N_", 11) == 0 || strncmp(end, "_INTERNAL_", 10) == 0)
        return end + length; /* an unnamed namespace, or nvcc's own */
    size_t used = strlen(name->text);
    snprintf(name->text + used, sizeof name->text - used, "%s%.*s", used ? "::" : "", (int)length,
             end);
    return end + length;
}

/* The last identifier after "E" of a function's local variable: _ZZ<function>E<name>. */
static struct simt_name take_local(const char *mangled) {
    struct simt_name best = {""};
    for (const char *at = mangled; (at = strchr(at, 'E')); at++) {
        struct simt_name name = {""};
        const char *end = take_identifier(&name, at + 1);
        if (end && (*end == '\0' || *end == '_' || *end == '$'))
            best = name;
    }
    return best;
}

struct simt_name simt_plain_name(const char *mangled) {
    struct simt_name name = {""};
    const char *at = mangled;
    if (strncmp(at, "_ZZ", 3) == 0)
        name = take_local(at);
    else if (strncmp(at, "_Z", 2) == 0) {
        at += 2;
        if (*at == 'N')
            at++;
        while (at && (isdigit((unsigned char)*at) || *at == 'L')) {
            at = take_identifier(&name, at);
            if (at && *at == 'I' && name.text[0]) {
                size_t used = strlen(name.text);
                snprintf(name.text + used, sizeof name.text - used, "<…>");
                break;
            }
            if (strncmp(mangled, "_ZN", 3) != 0)
                break;
        }
    }
    if (!name.text[0])
        snprintf(name.text, sizeof name.text, "%s", mangled);
    return name;
}
