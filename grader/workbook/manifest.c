/* The manifest's schema for libcyaml, and the checks that a schema cannot say. */
#include "grader/workbook/manifest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/grow.h"
#include "common/base/seal.h"
#include "common/base/system/file.h"
#include "common/base/text.h"
#include "common/simt/program/edit/edit.h"
#include "common/simt/simt.h"
#include "grader/workbook/case_names.h"
#include "grader/workbook/yaml.h"

enum { MAX_WORDS = 1000 }; /* for a proven edit: a sentence or two */

#define TEXT(key, type, field)                                                                     \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER, type, field, 1, CYAML_UNLIMITED)
#define OPTIONAL_TEXT(key, type, field)                                                            \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, type, field, 1,          \
                           CYAML_UNLIMITED)
#define LIST(field, schema)                                                                        \
    CYAML_FIELD_SEQUENCE_COUNT(#field, CYAML_FLAG_POINTER, struct manifest, field, n_##field,      \
                               schema, 1, 256)

static const cyaml_schema_field_t test_fields[] = {
    TEXT("name", struct manifest_test, name),
    CYAML_FIELD_UINT("points", CYAML_FLAG_DEFAULT, struct manifest_test, points),
    CYAML_FIELD_UINT("todo", CYAML_FLAG_OPTIONAL, struct manifest_test, todo),
    OPTIONAL_TEXT("rung", struct manifest_test, rung),
    OPTIONAL_TEXT("case", struct manifest_test, case_names),
    TEXT("claim", struct manifest_test, claim),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t test_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct manifest_test, test_fields),
};

static const cyaml_schema_field_t diagnosis_fields[] = {
    TEXT("id", struct manifest_diagnosis, id),
    OPTIONAL_TEXT("finding", struct manifest_diagnosis, finding),
    TEXT("text", struct manifest_diagnosis, text),
    TEXT("hint", struct manifest_diagnosis, hint),
    OPTIONAL_TEXT("where", struct manifest_diagnosis, where),
    OPTIONAL_TEXT("proof", struct manifest_diagnosis, proof),
    OPTIONAL_TEXT("about", struct manifest_diagnosis, about),
    CYAML_FIELD_BOOL("stores_nothing", CYAML_FLAG_OPTIONAL, struct manifest_diagnosis,
                     stores_nothing),
    CYAML_FIELD_BOOL("else_right", CYAML_FLAG_OPTIONAL, struct manifest_diagnosis, else_right),
    CYAML_FIELD_BOOL("seen", CYAML_FLAG_OPTIONAL, struct manifest_diagnosis, seen),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t diagnosis_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct manifest_diagnosis, diagnosis_fields),
};

static const cyaml_schema_field_t edit_fields[] = {
    TEXT("edit", struct manifest_edit, edit),
    CYAML_FIELD_UINT("todo", CYAML_FLAG_OPTIONAL, struct manifest_edit, todo),
    TEXT("text", struct manifest_edit, text),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t edit_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct manifest_edit, edit_fields),
};

static const cyaml_schema_value_t hint_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, CYAML_UNLIMITED),
};

static const cyaml_schema_field_t hints_fields[] = {
    CYAML_FIELD_SEQUENCE_COUNT("hints", CYAML_FLAG_POINTER, struct manifest_hints, hints, n_hints,
                               &hint_schema, 1, 256),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t hints_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct manifest_hints, hints_fields),
};

static const cyaml_schema_field_t manifest_fields[] = {
    TEXT("title", struct manifest, title),
    TEXT("summary", struct manifest, summary),
    TEXT("source", struct manifest, source),
    TEXT("header", struct manifest, header),
    TEXT("entry", struct manifest, entry),
    TEXT("standard", struct manifest, standard),
    CYAML_FIELD_UINT("timeout_ms", CYAML_FLAG_DEFAULT, struct manifest, timeout_ms),
    OPTIONAL_TEXT("case", struct manifest, case_names),
    LIST(tests, &test_schema),
    LIST(hints, &hint_schema),
    LIST(diagnoses, &diagnosis_schema),
    CYAML_FIELD_SEQUENCE_COUNT("edits", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct manifest,
                               edits, n_edits, &edit_schema, 1, 256),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t manifest_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct manifest, manifest_fields),
};

