/* Loads a YAML file by a libcyaml schema; an error names the file, the line and what is wrong. */
#pragma once

#include <cyaml/cyaml.h>

#include "common/base/text.h"

/* The library's settings that a load and the later free share. */
const cyaml_config_t *yaml_config(void);

/* Fills `*data` by `schema`; the caller frees it with cyaml_free(yaml_config(), …). */
enum grader_status yaml_load(const char *path, const cyaml_schema_value_t *schema, void **data,
                             struct diag *diag);

/* The number of the first line of a file that holds `key: value` (or `- key: value`), the value
 * perhaps in quotes; 0 where there is none. For errors in what a well-formed file says. */
unsigned yaml_line_of(const char *path, const char *key, const char *value);
