/* Reads the list by libcyaml, and looks mutants up in it. */
#include "grader/verify/mutants/known.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/system/file.h"
#include "grader/workbook/yaml.h"

enum { KNOWN_MAX = 4096 };

#define TEXT(field)                                                                                \
    CYAML_FIELD_STRING_PTR(#field, CYAML_FLAG_POINTER, struct known_mutant, field, 1,              \
                           CYAML_UNLIMITED)

#define OPTIONAL_TEXT(field)                                                                       \
    CYAML_FIELD_STRING_PTR(#field, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct known_mutant,  \
                           field, 1, CYAML_UNLIMITED)

static const cyaml_schema_value_t change_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, CYAML_UNLIMITED),
};
static const cyaml_schema_field_t mutant_fields[] = {
    TEXT(file),
    TEXT(line),
    OPTIONAL_TEXT(next),
    OPTIONAL_TEXT(at),
    CYAML_FIELD_SEQUENCE_COUNT("changes", CYAML_FLAG_POINTER, struct known_mutant, changes,
                               n_changes, &change_schema, 1, KNOWN_MAX),
    TEXT(why),
    CYAML_FIELD_BOOL_PTR("hole", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct known_mutant,
                         is_hole),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t mutant_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct known_mutant, mutant_fields),
};
static const cyaml_schema_field_t known_fields[] = {
    CYAML_FIELD_SEQUENCE_COUNT("survivors", CYAML_FLAG_POINTER, struct known, survivors,
                               n_survivors, &mutant_schema, 0, KNOWN_MAX),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t known_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct known, known_fields),
};

static bool are_alike(const char *a, const char *b) {
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* A change that both entries list, of the same line; NULL where there is none. An entry may also
 * list one twice itself. */
static const char *listed_twice(const struct known_mutant *a, const struct known_mutant *b) {
    if (!are_alike(a->file, b->file) || !are_alike(a->line, b->line) ||
        !are_alike(a->next, b->next) || !are_alike(a->at, b->at))
        return NULL;
    for (unsigned i = 0; i < a->n_changes; i++)
        if (find_in_list(a->changes[i], b->changes, a == b ? i : b->n_changes, sizeof *b->changes))
            return a->changes[i];
    return NULL;
}

/* Only the first entry of a mutant would ever be looked at: a second one is a mistake. */
static bool lists_each_once(const struct known *known, const char *path, struct diag *diag) {
    for (unsigned i = 0; i < known->n_survivors; i++) {
        const struct known_mutant *here = &known->survivors[i];
        for (unsigned k = 0; k <= i; k++) {
            const char *change = listed_twice(here, &known->survivors[k]);
            if (change) {
                diag_set(diag, path, yaml_line_of(path, "line", here->line),
                         "'%s' is listed twice for this line of '%s'", change, here->file);
                return false;
            }
        }
    }
    return true;
}

struct known *known_load(const char *folder, struct diag *diag) {
    OWNED char *path = text_format("%s/equivalent.yaml", folder);
    void *data = NULL;
    if (!file_exists(path))
        data = calloc(1, sizeof(struct known));
    else if (yaml_load(path, &known_schema, &data, diag) != GRADER_OK)
        data = NULL;
    else if (!lists_each_once(data, path, diag)) {
        known_free(data);
        data = NULL;
    }
    return data;
}

void known_free(struct known *known) {
    if (known && known->n_survivors == 0 && !known->survivors)
        free(known);
    else
        cyaml_free(yaml_config(), &known_schema, known, 0);
}

/* Whether this line of the text, without blanks around it, is the wanted one. */
static bool is_line(const char *text, unsigned number, const char *wanted) {
    size_t bytes = 0;
    const char *line = text_line(text, number, &bytes);
    while (bytes > 0 && (*line == ' ' || *line == '\t')) {
        line++;
        bytes--;
    }
    while (bytes > 0 && (line[bytes - 1] == ' ' || line[bytes - 1] == '\t'))
        bytes--;
    return line && strlen(wanted) == bytes && memcmp(line, wanted, bytes) == 0;
}

static bool is_there(const struct known_mutant *known, const struct known_place *place) {
    return is_line(place->text, place->line, known->line) &&
           (!known->next || is_line(place->text, place->line + 1, known->next) ||
            is_line(place->text, place->line + 2, known->next)) &&
           (!known->at || strncmp(place->at, known->at, strlen(known->at)) == 0);
}

const struct known_mutant *known_find(const struct known *known, const char *file,
                                      const struct known_place *place, const char *change) {
    for (unsigned i = 0; i < known->n_survivors; i++) {
        const struct known_mutant *here = &known->survivors[i];
        if (fnmatch(here->file, file, 0) == 0 && is_there(here, place) &&
            find_in_list(change, here->changes, here->n_changes, sizeof *here->changes))
            return here;
    }
    return NULL;
}
