/* Diagnostics: filled where something fails, printed by the commands. */
#include "common/base/diag.h"

#include <stdarg.h>

void diag_set(struct diag *diag, const char *file, unsigned line, const char *format, ...) {
    if (!diag)
        return;
    snprintf(diag->file, sizeof diag->file, "%s", file ? file : "");
    diag->line = line;
    va_list args;
    va_start(args, format);
    vsnprintf(diag->message, sizeof diag->message, format, args);
    va_end(args);
}

void diag_print(const struct diag *diag, FILE *out) {
    if (diag->file[0] && diag->line > 0)
        fprintf(out, "%s:%u: %s\n", diag->file, diag->line, diag->message);
    else if (diag->file[0])
        fprintf(out, "%s: %s\n", diag->file, diag->message);
    else
        fprintf(out, "%s\n", diag->message);
}
