/*
 * Holds the drop-in against NVIDIA's own library: the same entry points under the same version, the
 * same names and words of errors. Skipped where that library is not installed.
 */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

/* A whole file; NULL when it can't be read. */
static char *contents(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    fseek(file, 0, SEEK_END);
    size_t bytes = (size_t)ftell(file);
    rewind(file);
    char *data = malloc(bytes);
    if (data != NULL && fread(data, 1, bytes, file) != bytes) {
        free(data);
        data = NULL;
    }
    fclose(file);
    return data;
}

static const Elf64_Shdr *section(const char *elf, unsigned type) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)elf;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(elf + header->e_shoff);
    for (unsigned i = 0; i < header->e_shnum; i++)
        if (sections[i].sh_type == type)
            return &sections[i];
    return NULL;
}

/* `ours` has each function of NVIDIA's library; how many there are. */
static size_t compare_entry_points(const char *elf, const char *ours, const char *version) {
    void *dropin = dlopen(ours, RTLD_NOW);
    cr_assert_not_null(dropin, "%s", dlerror());
    const Elf64_Shdr *table = section(elf, SHT_DYNSYM);
    cr_assert_not_null(table);
    const Elf64_Shdr *names =
        (const Elf64_Shdr *)(elf + ((const Elf64_Ehdr *)elf)->e_shoff) + table->sh_link;
    const Elf64_Sym *symbols = (const Elf64_Sym *)(elf + table->sh_offset);
    size_t n_found = 0;
    for (size_t i = 0; i < table->sh_size / sizeof(*symbols); i++) {
        const char *name = elf + names->sh_offset + symbols[i].st_name;
        if (symbols[i].st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbols[i].st_info) != STT_FUNC)
            continue;
        void *found = version ? dlvsym(dropin, name, version) : dlsym(dropin, name);
        cr_expect_not_null(found, "%s is missing", name);
        n_found++;
    }
    return n_found;
}

Test(exports, has_every_entry_point_of_nvidias_library) {
    char *elf = contents(NVIDIA);
    if (elf == NULL)
        cr_skip_test("NVIDIA's library is not installed");
    cr_expect_gt(compare_entry_points(elf, DROPIN, "libcudart.so.13"), 400);
    free(elf);
}

Test(exports, has_every_entry_point_of_nvidias_driver) {
    char *elf = contents(DRIVER_STUB);
    if (elf == NULL)
        cr_skip_test("the toolkit has no stub of libcuda.so");
    cr_expect_gt(compare_entry_points(elf, DRIVER, NULL), 600);
    free(elf);
}

Test(exports, driver_names_what_it_does_not_have) {
    void *driver = dlopen(DRIVER, RTLD_NOW), *dropin = dlopen(DROPIN, RTLD_NOW);
    cr_assert(driver && dropin, "%s", dlerror());
    int (*allocate)(void *, size_t) = (int (*)(void *, size_t))dlsym(driver, "cuMemAlloc_v2");
    const char *(*said)(void) = (const char *(*)(void))dlsym(dropin, "simtLastError");
    cr_assert(allocate && said);
    cr_expect_eq(allocate(NULL, 4), 801);
    cr_expect_str_eq(said(), "cuMemAlloc_v2 is not supported by the simulator.");
}

Test(exports, hides_everything_else) {
    void *dropin = dlopen(DROPIN, RTLD_NOW);
    cr_assert_not_null(dropin, "%s", dlerror());
    cr_expect_not_null(dlsym(dropin, "simtLastError"));
    cr_expect_null(dlsym(dropin, "simt_create"));
    cr_expect_null(dlsym(dropin, "simt_record_new"));
    cr_expect_null(dlsym(dropin, "cudart_enter"));
    cr_expect_null(dlsym(dropin, "fatbin_free"));
}

Test(exports, names_errors_as_nvidias_library_does) {
    void *nvidia = dlopen(NVIDIA, RTLD_NOW | RTLD_LOCAL), *dropin = dlopen(DROPIN, RTLD_NOW);
    if (nvidia == NULL)
        cr_skip_test("NVIDIA's library is not installed");
    cr_assert_neq(nvidia, dropin);
    enum { EXTERNAL_DEVICE = 911 }; /* NVIDIA's text has a misspelling */
    static const char *const functions[] = {"cudaGetErrorName", "cudaGetErrorString"};
    for (int f = 0; f < 2; f++) {
        const char *(*theirs)(int) = (const char *(*)(int))dlsym(nvidia, functions[f]);
        const char *(*ours)(int) = (const char *(*)(int))dlsym(dropin, functions[f]);
        for (int error = -1; error < 1100; error++)
            if (error != EXTERNAL_DEVICE)
                cr_expect_str_eq(ours(error), theirs(error), "%d: \"%s\", not \"%s\"", error,
                                 ours(error), theirs(error));
    }
}

Test(exports, program_loads_with_nvidias_library_too) {
    void *nvidia = dlopen(NVIDIA, RTLD_NOW | RTLD_GLOBAL);
    if (nvidia == NULL)
        cr_skip_test("NVIDIA's library is not installed");
    cr_expect_not_null(dlopen(PROGRAM, RTLD_NOW), "%s", dlerror());
    cr_expect_null(dlsym(RTLD_DEFAULT, "simtLastError"), "it is NVIDIA's that was loaded");
}
