/* Lines of the student's file beside what is said about them, and what messages of the compiler
 * mean that puzzle those who know C. */
#include <stdlib.h>
#include <string.h>

#include "common/base/digest.h"
#include "common/base/file.h"
#include "common/base/text.h"
#include "grader/grade/record.h"
#include "grader/report/text/render.h"

char *render_source_load(const json_t *lab) {
    char *bytes = NULL, digest[DIGEST_TEXT];
    size_t n_bytes;
    if (file_read_source(record_text(lab, "path"), &bytes, &n_bytes, NULL) != GRADER_OK)
        return NULL;
    digest_of(bytes, n_bytes, digest);
    if (strcmp(digest, record_text(lab, "sha256")) != 0) { /* saved again meanwhile */
        free(bytes);
        return NULL;
    }
    return bytes;
}

bool render_source_is_own(const json_t *lab, const char *file) {
    return strcmp(file_base(file), file_base(record_text(lab, "path"))) == 0;
}

/* Prints one line; `is_meant` is the one that the reader is to look at. */
static void print_line(const struct render *render, unsigned indent, unsigned number,
                       bool is_meant) {
    size_t bytes;
    const char *line = text_line(render->source_text, number, &bytes);
    if (!line)
        return;
    char *clean = text_clean(line, bytes, false);
    char *prefix = text_format("%s %4u │ ", is_meant ? ">" : " ", number);
    page_verbatim(&render->page, indent, prefix, is_meant ? PAGE_PLAIN : PAGE_FAINT, clean,
                  strlen(clean));
    free(prefix);
    free(clean);
}

void render_source_line(const struct render *render, unsigned indent, unsigned line,
                        unsigned around) {
    if (!render->source_text || line == 0)
        return;
    unsigned first = line > around ? line - around : 1;
    for (unsigned number = first; number <= line + around; number++)
        print_line(render, indent, number, number == line && around > 0);
}

static const struct {
    const char *message, *meaning;
} known[] = {
    {"has \"C\" linkage",
     "The function's parameters are no longer those of the lab's header. Lines outside the TODO "
     "regions stay as they came; ./warpbook reset brings them back, and keeps your work."},
    {"calling a constexpr __host__ function", "Kernels can't call functions of the CPU. Of two "
                                              "numbers of different types, as in fmax(0, x), C++ "
                                              "makes a call of the CPU's: write fmax(0.0, x)."},
    {"calling a __host__ function",
     "Kernels can't call functions of the CPU. Mark your own with __device__."},
    {"identifier \"printf\" is undefined", "printf wants #include <cstdio>."},
    {"identifier \"__shfl", "Shuffles have names that end with _sync, and a mask, since Volta."},
};

void render_compiler(const struct render *render, const char *messages) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strstr(messages, known[i].message))
            page_text(&render->page, 0, PAGE_PLAIN, "%s", known[i].meaning);
    }
}