/* Puts the place of `key: value` into the diagnostic; returns false for the caller to return. */
#define REFUSE(key, value, ...)                                                                    \
    (diag_set(diag, path, yaml_line_of(path, key, value), __VA_ARGS__), false)

static bool is_tier(const char *name) {
    static const char *const tiers[] = {"example.", "edge.", "safety.", "technique.", "speed."};
    for (size_t i = 0; i < sizeof tiers / sizeof *tiers; i++) {
        size_t length = strlen(tiers[i]);
        if (strncmp(name, tiers[i], length) == 0)
            return name[length] != '\0' && !strpbrk(name + length, "./ \t\n");
    }
    return false;
}

static const char case_rule[] =
    "case wants one or two names of parameters in small letters, such as m,edge";

static bool check_tests(const struct manifest *manifest, const char *path, struct diag *diag) {
    if (!case_names_are_good(case_names(manifest, NULL)))
        return REFUSE("case", manifest->case_names, "%s", case_rule);
    for (unsigned i = 0; i < manifest->n_tests; i++) {
        const char *name = manifest->tests[i].name;
        if (!case_names_are_good(case_names(manifest, &manifest->tests[i])))
            return REFUSE("case", manifest->tests[i].case_names, "%s", case_rule);
        if (!is_tier(name))
            return REFUSE("name", name,
                          "the test's name '%s' is not TIER.name with a tier of example, edge, "
                          "safety, technique or speed",
                          name);
        if (manifest_test_find(manifest, name) != &manifest->tests[i])
            return REFUSE("name", name, "the test '%s' is listed twice", name);
        if (manifest->tests[i].points > 1000)
            return REFUSE("name", name, "the test '%s' has more than 1000 points", name);
        if (manifest->tests[i].todo > 99)
            return REFUSE("name", name, "the test '%s' has a TODO above 99", name);
    }
    return true;
}

static bool is_finding(const char *word) {
    static const char *const words[] = {
#define FINDING(name, word, by, failure, what) word,
#include "common/simt/findings.def"
#undef FINDING
    };
    return find_in_list(word, words, sizeof words / sizeof *words, sizeof *words);
}

static bool check_diagnoses(const struct manifest *manifest, const char *path, struct diag *diag) {
    for (unsigned i = 0; i < manifest->n_diagnoses; i++) {
        const struct manifest_diagnosis *diagnosis = &manifest->diagnoses[i];
        if (manifest_diagnosis_find(manifest, diagnosis->id) != diagnosis)
            return REFUSE("id", diagnosis->id, "the diagnosis '%s' is listed twice", diagnosis->id);
        if (!diagnosis->finding)
            continue;
        if (!is_finding(diagnosis->finding))
            return REFUSE("finding", diagnosis->finding, "the simulator has no finding '%s'",
                          diagnosis->finding);
        if (manifest_diagnosis_of_finding(manifest, diagnosis->finding) != diagnosis)
            return REFUSE("id", diagnosis->id, "a diagnosis before '%s' has the finding '%s'",
                          diagnosis->id, diagnosis->finding);
    }
    return true;
}

/* The kind of edit that a word may have meant; NULL where none is near. */
static const char *nearest_edit(const char *word) {
    const char *words[SIMT_N_EDITS];
    for (uint32_t kind = SIMT_EDIT_NONE + 1; kind < SIMT_N_EDITS; kind++)
        words[kind - 1] = simt_edit_kind_word(kind);
    int nearest = nearest_index(word, words, SIMT_N_EDITS - 1);
    return nearest < 0 ? NULL : words[nearest];
}

