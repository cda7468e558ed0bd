/* Temporary folders and files of tests. */
#ifndef BASE_TESTS_TEMPORARY_H
#define BASE_TESTS_TEMPORARY_H

/* A new temporary folder; removed with its content by support_remove, which frees the path. */
char *support_folder(void);
void support_remove(char *folder);

/* Writes FOLDER/NAME, with the folders above it; returns its path, which the caller frees. */
char *support_write(const char *folder, const char *name, const char *text);

/* Reads a whole file; the caller frees it. */
char *support_read(const char *path);

#endif
