/* Finds nvcc the way people install it, and the runtime library that belongs to it. */
#include "grader/machine/nvcc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/system/file.h"
#include "common/base/text.h"

const char nvcc_missing_text[] =
    "There is no CUDA compiler: nvcc is neither in PATH, nor in CUDA_HOME/bin, nor in "
    "/usr/local/cuda/bin. Run ./warpbook without --no-install and it fetches one into the build "
    "folder, or install NVIDIA's CUDA Toolkit 13 and put its bin folder into PATH.";

/* The formatted path where it names an executable file, else NULL. */
static char *if_executable(char *path) {
    if (path && path[0] == '/' && file_is_executable(path))
        return path;
    free(path);
    return NULL;
}

static char *search(void) {
    const char *named = getenv("WARPBOOK_NVCC"), *home = getenv("CUDA_HOME");
    char *path = named && *named ? if_executable(text_format("%s", named)) : NULL;
    if (!path)
        path = file_in_path("nvcc");
    if (!path && home && *home)
        path = if_executable(text_format("%s/bin/nvcc", home));
    return path ? path : if_executable(text_format("/usr/local/cuda/bin/nvcc"));
}

/* The runtime library in one of the layouts that NVIDIA ships: installers and wheels. */
static char *find_cudart(const char *nvcc_real_path) {
    static const char *const folders[] = {"lib64", "lib", "targets/x86_64-linux/lib",
                                          "targets/sbsa-linux/lib", "../cuda_runtime/lib"};
    OWNED char *home = text_format("%s", nvcc_real_path);
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(home, '/');
        if (slash)
            *slash = '\0';
    }
    char *found = NULL;
    for (size_t i = 0; i < sizeof folders / sizeof *folders && !found; i++) {
        found = text_format("%s/%s/libcudart.so.13", home, folders[i]);
        if (!file_is_regular(found)) {
            free(found);
            found = NULL;
        }
    }
    return found;
}

bool nvcc_find(struct nvcc *nvcc) {
    *nvcc = (struct nvcc){.path = search()};
    struct stat status;
    if (!nvcc->path || stat(nvcc->path, &status) != 0) {
        nvcc->identity = text_format("none");
        return false;
    }
    OWNED char *real = realpath(nvcc->path, NULL);
    nvcc->identity = text_format("%s %lld %lld", real ? real : nvcc->path,
                                 (long long)status.st_size, (long long)status.st_mtim.tv_sec);
    nvcc->cudart_path = find_cudart(real ? real : nvcc->path);
    return true;
}

void nvcc_finish(struct nvcc *nvcc) {
    free(nvcc->path);
    free(nvcc->identity);
    free(nvcc->cudart_path);
}
