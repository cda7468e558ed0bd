/* The table of formats, and what several of them need. */
#include "grader/report/formats/format.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"

char *format_xml_text(const char *text) {
    OWNED char *harmless = text_clean(text, strlen(text), true);
    char *first = text_replace(harmless, "\xef\xbf\xbe", "?"); /* U+FFFE, U+FFFF */
    char *second = text_replace(first, "\xef\xbf\xbf", "?");
    free(first);
    return second;
}

const struct format formats[] = {
#define FORMAT(file, name, suffix, is_of_class, shows_tests, is_for_teachers, writer)              \
    {name, suffix, is_of_class, shows_tests, is_for_teachers, writer},
    FORMATS(FORMAT)
#undef FORMAT
        {0},
};
const char *const format_names[] = {
#define FORMAT(file, name, suffix, is_of_class, shows_tests, is_for_teachers, writer) name,
    FORMATS(FORMAT)
#undef FORMAT
        NULL,
};

enum grader_status format_refuse(const struct scored_student *student, struct diag *diag) {
    for (size_t i = 0; i < student->n_labs; i++) {
        const struct scored_lab *lab = &student->labs[i];
        if (lab->is_graded)
            continue;
        diag_set(
            diag, NULL, 0,
            "%s could not be graded, by no fault of the code, so no score is written; grade it "
            "again",
            lab->name);
        return GRADER_FAILED;
    }
    return GRADER_OK;
}

char *format_test_name(const struct scored_student *student, const struct scored_lab *lab,
                       const char *test) {
    return student->n_labs > 1 ? text_format("%s: %s", lab->name, test) : text_format("%s", test);
}

void format_print(json_t *document, size_t flags, FILE *out) {
    if (!document)
        abort();
    /* 12 digits: hundredths come out as they are, not as the nearest binary fraction. */
    json_dumpf(document, out, flags | JSON_REAL_PRECISION(12));
    fputc('\n', out);
    json_decref(document);
}

const char *format_number(const struct scored_student *student, const char *system,
                          const char *said) {
    const char *last = student->number ? student->number : student->person ? "" : student->id;
    bool is_systems = strcmp(student->system, system) == 0;
    bool is_number = text_is_number(last, strlen(last));
    if (is_systems && is_number)
        return last;
    if (text_is_number(said, strlen(said)))
        return said;
    return (!*student->system || is_systems) && is_number ? last : "";
}
