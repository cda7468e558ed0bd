/* Reads the list by libcyaml. */
#include "grader/verify/strangers/open.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "grader/workbook/yaml.h"

enum { OPEN_MAX = 4096 };

#define TEXT(field)                                                                                \
    CYAML_FIELD_STRING_PTR(#field, CYAML_FLAG_POINTER, struct open_answer, field, 1,               \
                           CYAML_UNLIMITED)

static const cyaml_schema_field_t answer_fields[] = {
    TEXT(file),
    TEXT(end),
    TEXT(why),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t answer_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct open_answer, answer_fields),
};
static const cyaml_schema_field_t open_fields[] = {
    CYAML_FIELD_SEQUENCE_COUNT("open", CYAML_FLAG_POINTER, struct open_answers, open, n_open,
                               &answer_schema, 0, OPEN_MAX),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t open_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct open_answers, open_fields),
};

struct open_answers *open_load(const char *folder, struct diag *diag) {
    OWNED char *path = text_format("%s/open.yaml", folder);
    void *data = NULL;
    if (!file_exists(path))
        data = make_zeroed(1, sizeof(struct open_answers));
    else if (yaml_load(path, &open_schema, &data, diag) != GRADER_OK)
        data = NULL;
    return data;
}

void open_free(struct open_answers *answers) {
    if (answers && !answers->open)
        free(answers);
    else
        cyaml_free(yaml_config(), &open_schema, answers, 0);
}

const struct open_answer *open_find(const struct open_answers *answers, const char *file) {
    return find_in_list(file, answers->open, answers->n_open, sizeof *answers->open);
}