static bool check_edits(const struct manifest *manifest, const char *path, struct diag *diag) {
    for (unsigned i = 0; i < manifest->n_edits; i++) {
        const struct manifest_edit *edit = &manifest->edits[i];
        const uint32_t kind = simt_edit_kind_of(edit->edit);
        const char *nearest = kind == SIMT_EDIT_NONE ? nearest_edit(edit->edit) : NULL;
        if (nearest)
            return REFUSE("edit", edit->edit, "there is no edit '%s'; did you mean '%s'?",
                          edit->edit, nearest);
        if (kind == SIMT_EDIT_NONE)
            return REFUSE("edit", edit->edit,
                          "there is no edit '%s'; common/simt/program/edit/edits.def has them all",
                          edit->edit);
        if (manifest_edit_find(manifest, edit->edit, edit->todo) != edit)
            return REFUSE("edit", edit->edit, "the edit '%s' is listed twice for one TODO",
                          edit->edit);
        if (strlen(edit->text) > MAX_WORDS)
            return REFUSE("edit", edit->edit, "the text of the edit '%s' has more than %d bytes",
                          edit->edit, MAX_WORDS);
        const char *misfit = simt_edit_misfit(kind, edit->text);
        if (misfit)
            return REFUSE("edit", edit->edit, "the edit '%s' has no placeholder '%.12s'",
                          edit->edit, misfit);
    }
    return true;
}

static bool check(const struct manifest *manifest, const char *path, struct diag *diag) {
    static const char *const files[] = {"source", "header"};
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? manifest->source : manifest->header;
        if (strchr(name, '/') || name[0] == '.' || name[0] == '-')
            return REFUSE(files[i], name, "'%s' is not the plain name of a file", name);
    }
    if (strncmp(manifest->standard, "c++", 3) != 0)
        return REFUSE("standard", manifest->standard, "'%s' is no C++ standard, such as c++14",
                      manifest->standard);
    if (manifest->timeout_ms < 100 || manifest->timeout_ms > 600000)
        return REFUSE("timeout_ms", "", "timeout_ms is not between 100 and 600000");
    return check_tests(manifest, path, diag) && check_diagnoses(manifest, path, diag) &&
           check_edits(manifest, path, diag);
}

/* The language that the environment asks for, as two letters ("de"); "" where it names none. */
static void find_language(char language[3]) {
    static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    language[0] = language[2] = '\0';
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (!value || !*value)
            continue;
        bool is_language = islower((unsigned char)value[0]) && islower((unsigned char)value[1]) &&
                           !isalpha((unsigned char)value[2]);
        if (is_language)
            memcpy(language, value, 2);
        return;
    }
}

static void swap_hints(struct manifest *manifest) {
    struct manifest_hints *other = manifest->other_hints;
    char **hints = manifest->hints;
    manifest->hints = other->hints;
    other->hints = hints;
}

/* Puts the hints of hints.LANGUAGE.yaml in the place of the manifest's, where there is such a file.
 */
static bool translate(struct manifest *manifest, const char *folder, const char *language,
                      struct diag *diag) {
    char *path = text_format("%s/hints.%s.yaml", folder, language);
    void *data = NULL;
    bool is_good = true;
    if (*language && file_exists(path)) {
        is_good = yaml_load(path, &hints_schema, &data, diag) == GRADER_OK;
        manifest->other_hints = data;
        if (is_good && manifest->other_hints->n_hints != manifest->n_hints) {
            diag_set(diag, path, 0, "there are %u hints here, and %u in lab.yaml",
                     manifest->other_hints->n_hints, manifest->n_hints);
            is_good = false;
        }
        if (is_good)
            swap_hints(manifest);
    }
    free(path);
    return is_good;
}

/* Opens a text in its place where it is sealed. */
static bool open_text(char **text, const char *secret, const char *path, struct diag *diag) {
    if (!seal_is(*text))
        return true;
    char *opened = seal_open(*text, secret);
    if (!opened)
        return REFUSE("text", *text, "a sealed text of '%s' was changed", secret);
    free(*text);
    *text = opened;
    return true;
}

