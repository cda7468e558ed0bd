/* libcyaml reports errors through a log function, line by line; this gathers them into one
 * sentence with the line that is really meant. */
#include "grader/workbook/yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/system/file.h"

enum { YAML_BYTES = 1 << 20 };

/* What the library said during one load. */
struct yaml_log {
    char message[256];
    unsigned line;
};

static void gather(cyaml_log_t level, void *ctx, const char *format, va_list args) {
    struct yaml_log *log = ctx;
    char text[512];
    (void)level;
    vsnprintf(text, sizeof text, format, args);
    text[strcspn(text, "\n")] = '\0';
    const char *line = strstr(text, "(line: ");
    if (line && log->line == 0) /* the innermost place comes first */
        log->line = (unsigned)strtoul(line + 7, NULL, 10);
    if (line || strcmp(text, "Load: Backtrace:") == 0 || log->message[0])
        return;
    const char *message = strncmp(text, "Load: ", 6) == 0 ? text + 6 : text;
    snprintf(log->message, sizeof log->message, "%.255s", message);
}

const cyaml_config_t *yaml_config(void) {
    static const cyaml_config_t config = {
        .log_fn = gather,
        .mem_fn = cyaml_mem,
        .log_level = CYAML_LOG_ERROR,
    };
    return &config;
}

/* True where the line reads `key:` after spaces and a dash; `*rest` is what follows the colon. */
static bool has_key(const char *line, const char *key, const char **rest) {
    line += strspn(line, " -");
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0 || line[length] != ':')
        return false;
    *rest = line + length + 1;
    return true;
}

/* The library gives the line of the entry before an unexpected key: look for the key itself. */
static unsigned line_of_key(const char *bytes, const char *key, unsigned from) {
    unsigned number = 1;
    const char *rest;
    for (const char *line = bytes; *line; number++) {
        if (number >= from && has_key(line, key, &rest))
            return number;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return from;
}

enum grader_status yaml_load(const char *path, const cyaml_schema_value_t *schema, void **data,
                             struct diag *diag) {
    static const char unexpected[] = "Unexpected key: ";
    OWNED char *bytes = NULL;
    size_t n_bytes;
    *data = NULL;
    if (file_read(path, YAML_BYTES, &bytes, &n_bytes, diag) != GRADER_OK)
        return GRADER_FAILED;
    struct yaml_log log = {0};
    cyaml_config_t config = *yaml_config();
    config.log_ctx = &log;
    cyaml_err_t error =
        cyaml_load_data((const uint8_t *)bytes, n_bytes, &config, schema, data, NULL);
    if (error == CYAML_OK && *data)
        return GRADER_OK;
    if (error == CYAML_OK)
        snprintf(log.message, sizeof log.message, "the file is empty");
    else if (strncmp(log.message, unexpected, sizeof unexpected - 1) == 0)
        log.line = line_of_key(bytes, log.message + sizeof unexpected - 1, log.line);
    diag_set(diag, path, log.line, "%s", log.message[0] ? log.message : cyaml_strerror(error));
    *data = NULL;
    return GRADER_FAILED;
}

unsigned yaml_line_of(const char *path, const char *key, const char *value) {
    OWNED char *bytes = NULL;
    size_t n_bytes;
    if (file_read(path, YAML_BYTES, &bytes, &n_bytes, NULL) != GRADER_OK)
        return 0;
    unsigned number = 1;
    const char *rest;
    size_t length = strlen(value);
    for (const char *line = bytes; *line; number++) {
        if (has_key(line, key, &rest)) {
            rest += strspn(rest, " '\"");
            if (strncmp(rest, value, length) == 0 && strchr(" \r\n'\"#", rest[length]))
                return number;
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return 0;
}
