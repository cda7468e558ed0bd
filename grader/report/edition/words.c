/* Writes the manifest anew, each text in quotes as JSON has them, which are YAML's, too. */
#include "grader/report/edition/words.h"

#include <jansson.h>
#include <stdlib.h>

#include "common/base/seal.h"

/* Adds "  key: text" where there is a text. */
static void add(char **out, const char *before, const char *text) {
    if (!text)
        return;
    json_auto_t *value = json_string(text);
    OWNED char *quoted = json_dumps(value, JSON_ENCODE_ANY);
    text_add(out, "%s%s\n", before, quoted);
}

static bool add_sealed(char **out, const char *before, const char *text, const char *secret) {
    OWNED char *sealed = seal_close(text, secret, SEAL_QUICK);
    if (sealed)
        text_add(out, "%s'%s'\n", before, sealed);
    return sealed != NULL;
}

static void add_tests(char **out, const struct manifest *manifest) {
    text_add(out, "\ntests:\n");
    for (unsigned i = 0; i < manifest->n_tests; i++) {
        const struct manifest_test *test = &manifest->tests[i];
        add(out, "  - name: ", test->name);
        text_add(out, "    points: %u\n", test->points);
        if (test->todo > 0)
            text_add(out, "    todo: %u\n", test->todo);
        add(out, "    rung: ", test->rung);
        add(out, "    case: ", test->case_names);
        add(out, "    claim: ", test->claim);
    }
}

static bool add_hints(char **out, const struct manifest *manifest) {
    /* Those of lab.yaml, whatever language the environment asks for. */
    const struct manifest_hints *other = manifest->other_hints;
    char *const *hints = other ? other->hints : manifest->hints;
    bool is_good = true;
    text_add(out, "\nhints:\n");
    for (unsigned i = 0; i < manifest->n_hints && is_good; i++)
        is_good = add_sealed(out, "  - ", hints[i], manifest->entry);
    return is_good;
}

static bool add_diagnoses(char **out, const struct manifest *manifest) {
    bool is_good = true;
    text_add(out, "\ndiagnoses:\n");
    for (unsigned i = 0; i < manifest->n_diagnoses && is_good; i++) {
        const struct manifest_diagnosis *item = &manifest->diagnoses[i];
        add(out, "  - id: ", item->id);
        add(out, "    finding: ", item->finding);
        is_good = add_sealed(out, "    text: ", item->text, item->id) &&
                  add_sealed(out, "    hint: ", item->hint, item->id);
        add(out, "    where: ", item->where);
        add(out, "    proof: ", item->proof);
        add(out, "    about: ", item->about);
        if (item->stores_nothing)
            text_add(out, "    stores_nothing: true\n");
        if (item->else_right)
            text_add(out, "    else_right: true\n");
        if (item->seen)
            text_add(out, "    seen: true\n");
    }
    return is_good;
}

static bool add_edits(char **out, const struct manifest *manifest) {
    bool is_good = true;
    if (manifest->n_edits > 0)
        text_add(out, "\nedits:\n");
    for (unsigned i = 0; i < manifest->n_edits && is_good; i++) {
        const struct manifest_edit *edit = &manifest->edits[i];
        add(out, "  - edit: ", edit->edit);
        if (edit->todo > 0)
            text_add(out, "    todo: %u\n", edit->todo);
        is_good = add_sealed(out, "    text: ", edit->text, edit->edit);
    }
    return is_good;
}

char *words_seal(const struct manifest *manifest) {
    char *out = text_format("%s", "");
    add(&out, "title: ", manifest->title);
    add(&out, "summary: ", manifest->summary);
    add(&out, "source: ", manifest->source);
    add(&out, "header: ", manifest->header);
    add(&out, "entry: ", manifest->entry);
    add(&out, "standard: ", manifest->standard);
    text_add(&out, "timeout_ms: %u\n", manifest->timeout_ms);
    add(&out, "case: ", manifest->case_names);
    add_tests(&out, manifest);
    if (add_hints(&out, manifest) && add_diagnoses(&out, manifest) && add_edits(&out, manifest))
        return out;
    free(out);
    return NULL;
}
