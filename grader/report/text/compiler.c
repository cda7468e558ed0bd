/* What messages of the compiler mean that puzzle those who know C. */
#include "grader/report/text/render.h"

#include <string.h>

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
