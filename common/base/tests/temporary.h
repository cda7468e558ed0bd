/* Temporary folders and files of tests. */
#pragma once

#include <stddef.h>

/* A new temporary folder; removed with its content by support_remove, which frees the path. */
char *support_folder(void);
void support_remove(char *folder);

/* A suite whose tests each have a folder of their own, `folder`. A statement may follow, which is
 * run before each. */
#define FOLDER_SUITE(suite, ...)                                                                   \
    static char *folder;                                                                           \
    static void set_up(void) {                                                                     \
        folder = support_folder();                                                                 \
        __VA_ARGS__;                                                                               \
    }                                                                                              \
    static void tear_down(void) {                                                                  \
        support_remove(folder);                                                                    \
    }                                                                                              \
    TestSuite(suite, .init = set_up, .fini = tear_down)

/* Texts and paths that the following return are there until the test ends: nobody frees them. */
char *support_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes FOLDER/NAME, with the folders above it; returns its path. */
char *support_write(const char *folder, const char *name, const char *text);

/* Reads a whole file. */
char *support_read(const char *path);
/* How often a text stands in FOLDER/NAME; 0 where there is no such file. */
size_t support_count(const char *folder, const char *name, const char *part);

/* Runs a shell command in the folder, which has to succeed. */
void support_shell(const char *folder, const char *command);
