/* The schema of a lab's catalogue of mistakes. */
#include "grader/verify/mistakes.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/workbook/yaml.h"

#define TEXT(field)                                                                                \
    CYAML_FIELD_STRING_PTR(#field, CYAML_FLAG_POINTER, struct mistake, field, 1, CYAML_UNLIMITED)

static const cyaml_schema_field_t mistake_fields[] = {
    TEXT(file),
    TEXT(verdict),
    TEXT(test),
    TEXT(diagnosis),
    CYAML_FIELD_STRING_PTR("backend", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct mistake,
                           backend, 1, CYAML_UNLIMITED),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t mistake_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct mistake, mistake_fields),
};
static const cyaml_schema_field_t mistakes_fields[] = {
    CYAML_FIELD_SEQUENCE_COUNT("mistakes", CYAML_FLAG_POINTER, struct mistakes, mistakes,
                               n_mistakes, &mistake_schema, 0, 256),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t mistakes_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct mistakes, mistakes_fields),
};

struct mistakes *mistakes_load(const char *folder, struct diag *diag) {
    char *path = text_format("%s/mistakes.yaml", folder);
    void *data = NULL;
    if (yaml_load(path, &mistakes_schema, &data, diag) != GRADER_OK)
        data = NULL;
    struct mistakes *mistakes = data;
    for (unsigned i = 0; mistakes && i < mistakes->n_mistakes; i++) {
        const struct mistake *mistake = &mistakes->mistakes[i];
        const char *backend = mistake->backend ? mistake->backend : "any";
        if (strcmp(backend, "any") != 0 && strcmp(backend, "sim") != 0 &&
            strcmp(backend, "gpu") != 0) {
            diag_set(diag, path, yaml_line_of(path, "backend", backend),
                     "the backend of '%s' is '%s', not any, sim or gpu", mistake->file, backend);
            mistakes_free(mistakes);
            mistakes = NULL;
        }
    }
    free(path);
    return mistakes;
}

void mistakes_free(struct mistakes *mistakes) {
    cyaml_free(yaml_config(), &mistakes_schema, mistakes, 0);
}

bool mistake_shows_on(const struct mistake *mistake, const char *backend) {
    return !mistake->backend || strcmp(mistake->backend, "any") == 0 ||
           strcmp(mistake->backend, backend) == 0;
}