/* Opens what `edition` has sealed; the secrets stand beside it (manifest.h). */
static bool open_texts(struct manifest *manifest, const char *path, struct diag *diag) {
    bool is_good = true;
    for (unsigned i = 0; i < manifest->n_hints && is_good; i++)
        is_good = open_text(&manifest->hints[i], manifest->entry, path, diag);
    for (unsigned i = 0; i < manifest->n_diagnoses && is_good; i++) {
        struct manifest_diagnosis *item = &manifest->diagnoses[i];
        is_good = open_text(&item->text, item->id, path, diag) &&
                  open_text(&item->hint, item->id, path, diag);
    }
    for (unsigned i = 0; i < manifest->n_edits && is_good; i++)
        is_good = open_text(&manifest->edits[i].text, manifest->edits[i].edit, path, diag);
    return is_good;
}

struct manifest *manifest_load(const char *folder, struct diag *diag) {
    OWNED char *path = text_format("%s/lab.yaml", folder);
    char language[3];
    void *data = NULL;
    find_language(language);
    if (yaml_load(path, &manifest_schema, &data, diag) == GRADER_OK &&
        !(open_texts(data, path, diag) && check(data, path, diag) &&
          translate(data, folder, language, diag))) {
        manifest_free(data);
        data = NULL;
    }
    return data;
}

void manifest_free(struct manifest *manifest) {
    if (manifest)
        cyaml_free(yaml_config(), &hints_schema, manifest->other_hints, 0);
    cyaml_free(yaml_config(), &manifest_schema, manifest, 0);
}

unsigned manifest_points(const struct manifest *manifest) {
    unsigned points = 0;
    for (unsigned i = 0; i < manifest->n_tests; i++)
        points += manifest->tests[i].points;
    return points;
}

const struct manifest_test *manifest_test_find(const struct manifest *manifest, const char *name) {
    return find_in_list(name, manifest->tests, manifest->n_tests, sizeof *manifest->tests);
}

const struct manifest_diagnosis *manifest_diagnosis_find(const struct manifest *manifest,
                                                         const char *id) {
    return find_in_list(id, manifest->diagnoses, manifest->n_diagnoses,
                        sizeof *manifest->diagnoses);
}

const struct manifest_diagnosis *manifest_diagnosis_of_finding(const struct manifest *manifest,
                                                               const char *kind) {
    for (unsigned i = 0; i < manifest->n_diagnoses; i++) {
        const char *finding = manifest->diagnoses[i].finding;
        if (finding && strcmp(finding, kind) == 0)
            return &manifest->diagnoses[i];
    }
    return NULL;
}

/* Reads "TODO 3:" or "TODO 3 to 5:". */
static bool is_part(const char *text, unsigned *first, unsigned *last) {
    int length = 0;
    if (sscanf(text, "TODO %2u:%n", first, &length) == 1 && length > 0) {
        *last = *first;
        return true;
    }
    return sscanf(text, "TODO %2u to %2u:%n", first, last, &length) == 2 && length > 0;
}

const char *manifest_hint_part(const char *hint, unsigned todo, size_t *bytes) {
    const char *start = NULL;
    unsigned first, last;
    *bytes = 0;
    for (const char *at = strstr(hint, "TODO "); at; at = strstr(at + 1, "TODO ")) {
        if (!is_part(at, &first, &last))
            continue;
        if (start) {
            *bytes = (size_t)(at - 1 - start);
            return start;
        }
        if (todo == 0 || (first <= todo && todo <= last))
            start = at;
    }
    *bytes = start ? strlen(start) : 0;
    return start;
}

const struct manifest_edit *manifest_edit_find(const struct manifest *manifest, const char *edit,
                                               unsigned todo) {
    const struct manifest_edit *found = NULL;
    for (unsigned i = 0; i < manifest->n_edits; i++) {
        const struct manifest_edit *item = &manifest->edits[i];
        if (strcmp(item->edit, edit) != 0)
            continue;
        if (item->todo == todo)
            return item;
        if (item->todo == 0)
            found = item;
    }
    return found;
}
